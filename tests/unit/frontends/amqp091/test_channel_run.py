"""Messages of AMQP 0-9-1 that come together."""

from collections.abc import Sequence
from typing import Any

from amqp091_peer import Peer, closed, declared
from pamqp import body, commands, frame, header

from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.forwarder import routing_key
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.queues.spec import LastValue, QueueSpec


def publishes(
    *bodies: bytes, exchange: str = "", keys: Sequence[str] = ("q",), headers: Sequence[Any] = (None,)
) -> bytes:
    """Publishes in one piece, to keys in turn and with headers in turn."""
    said = b""
    for number, each in enumerate(bodies):
        properties = commands.Basic.Properties(headers=headers[number % len(headers)])
        parts: list[Any] = [
            commands.Basic.Publish(exchange=exchange, routing_key=keys[number % len(keys)]),
            header.ContentHeader(body_size=len(each), properties=properties),
            body.ContentBody(each),
        ]
        said += b"".join(frame.marshal(part, 1) for part in parts)
    return said


def confirming(peer: Peer) -> Peer:
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    return peer


def send(peer: Peer, data: bytes) -> None:
    peer.conversation.receive(data, peer.now, peer.now)
    peer.turn()


def test_each_message_is_confirmed_by_what_became_of_it(peer: Peer) -> None:
    declared(peer, max_messages=2)
    send(confirming(peer), publishes(b"1", b"2", b"3", b"4"))
    ack = peer.expect(commands.Basic.Ack)
    assert (ack.delivery_tag, ack.multiple) == (2, True)
    nack = peer.expect(commands.Basic.Nack)
    assert (nack.delivery_tag, nack.multiple) == (4, True)
    assert peer.broker.lookup("q").queue.depth == 2


def test_a_message_that_has_nowhere_to_go_ends_a_channel_with_confirms(peer: Peer) -> None:
    send(confirming(peer), publishes(b"1", exchange="absent"))
    assert closed(peer)[0] == 404


def test_messages_behind_a_refused_one_are_not_taken_on_a_channel_without_confirms(peer: Peer) -> None:
    declared(peer, max_messages=1)
    send(peer, publishes(b"1", b"2", b"3"))
    assert closed(peer)[0] == 506
    assert peer.broker.lookup("q").queue.refused == 1
    assert peer.broker.exchanges.default.received == 2


def test_messages_go_to_the_queues_of_their_own_keys(peer: Peer) -> None:
    broker = peer.broker
    for name, key in (("all", "*"), ("ab", "ab")):
        broker.declare(QueueSpec(name))
        broker.bind("amq.topic", Binding(name, key), NOBODY, 0)
    keys = ("aa", "ac", "ab", "ab", "ac", "a.c", "ad", "a")
    send(confirming(peer), publishes(*[b"1"] * len(keys), exchange="amq.topic", keys=keys))
    ack = peer.expect(commands.Basic.Ack)
    assert (ack.delivery_tag, ack.multiple) == (len(keys), True)
    assert [broker.lookup(name).queue.depth for name in ("all", "ab")] == [7, 2]
    exchange = broker.exchanges.find("amq.topic")
    assert (exchange.received, exchange.unrouted) == (len(keys), 1)
    assert [routing_key(entry.message) for entry in broker.lookup("ab").queue.entries()] == ["ab", "ab"]


def test_an_exchange_gives_a_last_value_queue_each_key_and_another_queue_all(peer: Peer) -> None:
    broker = peer.broker
    for spec in (QueueSpec("all"), QueueSpec("newest", ordering=LastValue("symbol", order_by="number"))):
        broker.declare(spec)
        broker.bind("amq.fanout", Binding(spec.name, ""), NOBODY, 0)
    headers = [
        {"symbol": symbol, "number": number} for symbol, number in zip("abcab", (1, 2, 3, 0, 4), strict=True)
    ]
    send(peer, publishes(*[b"%d" % number for number in range(10)], exchange="amq.fanout", headers=headers))
    assert broker.lookup("all").queue.depth == 10
    held = [decode_content(entry.message.encoded).body for entry in broker.lookup("newest").queue.entries()]
    assert held == [b"5", b"7", b"9"]


def test_messages_whose_key_is_no_short_text_go_to_a_last_value_queue_one_by_one(peer: Peer) -> None:
    broker = peer.broker
    for spec in (QueueSpec("all"), QueueSpec("newest", ordering=LastValue("symbol"))):
        broker.declare(spec)
        broker.bind("amq.fanout", Binding(spec.name, ""), NOBODY, 0)
    headers = [{"symbol": 7}, {"symbol": 8}, {"other": 7}]
    send(peer, publishes(*[b"1"] * 6, exchange="amq.fanout", headers=headers))
    assert [broker.lookup(name).queue.depth for name in ("all", "newest")] == [6, 4]
