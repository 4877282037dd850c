"""A store that is restored to a moment holds what the readers of histories say that its queue held then."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from example_counts import example_count
from hypothesis import settings
from reached_states import live_on
from restored_store import NOW_MS, restored_store
from test_histories import Histories, Told, live, told

from lastvalue.broker.broker import Broker
from lastvalue.cli.restored_queues import FROM_HISTORY, LEFT_OUT, STARTED_OVER
from lastvalue.history.base_records import base_of
from lastvalue.history.data_files import Landed
from lastvalue.history.errors import HistoryUnavailableError
from lastvalue.history.moment import AVAILABLE, HELD, WAITING, Moment, QueuedMessage
from lastvalue.history.recorded_history import read_history
from lastvalue.history.records import DECLARED, RESTARTED, Record, read_record
from lastvalue.history.table_writer import TableWriter
from lastvalue.queues.spec import LastValue, Placement, QueueSpec, WhenFull
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Outcome

EXAMPLES = max(1, example_count(200) // 8)
MOMENTS = 3
reached: set[str] = set()


class Restored(Histories):
    """The lives of queues of `Histories`, which are durable, and their messages, too."""

    def check(self, records: list[Record], dropped: int) -> None:
        # A message that was held then has had its last attempt.
        if "max_delivery_attempts" in self.options or len(records) == dropped:
            return
        durable = _durable(records)
        base = base_of(durable[:dropped], durable[dropped].offset - 1, durable[dropped].time_ms)
        known = [each for each in self.snapshots if not base or each[0] >= base[0].time_ms]
        if base:
            reached.add("dropped")
        # The one with the most messages and any others, the same ones for the same life.
        moments = [max(known, key=lambda each: len(each[1] or []))]
        moments += [known[number * len(records) % len(known)] for number in range(1, MOMENTS)]
        for time_ms, _ in moments:
            reached.update(restored(durable[dropped:], time_ms, base))


def _durable(records: list[Record]) -> list[Record]:
    return [
        replace(
            each,
            durable=True,
            declaration=None if each.declaration is None else {**each.declaration, "durable": True},
        )
        for each in records
    ]


def restored(records: list[Record], time_ms: int, base: Sequence[Record] = ()) -> set[str]:
    """Restore the queue to this moment and compare; where it came from, and the states of its messages."""
    with TemporaryDirectory() as temporary:
        tables = str(Path(temporary) / "tables")
        writer = TableWriter(tables)
        if base:
            writer.append_base("h", Landed(1, base[0].offset, base[0].time_ms), base)
        writer.append("h", 1, records)
        return check_restored(records, tables, time_ms)


def check_restored(records: list[Record], tables: str, time_ms: int) -> set[str]:
    with restored_store(tables, time_ms) as (broker, sources):
        if sources["q"] == LEFT_OUT:
            assert not broker.has_queue("q")
            assert not was_there(tables, time_ms)
            return {LEFT_OUT}
        assert sources == {"q": FROM_HISTORY, "h": STARTED_OVER}
        recorded = asyncio.run(read_history("q", tables=tables))
        known_ms = min(time_ms, recorded.known_to_ms)
        moment = recorded.as_of(known_ms)
        queue = broker.lookup("q").queue
        leaving = superseded(
            queue.spec, moment, [each for each in recorded.records if each.time_ms <= known_ms]
        )
        # As a broker that stopped then would have found it.
        moment.apply(Record(0, RESTARTED, "q", time_ms))
        found = live(queue)
        expected = [each for each in told(moment) if each[0] not in leaving]
        dropped = overflow(queue.spec, expected)
        if dropped:
            # What consumers held counts again.
            remaining = iter(expected)
            assert all(each in remaining for each in found)
        else:
            assert found == expected
        assert len(found) == len(expected) - dropped
        assert history_says(broker) == found
        assert broker.lookup("q").queue.sequence >= max(each.sequence or 0 for each in records)
        return {FROM_HISTORY, *(state for _, state, *_ in found)}


def superseded(spec: QueueSpec, moment: Moment, records: list[Record]) -> set[int]:
    """The messages that consumers hold whose key has a newer value: they leave when they come back.

    On a queue that replaces in place they do so even if that value has left again.
    """
    ordering = spec.ordering
    if not isinstance(ordering, LastValue):
        return set()
    last: dict[object, int] = {}
    if ordering.placement is Placement.TAIL:
        last = {each.record.key: sequence for sequence, each in sorted(values_at(moment).items())}
    else:
        passed = Moment()
        before: set[int] = set()
        for record in records:
            values = values_at(passed.apply_all([record]))
            last |= {each.record.key: sequence for sequence, each in values.items() if sequence not in before}
            before = set(values)
    if not ordering.keyless:
        last.pop(None, None)
    held = [(sequence, each) for sequence, each in moment.present.items() if each.state == HELD]
    return {sequence for sequence, each in held if last.get(each.record.key, sequence) != sequence}


def values_at(moment: Moment) -> dict[int, QueuedMessage]:
    """The messages that do not wait for their time."""
    return {sequence: each for sequence, each in moment.present.items() if each.state != WAITING}


def overflow(spec: QueueSpec, expected: list[Told]) -> int:
    """How many of these messages are more than the queue keeps when no consumer holds one."""
    if spec.limit.messages == 0 or spec.limit.when_full is not WhenFull.DROP_OLDEST:
        return 0
    available = sum(state == AVAILABLE for _, state, *_ in expected)
    return max(0, available - spec.limit.messages)


def was_there(tables: str, time_ms: int) -> bool:
    recorded = asyncio.run(read_history("q", tables=tables))
    try:
        return recorded.as_of(min(time_ms, recorded.known_to_ms)).exists
    except HistoryUnavailableError:
        return False


def history_says(broker: Broker) -> list[Told]:
    """What the history that starts over says, which continues after what had landed."""
    history = broker.lookup("h").queue
    records = [read_record(each.message.encoded, int(each.sequence)) for each in history.entries()]
    assert [each.effect for each in records][:1] == [DECLARED]
    assert {each.time_ms for each in records} == {NOW_MS}
    return told(Moment().apply_all(records))


Restored.TestCase.settings = settings(max_examples=EXAMPLES, stateful_step_count=40, deadline=None)
TestRestored = Restored.TestCase


def test_the_interesting_states_were_reached() -> None:
    live_on(Restored, reached, {FROM_HISTORY, "available", "dropped"})


def test_a_queue_that_was_deleted_is_left_out_until_it_was_declared_again() -> None:
    life = Histories()
    life.declare({}, {}, begun=True)
    life.send(ttl_ms=None, delay_ms=None, priority=4, count=1, updates=None)
    life.send(ttl_ms=None, delay_ms=50, priority=4, count=1, updates=None)
    life.turn(1)
    life.delete(5)
    life.turn(1)
    life.declare_again()
    life.turn(1)
    records = _durable(life.records())
    assert [restored(records, time_ms) for time_ms, _ in life.snapshots] == [
        {FROM_HISTORY, "available", "waiting"},
        {LEFT_OUT},
        {FROM_HISTORY},
    ]


def test_a_held_value_leaves_where_its_key_has_a_newer_one() -> None:
    life = held_and_sent({"lvq_key": "k", "lvq_placement": "in-place-no-browse"}, {}, key="a")
    moment = Moment().apply_all(life.records())
    # The second one stays.
    assert superseded(spec_from_arguments("q", life.options), moment, life.records()) == {1}
    assert restored(_durable(life.records()), life.snapshots[-1][0]) == {FROM_HISTORY, "available"}


@pytest.mark.parametrize("key", ["a", None])
def test_a_value_that_came_when_it_was_due_replaces_one_of_a_higher_sequence(key: str | None) -> None:
    life = Histories()
    life.declare(KIND, {}, begun=True)
    for delay_ms in (5, None):
        life.send(ttl_ms=None, delay_ms=delay_ms, priority=4, count=1, updates=None, key=key)
    life.turn(9)
    # A message behind it shows whether it has its place.
    life.send(ttl_ms=None, delay_ms=None, priority=4, count=1, updates=None, key="b")
    life.turn(1)
    assert [sequence for sequence, *_ in life.snapshots[-1][1] or []] == [1, 3]
    assert restored(_durable(life.records()), life.snapshots[-1][0]) == {FROM_HISTORY, "available"}


def test_what_consumers_held_counts_again_in_a_ring() -> None:
    life = held_and_sent({}, {"max_messages": 1, "when_full": "drop-oldest"})
    assert restored(_durable(life.records()), life.snapshots[-1][0]) == {FROM_HISTORY, "available"}


def held_and_sent(kind: dict[str, Any], options: dict[str, Any], key: str | None = None) -> Histories:
    """The life of a queue with two messages, the first held by a consumer."""
    life = Histories()
    life.declare(kind, options, begun=True)
    life.consume(room=1, outcomes=[])
    for _ in range(2):
        life.send(ttl_ms=None, delay_ms=None, priority=4, count=1, updates=None, key=key)
        life.turn(1)
    assert [state for _, state, *_ in life.snapshots[-1][1] or []].count(HELD) == 1
    assert [len(present or []) for _, present in life.snapshots] == [0, 1, 2]
    return life


KIND = {"lvq_key": "k", "lvq_placement": "in-place", "lvq_keyless": "conflate"}
SENT: dict[str, Any] = dict.fromkeys(("text", "order", "group", "updates", "ttl_ms"))


@pytest.mark.parametrize("key", [None, "a"])
def test_a_held_message_leaves_when_it_comes_back_if_a_newer_one_of_its_key_came(key: str | None) -> None:
    life = Restored()
    life.declare(kind=KIND, options={}, history={}, begun=True)
    for _ in range(2):
        life.send(**SENT, key=key, count=1, priority=0, empty=False, delay_ms=None)
        life.next_turn(later_ms=1)
        life.consume(outcomes=[Outcome.RELEASED], room=1)
        life.next_turn(later_ms=1)
    life.teardown()


@pytest.mark.parametrize("key", [None, "a"])
def test_a_held_message_stays_if_a_newer_one_of_its_key_waits(key: str | None) -> None:
    life = Restored()
    life.declare(kind=KIND, options={}, history={}, begun=True)
    for delay_ms in (None, 5):
        life.send(**SENT, key=key, count=1, priority=0, empty=False, delay_ms=delay_ms)
    life.consume(outcomes=[], room=1)
    life.teardown()
