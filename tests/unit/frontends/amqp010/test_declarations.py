"""What commands of AMQP 0-10 declare and ask, and what is refused."""

from typing import Any

import pytest
from amqp010_peer import Peer

from lastvalue.frontends.amqp010.broker_state import BrokerState


def declared(peer: Peer) -> None:
    peer.do("queue.declare", queue="mine", exclusive=True, auto_delete=True)
    peer.do("exchange.declare", exchange="x", type="direct", alternate_exchange="amq.fanout")


@pytest.mark.parametrize(
    ("name", "fields", "code"),
    [
        ("message.subscribe", {"destination": "d"}, 531),
        ("message.cancel", {"destination": "none"}, 404),
        ("message.flow", {"destination": "none", "unit": 0, "value": 1}, 404),
        ("queue.delete", {"queue": "none"}, 404),
        ("queue.delete", {"queue": ""}, 531),
        ("queue.purge", {"queue": ""}, 531),
        ("queue.declare", {"queue": "none", "passive": True}, 404),
        ("queue.declare", {"queue": "n", "alternate_exchange": "none"}, 404),
        ("queue.declare", {"queue": "mine", "alternate_exchange": "amq.fanout"}, 530),
        ("queue.declare", {"queue": "n", "arguments": {"qpid.max_count": -1}}, 542),
        ("exchange.declare", {"exchange": "n", "type": "none"}, 404),
        ("exchange.declare", {"exchange": "x", "type": "topic"}, 530),
        ("exchange.declare", {"exchange": "x", "type": "direct", "alternate_exchange": "amq.direct"}, 530),
        ("exchange.declare", {"exchange": "none", "passive": True}, 404),
        ("exchange.declare", {"exchange": "amq.new", "type": "direct"}, 530),
        ("exchange.delete", {"exchange": ""}, 542),
        ("exchange.delete", {"exchange": "amq.fanout"}, 530),
        ("exchange.bind", {"exchange": "amq.match", "queue": "q"}, 541),
        ("exchange.bind", {"exchange": "none", "queue": "q"}, 404),
        ("tx.commit", {}, 409),
        ("message.resume", {"destination": "d", "resume_id": "r"}, 540),
    ],
)
def test_a_command_that_asks_for_what_cannot_be_is_refused_by_its_code(
    peer: Peer, name: str, fields: dict[str, Any], code: int
) -> None:
    declared(peer)
    assert peer.fails(name, **fields) == code


@pytest.mark.parametrize("acquire_mode", [0, 1], ids=["consumer", "browser"])
def test_a_queue_with_a_subscription_is_used(peer: Peer, acquire_mode: int) -> None:
    peer.subscribe("q", "d", acquire_mode=acquire_mode)
    assert peer.fails("queue.delete", queue="q", if_unused=True) == 406


def test_a_queue_that_exists_may_be_declared_with_other_arguments(peer: Peer) -> None:
    """[Qpid C++] And it stays as it was."""
    for arguments in ({"qpid.max_count": 5}, {"qpid.max_count": 6}):
        peer.do("queue.declare", queue="n", arguments=arguments)
    assert not peer.failures
    found = peer.do("queue.query", queue="n")
    assert found is not None
    assert found.map("arguments") == {"qpid.max_count": 5}


def test_a_queue_of_one_session_is_locked_for_others(broker_state: BrokerState, peer: Peer) -> None:
    declared(peer)
    other = Peer(broker_state)
    other.attach(b"other")
    assert other.fails("message.subscribe", queue="mine", destination="d") == 405


def test_an_exclusive_subscription_is_alone(broker_state: BrokerState, peer: Peer) -> None:
    peer.subscribe("q", exclusive=True)
    other = Peer(broker_state)
    other.attach(b"other")
    assert other.fails("message.subscribe", queue="q", destination="d") == 405


def test_a_queue_of_one_session_goes_with_it(broker_state: BrokerState, peer: Peer) -> None:
    declared(peer)
    peer.control("session.detach", 1, name=b"test")
    assert not broker_state.broker.has_queue("mine")


def test_a_query_tells_what_was_declared(peer: Peer) -> None:
    arguments = {"qpid.max_count": 5, "my.own": "x"}
    peer.do("queue.declare", queue="n", durable=True, auto_delete=True, arguments=arguments)
    found = peer.do("queue.query", queue="n")
    assert found is not None
    assert found.values == {
        "queue": "n",
        "durable": True,
        "auto_delete": True,
        "arguments": arguments,
        "message_count": 0,
        "subscriber_count": 0,
    }
    exchange = peer.do("exchange.query", name="amq.topic")
    assert exchange is not None
    assert exchange.values == {"type": "topic", "durable": True, "arguments": {}}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"exchange": "x", "queue": "q", "binding_key": "k"}, set()),
        ({"exchange": "x", "queue": "q", "binding_key": "z"}, {"key_not_matched"}),
        ({"exchange": "x", "queue": "mine"}, {"queue_not_matched"}),
        ({"exchange": "none", "queue": "none"}, {"exchange_not_found", "queue_not_found"}),
        ({"exchange": "x", "queue": "q", "arguments": {"a": 1}}, {"args_not_matched"}),
    ],
)
def test_what_is_bound_can_be_asked(peer: Peer, asked: dict[str, Any], told: set[str]) -> None:
    declared(peer)
    peer.do("exchange.bind", exchange="x", queue="q", binding_key="k")
    found = peer.do("exchange.bound", **asked)
    assert found is not None
    assert set(found.values) == told
