"""Peers of every protocol that end very many deliveries at once: others are served meanwhile."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from amqp010_peer import Peer as Peer010
from amqp091_peer import Peer as Peer091
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made
from broker_peer import BrokerPeer
from core_peer import SESSION
from core_peer import Peer as CorePeer
from pamqp import commands, frame
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import HANDLED_AT_ONCE
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    Accepted,
    Disposition,
    Released,
    encode_performative,
)
from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import PacketType, write_packet
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.subscription import ANY, Mode

MANY = HANDLED_AT_ONCE + 500


@dataclass
class Holder:
    """A peer that holds all messages of a queue; none of its acts has a turn."""

    accept: Callable[[], None]
    release: Callable[[], None]
    vanish: Callable[[], None]


def of_0_9_1(broker: Broker) -> Holder:
    peer = Peer091(broker).open().say(commands.Basic.Consume(queue="q"))

    def say(method: commands.Basic.Ack | commands.Basic.Nack) -> None:
        peer.conversation.receive(frame.marshal(method, 1), peer.now, peer.now)

    return Holder(
        lambda: say(commands.Basic.Ack(0, multiple=True)),
        lambda: say(commands.Basic.Nack(0, multiple=True)),
        lambda: peer.conversation.lost(peer.now, peer.now),
    )


def of_0_10(broker: Broker) -> Holder:
    peer = Peer010(BrokerState(broker))
    peer.subscribe("q")

    def say(name: str) -> None:
        data = peer.command_bytes(name, transfers=[(0, MANY - 1)])
        peer.conversation.receive(data, peer.now, peer.now)

    return Holder(
        lambda: say("message.accept"),
        lambda: say("message.release"),
        lambda: peer.conversation.lost(peer.now, peer.now),
    )


def of_1_0(broker: Broker) -> Holder:
    peer = BrokerPeer(broker, Clock())
    peer.reads(MANY)

    def say(state: Accepted | Released) -> None:
        disposition = Disposition(role=ROLE_RECEIVER, first=0, last=MANY - 1, settled=True, state=state)
        peer.engine.receive(encode_frame(encode_performative(disposition), 0), peer.clock.now)
        peer.frontend.handle(peer.clock.now)

    return Holder(lambda: say(Accepted()), lambda: say(Released()), peer.vanish)


def of_core(broker: Broker, release: PacketType = packets.ROLLBACK) -> Holder:
    peer = CorePeer(broker).open().read("q")
    assert len(peer.heard) == MANY
    last = [peer.received() for _ in range(MANY)][-1].number

    def say(kind: PacketType, **values: object) -> None:
        peer.conversation.receive(write_packet(kind, SESSION, peer.version, values), peer.now, peer.now)

    return Holder(
        lambda: say(packets.ACKNOWLEDGE, consumer=1, message=last),
        lambda: say(release, consumer=1),
        lambda: peer.conversation.lost(peer.now, peer.now),
    )


def of_core_that_closes_its_consumer(broker: Broker) -> Holder:
    return of_core(broker, packets.CLOSE_CONSUMER)


PROTOCOLS = pytest.mark.parametrize(
    "hold", [of_0_9_1, of_0_10, of_1_0, of_core, of_core_that_closes_its_consumer]
)


@pytest.fixture
def broker() -> Broker:
    broker = made("q")
    enqueue(broker, "q", *map(str, range(MANY)))
    return broker


def turn(broker: Broker) -> None:
    broker.pump(START_MS)
    broker.drain(START_MS)


def waiting_reader(broker: Broker) -> LimitedReceiver:
    receiver = LimitedReceiver(MANY)
    broker.read(broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS).wake()
    turn(broker)
    return receiver


@PROTOCOLS
def test_what_is_accepted_at_once_leaves_a_part_in_each_turn(
    broker: Broker, hold: Callable[[Broker], Holder]
) -> None:
    holder = hold(broker)
    queue = broker.lookup("q").queue
    assert queue.available == 0
    holder.accept()
    depths = [int(queue.depth)]
    while broker.long_commands.busy:
        turn(broker)
        depths.append(int(queue.depth))
    # Those that one event ends together end in one step.
    assert 0 < depths[0] <= MANY - HANDLED_AT_ONCE
    assert depths[1:] == [0]


@PROTOCOLS
def test_what_a_peer_held_that_vanishes_is_given_to_others_in_order_when_all_of_it_is_available(
    broker: Broker, hold: Callable[[Broker], Holder]
) -> None:
    holder = hold(broker)
    other = waiting_reader(broker)
    enqueue(broker, "q", "newer")
    assert other.bodies == []
    holder.vanish()
    enqueue(broker, "q", "newest")
    received = [len(other.bodies)]
    while broker.long_commands.busy:
        turn(broker)
        received.append(len(other.bodies))
    assert set(received) <= {0, MANY}
    turn(broker)
    assert other.bodies[:MANY] == [str(number) for number in range(MANY)]


@PROTOCOLS
def test_a_peer_that_vanishes_while_its_deliveries_end_loses_none_of_their_outcomes(
    broker: Broker, hold: Callable[[Broker], Holder]
) -> None:
    holder = hold(broker)
    holder.accept()
    holder.vanish()
    while broker.busy:
        turn(broker)
    assert broker.lookup("q").queue.depth == 0
    assert not broker.lookup("q").readers


@PROTOCOLS
def test_what_is_released_at_once_is_available_in_the_end(
    broker: Broker, hold: Callable[[Broker], Holder]
) -> None:
    holder = hold(broker)
    queue = broker.lookup("q").queue
    holder.release()
    assert queue.available == HANDLED_AT_ONCE
    holder.vanish()
    while broker.busy:
        turn(broker)
    assert queue.available == MANY
