"""The law: live = restored from effects = as_of on Spark = retained from what was published.

And what a store has that is restored to that moment.

Message by message, in order, at several moments, with what changed between them. A queue lives by chance.
Where no consumer acts, `retained` has to find the same in what was published. `make parity` has many lives.
"""

import asyncio
import os
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from broker_desk import LimitedReceiver
from restored_store import restored_store

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.history.base_records import base_of
from lastvalue.history.data_files import Landed
from lastvalue.history.errors import HistoryUnavailableError
from lastvalue.history.moment import AVAILABLE, HELD, WAITING
from lastvalue.history.recorded_history import RecordedHistory, read_history
from lastvalue.history.records import Record, read_record
from lastvalue.history.table_writer import TableWriter
from lastvalue.history.times import print_time
from lastvalue.model.message import NEVER
from lastvalue.pipeline import as_of, diff, retained, timeline
from lastvalue.queues.entry import ACQUIRED, HELD_BACK, Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscriber

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LIVES = int(os.environ.get("LASTVALUE_EXAMPLES", "1"))
SEED = int(os.environ.get("LASTVALUE_SEED", "1"))
TURNS = 80
START_MS = 1_700_000_000_000
START = datetime.fromtimestamp(START_MS // 1000, tz=UTC)

TYPES: list[dict[str, Any]] = [
    {"lvq_key": "k", "priorities": 3},
    {"sort_key": "s"},
    {"lvq_key": "k", "lvq_placement": "in-place", "lvq_keyless": "conflate"},
    {"priorities": 3},
    {},
    {"lvq_key": "k", "order_by": "o", "lvq_key_equality": "text"},
    {"lvq_key": "k", "lvq_placement": "in-place-no-browse"},
    {"lvq_key": "k"},
    {"lvq_key": "k", "delete_on_empty": True},
]
OPTIONS: list[dict[str, Any]] = [
    {"max_messages": 6, "when_full": "drop-oldest"},
    {"max_messages": 4},
    {"max_bytes": 300, "when_full": "drop-oldest"},
    {"default_ttl_ms": 40},
    {"maximum_ttl_ms": 25},
    {"minimum_ttl_ms": 20},
    {"no_expiry": True},
    {"hold_on_publish": True},
    {"filter": "o <> 2"},
    {"group_mode": "default"},
    {"non_destructive": True},
    {"max_delivery_attempts": 1},
]
STATES = {ACQUIRED: HELD, HELD_BACK: WAITING}
PUBLISHED = (
    "queue STRING, sequence LONG, arrival_time TIMESTAMP, body BINARY, key STRING, "
    "properties STRUCT<s: STRING, o: LONG>, "
    "annotations STRUCT<`x-opt-delivery-delay`: LONG>, priority INT, ttl_ms LONG, group_id STRING"
)
QueuedMessage = tuple[int, str, int, int, int | None]
"""Number, state, updates, failed deliveries, when it expires."""

pytestmark = [pytest.mark.spark, pytest.mark.timeout(600 + 60 * LIVES)]


class Asleep(Subscriber):
    """A reader that asks when it likes."""

    def wake(self) -> None:
        """It does not."""


@dataclass
class Life:
    """A queue that much happens to, turn by turn, by chance.

    Attributes:
        quiet: nobody consumes, and nobody changes the queue.
        history: the options of its history.
        published: what came, as rows of PUBLISHED.
        turns: how many it has.
        times: when each of them was.
    """

    options: dict[str, Any]
    seed: int
    quiet: bool
    turns: int = TURNS
    history: dict[str, Any] = field(default_factory=dict)
    broker: Broker = field(default_factory=Broker)
    now: int = START_MS
    published: list[tuple[Any, ...]] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    receiver: LimitedReceiver = field(default_factory=lambda: LimitedReceiver(3))

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        # Durable, because a restored store has nothing else.
        self.told = {**self.options, "durable": True, "history": "h", "history_deliveries": True}
        self.broker.declare(spec_from_arguments("h", {**self.history, "durable": True}))
        self.broker.declare(spec_from_arguments("q", self.told))
        self.consume()
        for _ in range(self.turns):
            self.turn()

    def consume(self) -> None:
        if not self.quiet:
            self.receiver = LimitedReceiver(3)
            queue = self.broker.lookup("q")
            self.receiver.reader = self.broker.read(queue, Mode.CONSUME, self.receiver, ANY, NOBODY, self.now)
            self.receiver.reader.wake()

    def send(self) -> None:
        chance = self.chance
        number = len(self.published)
        key, text = chance.choice("abcde"), chance.choice("xyz")
        order = chance.choice([None, 1, 2, 3])
        delay, ttl_ms = chance.choice([None, None, None, 40]), chance.choice([None, None, 30])
        priority, group = chance.randrange(10), chance.choice([None, "g", "h"])
        body = b"" if self.empties and chance.random() < 0.2 else str(number).encode()
        properties = {"k": key, "s": text, "o": order}
        content = MessageContent(
            body=body,
            durable=True,
            application_properties={name: value for name, value in properties.items() if value is not None},
            priority=priority,
            ttl_ms=ttl_ms,
            group_id=group,
            message_annotations={} if delay is None else {"x-opt-delivery-delay": delay},
        )
        self.broker.publish(self.broker.queue_target("q"), read_message(encode_content(content)), self.now)
        arrival = START + timedelta(milliseconds=self.now - START_MS)
        self.published.append(
            ("q", number + 1, arrival, body, key, (text, order), (delay,), priority, ttl_ms, group)
        )

    def settle(self) -> None:
        if self.receiver.got:
            outcome = self.chance.choice([Outcome.ACCEPTED, Outcome.MODIFIED_FAILED, Outcome.REJECTED])
            self.receiver.reader.settle(self.receiver.got.pop(0), outcome, self.now)
            self.receiver.room += 1
            self.receiver.reader.wake()

    @property
    def empties(self) -> bool:
        """Whether messages without a body delete their key."""
        return "delete_on_empty" in self.options

    def delete_key(self) -> None:
        """Where the queue has no keys, that is refused."""
        asked = Request("DELETE_KEY", "queue", "q", {"key": self.chance.choice("abcde")})
        manage(self.broker, asked, self.now)

    def purge(self) -> None:
        self.broker.purge("q")

    def reconfigure(self) -> None:
        changed = {**self.told, "max_delivery_attempts": self.chance.choice([1, 5])}
        if "lvq_key" in self.told:
            changed |= {"max_age_ms": 60, "when_aged": self.chance.choice(["alarm", "remove"])}
        self.broker.reconfigure(spec_from_arguments("q", changed), self.now)

    def make_anew(self) -> None:
        self.broker.delete("q", self.now)
        self.broker.declare(spec_from_arguments("q", self.told))
        self.consume()

    def settle_time(self, now: int) -> None:
        """What has come due has its effects, and they are recorded."""
        self.broker.advance(now)
        self.broker.pump(now)
        self.broker.drain(now)

    def turn(self) -> None:
        while 0 <= (deadline := self.broker.next_deadline()) <= self.now:
            self.settle_time(deadline)
        happenings = [(self.send, 0.9), (self.send, 0.7)]
        if not self.quiet:
            happenings += [(self.settle, 0.5), (self.reconfigure, 0.05), (self.make_anew, 0.02)]
            happenings += [(self.delete_key, 0.15), (self.purge, 0.02)]
        for happening, likely in happenings:
            if self.chance.random() < likely:
                happening()
        self.settle_time(self.now)
        self.times.append(self.now)
        self.now += self.chance.randrange(1, 12)

    def records(self) -> list[Record]:
        return records_of(each for each in self.broker.lookup("h").queue.entries() if not each.is_kept)

    def base(self) -> list[Record]:
        """What stands for the records that the history has dropped."""
        kept = records_of(each for each in self.broker.lookup("h").queue.entries() if each.is_kept)
        first = self.records()[0]
        return base_of(kept, first.offset - 1, first.time_ms)


def records_of(entries: Iterable[Entry]) -> list[Record]:
    return [read_record(entry.message.encoded, int(entry.sequence)) for entry in entries]


@dataclass(frozen=True)
class Held:
    """What a live queue has.

    Attributes:
        seen: the numbers that a browser sees, in its order.
        queued_message: all that is there, by number.
    """

    seen: list[int]
    queued_message: list[QueuedMessage]

    @classmethod
    def after(cls, life: Life, turns: int) -> "Held":
        """What it had after so many turns; lived again, because a browser may protect what it has seen."""
        return cls.of(Life(life.options, life.seed, life.quiet, turns).broker.lookup("q").queue)

    @classmethod
    def of(cls, queue: Queue) -> "Held":
        """What a queue has now."""
        browser = queue.subscribe(Mode.BROWSE, Asleep(), ANY, 0)
        seen: list[int] = []
        while (entry := queue.next(browser, START_MS)) is not None:
            seen.append(number_in(entry.message.encoded))
        queued_message = [
            (
                number_in(entry.message.encoded),
                STATES.get(entry.state, AVAILABLE),
                entry.updates,
                entry.delivery_count,
                None if entry.expires_ms == NEVER else entry.expires_ms,
            )
            for entry in queue.entries()
        ]
        return cls(seen, sorted(queued_message))

    def check(self, found: Sequence[QueuedMessage], told: str) -> None:
        """These are the same, in an order that a browser sees."""
        assert sorted(found) == self.queued_message, told
        assert [each[0] for each in found if each[0] in self.seen] == self.seen, told


def number_in(encoded: bytes) -> int:
    body = decode_content(encoded).body
    assert isinstance(body, bytes)
    return int(body)


def restored(recorded_history: RecordedHistory, time_ms: int) -> list[QueuedMessage]:
    return [
        (number_in(each.record.message), each.state, each.updates, each.delivery_count, each.expires_ms)
        for each in recorded_history.as_of(time_ms).in_order(time_ms)
    ]


def on_spark(rows: "DataFrame") -> list[QueuedMessage]:
    wanted = ["int(string(body))", "state", "updates", "delivery_count", "unix_millis(expires)"]
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows.selectExpr(*wanted).collect()]


def kept(spark: "SparkSession", life: Life, time_ms: int) -> list[QueuedMessage]:
    """What the published messages leave, without effects."""
    rows = retained(
        spark.createDataFrame(life.published, PUBLISHED),
        life.options,
        START + timedelta(milliseconds=time_ms - START_MS),
        key_property="k",
    )
    state = f"IF(state = 'available', '{AVAILABLE}', '{WAITING}')"
    wanted = ["int(string(body))", state, "updates", "0", "unix_millis(expires_time)"]
    found = rows.orderBy("position").selectExpr(*wanted).collect()
    return [(row[0], row[1], row[2], row[3], row[4]) for row in found]


def changes(recorded_history: RecordedHistory, first_ms: int, second_ms: int) -> list[tuple[Any, ...]]:
    found = []
    for change in recorded_history.diff(first_ms, second_ms):
        shown = change.after or change.before
        assert shown is not None
        found.append((change.kind, shown.record.sequence, shown.record.key, change.reason))
    return found


def check_restored(as_spark_says: Sequence[QueuedMessage], tables: Path, time_ms: int, told: str) -> None:
    """A store that is restored to the moment has what Spark says that the queue held."""
    with restored_store(str(tables), time_ms, START_MS + 1_000_000) as (broker, _):
        found = Held.of(broker.lookup("q").queue)
    free = [each for each in as_spark_says if each[1] != HELD]
    # What a consumer held is available, a failed delivery more, unless that was its last attempt.
    freed = {(each[0], AVAILABLE, each[2], each[3] + 1, each[4]) for each in as_spark_says if each[1] == HELD}
    assert set(found.queued_message) - freed == set(free), told
    shown = [each[0] for each in free if each[0] in found.seen]
    assert [number for number in found.seen if number in shown] == shown, told


def tables_of(records: Sequence[Record], directory: Path, base: Sequence[Record] = ()) -> RecordedHistory:
    """The records, landed in parts."""
    writer = TableWriter(directory)
    if base:
        writer.append_base("h", Landed(1, base[0].offset, base[0].time_ms), base)
    for start in range(0, len(records), 100):
        writer.append("h", 1, records[start : start + 100])
    return asyncio.run(read_history("q", tables=directory))


def drawn(number: int) -> Life:
    """A life: every type in turn, options by chance, every second one of a type quiet."""
    seed = SEED * 1_000_003 + number
    chance = random.Random(seed)
    options = dict(TYPES[number % len(TYPES)])
    for more in chance.sample(OPTIONS, chance.randrange(3)):
        options |= more
    if "no_expiry" in options:
        # That and a time to live are refused together.
        options = {name: value for name, value in options.items() if not name.endswith("_ttl_ms")}
    return Life(options, seed, quiet=sum(divmod(number, len(TYPES))) % 2 == 0)


@pytest.mark.parametrize("number", range(LIVES))
def test_live_and_restored_and_on_spark_and_retained_are_one(
    spark: "SparkSession", tmp_path: Path, number: int
) -> None:
    life = drawn(number)
    recorded_history = tables_of(life.records(), tmp_path)
    known = sum(time_ms <= recorded_history.known_to_ms for time_ms in life.times)
    turns = sorted(life.chance.sample(range(known), 2))
    first_ms, second_ms = (life.times[turn] for turn in turns)
    for turn, time_ms in zip(turns, (first_ms, second_ms), strict=True):
        told = f"life {number}, {life.options}, {time_ms - START_MS} ms"
        held = Held.after(life, turn + 1)
        held.check(restored(recorded_history, time_ms), told)
        as_spark_says = on_spark(as_of(spark, tmp_path, "q", print_time(time_ms)))
        held.check(as_spark_says, told)
        check_restored(as_spark_says, tmp_path, time_ms, told)
        if life.quiet:
            held.check(kept(spark, life, time_ms), told)
    between = (print_time(first_ms), print_time(second_ms))
    changed = diff(spark, tmp_path, "q", *between).select("change", "sequence", "key", "reason")
    assert [tuple(row) for row in changed.collect()] == changes(recorded_history, first_ms, second_ms)
    mine = timeline(spark, tmp_path, "q", "a").select("offset", "effect", "reason", "sequence")
    assert [tuple(row) for row in mine.collect()] == [
        (record.offset, record.effect, record.reason, record.sequence)
        for record in recorded_history.timeline("a")
    ]


@pytest.mark.parametrize("number", range(LIVES))
def test_what_a_history_still_has_says_all_from_its_oldest_record_on(
    spark: "SparkSession", tmp_path: Path, number: int
) -> None:
    unbounded = drawn(number)
    history = {"max_messages": 40, "when_full": "drop-oldest"}
    life = Life(unbounded.options, unbounded.seed, unbounded.quiet, history=history)
    recorded_history = tables_of(life.records(), tmp_path, life.base())
    oldest_ms = life.records()[0].time_ms
    known = [turn for turn, time_ms in enumerate(life.times) if time_ms >= oldest_ms]
    known = [turn for turn in known if life.times[turn] <= recorded_history.known_to_ms]
    turns = (known[0], life.chance.choice(known))
    for turn in turns:
        time_ms = life.times[turn]
        told = f"life {number}, {life.options}, {time_ms - START_MS} ms"
        held = Held.after(life, turn + 1)
        held.check(restored(recorded_history, time_ms), told)
        held.check(on_spark(as_of(spark, tmp_path, "q", print_time(time_ms))), told)
    first_ms, second_ms = (life.times[turn] for turn in turns)
    between = (print_time(first_ms), print_time(second_ms))
    changed = diff(spark, tmp_path, "q", *between).select("change", "sequence", "key", "reason")
    assert [tuple(row) for row in changed.collect()] == changes(recorded_history, first_ms, second_ms)
    with pytest.raises(HistoryUnavailableError):
        as_of(spark, tmp_path, "q", print_time(oldest_ms - 1))


def test_the_lives_have_what_matters() -> None:
    lives = [drawn(number) for number in range(2 * len(TYPES))]
    removed = {record.reason for life in lives for record in life.records() if record.effect == "removed"}
    assert removed >= {"replaced", "accepted", "expired", "key-deleted", "purged"}
    effects = {record.effect for life in lives for record in life.records()}
    assert effects >= {
        *("declared", "added", "scheduled", "due", "removed", "dismissed", "refused"),
        *("acquired", "released", "reconfigured", "rescheduled", "deleted"),
    }
    states = {each[1] for life in lives for each in Held.after(life, TURNS // 2).queued_message}
    assert states == {AVAILABLE, HELD, WAITING}
