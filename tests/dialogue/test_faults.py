"""A fault of the broker in a turn: it ends the reader that it concerns, by an error of its protocol."""

from collections.abc import Callable
from typing import Any

import pytest
from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from broker_peer import BrokerPeer
from core_peer import Peer as CorePeer
from pamqp import commands
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.statistics.statistic import QUEUE, describe
from lastvalue.codec.amqp10.performatives import Detach
from lastvalue.codec.core import packets
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec_arguments import spec_from_arguments

FAULT = "a fault of the broker has ended it; the broker's log says more"


class Faulty(Receiver):
    """A consumer in which there is a fault."""

    def __init__(self, consumer: Receiver, steps: tuple[str, ...]) -> None:
        self._consumer = consumer
        self._steps = steps

    def wants(self, now: int) -> bool:
        self._fail("wants")
        return self._consumer.wants(now)

    def deliver(self, entry: Entry, now: int) -> None:
        self._fail("deliver")
        self._consumer.deliver(entry, now)

    def on_empty(self, now: int) -> None:
        self._consumer.on_empty(now)

    def queue_deleted(self) -> None:
        self._consumer.queue_deleted()

    def failed(self) -> None:
        self._consumer.failed()

    def _fail(self, step: str) -> None:
        if step in self._steps:
            raise ZeroDivisionError


def broken(broker: Broker, *steps: str) -> None:
    """Have the only reader of the queue fail at these steps."""
    (reader,) = broker.lookup("q").readers
    reader.receiver = Faulty(reader.receiver, steps)


def amqp10(state: BrokerState) -> tuple[Callable[[], None], Callable[[], object]]:
    peer = BrokerPeer(state.broker, Clock())
    peer.reads()
    return peer.turn, lambda: _error(peer.heard(Detach))


def _error(detach: Detach) -> object:
    assert detach.error is not None
    return str(detach.error.condition), detach.error.description


def amqp091(state: BrokerState) -> tuple[Callable[[], object], Callable[[], object]]:
    peer = Amqp091Peer(state.broker).open(channels=2)
    peer.say(commands.Basic.Consume(queue="q"))
    peer.expect(commands.Basic.ConsumeOk)

    def told() -> object:
        close = peer.expect(commands.Channel.Close)
        peer.say(commands.Queue.Declare(queue="q", passive=True), channel=2)
        assert peer.expect(commands.Queue.DeclareOk, channel=2).consumer_count == 1
        return close.reply_code, close.reply_text

    return peer.turn, told


def amqp010(state: BrokerState) -> tuple[Callable[[], object], Callable[[], object]]:
    peer = Amqp010Peer(state)
    peer.subscribe("q")

    def told() -> object:
        (failure,) = peer.failures
        assert peer.last("session.detach").has("name")
        return failure.values["error_code"], failure.text("description")

    return peer.exchange, told


def core(state: BrokerState) -> tuple[Callable[[], object], Callable[[], object]]:
    peer = CorePeer(state.broker).open()
    peer.read()
    return peer.turn, lambda: peer.expect(packets.DISCONNECT_CONSUMER).number("consumer")


PROTOCOLS: list[tuple[Any, object]] = [
    (amqp10, ("amqp:internal-error", FAULT)),
    (amqp091, (541, f"INTERNAL_ERROR - {FAULT}")),
    (amqp010, (541, FAULT)),
    (core, 1),
]


@pytest.mark.parametrize(("begin", "said"), PROTOCOLS)
@pytest.mark.parametrize("step", ["wants", "deliver"])
def test_a_fault_in_serving_a_reader_ends_it_with_an_error_of_its_protocol_and_no_other(
    begin: Callable[[BrokerState], tuple[Callable[[], object], Callable[[], object]]],
    said: object,
    step: str,
) -> None:
    state = BrokerState(Broker())
    broker = state.broker
    broker.declare(spec_from_arguments("q", {}))
    turn, told = begin(state)
    broken(broker, step)
    other = BrokerPeer(broker, Clock())
    other.reads()
    writer = BrokerPeer(broker, Clock())
    writer.writes(address="q")
    for number in (b"1", b"2", b"3"):
        writer.transfer(0, b"\x00\x53\x75\xa0\x01" + number, settled=True)
    other.turn()
    turn()
    assert told() == said
    # What the reader held is given to another one, in its place.
    assert sorted(str(body) for _, _, body in other.got()) == ["b'1'", "b'2'", "b'3'"]
    (fault,) = broker.faults.take()
    assert (fault.queue, fault.part, type(fault.error)) == ("q", "serving a reader", ZeroDivisionError)
    statistics = describe(broker.lookup("q"), QUEUE)
    assert (statistics["faults"], statistics["consumers"], broker.faults.count) == (1, 1, 1)
