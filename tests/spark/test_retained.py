"""`retained` on a real Spark against the live engine, by every plan that holds.

A job takes the histories of many queues at once, all of one declaration; `LASTVALUE_EXAMPLES` is the number
of declarations that are drawn, 1 if it is not set; `make parity` has many.
"""

import os
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession

from lastvalue.client.message import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.model.message import NEVER
from lastvalue.pipeline.retention.arrivals import Arrivals
from lastvalue.pipeline.retention.retained import Plan, plan_for, retained
from lastvalue.queues.entry import AVAILABLE
from lastvalue.queues.errors import DelayRefusedError
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Subscriber
from lastvalue.selectors import parse_selector

pytestmark = [pytest.mark.spark, pytest.mark.timeout(3600)]

EXAMPLES = int(os.environ.get("LASTVALUE_EXAMPLES", "1"))
HISTORIES = 80
START = datetime(2026, 3, 1, tzinfo=UTC)
START_MS = int(START.timestamp()) * 1000

Row = dict[str, Any]
QueuedMessage = tuple[int, int | None, int, str, int | None]
"""Sequence, position, updates, state and when it expires."""

# ---------------------------------------------------------------------- declarations and histories

ORDERINGS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"priorities": st.sampled_from([1, 3, 10])}),
    st.fixed_dictionaries({"sort_key": st.sampled_from(["s", "s", "id"])}),
    st.fixed_dictionaries(
        {"lvq_key": st.sampled_from(["key", "key", "id"])},
        optional={
            "order_by": st.just("o"),
            "lvq_key_equality": st.just("text"),
            "lvq_keyless": st.just("conflate"),
            "lvq_fallback_key": st.just("s"),
            "priorities": st.just(3),
        },
    ),
    st.fixed_dictionaries(
        {"lvq_key": st.sampled_from(["key", "id", "key,s"]), "delete_on_empty": st.just(True)},
        optional={"order_by": st.just("o"), "lvq_keyless": st.just("conflate")},
    ),
    st.fixed_dictionaries(
        {"lvq_key": st.sampled_from(["key,id", "s,key"])},
        optional={"order_by": st.just("o"), "lvq_keyless": st.just("conflate"), "priorities": st.just(3)},
    ),
    st.fixed_dictionaries(
        {"lvq_key": st.just("key"), "lvq_placement": st.sampled_from(["in-place", "in-place-no-browse"])},
        optional={"order_by": st.just("o")},
    ),
)
FILTERS = [
    "mark OR o > 2",
    "NOT mark",
    "JMSPriority >= 4 AND s IS NOT NULL",
    "id = 0 OR key BETWEEN 1 AND 2",
    "JMSCorrelationID LIKE '1%' OR key IN ('1', 'x')",
]
OPTIONS = [
    st.fixed_dictionaries({"max_messages": st.sampled_from([1, 2, 4])}),
    st.fixed_dictionaries({"max_bytes": st.sampled_from([60, 200])}),
    st.fixed_dictionaries({"when_full": st.sampled_from(["drop-oldest", "drop-oldest", "self-destruct"])}),
    st.sampled_from(
        [
            {"no_expiry": True},
            {"minimum_ttl_ms": 6},
            {"maximum_ttl_ms": 9},
            {"default_ttl_ms": 5},
            {"minimum_ttl_ms": 4, "maximum_ttl_ms": 4},
            {"minimum_ttl_ms": 3, "maximum_ttl_ms": 8, "default_ttl_ms": 20},
        ]
    ),
    st.just({"hold_on_publish": True}),
    st.just({"delayed_delivery": "refuse"}),
    st.fixed_dictionaries({"filter": st.sampled_from(FILTERS)}),
    st.just({"non_destructive": True}),
    st.fixed_dictionaries({"duplicate_window": st.sampled_from([1, 3])}),
    st.fixed_dictionaries({"group_mode": st.sampled_from(["default", "shared"])}),
]
DECLARATIONS = st.builds(
    lambda ordering, options: {
        **ordering,
        **{name: value for part in options for name, value in part.items()},
    },
    ORDERINGS,
    st.lists(st.sampled_from(range(len(OPTIONS))), max_size=3, unique=True).flatmap(
        lambda chosen: st.tuples(*[OPTIONS[number] for number in chosen])
    ),
)

KEYS: Mapping[str, tuple[object, ...]] = {"string": ("1", "2", ""), "long": (1, 2, -3)}
ORDERS: Mapping[str, tuple[object, ...]] = {
    "long": (1, 2, 3),
    "double": (1.0, -0.0, 0.0, float("inf"), float("nan")),
    "string": ("a", "\uffee", "\U0001f600"),
    "boolean": (True, False),
}
IDS: Mapping[str, tuple[object, ...]] = {
    "double": (1.0, -0.0, 0.0, float("nan"), 1e22),
    "float": (1.5, -0.0, 0.0),
    "boolean": (True, False),
    "binary": (b"", b"1", b"2"),
    "int": (0, 1, -1),
}
LEFT_OUT = ("ttl_ms", "expiry_time", "not_before_time", "annotations", "updates", "priority")


@dataclass(frozen=True)
class Columns:
    """Which columns a history has, and of which types."""

    key: str = "string"
    order: str = "long"
    id: str = "double"
    left_out: frozenset[str] = frozenset()

    def schema(self) -> dict[str, str]:
        kinds = {
            "queue": "string",
            "sequence": "long",
            "arrival_time": "timestamp",
            "body": "binary",
            "key": self.key,
            "properties": f"struct<o: {self.order}, s: string, mark: boolean, "
            "`x-qpid-not-valid-before`: long, _AMQ_DUPL_ID: string, "
            f"id: {self.id}>",
            "annotations": "struct<`x-opt-delivery-time`: long, `x-opt-delivery-delay`: double, "
            "`x-opt-updates`: int, key: string>",
            "priority": "int",
            "ttl_ms": "long",
            "expiry_time": "timestamp",
            "not_before_time": "timestamp",
            "correlation_id": "string",
            "updates": "int",
            "group_id": "string",
        }
        return {name: kind for name, kind in kinds.items() if name not in self.left_out}


COLUMNS = st.builds(
    Columns,
    st.sampled_from(list(KEYS)),
    st.sampled_from(list(ORDERS)),
    st.sampled_from(list(IDS)),
    st.frozensets(st.sampled_from(LEFT_OUT)),
)


def history(chance: random.Random, name: str, columns: Columns) -> list[Row]:
    """Arrivals at one queue, in their order."""
    now = START_MS
    rows = []
    for sequence in sorted(chance.sample(range(1, 40), chance.randrange(1, 14))):
        now += chance.choice([0, 0, 1, 2, 5])

        def soon(now: int = now) -> int:
            return now + chance.randrange(-2, 12)

        row = {
            "queue": name,
            "sequence": sequence,
            "arrival_time": START
            + timedelta(milliseconds=now - START_MS, microseconds=chance.randrange(1000)),
            "body": b"." * chance.choice([0, 1, 30, 80]),
            "key": chance.choice([None, *KEYS[columns.key] * 2]),
            "properties": (
                chance.choice([None, *ORDERS[columns.order] * 2]),
                chance.choice([None, "", "a", "B", "é", "\uffee", "\U0001f600"]),
                chance.choice([None, True, False]),
                chance.choice([None, None, soon()]),
                chance.choice([None, "", "x", "y", "z"]),
                chance.choice([None, *IDS[columns.id] * 2]),
            ),
            "annotations": (
                chance.choice([None, None, None, soon()]),
                chance.choice([None, None, None, -1.0, 3.7, float("nan")]),
                chance.choice([None, 0, 3]),
                chance.choice([None, "1", "z"]),
            ),
            "priority": chance.choice([None, 0, 4, 9, 255]),
            "ttl_ms": chance.choice([None, None, 1, 3, 7]),
            "not_before_time": chance.choice(
                [None, None, None, START + timedelta(milliseconds=soon() - START_MS)]
            ),
            "correlation_id": chance.choice([None, "1", "2"]),
            "expiry_time": chance.choice(
                [
                    None,
                    None,
                    datetime(1970, 1, 1, tzinfo=UTC),
                    START + timedelta(milliseconds=soon() - START_MS),
                ]
            ),
            "updates": chance.choice([None, 1, 1, 5]),
            "group_id": chance.choice([None, "g", "h"]),
        }
        rows.append({name: row[name] for name in columns.schema()})
    return rows


# ---------------------------------------------------------------------- the live engine


class Reader(Subscriber):
    def wake(self) -> None:
        """There is nobody to wake."""


def message_of(row: Row) -> EncodedMessage:
    """What a client would have sent."""
    names = ("o", "s", "mark", "x-qpid-not-valid-before", "_AMQ_DUPL_ID", "id")
    notes = ("x-opt-delivery-time", "x-opt-delivery-delay", "x-opt-updates", "key")
    properties = {**dict(zip(names, row["properties"], strict=True)), "key": row["key"]}
    annotations = dict(zip(notes, row.get("annotations", (None,) * 4), strict=True))
    fields = {name: row.get(name) for name in ("priority", "ttl_ms", "updates", "group_id", "correlation_id")}
    if row.get("not_before_time") is not None:
        annotations["x-opt-delivery-time"] = milliseconds(row["not_before_time"])
    sent = Message(
        row["body"],
        {name: value for name, value in properties.items() if value is not None},
        {name: value for name, value in annotations.items() if value is not None},
        **{name: value for name, value in fields.items() if value is not None},
    )
    message = read_message(encode_message(sent))
    expires = row.get("expiry_time")
    if expires is not None and expires.timestamp() != 0:
        message.expires_ms = milliseconds(expires)
    return message


def milliseconds(time: datetime) -> int:
    return (time - START) // timedelta(milliseconds=1) + START_MS


def live(spec: QueueSpec, rows: Sequence[Row], at_ms: int) -> list[QueuedMessage]:
    """What the engine holds, told the time at each deadline and each arrival, in the order it is browsed."""
    queue = Queue(spec, parse_selector(spec.filter) if spec.filter else None)
    sequences: dict[int, int] = {}

    def pass_to(now: int) -> None:
        while 0 <= queue.next_deadline() <= now:
            queue.advance(queue.next_deadline())

    for row in rows:
        now = milliseconds(row["arrival_time"])
        if now > at_ms:
            break
        pass_to(now)
        try:
            taken = enqueue_once(queue, message_of(row), now)
        except DelayRefusedError:
            taken = False
        if queue.delete_requested:
            return []
        if taken:
            sequences[queue.sequence] = row["sequence"]
    pass_to(at_ms)
    queue.advance(at_ms)
    browser = queue.subscribe(Mode.BROWSE, Reader(), ANY, at_ms)
    seen = []
    while (entry := queue.next(browser, at_ms)) is not None:
        seen.append(entry)
    waiting = [entry for entry in queue.entries() if entry.state != AVAILABLE]
    assert len(seen) + len(waiting) == queue.depth
    return [
        (
            sequences[entry.sequence],
            position if entry.state == AVAILABLE else None,
            entry.updates,
            "available" if entry.state == AVAILABLE else "held_back",
            None if entry.expires_ms == NEVER else entry.expires_ms,
        )
        for position, entry in enumerate([*seen, *waiting], 1)
    ]


# ---------------------------------------------------------------------- the comparison


def frame_of(spark: SparkSession, histories: Mapping[str, Sequence[Row]], columns: Columns) -> DataFrame:
    schema = ", ".join(f"{name} {kind}" for name, kind in columns.schema().items())
    rows = [tuple(row.values()) for rows in histories.values() for row in rows]
    random.Random(0).shuffle(rows)
    return spark.createDataFrame(rows, schema).repartition(3)


def found(frame: DataFrame) -> dict[str, list[QueuedMessage]]:
    queued_message: dict[str, list[QueuedMessage]] = defaultdict(list)
    for row in frame.collect():
        expires = row["expires_time"]
        queued_message[row["queue"]].append(
            (
                row["sequence"],
                row["position"],
                row["updates"],
                row["state"],
                None if expires is None else milliseconds(expires.astimezone(UTC)),
            )
        )
    return queued_message


def told(rows: Sequence[Row]) -> str:
    """A history in lines, without what is null."""
    return "\n".join(
        f"{milliseconds(row['arrival_time']) - START_MS} ms: "
        + str({name: value for name, value in row.items() if value is not None and "arr" not in name})
        for row in rows
    )


def plans_for(spec: QueueSpec, frame: DataFrame) -> set[Plan]:
    """The plans that hold."""
    limited = spec.limit.messages > 0 or spec.limit.size_bytes > 0
    by_key = isinstance(spec.ordering, LastValue) and not limited
    best = plan_for(Arrivals.of(frame.schema, "key"), spec)
    return {Plan.BY_QUEUE, best, *([Plan.BY_KEY] if by_key and not spec.duplicate_window else [])}


@example({"lvq_key": "key"}, Columns(left_out=frozenset(LEFT_OUT)), 1, 20)
@example({"lvq_key": "key,id"}, Columns(left_out=frozenset(LEFT_OUT)), 11, 25)
@example({"lvq_key": "s,key", "order_by": "o"}, Columns("long"), 12, 25)
@example({"lvq_key": "key", "order_by": "o"}, Columns(left_out=frozenset(["ttl_ms", "expiry_time"])), 2, 25)
@example({"lvq_key": "key", "lvq_placement": "in-place"}, Columns(), 3, 25)
@example({"lvq_key": "key", "order_by": "o", "default_ttl_ms": 5}, Columns(), 4, 25)
@example({"priorities": 3, "max_messages": 4, "when_full": "drop-oldest"}, Columns(left_out=frozenset(["ttl_ms", "expiry_time", "not_before_time", "annotations"])), 5, 30)  # fmt: skip # noqa: E501 - one case
@example({"max_messages": 4}, Columns(left_out=frozenset(["ttl_ms", "expiry_time"])), 6, 30)
@example({"sort_key": "s", "max_bytes": 200, "when_full": "drop-oldest"}, Columns(), 7, 20)
@example({"lvq_key": "key", "duplicate_window": 2}, Columns(), 8, 25)
@given(DECLARATIONS, COLUMNS, st.integers(0, 2**32), st.sampled_from([0, 3, 10, 15, 20, 25, 40]))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_plan_finds_what_the_live_engine_holds(
    spark: SparkSession, declaration: dict[str, Any], columns: Columns, seed: int, after_ms: int
) -> None:
    if "priorities" in declaration:
        columns = replace(columns, left_out=columns.left_out - {"priority"})
    spec = spec_from_arguments("q", declaration)
    chance = random.Random(seed)
    histories = {f"q{number}": history(chance, f"q{number}", columns) for number in range(HISTORIES)}
    frame = frame_of(spark, histories, columns)
    at = START + timedelta(milliseconds=after_ms)
    expected = {
        name: held for name, rows in histories.items() if (held := live(spec, rows, START_MS + after_ms))
    }
    for plan in plans_for(spec, frame):
        queued_message = found(retained(frame, declaration, at, plan=plan))
        for name, rows in histories.items():
            assert queued_message.get(name, []) == expected.get(name, []), f"{plan}\n{told(rows)}"
