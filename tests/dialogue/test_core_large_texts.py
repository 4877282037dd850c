"""Large texts that are read over CORE: they are measured in steps before they are sent."""

from typing import Any

import pytest
from core_peer import SESSION, Peer, head

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.codec.core import packets
from lastvalue.codec.core.jms_names import TEXT_TYPE
from lastvalue.codec.core.packets import PacketType, write_packet

TEXT = "\u20ac\U0001f600a" * (1 << 18)
STEP = 256 * 1024


def begun(**more: Any) -> tuple[Peer, HostedQueue]:
    """A peer that has asked for a large text, which is being measured."""
    broker = Broker()
    peer = Peer(broker).open(auto_commit_acks=False).declare()
    octets = TEXT.encode("utf-16-le")
    body = b"\x01" + len(octets).to_bytes(4, "big") + octets
    peer.say(packets.SEND_LARGE, head=head("q", kind=TEXT_TYPE))
    peer.ask(packets.SEND_CONTINUATION, body=body, continues=False)
    peer.ask(packets.CREATE_CONSUMER, packets.QUEUE_QUERIED, consumer=1, queue="q", **more)
    tell(peer, packets.CREDIT, consumer=1, credits=-1)
    for _ in range(2):
        broker.pump(peer.now)
    assert not peer.conversation.data_to_send()
    return peer, broker.lookup("q")


def tell(peer: Peer, kind: PacketType, **values: Any) -> None:
    """Say a packet without a turn."""
    peer.conversation.receive(write_packet(kind, SESSION, 136, values), peer.now, peer.now)


def text_of(peer: Peer) -> str:
    """The large text that comes next."""
    size = peer.expect(packets.RECEIVE_LARGE).number("size")
    body = b""
    while len(body) < size:
        body += peer.expect(packets.RECEIVE_CONTINUATION).octets("body")
    assert len(body) == size
    return body[5:].decode("utf-16-le")


@pytest.mark.parametrize("browses", [False, True])
def test_a_text_is_measured_in_steps_and_sent_whole(browses: bool) -> None:
    peer, _ = begun(browse_only=browses)
    pumps = 0
    while not peer.conversation.data_to_send():
        assert peer.broker.busy
        peer.broker.pump(peer.now)
        pumps += 1
    assert pumps >= len(TEXT.encode()) // STEP - 4


@pytest.mark.parametrize("browses", [False, True])
def test_a_consumer_that_stops_meanwhile_gets_the_text_later(browses: bool) -> None:
    peer, hosted = begun(browse_only=browses)
    tell(peer, packets.STOP)
    peer.turn()
    assert hosted.queue.available == 1
    assert all(kind is packets.NULL_RESPONSE for _, kind, _ in peer.heard)
    peer.heard.clear()
    peer.say(packets.START)
    assert text_of(peer) == TEXT


def test_a_rollback_makes_it_available_before_it_is_sent() -> None:
    peer, hosted = begun()
    tell(peer, packets.ROLLBACK, last_delivered=False)
    assert (hosted.queue.available, hosted.queue.contents.held_bytes) == (1, 0)
    peer.turn()
    peer.expect(packets.NULL_RESPONSE)
    assert text_of(peer) == TEXT


def test_a_consumer_that_ends_meanwhile_leaves_it_to_others() -> None:
    peer, hosted = begun()
    tell(peer, packets.CLOSE_CONSUMER, consumer=1)
    peer.turn()
    peer.expect(packets.NULL_RESPONSE)
    assert (hosted.queue.available, hosted.queue.contents.held_bytes) == (1, 0)
    peer.read(number=2)
    assert text_of(peer) == TEXT
