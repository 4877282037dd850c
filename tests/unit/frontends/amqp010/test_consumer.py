"""What subscriptions of AMQP 0-10 are given, and what they do with it."""

from typing import Any

import pytest
from amqp010_peer import UNLIMITED, Peer

from lastvalue.frontends.amqp010.broker_state import BrokerState

EXPLICIT, NONE = 0, 1


PRE_ACQUIRED, NOT_ACQUIRED = 0, 1


CREDIT, WINDOW = 0, 1


MESSAGE, BYTE = 0, 1


def count(peer: Peer, queue: str = "q") -> int:
    result = peer.do("queue.query", queue=queue)
    assert result is not None
    return result.number("message_count")


def fill(peer: Peer, *bodies: bytes) -> None:
    for body in bodies:
        peer.send("q", body)


def test_a_message_is_delivered_and_leaves_when_it_is_accepted(peer: Peer) -> None:
    peer.send("q", b"hello", delivery={"delivery_mode": 2}, properties={"content_type": "text/plain"})
    peer.subscribe("q")
    (transfer,) = peer.take()
    assert (transfer.destination, transfer.body) == ("d", b"hello")
    assert transfer.delivery == {"delivery_mode": 2, "exchange": "", "routing_key": "q"}
    assert transfer.properties["content_type"] == "text/plain"
    assert (count(peer), peer.broker.lookup("q").queue.depth) == (0, 1)
    peer.do("message.accept", transfers=[(transfer.number, transfer.number)])
    assert peer.broker.lookup("q").queue.depth == 0


def test_without_accepting_a_message_leaves_when_it_is_sent(peer: Peer) -> None:
    fill(peer, b"one")
    peer.subscribe("q", accept_mode=NONE)
    assert peer.bodies() == [b"one"]
    assert peer.broker.lookup("q").queue.depth == 0


def test_a_large_message_comes_in_frames_and_goes_in_frames(peer: Peer) -> None:
    fill(peer, b"x" * 200_000)
    peer.subscribe("q")
    assert peer.bodies() == [b"x" * 200_000]


def test_a_message_without_a_body_comes_out_without_one(peer: Peer) -> None:
    peer.send("q", None)
    peer.send("q", b"")
    peer.subscribe("q")
    assert peer.bodies() == [None, b""]


def test_browsing_leaves_the_messages_and_shows_what_comes(peer: Peer) -> None:
    fill(peer, b"one")
    peer.subscribe("q", acquire_mode=NOT_ACQUIRED)
    fill(peer, b"two")
    assert peer.bodies() == [b"one", b"two"]
    assert count(peer) == 2


def test_what_was_browsed_may_be_acquired_once(peer: Peer) -> None:
    fill(peer, b"one")
    peer.subscribe("q", "a", acquire_mode=NOT_ACQUIRED)
    peer.subscribe("q", "b", acquire_mode=NOT_ACQUIRED)
    first, second = peer.take()
    acquired = peer.do("message.acquire", transfers=[(first.number, first.number)])
    refused = peer.do("message.acquire", transfers=[(second.number, second.number)])
    assert acquired is not None
    assert refused is not None
    assert (acquired.ranges("transfers"), refused.ranges("transfers")) == ([(first.number, first.number)], [])
    assert (count(peer), peer.broker.lookup("q").queue.depth) == (0, 1)
    peer.do("message.accept", transfers=[(first.number, first.number)])
    assert peer.broker.lookup("q").queue.depth == 0


@pytest.mark.parametrize(("flag", "redelivered"), [({}, False), ({"set_redelivered": True}, True)])
def test_a_released_message_says_that_it_was_delivered_where_that_is_asked(
    peer: Peer, flag: dict[str, bool], redelivered: bool
) -> None:
    fill(peer, b"one")
    peer.subscribe("q")
    (transfer,) = peer.take()
    peer.do("message.cancel", destination="d")
    peer.do("message.release", transfers=[(transfer.number, transfer.number)], **flag)
    peer.subscribe("q", "again")
    (again,) = peer.take()
    assert ("redelivered" in again.delivery) is redelivered


def test_a_rejected_message_goes_to_the_alternate_exchange(peer: Peer) -> None:
    peer.do("queue.declare", queue="main", alternate_exchange="amq.fanout")
    peer.do("exchange.bind", queue="q", exchange="amq.fanout")
    peer.send("main", b"bad")
    peer.subscribe("main")
    (transfer,) = peer.take()
    peer.do("message.reject", transfers=[(transfer.number, transfer.number)])
    peer.subscribe("q", "dead")
    assert [(each.destination, each.body) for each in peer.take()] == [("dead", b"bad")]


def test_a_cancelled_subscription_keeps_what_it_was_given(peer: Peer) -> None:
    fill(peer, b"one", b"two")
    peer.do("message.subscribe", queue="q", destination="d")
    peer.do("message.flow", destination="d", unit=MESSAGE, value=1)
    peer.do("message.flow", destination="d", unit=BYTE, value=UNLIMITED)
    (transfer,) = peer.take()
    peer.do("message.cancel", destination="d")
    assert count(peer) == 1
    peer.do("message.accept", transfers=[(transfer.number, transfer.number)])
    assert peer.broker.lookup("q").queue.depth == 1


def test_what_a_session_held_is_available_again_when_it_ends(broker_state: BrokerState, peer: Peer) -> None:
    fill(peer, b"one")
    peer.subscribe("q")
    assert peer.bodies() == [b"one"]
    peer.conversation.lost(peer.now, peer.now)
    other = Peer(broker_state)
    other.subscribe("q")
    (again,) = other.take()
    assert again.delivery["redelivered"]


def subscribed(peer: Peer, mode: int, messages: int, size_bytes: int = UNLIMITED) -> None:
    peer.do("message.subscribe", queue="q", destination="d")
    peer.do("message.set-flow-mode", destination="d", flow_mode=mode)
    peer.do("message.flow", destination="d", unit=BYTE, value=size_bytes)
    peer.do("message.flow", destination="d", unit=MESSAGE, value=messages)


def test_no_more_is_sent_than_there_is_credit_for(peer: Peer) -> None:
    fill(peer, b"1", b"2", b"3", b"4")
    subscribed(peer, CREDIT, 2)
    assert peer.bodies() == [b"1", b"2"]
    peer.do("message.flow", destination="d", unit=MESSAGE, value=1)
    assert peer.bodies() == [b"3"]


def test_credit_in_bytes_counts_the_properties_too(peer: Peer) -> None:
    fill(peer, b"abcdefgh", b"abcdefgh")
    subscribed(peer, CREDIT, UNLIMITED, 18)
    assert peer.bodies() == []
    peer.do("message.flow", destination="d", unit=BYTE, value=1)
    assert peer.bodies() == [b"abcdefgh"]


def test_a_browser_gets_the_message_that_waited_for_credit_in_bytes(peer: Peer) -> None:
    fill(peer, b"abcdefgh", b"ijklmnop")
    peer.do("message.subscribe", queue="q", destination="d", acquire_mode=NOT_ACQUIRED)
    peer.do("message.flow", destination="d", unit=MESSAGE, value=UNLIMITED)
    peer.do("message.flow", destination="d", unit=BYTE, value=10)
    assert peer.bodies() == []
    peer.do("message.flow", destination="d", unit=BYTE, value=UNLIMITED)
    assert peer.bodies() == [b"abcdefgh", b"ijklmnop"]


def test_in_a_window_what_is_completed_may_be_sent_again(peer: Peer) -> None:
    fill(peer, b"1", b"2", b"3")
    subscribed(peer, WINDOW, 1)
    (first,) = peer.take()
    peer.control("session.completed", 1, commands=[(first.number, first.number)])
    assert peer.bodies() == [b"2"]


def test_what_was_sent_before_a_stop_gives_no_credit_back(peer: Peer) -> None:
    fill(peer, b"1", b"2", b"3")
    subscribed(peer, WINDOW, 1)
    (first,) = peer.take()
    peer.do("message.stop", destination="d")
    peer.do("message.flow", destination="d", unit=BYTE, value=UNLIMITED)
    peer.do("message.flow", destination="d", unit=MESSAGE, value=1)
    assert peer.bodies() == [b"2"]
    peer.control("session.completed", 1, commands=[(first.number, first.number)])
    assert peer.bodies() == []


@pytest.mark.parametrize("stops", [False, True])
def test_credit_that_is_granted_behind_a_flush_counts_when_that_is_complete(peer: Peer, stops: bool) -> None:
    peer.subscribe("q")
    commands: list[tuple[str, dict[str, Any]]] = [("message.flush", {})]
    commands += [("message.flow", {"unit": unit, "value": UNLIMITED}) for unit in (0, 1)]
    commands += [("message.stop", {})] if stops else []
    peer.do_together([(name, {"destination": "d", **fields}) for name, fields in commands])
    peer.send("q", b"one")
    assert peer.bodies() == ([] if stops else [b"one"])


def test_a_flush_is_complete_when_there_is_nothing_more_and_takes_the_credit(peer: Peer) -> None:
    fill(peer, b"1")
    subscribed(peer, CREDIT, 10)
    peer.completed = set()
    peer.do("message.flush", destination="d")
    assert len(peer.completed) > 0
    assert peer.bodies() == [b"1"]
    fill(peer, b"2")
    assert peer.bodies() == []
