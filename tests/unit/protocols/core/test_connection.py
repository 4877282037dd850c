"""The engine of CORE: how a connection opens, and what a peer may do wrong."""

import pytest
from core_peer import Peer, head, message

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import ILLEGAL_STATE, INCOMPATIBLE_VERSIONS, LARGE_MESSAGE_ERROR
from lastvalue.codec.core.packets import NEWEST_VERSION, framed, write_packet
from lastvalue.codec.core.typed_properties import BYTES, TypedProperties
from lastvalue.protocols.core.connection import MAGIC
from lastvalue.protocols.core.options import Options


def peer() -> Peer:
    return Peer(Broker()).begin()


def test_a_ping_is_answered_with_the_time_that_the_peer_may_be_silent() -> None:
    one = peer()
    one.say(packets.PING, 0, ttl_ms=5000)
    assert one.expect(packets.PING, 0).number("ttl_ms") == 5000


def test_a_peer_that_is_silent_for_longer_than_it_said_is_gone() -> None:
    one = Peer(Broker()).open()
    one.say(packets.PING, 0, ttl_ms=5000).at(one.now + 4999)
    assert not one.conversation.finished
    one.at(one.now + 1)
    assert one.conversation.finished


def test_the_topology_is_of_one_node() -> None:
    one = Peer(Broker(), Options(node_id="node-1")).begin()
    one.say(packets.SUBSCRIBE_TOPOLOGY_V2, 0, version=136)
    topology = one.expect(packets.TOPOLOGY, 0)
    assert (topology.text("node"), topology.flag("last"), topology.flag("live")) == ("node-1", True, False)


def test_a_failover_to_the_broker_is_always_possible() -> None:
    one = peer()
    one.say(packets.CHECK_FAILOVER, 1, node="other")
    assert one.expect(packets.FAILOVER_CHECKED, 1).flag("ok")


@pytest.mark.parametrize("version", [129, 137])
def test_a_version_that_is_not_spoken_is_refused(version: int) -> None:
    """[Artemis] The client asks for an older one then."""
    one = peer().create(version=version)
    assert one.expect(packets.EXCEPTION, 1).number("code") == INCOMPATIBLE_VERSIONS
    one.create().expect(packets.SESSION_CREATED, 1)


@pytest.mark.parametrize("version", range(130, NEWEST_VERSION + 1))
def test_every_version_sends_and_reads(version: int) -> None:
    one = Peer(Broker())
    one.version = version
    one.open().declare()
    one.send("x").expect(packets.NULL_RESPONSE)
    assert one.read().texts() == ["x"]


@pytest.mark.parametrize(
    "octets",
    [
        b"\xff\xff\xff\xff",
        b"\0\0\0\x08" + bytes(8),
        framed(99, 1, b""),
        write_packet(packets.START, 10, 136, {}),
        framed(packets.CREATE_SESSION_V2.code, 1, b"\0\0\0\x09\0\xff"),
        framed(packets.PING.code, 0, bytes(70_000)),
    ],
)
def test_a_peer_that_does_not_speak_the_protocol_is_disconnected(octets: bytes) -> None:
    one = peer().raw(octets)
    assert one.expect(packets.EXCEPTION, 1).number("code") == ILLEGAL_STATE
    assert one.conversation.finished
    assert one.raw(octets).silent()


def test_a_message_whose_body_ends_outside_of_its_packet_is_malformed() -> None:
    one = Peer(Broker()).open()
    one.say(packets.SEND, message=b"\x7f\xff\xff\xff" + bytes(20))
    assert one.expect(packets.EXCEPTION, 1).number("code") == ILLEGAL_STATE


def test_octets_may_come_one_by_one() -> None:
    one = Peer(Broker())
    for octet in MAGIC + write_packet(packets.PING, 0, 136, {"ttl_ms": 7}):
        one.raw(bytes((octet,)))
    assert one.expect(packets.PING, 0).number("ttl_ms") == 7


def test_a_peer_that_creates_no_session_is_disconnected() -> None:
    one = peer()
    one.at(one.now + Options().open_timeout_ms)
    assert one.conversation.finished


def test_channels_below_ten_are_the_connection_s_own() -> None:
    one = peer().create(channel=9)
    assert one.expect(packets.EXCEPTION, 1).number("code") == ILLEGAL_STATE
    one.create(channel=12).expect(packets.SESSION_CREATED, 1)
    assert one.create(channel=12).expect(packets.EXCEPTION, 1).number("code") == ILLEGAL_STATE


def test_a_connection_has_a_bounded_number_of_sessions() -> None:
    one = Peer(Broker()).open()
    for channel in range(11, 2010):
        one.create(f"s{channel}", channel)
    one.heard.clear()
    refused = one.create("one more", 2010).expect(packets.EXCEPTION, 1)
    assert refused.text("text") == "a connection has at most 2000 sessions; use another connection"


def test_only_packets_with_messages_are_large() -> None:
    announced = (1 << 20).to_bytes(4, "big")
    for kind, is_taken in ((packets.SEND, True), (packets.CREATE_CONSUMER, False), (packets.PING, False)):
        one = Peer(Broker()).open()
        one.raw(announced)
        assert not one.conversation.finished
        one.raw(bytes((kind.code,)))
        assert one.conversation.finished is not is_taken


def test_a_client_may_ask_to_be_silent_for_any_time() -> None:
    one = Peer(Broker()).open()
    one.say(packets.PING, 0, ttl_ms=2**63 - 1).expect(packets.PING, 0)
    assert one.now + 10**11 < one.conversation.next_deadline() < 2**62
    one.at(one.now + 10**11)
    assert not one.conversation.finished


def test_properties_that_are_too_large_refuse_a_message_alone() -> None:
    one = Peer(broker := Broker()).open().declare()
    large: TypedProperties = {"p": (BYTES, bytes(1 << 20))}
    octets = message(b"x", "q", properties=large)
    one.say(packets.SEND, message=octets, wants_response=True, correlation=3)
    assert one.expect(packets.EXCEPTION).number("code") == LARGE_MESSAGE_ERROR
    one.say(packets.SEND_LARGE, head=octets[4 + 1 :])
    assert one.refused(packets.SEND_CONTINUATION, body=b"x", continues=False) == LARGE_MESSAGE_ERROR
    one.raw(sent(b"a", 4)).expect(packets.NULL_RESPONSE)
    assert depth(broker, "q") == 1


def sent(text: bytes, correlation: int = -1, channel: int = 10, address: str = "q") -> bytes:
    octets = message(text, address, kind=4)
    values = {"message": octets, "wants_response": correlation >= 0, "correlation": correlation}
    return write_packet(packets.SEND, channel, NEWEST_VERSION, values)


def depth(broker: Broker, name: str) -> int:
    return int(broker.lookup(name).queue.depth)


def test_messages_that_come_together_are_taken_in_their_order_and_answered_each() -> None:
    one = Peer(Broker()).open().declare()
    one.raw(sent(b"a", 1) + sent(b"b") + sent(b"c", 3))
    assert [one.expect(packets.NULL_RESPONSE).number("correlation") for _ in range(2)] == [1, 3]
    assert one.silent()
    one.read()
    assert [one.received().body for _ in range(3)] == [b"a", b"b", b"c"]


def test_messages_of_several_sessions_may_alternate() -> None:
    broker = Broker()
    one = Peer(broker).open().declare().declare("r")
    one.create("other", 11).expect(packets.SESSION_CREATED, 1)
    one.raw(sent(b"a", 1) + sent(b"b", 2, 11, "r") + sent(b"c", 3, address="r") + sent(b"d", 4))
    assert [one.expect(packets.NULL_RESPONSE).number("correlation") for _ in range(3)] == [1, 3, 4]
    assert one.expect(packets.NULL_RESPONSE, 11).number("correlation") == 2
    assert (depth(broker, "q"), depth(broker, "r")) == (2, 2)


def test_a_message_among_others_is_refused_alone() -> None:
    one = Peer(broker := Broker(), Options(max_message_size=100)).open().declare()
    malformed = b"\0\0\0\x11" + head("q", kind=99)
    values = {"message": malformed, "wants_response": True, "correlation": 2}
    refused = write_packet(packets.SEND, 10, NEWEST_VERSION, values)
    one.raw(sent(b"a", 1) + refused + sent(bytes(200), 3) + sent(bytes(200)) + sent(b"b", 4))
    assert one.expect(packets.NULL_RESPONSE).number("correlation") == 1
    assert one.expect(packets.EXCEPTION).number("correlation") == 2
    too_large = one.expect(packets.EXCEPTION)
    assert (too_large.number("code"), too_large.number("correlation")) == (LARGE_MESSAGE_ERROR, 3)
    assert one.expect(packets.NULL_RESPONSE).number("correlation") == 4
    assert depth(broker, "q") == 2


def test_what_follows_a_close_with_the_same_bytes_is_for_nobody() -> None:
    one = Peer(broker := Broker()).open().declare()
    one.raw(sent(b"a", 1) + framed(packets.CLOSE.code, 10, b"") + sent(b"b", 2))
    assert one.expect(packets.NULL_RESPONSE).number("correlation") == 1
    one.expect(packets.NULL_RESPONSE)
    assert one.silent()
    assert depth(broker, "q") == 1


@pytest.mark.parametrize("size", range(17))
def test_a_message_that_is_too_short_is_malformed(size: int) -> None:
    one = Peer(Broker()).open().declare()
    one.raw(sent(b"a") + framed(packets.SEND.code, 10, bytes(size)) + sent(b"b"))
    assert one.expect(packets.EXCEPTION, 1).number("code") == ILLEGAL_STATE
    assert one.conversation.finished
