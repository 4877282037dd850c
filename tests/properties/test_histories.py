"""The law of histories: what the records say was there was there, at every moment, in the same order."""

import asyncio
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from broker_desk import LimitedReceiver
from example_counts import example_count
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
)
from moment_questions import received
from reached_states import live_on

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.history.errors import HistoryUnavailableError
from lastvalue.history.moment import AVAILABLE, HELD, WAITING, Moment
from lastvalue.history.recorded_history import RecordedHistory, read_history
from lastvalue.history.records import OF_THE_QUEUE, Record, read_record
from lastvalue.history.table_writer import TableWriter
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import ACQUIRED, HELD_BACK, Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscriber

EXAMPLES = example_count(200)
TYPES = st.sampled_from(
    [
        {},
        {"lvq_key": "k"},
        {"lvq_key": "k", "lvq_fallback_key": "o"},
        {"lvq_key": "k", "order_by": "o", "lvq_key_equality": "text"},
        {"lvq_key": "k", "lvq_placement": "in-place", "lvq_keyless": "conflate"},
        {"lvq_key": "k", "lvq_placement": "in-place-no-browse"},
        {"lvq_key": "k", "priorities": 3},
        {"lvq_key": "k", "delete_on_empty": True},
        {"priorities": 3},
        {"sort_key": "s"},
    ]
)
OPTIONS = st.sampled_from(
    [
        {},
        {"max_messages": 3, "when_full": "drop-oldest"},
        {"max_messages": 2},
        {"default_ttl_ms": 9},
        {"group_key": "g"},
        {"filter": "o <> 2"},
        {"max_delivery_attempts": 1},
    ]
)
HISTORIES = st.sampled_from(
    [{}, {}]
    + [{"max_messages": most, "when_full": "drop-oldest"} for most in (1, 3, 10, 30)]
    + [{"max_bytes": 2000, "when_full": "drop-oldest"}, {"maximum_ttl_ms": 20}]
)
STATES = {ACQUIRED: HELD, HELD_BACK: WAITING}
START_MS = 1_000
DAY_MS = 86_400_000
reached: set[str] = set()

Told = tuple[int, str, int, int | None, int, Any]


class Asleep(Subscriber):
    """A reader that asks when it likes."""

    def wake(self) -> None:
        pass


def lived(entry: Entry) -> Told:
    return (
        entry.sequence,
        STATES.get(entry.state, AVAILABLE),
        entry.updates,
        entry.expires_ms if entry.expires_ms != NEVER else None,
        entry.delivery_count,
        decode_content(entry.message.encoded),
    )


def live(queue: Queue) -> list[Told]:
    """What is on the queue, available messages in the order in which a browser sees them.

    Looking changes nothing: what a browser has seen of a legacy last-value queue is not replaced.
    """
    seen = [entry for entry in queue.entries() if entry.browsed]
    browser = queue.subscribe(Mode.BROWSE, Asleep(), ANY, 0)
    shown: list[Entry] = []
    entry = queue.next(browser, START_MS)
    while entry is not None:
        shown.append(entry)
        entry = queue.next(browser, START_MS)
    queue.unsubscribe(browser, START_MS)
    for entry in shown:
        entry.browsed = entry in seen
    hidden = [entry for entry in queue.entries() if entry not in shown]
    return [lived(entry) for entry in shown + hidden]


def told(moment: Moment, now: int | None = None) -> list[Told]:
    queued_message = moment.in_order(now)
    shown = [each for each in queued_message if each.state == AVAILABLE]
    hidden = sorted(
        (each for each in queued_message if each.state != AVAILABLE),
        key=lambda each: each.record.sequence or 0,
    )
    return [
        (
            each.record.sequence or 0,
            each.state,
            each.updates,
            each.expires_ms,
            each.delivery_count,
            decode_content(each.record.message),
        )
        for each in shown + hidden
    ]


class Histories(RuleBasedStateMachine):
    @initialize(kind=TYPES, options=OPTIONS, history=HISTORIES, begun=st.booleans())
    def declare(
        self,
        kind: dict[str, Any],
        options: dict[str, Any],
        begun: bool,
        history: dict[str, Any] | None = None,
    ) -> None:
        self.broker = Broker()
        self.bounded = bool(history)
        if history:
            self.broker.declare(spec_from_arguments("h", history))
        self.options = {**kind, **options, "history": "h", "history_deliveries": True}
        self.now = START_MS
        self.number = 0
        self.desks: list[LimitedReceiver] = []
        self.snapshots: list[tuple[int, list[Told] | None]] = []
        first = self.options if begun else {**kind, **options}
        self.broker.declare(spec_from_arguments("q", first))
        for _ in range(0 if begun else 3):
            self.send(None, None, 4, 1, None, key="a")

    @property
    def there(self) -> bool:
        return self.broker.has_queue("q")

    @rule(
        key=st.sampled_from([None, "a", "b", 5]),
        order=st.sampled_from([None, 1, 2]),
        text=st.sampled_from([None, "x", "Z", "10", "9"]),
        group=st.sampled_from([None, "g1", "g2"]),
        priority=st.integers(0, 9),
        ttl_ms=st.sampled_from([None, None, None, 4]),
        delay_ms=st.sampled_from([None, None, None, 5]),
        count=st.sampled_from([1, 2, 3]),
        updates=st.sampled_from([None, None, 7]),
        empty=st.booleans(),
    )
    @precondition(lambda self: self.there)
    def send(
        self,
        ttl_ms: int | None,
        delay_ms: int | None,
        priority: int,
        count: int,
        updates: int | None,
        empty: bool = False,
        **named: Any,
    ) -> None:
        names = {"key": "k", "order": "o", "text": "s", "group": "g"}
        annotations = {"x-opt-delivery-delay": delay_ms, "x-opt-updates": updates}
        for _ in range(count):
            self.number += 1
            content = MessageContent(
                body=None if empty and "delete_on_empty" in self.options else self.number,
                application_properties={
                    names[name]: value for name, value in named.items() if value is not None
                },
                priority=priority,
                ttl_ms=ttl_ms,
                message_annotations={name: value for name, value in annotations.items() if value is not None},
            )
            self.broker.publish(
                self.broker.queue_target("q"), read_message(encode_content(content)), self.now
            )

    @rule(room=st.integers(1, 3), outcomes=st.lists(st.sampled_from(list(Outcome)), max_size=3))
    @precondition(lambda self: self.there and len(self.desks) < 2)
    def consume(self, room: int, outcomes: list[Outcome]) -> None:
        receiver = LimitedReceiver(room)
        receiver.reader = self.broker.read(
            self.broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, self.now
        )
        receiver.reader.wake()
        self.desks.append(receiver)
        self.turn(1)
        for outcome in outcomes:
            self.settle(0, outcome)

    @rule(number=st.integers(0, 1), outcome=st.sampled_from(list(Outcome)))
    def settle(self, number: int, outcome: Outcome) -> None:
        if number < len(self.desks) and self.desks[number].got:
            receiver = self.desks[number]
            receiver.reader.settle(receiver.got.pop(0), outcome, self.now)
            receiver.room += 1
            receiver.reader.wake()

    @rule()
    @precondition(lambda self: self.there and self.desks)
    def leave(self) -> None:
        self.broker.stop(self.desks.pop().reader, self.now)

    @rule(ttl_ms=st.sampled_from([3, 30]))
    @precondition(lambda self: self.there and self.number > 4)
    def reconfigure(self, ttl_ms: int) -> None:
        self.options = {**self.options, "maximum_ttl_ms": ttl_ms}
        self.options.pop("default_ttl_ms", None)
        self.broker.reconfigure(spec_from_arguments("q", self.options), self.now)

    @rule()
    @precondition(lambda self: self.there and self.broker.lookup("q").recorder is None)
    def begin_history(self) -> None:
        self.broker.reconfigure(spec_from_arguments("q", self.options), self.now)

    @rule()
    @precondition(lambda self: self.there)
    def purge(self) -> None:
        self.broker.purge("q")

    @rule(key=st.sampled_from(["a", "b", 5]))
    @precondition(lambda self: self.there and "lvq_key" in self.options)
    def delete_key(self, key: object) -> None:
        manage(self.broker, Request("DELETE_KEY", "queue", "q", {"key": key}), self.now)

    @rule(chance=st.integers(0, 7))
    @precondition(lambda self: self.there)
    def delete(self, chance: int) -> None:
        if chance == 5:
            self.broker.delete("q", self.now)
            self.desks = []

    @rule()
    @precondition(lambda self: not self.there)
    def declare_again(self) -> None:
        self.broker.declare(spec_from_arguments("q", self.options))

    @rule(later_ms=st.integers(1, 6))
    def next_turn(self, later_ms: int) -> None:
        self.turn(later_ms)

    @rule(later_ms=st.integers(1, 6))
    def turn(self, later_ms: int) -> None:
        """One time, one turn: what happened up to here is drained, and then it is later."""
        broker = self.broker
        broker.advance(self.now)
        broker.pump(self.now)
        broker.drain(self.now)
        present = live(broker.lookup("q").queue) if self.there else None
        self.snapshots.append((self.now, present))
        if present:
            reached.update(state for _, state, *_ in present)
        self.now += later_ms

    def teardown(self) -> None:
        if not hasattr(self, "broker"):
            return
        self.turn(1)
        if self.broker.has_queue("h"):
            history = self.broker.lookup("h").queue
            dropped = [entry for entry in history.entries() if entry.is_kept]
            if dropped:
                reached.add("dropped")
                assert is_within(history, history.entries()[len(dropped) :])
            self.check(self.records(), len(dropped))
            check_timelines(self.broker, self.records(), self.now)

    def records(self) -> list[Record]:
        """What the history has, the base first."""
        entries = self.broker.lookup("h").queue.entries()
        return [read_record(entry.message.encoded, int(entry.sequence)) for entry in entries]

    def check(self, records: list[Record], dropped: int) -> None:
        """Compare what the records say with what was there; so many of them are the base."""
        last = int(self.broker.lookup("h").queue.sequence)
        check(records[:dropped], records[dropped:], last, self.snapshots, self.now)
        if len(records) > dropped:
            self.check_moments(records[dropped].time_ms)
        # Writing files takes its time: not after every history.
        if len(records) % 5 == 0 and not self.bounded:
            check_tables(records, self.snapshots)

    def check_moments(self, first_ms: int) -> None:
        """The broker finds of moments, in any order, what there was."""
        known = [each for each in self.snapshots if each[0] >= first_ms]
        for now, present in [*known[::-3], *known[::4]]:
            found = asked(self.broker, now, self.now)
            if found is None or not found.recorded:
                # Its history had not begun or had ended, or a queue of that name follows.
                reached.add("not found")
                continue
            reached.add("found")
            assert told(found) == told(found, now) == (present or [])


def asked(broker: Broker, time_ms: int, now: int) -> Moment | None:
    """What the broker answers about a moment."""
    if not broker.has_queue("q"):
        return None
    answer = manage(broker, Request("AS_OF", "queue", "q", {"time": time_ms}), now).body
    while broker.long_commands.busy:
        broker.long_commands.step(now)
    if not answer["known"]:
        return None
    records = received(answer)["records"]
    return Moment().apply_all(read_record(encoded, offset) for offset, encoded in records)


def check_timelines(broker: Broker, records: list[Record], now: int) -> None:
    """The broker finds of each key all that the history has of it."""
    for key in {record.key for record in records if record.key is not None}:
        answer = manage(broker, Request("TIMELINE", "queue", "h", {"queue": "q", "key": key}), now).body
        while broker.long_commands.busy:
            broker.long_commands.step(now)
        of_the_key = [
            each.offset
            for each in records
            if each.queue == "q" and (each.key == key or each.effect in OF_THE_QUEUE)
        ]
        assert [offset for offset, _ in received(answer)["records"]] == of_the_key
        reached.add("timeline")


def is_within(history: Queue, entries: list[Entry]) -> bool:
    """Whether these, which no base has, are within the limit."""
    limit = history.spec.limit
    most, most_bytes = limit.messages or len(entries), limit.size_bytes or history.depth_bytes
    return len(entries) <= most and sum(len(entry.encoded) for entry in entries) <= most_bytes


def landed(records: list[Record], directory: Path) -> RecordedHistory:
    """The same, out of tables: landed in parts, some of it twice, put together, the oldest days a base."""
    writer = TableWriter(directory)
    third = max(1, len(records) // 3)
    for start, end in ((0, third), (third - 1, 2 * third), (2 * third - 1, len(records))):
        writer.append("h", 1, records[start:end])
        writer.compact(most=1)
    writer.retain(START_MS + 10 * DAY_MS)
    return asyncio.run(read_history("q", tables=directory))


def check_tables(records: list[Record], snapshots: list[tuple[int, list[Told] | None]]) -> None:
    """Each turn a day later, so that days are forgotten; what is known is what was there."""
    first = snapshots[0][0]
    days = {now: START_MS + (now - first) * DAY_MS for now, _ in snapshots}
    far = [replace(record, time_ms=days[record.time_ms]) for record in records]
    with TemporaryDirectory() as directory:
        recorded_history = landed(far, Path(directory))
    for now, present in snapshots:
        try:
            moment = recorded_history.as_of(min(days[now], recorded_history.known_to_ms))
        except HistoryUnavailableError:
            reached.add("unavailable")
            assert days[now] < max(far[0].time_ms, START_MS + 10 * DAY_MS)
            continue
        reached.add("landed")
        assert told(moment) == (present or [])


def check(
    base: list[Record],
    records: list[Record],
    last: int,
    snapshots: list[tuple[int, list[Told] | None]],
    end_ms: int,
) -> None:
    """The records are all after the base, which says what was there at the first of them."""
    assert [record.offset for record in records] == list(range(last - len(records) + 1, last + 1))
    moment = Moment().apply_all(base)
    assert moment.complete == bool(base) or not records or records[0].offset == 1
    # A base that nothing follows is that of the end.
    start_ms = records[0].time_ms if records else end_ms
    following = iter([*records, None])
    record = next(following)
    for now, present in snapshots:
        if base and now < start_ms:
            continue
        while record is not None and record.time_ms <= now:
            moment.apply(record)
            reached.update((record.effect, record.reason or ""))
            record = next(following)
        if moment.complete and moment.recorded:
            assert told(moment) == told(moment, now) == present
        elif moment.complete:
            assert present is None
    assert record is None


Histories.TestCase.settings = settings(max_examples=EXAMPLES, stateful_step_count=60, deadline=None)
TestHistories = Histories.TestCase


def test_the_interesting_states_were_reached() -> None:
    wanted = {
        *("added", "scheduled", "due", "dismissed", "removed", "acquired", "released", "refused"),
        *("declared", "present", "reconfigured", "rescheduled", "deleted"),
        *(AVAILABLE, HELD, WAITING),
        *("landed", "unavailable", "dropped", "found", "not found", "timeline"),
        *("accepted", "expired", "key-deleted", "purged", "replaced"),
    }
    live_on(Histories, reached, wanted)
