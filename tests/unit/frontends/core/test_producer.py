"""What a session publishes."""

import tracemalloc

import pytest
from core_peer import ANYCAST, SESSION, VERSION, Peer, anycast, head, keyed, message, permit, scheduled

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import (
    ADDRESS_DOES_NOT_EXIST,
    ADDRESS_FULL,
    LARGE_MESSAGE_ERROR,
    SECURITY_EXCEPTION,
)
from lastvalue.codec.core.packets import write_packet
from lastvalue.codec.core.typed_properties import LONG, STRING, TypedProperties
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.codec.octets import MOST_QUICK_BYTES
from lastvalue.compat.artemis.management.management_requests import ManagementRequests
from lastvalue.delivery.branches import Branches
from lastvalue.frontends.core.broker_state import BrokerState
from lastvalue.protocols.core.options import Options
from lastvalue.queues.spec import Limit, QueueSpec

MIB = 1 << 20
MULTICAST = 0


def depth(broker: Broker, name: str = "q") -> int:
    return int(broker.lookup(name).queue.depth)


def test_a_message_replaces_the_last_one_of_its_key(broker: Broker, peer: Peer) -> None:
    peer.declare(last_value_key="k")
    for value in ("a", "b", "a"):
        peer.send(value, properties=keyed(value))
    assert depth(broker) == 2


def test_the_default_key_counts_where_a_message_lacks_the_queue_s_own(broker: Broker, peer: Peer) -> None:
    peer.declare(last_value_key="k")
    for name in ("k", "_AMQ_LVQ_NAME"):
        peer.send("x", properties=keyed("same", name))
    assert depth(broker) == 1


def test_a_message_is_taken_once_by_its_duplicate_id(broker: Broker, peer: Peer) -> None:
    peer.declare()
    for _ in range(2):
        peer.send("x", properties=keyed("one", "_AMQ_DUPL_ID")).expect(packets.NULL_RESPONSE)
    assert depth(broker) == 1


@pytest.mark.parametrize(("address", "routing"), [("q", ANYCAST), ("prices", MULTICAST)])
def test_a_durable_message_is_answered_when_the_journal_has_it_however_it_is_routed(
    broker: Broker, peer: Peer, address: str, routing: int
) -> None:
    peer.declare(address=address, routing=routing, durable=True).hold_flushes()
    peer.send("x", address, durable=True)
    assert depth(broker) == 1
    assert peer.silent()
    peer.flush().expect(packets.NULL_RESPONSE)


def test_a_message_waits_for_its_delivery_time(peer: Peer) -> None:
    peer.declare().send("later", properties=scheduled(peer.now + 50)).expect(packets.NULL_RESPONSE)
    assert peer.read().silent()
    assert peer.at(peer.now + 50).texts() == ["later"]


def test_a_message_expires(broker: Broker, peer: Peer) -> None:
    peer.declare().send("x", expiration=peer.now + 50).at(peer.now + 50)
    assert depth(broker) == 0


def test_a_large_message_comes_in_parts(broker: Broker, peer: Peer) -> None:
    peer.declare().say(packets.SEND_LARGE, head=head("q", kind=4))
    peer.say(packets.SEND_CONTINUATION, body=b"a" * 1000, continues=True)
    assert depth(broker) == 0
    peer.ask(packets.SEND_CONTINUATION, body=b"b" * 1000, continues=False, size=2000)
    assert depth(broker) == 1
    assert peer.read().received().body == b"a" * 1000 + b"b" * 1000


def test_a_large_message_is_in_memory_twice_when_it_is_whole(peer: Peer) -> None:
    size: TypedProperties = {"_AMQ_LARGE_SIZE": (LONG, 7 * MIB + 1)}
    peer.declare().say(packets.SEND_LARGE, head=head("q", size, kind=4))
    tracemalloc.start()
    for _ in range(7):
        peer.say(packets.SEND_CONTINUATION, body=bytes(MIB), continues=True)
    peer.ask(packets.SEND_CONTINUATION, body=b"x", continues=False)
    now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (now // MIB, peak // MIB) == (7, 14)


def test_a_message_that_is_too_large_is_refused(broker: Broker) -> None:
    peer = Peer(broker, Options(max_message_size=1000)).open().declare()
    peer.say(packets.SEND_LARGE, head=head("q"))
    peer.say(packets.SEND_CONTINUATION, body=bytes(900), continues=True)
    code = peer.refused(packets.SEND_CONTINUATION, body=bytes(900), continues=False)
    assert (code, depth(broker)) == (LARGE_MESSAGE_ERROR, 0)


def test_a_part_without_a_beginning_is_refused(peer: Peer) -> None:
    assert peer.refused(packets.SEND_CONTINUATION, body=b"x", continues=False) == LARGE_MESSAGE_ERROR


def test_a_queue_that_is_full_refuses_a_message(broker: Broker, peer: Peer) -> None:
    broker.declare(QueueSpec("q", limit=Limit(messages=1)))
    peer.send("1").expect(packets.NULL_RESPONSE)
    assert peer.send("2").expect(packets.EXCEPTION).number("code") == ADDRESS_FULL


def test_a_queue_is_made_for_a_message_that_is_for_one(broker: Broker, peer: Peer) -> None:
    peer.send("x", "made", properties=anycast()).expect(packets.NULL_RESPONSE)
    assert depth(broker, "made") == 1
    peer.send("x", "topic").expect(packets.NULL_RESPONSE)
    assert not broker.has_queue("topic")


def test_a_user_without_the_right_to_declare_cannot_send_to_what_is_missing(broker: Broker) -> None:
    permit(broker, "write *")
    peer = Peer(broker).open().send("x", "missing", properties=anycast())
    assert peer.expect(packets.EXCEPTION).number("code") == ADDRESS_DOES_NOT_EXIST


def test_a_user_without_the_right_to_publish_is_refused(broker: Broker) -> None:
    broker.declare(QueueSpec("q"))
    permit(broker, "read *")
    assert Peer(broker).open().send("x").expect(packets.EXCEPTION).number("code") == SECURITY_EXCEPTION
    assert depth(broker) == 0


def test_credit_is_granted_while_nothing_stops_the_producer(broker: Broker, peer: Peer) -> None:
    peer.declare().say(packets.REQUEST_CREDIT, credits=1000, address="q")
    assert peer.expect(packets.PRODUCER_CREDIT).number("credits") == 1000
    broker.alarms.set_memory(True)
    peer.say(packets.REQUEST_CREDIT, credits=500, address="q")
    assert peer.silent()
    broker.alarms.set_memory(False)
    assert peer.turn().expect(packets.PRODUCER_CREDIT).number("credits") == 500


def test_messages_without_an_address_go_to_the_session_s(broker: Broker) -> None:
    peer = Peer(broker).open(default_address="q").declare().declare("r")
    without = head("")[:8] + b"\0" + head("")[13:]
    body = b"\0\0\0\x0d"
    for octets in (without, head("r"), head("r"), without, without):
        peer.ask(packets.SEND, message=body + octets)
    assert (depth(broker), depth(broker, "r")) == (3, 2)


def texted(text: str, address: str, properties: TypedProperties) -> bytes:
    """A packet with a text message."""
    body = CoreWriter()
    body.nullable_simple_string(text)
    whole = message(body.data(), address, properties=properties)
    return write_packet(packets.SEND, SESSION, VERSION, {"message": whole, "correlation": -1})


def test_a_queue_that_a_request_deletes_takes_none_of_the_messages_that_come_with_it(broker: Broker) -> None:
    shared = BrokerState(broker, Branches(broker))
    shared.management = ManagementRequests(broker, "node")
    peer = Peer(broker, shared=shared).open().declare()
    update = texted("x", "q", anycast())
    # So large that the quick form does not look at its address.
    padding: TypedProperties = {"padding": (STRING, "x" * MOST_QUICK_BYTES)}
    request = keyed("broker", "_AMQ_ResourceName") | keyed("destroyQueue", "_AMQ_OperationName") | padding
    peer.raw(update + update + texted('["q"]', "activemq.management", request) + update)
    assert depth(broker) == 1
