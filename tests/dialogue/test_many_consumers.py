"""Peers of every protocol that leave with very many consumers or links: others are served meanwhile."""

from collections.abc import Callable

import pytest
from amqp010_peer import Peer as Peer010
from amqp091_peer import Peer as Peer091
from bare_queue import START_MS
from broker_desk import enqueue, made
from broker_peer import BrokerPeer
from core_peer import SESSION
from core_peer import Peer as CorePeer
from pamqp import commands, frame
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import ENDED_AT_ONCE, HANDLED_AT_ONCE
from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import Attach, Begin, End, Source, Target, encode_performative
from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import write_packet
from lastvalue.frontends.amqp010.broker_state import BrokerState

MANY = 2 * ENDED_AT_ONCE + 50


def turn(broker: Broker) -> None:
    broker.pump(START_MS)
    broker.drain(START_MS)


def of_0_9_1(broker: Broker) -> Callable[[], None]:
    peer = Peer091(broker).open()
    peer.say(*[commands.Basic.Consume(queue="q", consumer_tag=str(number)) for number in range(MANY)])
    closing = frame.marshal(commands.Channel.Close(200, "", 0, 0), 1)
    return lambda: peer.conversation.receive(closing, peer.now, peer.now)


def of_0_10(broker: Broker) -> Callable[[], None]:
    peer = Peer010(BrokerState(broker))
    for number in range(MANY):
        peer.subscribe("q", str(number))
    detach = peer.control_bytes("session.detach", 1, name=b"test")
    return lambda: peer.conversation.receive(detach, peer.now, peer.now)


def performatives(*bodies: Attach | Begin | End) -> bytes:
    return b"".join(encode_frame(encode_performative(body), 0) for body in bodies)


def reading(number: int, name: str = "") -> Attach:
    source, target = Source(address="q"), Target()
    return Attach(name=name or f"l{number}", handle=number, role=True, source=source, target=target)


def of_1_0(broker: Broker) -> Callable[[], None]:
    peer = BrokerPeer(broker, Clock())
    peer.send(performatives(*[reading(number) for number in range(MANY)]))

    def leave() -> None:
        peer.engine.receive(performatives(End()), peer.clock.now)
        peer.frontend.handle(peer.clock.now)

    return leave


def of_core(broker: Broker) -> Callable[[], None]:
    peer = CorePeer(broker).open()
    for number in range(MANY):
        peer.say(packets.CREATE_CONSUMER, consumer=number, queue="q")
    closing = write_packet(packets.CLOSE, SESSION, packets.NEWEST_VERSION, {})
    return lambda: peer.conversation.receive(closing, peer.now, peer.now)


@pytest.mark.parametrize("come", [of_0_9_1, of_0_10, of_1_0, of_core])
def test_the_consumers_of_a_session_that_ends_leave_a_part_in_each_turn(
    come: Callable[[Broker], Callable[[], None]],
) -> None:
    broker = made("q")
    leave = come(broker)
    readers = broker.lookup("q").readers
    assert len(readers) == MANY
    leave()
    left = [len(readers)]
    while broker.long_commands.busy:
        turn(broker)
        left.append(len(readers))
    assert left[-1] == 0
    assert (
        max(before - after for before, after in zip([MANY, *left], left, strict=False)) <= 2 * ENDED_AT_ONCE
    )
    assert len(left) > 1


def test_sessions_that_nobody_attaches_end_a_part_in_each_turn() -> None:
    broker = made("q")
    peer = CorePeer(broker).open(name="first", window=1000)
    for channel in range(SESSION + 1, SESSION + 2 * ENDED_AT_ONCE):
        peer.create(f"s{channel}", channel, window=1000)
    peer.vanish()
    assert len(peer.shared.holders) == 2 * ENDED_AT_ONCE
    broker.advance(peer.now + 60_000)
    assert len(peer.shared.holders) == ENDED_AT_ONCE
    turn(broker)
    turn(broker)
    assert not peer.shared.holders


def test_a_session_that_begins_where_one_ends_gets_its_links_when_those_of_the_other_have_left() -> None:
    broker = made("q")
    peer = BrokerPeer(broker, Clock())
    peer.send(performatives(*[reading(number) for number in range(MANY)]))
    peer.frames()
    begin = Begin(next_outgoing_id=0, incoming_window=10, outgoing_window=10)
    peer.engine.receive(performatives(End(), begin, reading(0, "again")), peer.clock.now)
    peer.frontend.handle(peer.clock.now)
    readers = broker.lookup("q").readers
    assert 0 < len(readers) <= MANY - ENDED_AT_ONCE
    peer.turn()
    peer.turn()
    assert len(readers) == 1
    assert [each.performative.name for each in peer.frames() if isinstance(each.performative, Attach)] == [
        "again"
    ]


def test_what_was_browsed_is_acquired_a_part_in_each_turn_and_the_answer_has_all_of_it() -> None:
    broker = made("q")
    enqueue(broker, "q", *["x"] * (HANDLED_AT_ONCE + 500))
    peer = Peer010(BrokerState(broker))
    peer.subscribe("q", acquire_mode=1)
    queue = broker.lookup("q").queue
    data = peer.command_bytes("message.acquire", transfers=[(0, HANDLED_AT_ONCE + 499)])
    peer.conversation.receive(data, peer.now, peer.now)
    assert queue.available == 500
    assert peer.conversation.busy
    peer.exchange()
    peer.exchange()
    assert (queue.available, peer.conversation.busy) == (0, False)
    [result] = [each for each in peer.results.values() if each is not None]
    assert result.ranges("transfers") == [(0, HANDLED_AT_ONCE + 499)]
