"""A browser passes few entries at once that are not for it, however many there are."""

import itertools

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made, message

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.queues.available_list import MOST_WALKED
from lastvalue.queues.browsers import MOST_PASSED
from lastvalue.queues.effects import Reason
from lastvalue.queues.subscription import Mode, Terms
from lastvalue.selectors import parse_selector

OTHERS = 2 * MOST_PASSED + 50


def reads(broker: Broker, mode: Mode, room: int = 10) -> LimitedReceiver:
    """A reader of what has the subject `wanted`."""
    receiver = LimitedReceiver(room)
    terms = Terms(parse_selector("JMSType = 'wanted'"))
    broker.read(broker.lookup("q"), mode, receiver, terms, NOBODY, START_MS).wake()
    return receiver


def browsed(broker: Broker, room: int = 10) -> LimitedReceiver:
    """A browser of what has the subject `wanted`, after its first turn."""
    receiver = reads(broker, Mode.BROWSE, room)
    turn(broker)
    return receiver


def turn(broker: Broker) -> None:
    broker.pump(START_MS)
    broker.drain(START_MS)


def want(broker: Broker, body: str) -> None:
    assert broker.publish(broker.queue_target("q"), message(body, "wanted"), START_MS)


def test_a_scan_goes_on_in_later_turns_and_then_the_queue_is_empty_for_it() -> None:
    broker = made("q")
    enqueue(broker, "q", *["x"] * OTHERS)
    receiver = browsed(broker)
    for _ in range(2):
        assert (receiver.dry, broker.busy) == (0, True)
        turn(broker)
    assert (receiver.dry, broker.busy) == (1, False)


def test_what_is_wanted_comes_from_wherever_it_is() -> None:
    broker = made("q")
    want(broker, "first")
    enqueue(broker, "q", *["x"] * OTHERS)
    want(broker, "middle")
    enqueue(broker, "q", *["x"] * OTHERS)
    receiver = browsed(broker)
    want(broker, "last")
    for _ in range(6):
        turn(broker)
    assert receiver.bodies == ["first", "middle", "last"]
    assert receiver.dry == 1


def test_a_scan_goes_on_where_the_entry_that_was_next_has_left() -> None:
    broker = made("q")
    enqueue(broker, "q", *["x"] * OTHERS)
    want(broker, "wanted")
    receiver = browsed(broker)
    queue = broker.lookup("q").queue
    queue.remove(queue.entries()[MOST_PASSED - 5 : MOST_PASSED + 5], Reason.PURGED)
    for _ in range(4):
        turn(broker)
    assert receiver.bodies == ["wanted"]


@pytest.mark.parametrize("mode", Mode)
def test_of_many_readers_that_scan_a_few_go_on_in_a_turn(mode: Mode) -> None:
    broker = made("q")
    enqueue(broker, "q", *["x"] * (MOST_PASSED + 1))
    receivers = [reads(broker, mode) for _ in range(20)]
    finished = []
    while broker.busy:
        turn(broker)
        finished.append(sum(receiver.dry for receiver in receivers))
    assert finished[-1] == 20
    assert max(after - before for before, after in itertools.pairwise([0, *finished])) <= 4


def test_a_browser_that_begins_far_in_a_long_queue_gets_there_in_several_turns() -> None:
    broker = made("q")
    enqueue(broker, "q", *[str(number) for number in range(1, 5 * MOST_WALKED)])
    begin = 5 * MOST_WALKED // 2
    receiver = LimitedReceiver(2)
    hosted = broker.lookup("q")
    broker.read(hosted, Mode.BROWSE, receiver, Terms(after=begin), NOBODY, START_MS).wake()
    turn(broker)
    assert (receiver.bodies, receiver.dry, broker.busy) == ([], 0, True)
    hosted.queue.remove(hosted.queue.entries()[: MOST_WALKED * 2], Reason.PURGED)
    for _ in range(3):
        turn(broker)
    assert receiver.bodies == [str(begin + 1), str(begin + 2)]
