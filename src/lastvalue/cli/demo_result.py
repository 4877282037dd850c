"""The result of a demo: its counts, and whether the subscriber saw the newest values."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from lastvalue.client.message import Message


@dataclass(frozen=True, slots=True)
class DemoResult:
    """The counts of a demo.

    Attributes:
        read: updates that the feed read.
        published: messages that the broker got, after conflation on Spark.
        delivered: messages that the subscriber got, after conflation in the queue.
        keys: keys that the subscriber saw.
        latencies_ms: for each message, from the time its newest update was due to its arrival.
        differences: keys whose last message is not the newest update.
    """

    read: int
    published: int
    delivered: int
    keys: int
    latencies_ms: Sequence[float]
    differences: Sequence[object]

    def lines(self) -> list[str]:
        """The summary, as lines."""
        spark, queue = self.read - self.published, self.published - self.delivered
        p50, p99 = _percentile(self.latencies_ms, 50), _percentile(self.latencies_ms, 99)
        return [
            f"updates read        {self.read:>9,}",
            f"conflated away      {spark + queue:>9,}  ({spark:,} on Spark, {queue:,} in the queue)",
            f"delivered           {self.delivered:>9,}",
            f"keys                {self.keys:>9,}",
            f"feed to subscriber  p50 {p50:,.0f} ms, p99 {p99:,.0f} ms",
        ]

    def verdict(self) -> str:
        """One line: whether the newest values arrived."""
        if not self.differences:
            return (
                f"checked: for all {self.keys:,} keys the subscriber last saw what a direct computation says"
            )
        shown = ", ".join(map(str, self.differences[:20]))
        more = len(self.differences) - 20
        return f"{len(self.differences)} keys differ from a direct computation: {shown}" + (
            f" and {more} more" if more > 0 else ""
        )


def differing_keys(
    expected: Mapping[object, tuple[int, Mapping[str, object]]],
    seen: Mapping[object, tuple[Message, Mapping[str, object]]],
    order_by: str,
) -> list[object]:
    """The keys whose last message differs from their newest row, in the order value or another value.

    Args:
        expected: the order value and the newest row of each key.
        seen: the last message of each key, with its parsed body.
        order_by: the application property that carries the order value.
    """
    differing = []
    for key in sorted({*expected, *seen}, key=str):
        if key not in expected or key not in seen:
            differing.append(key)
            continue
        order, row = expected[key]
        message, body = seen[key]
        if message.properties.get(order_by) != order or dict(body) != _as_json(row):
            differing.append(key)
    return differing


def _as_json(row: Mapping[str, object]) -> dict[str, object]:
    """The row as the feed writes it: nulls are left out, and times are text."""
    return {
        name: value.strftime("%Y-%m-%dT%H:%M:%S.%fZ") if isinstance(value, datetime) else value
        for name, value in row.items()
        if value is not None
    }


def _percentile(values: Sequence[float], percent: int) -> float:
    if len(values) < 2:
        return values[0] if values else 0.0
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
