"""Looking back on Spark: the same answers as the command line gives."""

import asyncio
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from broker_desk import Desk

from lastvalue.broker.broker import Broker
from lastvalue.client import Message, connect
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.history.errors import HistoryUnavailableError, InvalidTimeError
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.history.lookback import Lookback, look_back
from lastvalue.history.records import Record, read_record
from lastvalue.history.tables import TableWriter
from lastvalue.history.times import print_time
from lastvalue.pipeline import as_of, diff, history_rows, timeline
from lastvalue.queues.declaration import spec_from_arguments
from lastvalue.queues.subscription import Mode, Outcome

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

START_MS = 1_700_000_000_000
KINDS: list[dict[str, Any]] = [
    {"lvq_key": "k", "priorities": 3},
    {"lvq_key": "k", "lvq_placement": "in-place"},
    {"sort_key": "s", "max_messages": 8, "when_full": "drop-oldest"},
]
Row = tuple[Any, ...]


class Life:
    """A queue that much happens to, turn by turn, by chance."""

    def __init__(self, kind: dict[str, Any], seed: int) -> None:
        self.chance = random.Random(seed)
        self.broker = Broker()
        self.options = {**kind, "history": "h", "history_deliveries": True}
        self.broker.declare(spec_from_arguments("q", self.options))
        self.now = START_MS
        self.times: list[int] = []
        self.desk = Desk(0)
        self.consume()

    def consume(self) -> None:
        self.desk = Desk(3)
        self.desk.reading = self.broker.read(self.broker.lookup("q"), Mode.CONSUME, self.desk, now=self.now)
        self.desk.reading.wake()

    def send(self) -> None:
        chance = self.chance
        delay = {"x-opt-delivery-delay": 40} if chance.random() < 0.2 else {}
        content = MessageContent(
            body=f"body {self.now}",
            application_properties={"k": chance.choice("abcde"), "s": chance.choice("xyz")},
            priority=chance.randrange(10),
            ttl_ms=chance.choice([None, None, 30]),
            message_annotations=delay,
        )
        self.broker.publish(self.broker.lookup("q"), read_message(encode_content(content)), self.now)

    def settle(self) -> None:
        if self.desk.got:
            outcome = self.chance.choice([Outcome.ACCEPTED, Outcome.MODIFIED_FAILED, Outcome.REJECTED])
            self.desk.reading.settle(self.desk.got.pop(0), outcome, self.now)
            self.desk.room += 1
            self.desk.reading.wake()

    def reconfigure(self) -> None:
        changed = {**self.options, "maximum_ttl_ms": self.chance.choice([50, 500])}
        self.broker.reconfigure(spec_from_arguments("q", changed), self.now)

    def make_anew(self) -> None:
        self.broker.delete("q", self.now)
        self.broker.declare(spec_from_arguments("q", self.options))
        self.consume()

    def turn(self) -> None:
        for happening, likely in (
            (self.send, 0.9),
            (self.send, 0.7),
            (self.settle, 0.5),
            (self.reconfigure, 0.05),
            (self.make_anew, 0.02),
        ):
            if self.chance.random() < likely:
                happening()
        self.broker.advance(self.now)
        self.broker.pump(self.now)
        self.broker.drain()
        self.times.append(self.now)
        self.now += self.chance.randrange(1, 12)

    def records(self) -> list[Record]:
        entries = self.broker.lookup("h").queue.entries()
        return [read_record(entry.message.encoded, int(entry.sequence)) for entry in entries]


def on_spark(rows: "DataFrame") -> list[Row]:
    wanted = [
        "position", "sequence", "state", "key", "updates", "delivery_count", "holder",
        "unix_millis(expires)", "string(body)",
    ]  # fmt: skip
    return [tuple(row) for row in rows.selectExpr(*wanted).collect()]


def by_the_engine(lookback: Lookback, time_ms: int) -> list[Row]:
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
        for position, each in enumerate(lookback.as_of(time_ms).in_order(time_ms), 1)
    ]


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_as_of_is_what_the_engine_says_at_any_moment(
    spark: "SparkSession", tmp_path: Path, kind: dict[str, Any]
) -> None:
    life = Life(kind, seed=len(str(kind)))
    for _ in range(120):
        life.turn()
    records = life.records()
    writer = TableWriter(tmp_path)
    for start in range(0, len(records), 100):
        writer.append("h", 1, records[start : start + 100])
    writer.close()
    lookback = asyncio.run(look_back("q", directory=tmp_path))
    found: list[Row] = []
    for time_ms in (life.times[20], life.times[55], life.times[90], lookback.known_to_ms):
        expected = by_the_engine(lookback, time_ms)
        assert on_spark(as_of(spark, tmp_path, "q", print_time(time_ms))) == expected
        found += expected
    assert len(found) >= 4


async def fill(url: str, *keys: str) -> None:
    async with connect(url) as connection:
        await connection.queue("lb").send_many([Message(f"{key} {len(keys)}", {"k": key}) for key in keys])


def test_tables_and_broker_are_one_answer(spark: "SparkSession", tmp_path: Path, broker_url: str) -> None:
    async def prepare() -> Lookback:
        async with connect(broker_url) as connection:
            await connection.declare("lb", lvq_key="k", history="lb.history")
        await fill(broker_url, "a", "b", "a")
        await land_history(broker_url, tmp_path, ["lb"], LandingOptions(until_now=True))
        landed = await look_back("lb", directory=tmp_path)
        while (await look_back("lb", url=broker_url)).known_to_ms <= landed.known_to_ms:
            pass
        await fill(broker_url, "b", "c")
        async with connect(broker_url) as connection:
            (delivery,) = await connection.queue("lb").receive(limit=1).batch(1)
            delivery.accept()
            await connection.queue("lb").info()
        return landed

    landed = asyncio.run(prepare())
    both = asyncio.run(look_back("lb", url=broker_url, directory=tmp_path))
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
    with pytest.raises(InvalidTimeError, match="later than what is known"):
        as_of(spark, tmp_path, "lb", end)
    with pytest.raises(InvalidTimeError, match="before the first"):
        diff(spark, tmp_path, "lb", "now", "-1h")
    with pytest.raises(HistoryUnavailableError, match="begins after"):
        as_of(spark, tmp_path, "lb", "-1h")
    with pytest.raises(HistoryUnavailableError, match="hold no history of 'nosuch'"):
        as_of(spark, tmp_path, "nosuch", "-1h")
