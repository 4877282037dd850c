"""Messages that a peer transfers over AMQP 0-10."""

from typing import Any

import pytest
from amqp010_peer import Peer

from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.amqp010.encoder import encode_map
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import FlowControl, LastValue, Limit, QueueSpec

EXPLICIT, NONE = 0, 1


PRE_ACQUIRED, NOT_ACQUIRED = 0, 1


@pytest.mark.parametrize("exchange", ["", "amq.fanout", "others"])
def test_a_durable_message_is_complete_when_the_journal_has_it_however_it_is_routed(
    peer: Peer, exchange: str
) -> None:
    peer.broker.declare(QueueSpec("kept", durable=True))
    peer.broker.bind("amq.fanout", Binding("kept", ""), NOBODY, peer.now)
    peer.broker.declare_exchange(ExchangeSpec("others", ExchangeType.DIRECT, alternate="kept"))
    peer.flushed = 0
    number = peer.send("kept", b"one", exchange=exchange, delivery={"delivery_mode": 2})
    assert peer.broker.lookup("kept").queue.depth == 1
    assert number not in peer.completed
    peer.flushed = 1
    peer.exchange()
    assert number in peer.completed


def test_a_durable_message_that_waited_for_flow_control_is_complete_when_the_journal_has_it(
    peer: Peer,
) -> None:
    flow = FlowControl(stop_messages=1, resume_messages=1)
    peer.broker.declare(QueueSpec("kept", durable=True, flow=flow))
    peer.flushed = 0
    numbers = [peer.send("kept", b"%d" % each, delivery={"delivery_mode": 2}) for each in range(2)]
    peer.subscribe("kept", accept_mode=NONE)
    assert peer.bodies() == [b"0", b"1"]
    assert not peer.completed.intersection(numbers)
    peer.flushed = 1
    peer.exchange()
    assert peer.completed.issuperset(numbers)


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


@pytest.mark.parametrize(("product", "bodies"), [("qpid", [b"one", b"two"]), ("", [])])
def test_a_destination_may_be_a_queue_for_qpids_jms_client(
    broker_state: BrokerState, product: str, bodies: list[bytes]
) -> None:
    peer = Peer(broker_state, opens=False)
    peer.open(product=product)
    peer.send("", b"one", exchange="q")
    peer.do("tx.select")
    peer.send("elsewhere", b"two", exchange="q")
    peer.do("tx.commit")
    reader = Peer(broker_state, opens=False)
    reader.open(b"reader")
    reader.subscribe("q")
    assert reader.bodies() == bodies
    assert bool(peer.failures) is not bool(bodies)


def test_an_exchange_comes_before_a_queue_of_its_name(broker_state: BrokerState) -> None:
    peer = Peer(broker_state, opens=False)
    peer.open(product="qpid")
    peer.do("exchange.declare", exchange="q", type="direct")
    peer.send("k", b"one", exchange="q")
    peer.subscribe("q")
    assert peer.bodies() == []


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
