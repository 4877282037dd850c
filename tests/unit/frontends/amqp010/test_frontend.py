"""What commands of AMQP 0-10 do to a broker."""

from typing import Any

import pytest
from amqp010_peer import UNLIMITED, Peer

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp010.encoder import encode_map
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import LastValue, Limit, QueueSpec

EXPLICIT, NONE = 0, 1
PRE_ACQUIRED, NOT_ACQUIRED = 0, 1
CREDIT, WINDOW = 0, 1
MESSAGE, BYTE = 0, 1


@pytest.fixture
def broker_state() -> BrokerState:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    return BrokerState(broker)


@pytest.fixture
def peer(broker_state: BrokerState) -> Peer:
    return Peer(broker_state)


def count(peer: Peer, queue: str = "q") -> int:
    result = peer.do("queue.query", queue=queue)
    assert result is not None
    return result.number("message_count")


def fill(peer: Peer, *bodies: bytes) -> None:
    for body in bodies:
        peer.send("q", body)


# ---------------------------------------------------------------------- receiving


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


# ---------------------------------------------------------------------- credit


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


def test_a_flush_is_complete_when_there_is_nothing_more_and_takes_the_credit(peer: Peer) -> None:
    fill(peer, b"1")
    subscribed(peer, CREDIT, 10)
    peer.completed = set()
    peer.do("message.flush", destination="d")
    assert len(peer.completed) > 0
    assert peer.bodies() == [b"1"]
    fill(peer, b"2")
    assert peer.bodies() == []


# ---------------------------------------------------------------------- publishing


def test_a_durable_message_is_complete_when_the_journal_has_it(peer: Peer) -> None:
    peer.broker.declare(QueueSpec("kept", durable=True))
    peer.flushed = 0
    number = peer.send("kept", b"one", delivery={"delivery_mode": 2})
    assert number not in peer.completed
    peer.flushed = 1
    peer.exchange()
    assert number in peer.completed


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("queue.purge", {"queue": "kept"}),
        ("queue.declare", {"queue": "other", "durable": True}),
        ("queue.delete", {"queue": "kept"}),
        ("exchange.bind", {"queue": "kept", "exchange": "amq.direct", "binding_key": "k"}),
        ("message.reject", {"transfers": [(0, 0)]}),
    ],
)
def test_a_command_that_changes_what_is_kept_is_complete_when_the_journal_has_it(
    peer: Peer, command: str, fields: dict[str, Any]
) -> None:
    peer.broker.declare(QueueSpec("kept", durable=True))
    peer.send("kept", b"one", delivery={"delivery_mode": 2})
    peer.flushed = 0
    number = peer.numbered(command, **fields)
    assert number not in peer.completed
    peer.flushed = 1
    peer.exchange()
    assert number in peer.completed


def test_a_message_that_does_not_fit_ends_the_session(peer: Peer) -> None:
    peer.broker.declare(QueueSpec("small", limit=Limit(1)))
    peer.send("small", b"1")
    peer.send("small", b"2")
    assert peer.failures[-1].number("error_code") == 506


def test_a_producer_of_a_blocked_queue_hears_of_completion_when_that_opens(peer: Peer) -> None:
    arguments = {"qpid.flow_stop_count": 2, "qpid.flow_resume_count": 1}
    peer.do("queue.declare", queue="flow", arguments=arguments)
    numbers = [peer.send("flow", b"1"), peer.send("flow", b"2"), peer.send("flow", b"3")]
    assert numbers[0] in peer.completed
    assert numbers[2] not in peer.completed
    peer.subscribe("flow", accept_mode=NONE)
    assert peer.bodies() == [b"1", b"2", b"3"]
    assert numbers[2] in peer.completed


def test_an_exchange_routes_by_key_and_tells_it(peer: Peer) -> None:
    peer.do("exchange.declare", exchange="news", type="topic")
    peer.do("exchange.bind", queue="q", exchange="news", binding_key="a.#")
    peer.send("a.b", b"yes", exchange="news")
    peer.send("b.b", b"no", exchange="news")
    peer.subscribe("q")
    (transfer,) = peer.take()
    assert transfer.body == b"yes"
    assert (transfer.delivery["exchange"], transfer.delivery["routing_key"]) == ("news", "a.b")


def test_a_transfer_to_no_exchange_is_told(peer: Peer) -> None:
    peer.send("k", b"", exchange="nosuch")
    assert peer.failures[-1].number("error_code") == 404


def test_a_last_value_queue_reads_its_key_among_the_application_headers(peer: Peer) -> None:
    peer.do("queue.declare", queue="lvq", arguments={"qpid.last_value_queue_key": "k"})
    for key, body in [("a", b"1"), ("b", b"2"), ("a", b"3")]:
        peer.send("lvq", body, properties={"application_headers": {"k": key}})
    peer.subscribe("lvq", acquire_mode=NOT_ACQUIRED)
    assert peer.bodies() == [b"2", b"3"]
    assert peer.broker.lookup("lvq").queue.spec.ordering == LastValue("k")


def test_a_map_is_a_map_to_readers_of_other_protocols(peer: Peer) -> None:
    peer.send("q", encode_map({"a": [1, "x"]}), properties={"content_type": "amqp/map"})
    (entry,) = peer.broker.lookup("q").queue.entries()
    content = decode_content(entry.message.encoded)
    assert (content.body_kind, content.body) == (BodyKind.VALUE, {"a": [1, "x"]})


def test_a_message_of_another_protocol_is_told_in_the_words_of_this_one(peer: Peer) -> None:
    """S-323, with the test of the map and the round trip of properties (tests/properties/test_amqp010.py)."""
    content = MessageContent(
        message_id="id-1",
        correlation_id="c",
        subject="news",
        reply_to="amq.direct/me",
        application_properties={"n": 1},
        body="text",
    )
    peer.broker.publish(peer.broker.queue_target("q"), read_message(encode_content(content)), peer.now)
    peer.subscribe("q")
    (transfer,) = peer.take()
    assert transfer.body == b"text"
    assert transfer.headers == {"n": 1, "qpid.subject": "news", "x-amqp-1.0.message-id": "id-1"}
    assert transfer.properties["correlation_id"] == b"c"
    reply: Record = transfer.properties["reply_to"]
    assert reply.values == {"exchange": "amq.direct", "routing_key": "me"}


def test_a_reader_may_ask_for_the_number_of_each_message(peer: Peer) -> None:
    peer.do("queue.declare", queue="numbered", arguments={"qpid.queue_msg_sequence": "n"})
    peer.send("numbered", b"1")
    peer.send("numbered", b"2")
    peer.subscribe("numbered")
    assert [transfer.headers for transfer in peer.take()] == [{"n": 1}, {"n": 2}]


def test_a_selector_selects(peer: Peer) -> None:
    for number in range(3):
        peer.send("q", b"%d" % number, properties={"application_headers": {"n": number}})
    peer.subscribe("q", acquire_mode=NOT_ACQUIRED, arguments={"x-apache-selector": "n > 0"})
    assert peer.bodies() == [b"1", b"2"]


# ---------------------------------------------------------------------- refusals


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


# ---------------------------------------------------------------------- queries


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


# ---------------------------------------------------------------------- scenarios of the field


def test_a_queue_that_deletes_itself_after_a_while_is_there_until_then(
    broker_state: BrokerState, peer: Peer
) -> None:
    """S-245."""
    arguments = {"qpid.auto_delete_timeout": 3}
    peer.do("queue.declare", queue="brief", exclusive=True, auto_delete=True, arguments=arguments)
    peer.control("session.detach", 1, name=b"test")
    assert broker_state.broker.has_queue("brief")
    broker_state.broker.advance(peer.now + 3000)
    assert not broker_state.broker.has_queue("brief")


def test_a_group_stays_closed_while_the_session_of_its_closed_consumer_goes_on(
    broker_state: BrokerState, peer: Peer
) -> None:
    """S-142."""
    arguments = {"qpid.group_header_key": "g", "qpid.shared_msg_group": 1}
    peer.do("queue.declare", queue="grouped", arguments=arguments)
    for group, body in [("A", b"A0"), ("A", b"A1"), ("B", b"B2"), ("B", b"B3")]:
        peer.send("grouped", body, properties={"application_headers": {"g": group}})
    peer.do("message.subscribe", queue="grouped", destination="d")
    peer.do("message.flow", destination="d", unit=BYTE, value=UNLIMITED)
    peer.do("message.flow", destination="d", unit=MESSAGE, value=1)
    assert peer.bodies() == [b"A0"]
    peer.do("message.cancel", destination="d")
    other = Peer(broker_state, opens=False)
    other.open(b"other")
    other.subscribe("grouped")
    assert other.bodies() == [b"B2", b"B3"]
    peer.control("session.detach", 1, name=b"test")
    assert other.bodies() == [b"A0", b"A1"]


def test_a_deleted_queue_gives_its_alternate_what_was_prefetched_too(peer: Peer) -> None:
    """S-257."""
    peer.do("queue.declare", queue="main", alternate_exchange="amq.fanout")
    peer.do("exchange.bind", queue="q", exchange="amq.fanout")
    for number in range(10):
        peer.send("main", b"%d" % number)
    peer.do("message.subscribe", queue="main", destination="d")
    peer.do("message.flow", destination="d", unit=BYTE, value=UNLIMITED)
    peer.do("message.flow", destination="d", unit=MESSAGE, value=5)
    assert len(peer.take()) == 5
    peer.do("queue.delete", queue="main")
    peer.subscribe("q", "dead")
    assert peer.bodies() == [b"%d" % number for number in range(10)]


def test_a_queue_that_destroys_itself_is_no_fault_of_the_producer(peer: Peer) -> None:
    """S-258."""
    arguments = {"qpid.max_count": 10, "qpid.policy_type": "self-destruct"}
    peer.do("queue.declare", queue="fragile", arguments=arguments)
    for queue in ("fragile", "q"):
        peer.do("exchange.bind", queue=queue, exchange="amq.fanout")
    for number in range(20):
        peer.send("", b"%d" % number, exchange="amq.fanout")
    assert (peer.failures, peer.broker.has_queue("fragile"), count(peer)) == ([], False, 20)


@pytest.mark.parametrize(("ttl_ms", "lives_ms"), [(2**64 - 1, 2**50), (2**33, 2**33 - 1)])
def test_a_time_to_live_may_be_longer_than_other_protocols_can_say(
    peer: Peer, ttl_ms: int, lives_ms: int
) -> None:
    """S-262."""
    peer.send("q", b"old", delivery={"ttl": ttl_ms})
    peer.now += lives_ms
    peer.broker.advance(peer.now)
    assert count(peer) == 1
