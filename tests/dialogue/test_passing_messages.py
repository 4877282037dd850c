"""Messages for who takes them at once, as RabbitMQ's clients ask for them: times to live and lengths of 0."""

from typing import Any

import pytest
from amqp091_peer import Peer, declared
from pamqp import body, commands, frame, header

from lastvalue.broker.broker import Broker

Basic = commands.Basic
AT_ONCE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"x-message-ttl": 0}, {}),
    ({"x-max-length": 0}, {}),
    ({"x-max-length-bytes": 0}, {}),
    ({}, {"expiration": "0"}),
]
"""Arguments of the queue, and properties of the message."""


@pytest.fixture
def peer() -> Peer:
    return Peer(Broker()).open()


@pytest.mark.parametrize(("arguments", "properties"), AT_ONCE)
def test_a_get_in_the_same_write_finds_nothing(
    peer: Peer, arguments: dict[str, Any], properties: dict[str, Any]
) -> None:
    declared(peer, "q", **arguments)
    peer.publish(b"1", "q", also=[Basic.Get(queue="q")], **properties).expect(Basic.GetEmpty)


@pytest.mark.parametrize(("arguments", "properties"), AT_ONCE)
def test_a_consumer_gets_it_also_if_the_clock_goes_on_in_the_turn_and_never_again(
    peer: Peer, arguments: dict[str, Any], properties: dict[str, Any]
) -> None:
    declared(peer, "q", **arguments)
    peer.say(Basic.Consume(queue="q", consumer_tag="c")).expect(Basic.ConsumeOk)
    parts: list[Any] = [
        Basic.Publish(routing_key="q"),
        header.ContentHeader(body_size=1, properties=Basic.Properties(**properties)),
        body.ContentBody(b"1"),
    ]
    peer.octets(b"".join(frame.marshal(part, 1) for part in parts))
    peer.now += 5
    peer.broker.advance(peer.now)
    method, _, payload = peer.turn().content(Basic.Deliver)
    assert payload == b"1"
    peer.say(Basic.Reject(method.delivery_tag, requeue=True))
    assert not peer.turn().frames
    assert peer.broker.lookup("q").queue.depth == 0
