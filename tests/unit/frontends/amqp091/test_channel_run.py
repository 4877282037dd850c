"""Messages of AMQP 0-9-1 that come together."""

from typing import Any

from amqp091_peer import Peer, closed, declared
from pamqp import body, commands, frame, header


def publishes(*bodies: bytes, exchange: str = "") -> bytes:
    """Publishes to a key in one piece."""
    said = b""
    for each in bodies:
        parts: list[Any] = [
            commands.Basic.Publish(exchange=exchange, routing_key="q"),
            header.ContentHeader(body_size=len(each), properties=commands.Basic.Properties()),
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
