"""What a consumer is sent."""

import tracemalloc
from typing import Any

from core_peer import Peer, head
from protocol_clients import Amqp10Wire, Said

from lastvalue.broker.broker import Broker
from lastvalue.codec.core import packets
from lastvalue.codec.core import typed_properties as types
from lastvalue.frontends.core.consumer import FORCED
from lastvalue.queues.spec_arguments import spec_from_arguments

MIB = 1 << 20


def sent(peer: Peer, *texts: str, **more: Any) -> Peer:
    for text in texts:
        peer.send(text, answered=False, **more)
    return peer


def test_a_consumer_is_sent_bytes_as_far_as_it_has_granted_them(peer: Peer) -> None:
    sent(peer.declare(), "1", "2", "3").read(credits_=1)
    assert peer.texts() == ["1"]
    # The first message has used more than there was.
    peer.say(packets.CREDIT, consumer=1, credits=72)
    assert peer.texts() == ["2"]
    peer.say(packets.CREDIT, consumer=1, credits=-1)
    assert peer.texts() == ["3"]


def test_credit_that_is_taken_back_is_gone(peer: Peer) -> None:
    peer.declare().read(credits_=1000).say(packets.CREDIT, consumer=1, credits=0)
    assert sent(peer, "x").silent()


def test_a_consumer_that_asks_is_told_that_there_is_nothing_more(peer: Peer) -> None:
    sent(peer.declare(), "x").read(credits_=-1).say(packets.FORCE_DELIVERY, consumer=1, sequence=5)
    assert FORCED not in peer.received().properties
    assert peer.received().properties == {FORCED: 5}


def test_a_consumer_without_credit_that_asks_is_told_so(peer: Peer) -> None:
    sent(peer.declare(), "x").read(credits_=0).say(packets.FORCE_DELIVERY, consumer=1, sequence=6)
    assert peer.received().properties == {FORCED: 6}


def test_of_a_large_message_a_copy_is_made_to_send_it_and_none_is_kept(peer: Peer) -> None:
    peer.declare().say(packets.SEND_LARGE, head=head("q", kind=4))
    tracemalloc.start()
    peer.ask(packets.SEND_CONTINUATION, body=bytes(MIB), continues=False)
    peer.read(credits_=1)
    sending, _ = tracemalloc.get_traced_memory()
    peer.say(packets.CREDIT, consumer=1, credits=-1).heard.clear()
    sent_whole, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (sending // MIB, sent_whole // MIB) == (2, 1)


def test_a_large_message_is_sent_in_parts_as_far_as_there_is_credit(broker: Broker) -> None:
    peer = Peer(broker).open(min_large_message_size=8192)
    sent(peer.declare(), "x" * 20_000).read(credits_=10_000)
    large = peer.expect(packets.RECEIVE_LARGE)
    body = b""
    while True:
        if peer.silent():
            peer.say(packets.CREDIT, consumer=1, credits=10_000)
        part = peer.expect(packets.RECEIVE_CONTINUATION)
        body += part.octets("body")
        if not part.flag("continues"):
            break
    assert len(body) == large.number("size") == 40_005


def test_a_receiver_reads_the_expiry_that_its_queue_has_set(broker: Broker, peer: Peer) -> None:
    broker.declare(spec_from_arguments("q", {"minimum_ttl_ms": 1000}))
    sent(peer, "x", expiration=peer.now + 10).read()
    assert peer.received().expiration == peer.now + 1000


def test_a_consumer_whose_queue_is_deleted_is_disconnected(broker: Broker, peer: Peer) -> None:
    peer.declare().read()
    broker.delete("q", peer.now)
    assert peer.turn().expect(packets.DISCONNECT_CONSUMER).number("consumer") == 1


def test_a_browser_sees_messages_and_leaves_them(broker: Broker, peer: Peer) -> None:
    sent(peer.declare(), "1", "2").read(browse=True)
    assert peer.texts() == ["1", "2"]
    assert broker.lookup("q").queue.available == 2


def test_a_queue_that_is_not_destructive_is_never_emptied(broker: Broker, peer: Peer) -> None:
    sent(peer.declare(non_destructive=True), "1").read()
    message = peer.received()
    peer.ask(packets.ACKNOWLEDGE, consumer=1, message=message.number)
    peer.ask(packets.CLOSE_CONSUMER, consumer=1)
    assert peer.read(number=2).texts() == ["1"]


def test_a_group_s_first_message_says_so(peer: Peer) -> None:
    peer.declare(group_buckets=-1, group_first_key="first")
    properties = {"_AMQ_GROUP_ID": (10, "g")}
    sent(peer, "1", "2", properties=properties).read()
    assert [peer.received().properties.get("first") for _ in range(2)] == [True, None]


def test_the_trace_of_a_message_is_carried_unchanged(broker: Broker, peer: Peer) -> None:
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    sent(peer.declare(), "1", "2", properties={"traceparent": (types.STRING, parent)})
    assert Amqp10Wire(broker).hear("q").headers["traceparent"] == parent
    assert peer.read().received().properties["traceparent"] == parent
    Amqp10Wire(broker).say(Said(b"3", headers={"traceparent": parent}))
    assert peer.turn().received().properties["traceparent"] == parent
