"""Looking back on Spark: the same answers as the command line gives."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lastvalue.client import Message, connect
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.history.errors import HistoryUnavailableError, InvalidTimeError
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.history.recorded_history import RecordedHistory, read_history
from lastvalue.history.times import print_time
from lastvalue.pipeline import as_of, diff, history_rows, timeline

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

Row = tuple[Any, ...]


def on_spark(rows: "DataFrame") -> list[Row]:
    wanted = [
        "position", "sequence", "state", "key", "updates", "delivery_count", "holder",
        "unix_millis(expires)", "string(body)",
    ]  # fmt: skip
    return [tuple(row) for row in rows.selectExpr(*wanted).collect()]


def by_the_engine(recorded_history: RecordedHistory, time_ms: int) -> list[Row]:
    return [
        (
            position,
            each.record.sequence,
            each.state,
            each.record.key,
            each.updates,
            each.delivery_count,
            each.holder,
            each.expires_ms,
            decode_content(each.record.message).body,
        )
        for position, each in enumerate(recorded_history.as_of(time_ms).in_order(time_ms), 1)
    ]


async def fill(url: str, *keys: str) -> None:
    async with connect(url) as connection:
        await connection.queue("lb").send_many([Message(f"{key} {len(keys)}", {"k": key}) for key in keys])


def test_tables_and_broker_are_one_answer(spark: "SparkSession", tmp_path: Path, broker_url: str) -> None:
    async def prepare() -> RecordedHistory:
        async with connect(broker_url) as connection:
            await connection.declare("lb", lvq_key="k", history="lb.history")
        await fill(broker_url, "a", "b", "a")
        await land_history(broker_url, tmp_path, ["lb"], LandingOptions(until_now=True))
        landed = await read_history("lb", tables=tmp_path)
        while (await read_history("lb", url=broker_url)).known_to_ms <= landed.known_to_ms:
            pass
        await fill(broker_url, "b", "c")
        async with connect(broker_url) as connection:
            (delivery,) = await connection.queue("lb").receive(limit=1).batch(1)
            delivery.accept()
            await connection.queue("lb").info()
        return landed

    landed = asyncio.run(prepare())
    both = asyncio.run(read_history("lb", url=broker_url, tables=tmp_path))
    end = print_time(both.known_to_ms)
    assert on_spark(as_of(spark, tmp_path, "lb", end, url=broker_url)) == by_the_engine(
        both, both.known_to_ms
    )
    first = print_time(landed.known_to_ms)
    changed = diff(spark, tmp_path, "lb", first, end, url=broker_url).select(
        "change", "key", "reason", "before"
    )
    assert [tuple(row) for row in changed.collect()] == [
        ("removed", "a", "accepted", None),
        ("replaced", "b", "replaced", bytearray(b"b 3")),
        ("added", "c", None, None),
    ]
    told = timeline(spark, tmp_path, "lb", "b", url=broker_url).select("effect", "reason").collect()
    assert [tuple(row) for row in told] == [
        ("declared", None),
        ("added", None),
        ("added", None),
        ("removed", "replaced"),
    ]
    assert history_rows(spark, tmp_path, "lb").count() == 5
    with pytest.raises(InvalidTimeError, match="later than the records of"):
        as_of(spark, tmp_path, "lb", end)
    with pytest.raises(InvalidTimeError, match="before the first"):
        diff(spark, tmp_path, "lb", "now", "-1h")
    with pytest.raises(HistoryUnavailableError, match="begins after"):
        as_of(spark, tmp_path, "lb", "-1h")
    with pytest.raises(HistoryUnavailableError, match="hold no history of 'nosuch'"):
        as_of(spark, tmp_path, "nosuch", "-1h")
