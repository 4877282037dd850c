"""The turn: what it does, and in which order."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made, message
from logged_events import fields, logged
from waiting import until

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import HANDLED_AT_ONCE
from lastvalue.broker.queue_checks import QueueChecks
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.queues.effects import Effect
from lastvalue.queues.spec import Priority, QueueSpec
from lastvalue.queues.subscription import ANY, Mode
from lastvalue.server.clock import Clock, ManualClock
from lastvalue.server.input_queue import ROUND_S
from lastvalue.server.limits import Limits, Watermarks
from lastvalue.server.runtime import CALM_S, Runtime, TurnMember
from lastvalue.store.journal import Journal
from lastvalue.store.segments import StoreError


class SlowJournal(Journal):
    """A journal that is flushed when the test says so."""

    leads = True
    shared = False
    ended: StoreError | None = None

    def __init__(self, steps: list[str]) -> None:
        super().__init__()
        self.appended = 0
        self.steps = steps
        # What was appended, at the end of each turn that appended anything.
        self.turns: list[int] = []
        self.flushes = 0
        self.discards = 0
        self.on_append: Callable[[], object] = lambda: None
        self.on_submit: Callable[[], object] = lambda: None
        self._done: Callable[[], None] = lambda: None

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        self.appended += 1
        self.steps.append(f"define {name}")
        return self.appended

    def append(self, queue: str, effects: list[Effect]) -> int:
        self.appended += len(effects)
        self.steps += [f"append {queue}"] * len(effects)
        self.on_append()
        return self.appended

    def flush(self, done: Callable[[], None]) -> None:
        self.flushes += 1
        self._done = done
        if self.appended not in self.turns:
            self.turns.append(self.appended)

    def submit(self) -> None:
        self.on_submit()

    def discard(self) -> None:
        self.discards += 1

    def make_safe(self) -> None:
        self.flushed = self.appended
        self._done()


class Member(TurnMember):
    """A connection that has one publish to confirm."""

    def __init__(self, steps: list[str]) -> None:
        super().__init__()
        self.steps = steps
        self.sealed: int | None = None
        self.confirmed = False
        self.withholds = False
        self.writes = 0
        self.due_at_ms = 0

    def process_waiting(self) -> None:
        raise AssertionError("it has no input")

    def fall_due(self, now: int) -> None:
        self.due_at_ms = now

    def seal(self, position: int, now: int) -> None:
        self.steps.append("seal")
        self.sealed = position

    def confirm(self, flushed: int, now: int) -> bool:
        self.confirmed = self.sealed is not None and flushed >= self.sealed
        return not self.confirmed

    def write(self) -> bool:
        self.steps.append("write")
        self.writes += 1
        return self.withholds


class Reader(Member):
    """A connection that was given a message."""

    def write(self) -> bool:
        self.steps.append("deliver")
        return super().write()


class Turns:
    """A broker with a runtime, on a clock that stands still."""

    def __init__(self, broker: Broker, clock: Clock | None = None, round_s: float = ROUND_S) -> None:
        self.steps: list[str] = []
        self.broker = broker
        self.journal = SlowJournal(self.steps)
        limits = Limits(broker, self.journal, Watermarks(), None)
        self.runtime = Runtime(broker, self.journal, clock or ManualClock(START_MS), limits, round_s)

    def member(self) -> Member:
        member = Member(self.steps)
        self.runtime.schedule_write(member)
        return member

    def input(self, began_s: float) -> Member:
        """A connection processes input that came at this time."""
        self.runtime.begin_input()
        member = self.member()
        self.runtime.end_input(began_s, time.monotonic())
        return member


async def test_a_turn_records_what_happened_before_its_connections_write() -> None:
    turns = Turns(made("q"))
    enqueue(turns.broker, "q", "1", "2")
    member = turns.member()
    await until(lambda: member.writes > 0)
    assert turns.steps == ["append q", "append q", "seal", "write"]
    assert member.sealed == 2


async def test_the_journals_thread_is_woken_once_the_turn_is_over() -> None:
    turns = Turns(made("q"))
    turns.journal.on_submit = lambda: turns.steps.append("submit")
    enqueue(turns.broker, "q", "1")
    member = turns.member()
    await until(lambda: member.writes > 0)
    assert (turns.steps, turns.journal.flushes) == (["append q", "seal", "write", "submit"], 1)


async def test_a_definition_is_recorded_before_the_messages_of_its_queue() -> None:
    turns = Turns(Broker())
    turns.broker.declare(QueueSpec("kept", durable=True))
    enqueue(turns.broker, "kept", "1")
    member = turns.member()
    await until(lambda: member.writes > 0)
    assert turns.steps[:2] == ["define kept", "append kept"]


async def test_a_publish_is_confirmed_once_the_journal_has_it_and_then_written() -> None:
    turns = Turns(made("q"))
    enqueue(turns.broker, "q", "1")
    member = turns.member()
    await until(lambda: member.writes > 0)
    assert not member.confirmed
    turns.journal.make_safe()
    await until(lambda: member.confirmed and member.writes == 2)


async def test_a_connection_that_withholds_something_takes_part_in_the_turn_after_the_next_flush() -> None:
    turns = Turns(made("q"))
    member = turns.member()
    member.withholds = True
    turns.journal.make_safe()
    await until(lambda: member.writes > 0)
    member.withholds = False
    turns.journal.make_safe()
    await until(lambda: member.writes == 2)


async def test_what_another_process_may_go_on_with_is_what_is_flushed() -> None:
    turns = Turns(made("q"))
    enqueue(turns.broker, "q", "1")
    member = turns.member()
    await until(lambda: member.writes > 0)
    assert turns.runtime.position == 1
    assert turns.runtime.is_lasting(1, stored=False)
    assert not turns.runtime.is_lasting(1, stored=True)
    turns.journal.shared = True
    assert turns.runtime.is_lasting(0, stored=False)
    assert not turns.runtime.is_lasting(1, stored=False)
    turns.journal.make_safe()
    assert turns.runtime.is_lasting(1, stored=False)


async def test_a_flush_that_comes_alone_is_followed_by_its_turn_at_once() -> None:
    turns = Turns(made("q"))
    enqueue(turns.broker, "q", "1")
    member = turns.member()
    await until(lambda: member.writes > 0)
    ended_s = time.monotonic()
    await until(lambda: time.monotonic() - ended_s > CALM_S)
    turns.journal.make_safe()
    confirmed: list[bool] = []
    # It runs in the round of the loop in which the flush is heard of.
    asyncio.get_running_loop().call_soon(lambda: confirmed.append(member.confirmed))
    await until(lambda: bool(confirmed))
    assert confirmed == [True]


async def test_a_connection_takes_part_once_however_often_a_turn_is_asked_for() -> None:
    turns = Turns(made("q"))
    turns.runtime.schedule()
    turns.runtime.schedule()
    member = turns.member()
    turns.journal.make_safe()
    await until(lambda: member.writes > 0)
    assert turns.steps == ["seal", "write"]


async def test_input_that_comes_alone_is_followed_by_its_turn_at_once() -> None:
    turns = Turns(made("q"))
    assert turns.input(time.monotonic()).writes == 1


async def test_input_soon_after_a_turn_shares_the_next_one_with_what_else_came() -> None:
    turns = Turns(made("q"))
    began_s = time.monotonic()
    turns.input(began_s)
    members = [turns.input(began_s) for _ in range(2)]
    assert turns.steps == ["seal", "write"]
    await until(lambda: all(each.writes > 0 for each in members))
    assert turns.steps == ["seal", "write", "seal", "seal", "write", "write"]


async def test_what_a_turn_gives_to_other_connections_is_written_in_it_and_no_other_turn_follows() -> None:
    turns = Turns(made("q"))
    readers: list[Member] = []
    turns.journal.on_append = lambda: readers.append(turns.member())
    enqueue(turns.broker, "q", "1")
    turns.input(time.monotonic())
    assert [each.writes for each in readers] == [1]
    passed = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(passed.set_result, None)
    await passed
    assert turns.journal.flushes == 1


async def test_what_readers_get_leaves_before_what_confirms_it() -> None:
    turns = Turns(made("q"))
    turns.journal.on_append = lambda: turns.runtime.schedule_write(Reader(turns.steps))
    enqueue(turns.broker, "q", "1")
    turns.input(time.monotonic())
    assert turns.steps == ["append q", "seal", "seal", "deliver", "write", "write"]


async def test_a_turn_that_cannot_be_recorded_is_not_in_the_journal_and_ends_the_broker(
    caplog: pytest.LogCaptureFixture,
) -> None:
    turns = Turns(made("q", "other"))
    ended: list[StoreError] = []
    turns.runtime.on_end = ended.append

    def fail() -> None:
        raise RuntimeError("broken")

    turns.journal.on_append = fail
    enqueue(turns.broker, "q", "1")
    member = turns.member()
    turns.input(time.monotonic())
    await until(lambda: bool(ended))
    assert "a turn could not be recorded" in str(ended[0])
    assert (turns.journal.discards, member.writes) == (1, 0)
    assert fields(caplog, "server.fault") == [{"part": "recording the turn"}]
    # Nothing of a later turn is recorded either.
    turns.journal.on_append = lambda: None
    enqueue(turns.broker, "other", "2")
    turns.runtime.finish()
    assert "append other" not in turns.steps


async def test_a_turn_after_which_a_queue_does_not_add_up_is_not_in_the_journal_and_ends_the_broker(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broker = Broker()
    broker.observers.append(QueueChecks(broker))
    broker.declare(QueueSpec("q"))
    turns = Turns(broker)
    ended: list[StoreError] = []
    turns.runtime.on_end = ended.append
    broker.lookup("q").queue.contents.depth += 1
    enqueue(broker, "q", "1")
    turns.input(time.monotonic())
    await until(lambda: bool(ended))
    assert (turns.steps, turns.journal.discards) == ([], 1)
    assert fields(caplog, "server.fault") == [{"part": "recording the turn"}]
    assert "queue 'q': published is 1, depth and removed is 2" in caplog.text


@pytest.mark.pure
async def test_a_fault_in_serving_the_readers_is_logged_and_the_turn_goes_on(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Turns(made("q"))

    def fail(now: float) -> float:
        raise RuntimeError("broken")

    monkeypatch.setattr(turns.runtime.inputs, "process", fail)
    enqueue(turns.broker, "q", "1")
    member = turns.member()
    await until(lambda: member.writes > 0)
    assert turns.broker.faults.count == 1
    assert fields(caplog, "server.fault") == [{"part": "serving the readers"}]
    assert (turns.steps[0], member.writes) == ("append q", 1)


async def test_all_that_was_taken_is_waited_for() -> None:
    turns = Turns(made("q"))
    enqueue(turns.broker, "q", "1")
    member = turns.member()
    waiting = asyncio.create_task(turns.runtime.confirm_all(60))
    await until(lambda: member.writes > 0)
    assert not waiting.done()
    turns.journal.make_safe()
    await waiting
    assert member.confirmed


async def test_a_store_that_takes_too_long_is_not_waited_for() -> None:
    turns = Turns(made("q"))
    enqueue(turns.broker, "q", "1")
    member = turns.member()
    await turns.runtime.confirm_all(0.001)
    assert not member.confirmed


async def test_what_is_due_on_the_way_of_a_clock_that_is_moved_happens_at_its_time() -> None:
    turns = Turns(made("q"))
    for ttl_ms in (100, 200):
        turns.broker.publish(turns.broker.queue_target("q"), message("x", ttl_ms=ttl_ms), START_MS)
    turns.runtime.move_to(START_MS + 150)
    assert turns.broker.lookup("q").queue.depth == 1
    assert turns.runtime.clock.now_ms() == START_MS + 150
    turns.runtime.move_to(START_MS + 200)
    assert turns.broker.lookup("q").queue.depth == 0
    assert turns.steps == ["append q"] * 4


async def test_the_systems_clock_is_not_moved() -> None:
    turns = Turns(made("q"), Clock())
    with pytest.raises(TypeError):
        turns.runtime.move_to(START_MS)


async def test_connections_live_by_the_systems_time_while_that_of_the_queues_stands_still() -> None:
    turns = Turns(made("q"))
    member = turns.member()
    soon_ms = turns.runtime.wire_clock.now_ms() + 1
    turns.runtime.connection_deadlines.set(member, soon_ms)
    await until(lambda: member.due_at_ms >= soon_ms)
    assert turns.runtime.clock.now_ms() == START_MS


async def test_a_message_expires_by_itself_when_its_time_has_come() -> None:
    clock = Clock()
    turns = Turns(made("q"), clock)
    turns.broker.publish(turns.broker.queue_target("q"), message("x", ttl_ms=20), clock.now_ms())
    turns.runtime.schedule()
    await until(lambda: turns.broker.lookup("q").queue.depth == 0)
    turns.runtime.close()


@pytest.mark.parametrize(
    ("round_s", "parts"), [(0.0, [HANDLED_AT_ONCE, HANDLED_AT_ONCE, 1]), (60.0, [2 * HANDLED_AT_ONCE + 1])]
)
async def test_many_messages_expire_for_as_long_as_a_round_of_input_takes(
    round_s: float, parts: list[int]
) -> None:
    clock = Clock()
    turns = Turns(made("q"), clock, round_s)
    messages = [message(str(number), ttl_ms=20) for number in range(2 * HANDLED_AT_ONCE + 1)]
    for each in messages:
        turns.broker.publish(turns.broker.queue_target("q"), each, START_MS)
    turns.runtime.schedule()
    await until(lambda: turns.journal.appended == 2 * len(messages))
    turns.runtime.close()
    assert [after - before for before, after in pairwise(turns.journal.turns)] == parts


async def test_what_the_last_turn_left_is_recorded_at_the_end() -> None:
    turns = Turns(made("q"))
    enqueue(turns.broker, "q", "1")
    turns.runtime.finish()
    assert turns.steps == ["append q"]


async def test_an_operator_hears_once_of_a_queue_whose_order_is_defeated(
    caplog: pytest.LogCaptureFixture,
) -> None:
    turns = Turns(made(QueueSpec("q", Priority(10))))
    enqueue(turns.broker, "q", "1", "2")
    reader = turns.broker.read(
        turns.broker.lookup("q"), Mode.CONSUME, LimitedReceiver(2), ANY, NOBODY, START_MS
    )
    reader.wake()
    turns.broker.pump(START_MS)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            urgent = message("urgent").with_priority(9)
            turns.broker.publish(turns.broker.queue_target("q"), urgent, START_MS)
            turns.runtime.finish()
    assert logged(caplog) == [("consumer.overtaken", {"queue": "q"})]
