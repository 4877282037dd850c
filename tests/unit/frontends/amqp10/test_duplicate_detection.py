"""Links whose messages are taken once."""

from typing import Any
from uuid import UUID

import pytest
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.performatives import SENDER_UNSETTLED, Accepted, Rejected, Target
from lastvalue.frontends.amqp10.duplicate_detection import DUPLICATE_DETECTION, PRODUCER_NAME
from lastvalue.protocols.amqp10.sender import DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.session import LinkDetached
from lastvalue.queues.effects import Reason
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec

ASKING: dict[str, Any] = {"desired_capabilities": (DUPLICATE_DETECTION,)}
NAMED: dict[str, Any] = {"properties": {PRODUCER_NAME: "feed"}}


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    broker.declare(QueueSpec("other"))
    broker.declare(QueueSpec("windowed", duplicate_window=10))
    return broker


@pytest.fixture
def line(broker: Broker) -> Line:
    return Line(broker, Clock())


def attached(line: Line, address: str | None, terms: dict[str, Any]) -> SenderLink:
    link = line.session.attach_sender(
        f"to {address} {terms}", Target(address=address), settle_mode=SENDER_UNSETTLED, **terms
    )
    line.exchange()
    return link


def send(line: Line, link: SenderLink, duplicate_id: Any = None, **fields: Any) -> object:
    """Send a message and return its outcome."""
    properties = {} if duplicate_id is None else {"_AMQ_DUPL_ID": duplicate_id}
    content = MessageContent(body="b", application_properties=properties, **fields)
    link.send(encode_content(content), settled=False)
    (settled,) = line.take(DeliverySettled)
    return settled.state


def queue(broker: Broker, name: str = "q") -> Queue:
    return broker.lookup(name).queue


@pytest.mark.parametrize("terms", [ASKING, NAMED])
def test_a_link_that_asks_is_confirmed_twice_and_taken_once(
    broker: Broker, line: Line, terms: dict[str, Any]
) -> None:
    link = attached(line, "q", terms)
    assert send(line, link, "7") == send(line, link, "7") == Accepted()
    assert queue(broker).depth == 1
    assert queue(broker).removed(Reason.DUPLICATE) == 1


def test_a_link_that_does_not_ask_repeats_itself(broker: Broker, line: Line) -> None:
    link = attached(line, "q", {})
    send(line, link, "7")
    send(line, link, "7")
    assert queue(broker).depth == 2


def test_a_queue_with_a_window_needs_no_link_to_ask(broker: Broker, line: Line) -> None:
    for _ in range(2):
        send(line, attached(line, "windowed", {}), "7")
        line = Line(broker, Clock())
    assert queue(broker, "windowed").depth == 1


def test_a_text_and_the_binary_of_its_bytes_are_one_id(broker: Broker, line: Line) -> None:
    link = attached(line, "q", ASKING)
    send(line, link, "é")
    send(line, link, "é".encode())
    assert queue(broker).depth == 1


@pytest.mark.parametrize(
    "message_id", ["m", 7, b"\xff", UUID("12345678-1234-5678-1234-567812345678")], ids=str
)
def test_a_named_producer_s_message_ids_are_known_again(broker: Broker, line: Line, message_id: Any) -> None:
    link = attached(line, "q", NAMED)
    send(line, link, message_id=message_id)
    send(line, link, message_id=message_id)
    send(line, link, message_id="another")
    assert queue(broker).depth == 2


def test_another_producer_s_message_ids_are_its_own(broker: Broker, line: Line) -> None:
    send(line, attached(line, "q", NAMED), message_id="1")
    send(line, attached(line, "q", {"properties": {PRODUCER_NAME: "other"}}), message_id="1")
    send(line, attached(line, "q", ASKING), message_id="1")
    assert queue(broker).depth == 3


def test_the_answer_offers_what_was_asked_for(line: Line) -> None:
    answer = attached(line, "q", NAMED).link_state.remote
    assert answer is not None
    assert answer.offered_capabilities == (DUPLICATE_DETECTION,)
    assert answer.properties == {PRODUCER_NAME: "feed"}


def test_a_link_that_did_not_ask_is_offered_nothing(line: Line) -> None:
    answer = attached(line, "q", {}).link_state.remote
    assert answer is not None
    assert answer.offered_capabilities == ()


@pytest.mark.parametrize("name", ["", 7, "a\x00b", "n" * 256])
def test_a_producer_s_name_that_is_none_refuses_the_link(line: Line, name: Any) -> None:
    attached(line, "q", {"properties": {PRODUCER_NAME: name}})
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition == "amqp:invalid-field"
    assert "producer-name is" in detached.error.description


def test_an_id_that_is_too_long_rejects_its_message(broker: Broker, line: Line) -> None:
    state = send(line, attached(line, "q", ASKING), "x" * 1100)
    assert isinstance(state, Rejected)
    assert state.error is not None
    assert "at most 1024" in (state.error.description or "")
    assert queue(broker).published == 0


@pytest.mark.parametrize("numbered", [False, True])
def test_what_an_exchange_routes_is_known_on_each_queue(broker: Broker, line: Line, numbered: bool) -> None:
    broker.declare_exchange(ExchangeSpec("x", ExchangeType.FANOUT, numbered=numbered))
    bind(broker, "q")
    link = attached(line, "x", ASKING)
    send(line, link, "7")
    bind(broker, "other")
    assert send(line, link, "7") == Accepted()
    assert (queue(broker).depth, queue(broker, "other").depth) == (1, 1)


def test_a_link_without_a_node_may_ask_too(broker: Broker, line: Line) -> None:
    link = attached(line, None, ASKING)
    send(line, link, "7", to="q")
    send(line, link, "7", to="q")
    send(line, link, "7", to="other")
    assert (queue(broker).depth, queue(broker, "other").depth) == (1, 1)


def bind(broker: Broker, name: str) -> None:
    broker.bind("x", Binding(name, ""), NOBODY, 0)
