"""lastvalue.broker.faults: what becomes of the rest of a turn."""

from collections.abc import Iterator

import pytest
from amqp091_peer import Peer
from broker_desk import LimitedReceiver, enqueue, made, message
from pamqp import commands

from lastvalue.broker.broker import Broker
from lastvalue.broker.deadlines import Deadline
from lastvalue.broker.faults import RETRY_MS, Fault, Faults
from lastvalue.broker.long_commands import Steps
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.delivery.consumer import FAULT
from lastvalue.queues.effects import Effect
from lastvalue.queues.queue import Queue
from lastvalue.queues.subscription import ANY, Mode
from lastvalue.server.build import is_compiled

NOW = 1_000_000


class Faulty(Observer):
    """An observer in which everything fails that a turn calls."""

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: int) -> None:
        raise ZeroDivisionError

    def end_turn(self, now: int) -> bool:
        raise ZeroDivisionError

    def advance(self, now: int) -> None:
        raise ZeroDivisionError


class Due(Deadline):
    """Something that becomes due."""

    def __init__(self, *, fails: bool = False) -> None:
        super().__init__()
        self.fails = fails
        self.fell_due = False

    def fall_due(self, now: int) -> None:
        self.fell_due = True
        if self.fails:
            raise ZeroDivisionError


class Ending(LimitedReceiver):
    """A receiver whose end fails, too."""

    def deliver(self, entry: object, now: int) -> None:
        raise ZeroDivisionError

    def failed(self) -> None:
        raise ZeroDivisionError


def parts(broker: Broker) -> list[tuple[str, str]]:
    return [(fault.queue, fault.part) for fault in broker.faults.take()]


def test_faults_are_counted_and_taken_out_once() -> None:
    faults = Faults()
    fault = Fault("q", "serving a reader", ZeroDivisionError())
    faults.note(fault)
    assert (faults.take(), faults.take(), faults.count) == ([fault], [], 1)


def test_effects_are_drained_and_other_observers_told_whatever_an_observer_does() -> None:
    broker = made("q", "other")
    broker.observers.insert(0, Faulty())
    enqueue(broker, "q", "1")
    enqueue(broker, "other", "2")
    assert [(name, len(effects)) for name, effects in broker.drain(NOW)] == [("q", 1), ("other", 1)]
    broker.advance(NOW)
    observing = "observing the queues"
    assert parts(broker) == [("q", observing), ("other", observing), ("", observing), ("", observing)]
    assert broker.statistics.totals()["msgTotalEnqueues"] == 2


def test_what_else_is_due_happens_where_something_due_fails() -> None:
    broker = made()
    failing, other = Due(fails=True), Due()
    broker.deadlines.set(failing, NOW - 1)
    broker.deadlines.set(other, NOW)
    broker.advance(NOW)
    assert (failing.fell_due, other.fell_due) == (True, True)
    assert parts(broker) == [("", "doing what is due")]


@pytest.mark.skipif(is_compiled(), reason="a compiled class cannot be patched")
def test_a_queue_whose_own_work_fails_is_looked_at_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = made("q")
    assert broker.publish(broker.queue_target("q"), message("1", ttl_ms=10), NOW)
    broker.drain(NOW)

    def fail(queue: Queue, now: int, most: int) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(Queue, "advance", fail)
        broker.advance(NOW + 10)
    assert parts(broker) == [("q", "doing what is due")]
    assert broker.next_deadline() == NOW + 10 + RETRY_MS
    broker.advance(NOW + 10 + RETRY_MS)
    assert broker.lookup("q").queue.depth == 0


def test_a_reader_whose_end_fails_too_keeps_no_other_from_its_messages() -> None:
    broker = made("q")
    hosted = broker.lookup("q")
    reader = broker.read(hosted, Mode.CONSUME, Ending(9), ANY, NOBODY, NOW)
    other = LimitedReceiver(9)
    other_reader = broker.read(hosted, Mode.CONSUME, other, ANY, NOBODY, NOW)
    for each in (reader, other_reader):
        each.wake()
    enqueue(broker, "q", "1", "2")
    for _ in range(3):
        broker.pump(NOW)
    assert (reader.ended, len(other.got)) == (True, 2)
    assert parts(broker) == [("q", "serving a reader"), ("q", "ending a reader")]


def test_a_long_command_that_fails_ends_its_connection_and_lets_the_next_one_begin() -> None:
    broker = made("q")
    peer = Peer(broker).open()
    number = peer.conversation.number

    def failing() -> Iterator[None]:
        yield
        raise ZeroDivisionError

    done: list[str] = []

    def following() -> Iterator[None]:
        done.append("next")
        yield

    broker.long_commands.begin(Steps(failing(), number), NOW)
    broker.long_commands.begin(Steps(following(), number), NOW)
    while broker.long_commands.busy:
        broker.pump(NOW)
    assert (done, broker.long_commands.runs_for(number)) == (["next"], False)
    (fault,) = broker.faults.take()
    assert (fault.part, fault.connection) == ("a step of a long command", number)
    broker.connections.end_by_fault(fault.connection)
    close = peer.turn().expect(commands.Connection.Close, channel=0)
    assert (close.reply_code, FAULT in close.reply_text) == (541, True)
