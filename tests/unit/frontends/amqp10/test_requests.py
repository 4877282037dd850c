"""Requests to the management node over AMQP 1.0, and their replies."""

import pytest
from broker_peer import BrokerPeer
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    SENDER_MIXED,
    SENDER_UNSETTLED,
    Accepted,
    Detach,
    Rejected,
    Source,
    Target,
)
from lastvalue.frontends.amqp10.requests import MAX_WAITING_REPLIES
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.sender import DeliverySettled
from lastvalue.protocols.amqp10.session import LinkDetached
from lastvalue.queues.spec import QueueSpec


@pytest.fixture
def broker(broker: Broker) -> Broker:
    broker.declare(QueueSpec("light"))
    return broker


def test_management_answers_on_the_link_that_reply_to_names(line: Line) -> None:
    replies = line.session.attach_receiver("replies", Source(address="$management"), Target(address="me"))
    replies.add_credit(10)
    requests = line.session.attach_sender("requests", Target(address="$management"))
    line.exchange()
    line.events.clear()
    content = MessageContent(
        message_id=7,
        reply_to="me",
        application_properties={"operation": "READ", "type": "queue", "name": "q"},
    )
    requests.send(encode_content(content), settled=True)
    (reply,) = line.take(Delivery)
    answer = decode_content(reply.payload)
    assert (answer.correlation_id, answer.application_properties["statusCode"]) == (7, 200)


@pytest.mark.parametrize(("mode", "settled"), [(SENDER_UNSETTLED, False), (SENDER_MIXED, True)])
def test_a_reply_is_settled_as_the_links_mode_allows(line: Line, mode: int, settled: bool) -> None:
    replies = line.session.attach_receiver(
        "replies", Source(address="$management"), Target(address="me"), settle_mode=mode
    )
    replies.add_credit(10)
    requests = line.session.attach_sender("requests", Target(address="$management"))
    line.exchange()
    line.events.clear()
    requests.send(asked("me"), settled=True)
    (reply,) = line.take(Delivery)
    assert reply.settled is settled


def test_requests_in_rabbitmqs_manner_are_answered_by_status_and_body(line: Line) -> None:
    replies = line.session.attach_receiver(
        "pair", Source(address="/management"), Target(address="/management")
    )
    replies.add_credit(10)
    requests = line.session.attach_sender("pair", Target(address="/management"))
    line.exchange()
    line.events.clear()
    content = MessageContent(message_id="7", to="/queues/q", subject="GET", reply_to="$me")
    # Its client for Python sends a body that is null in front.
    null = b"\x00\x53\x77\x40"
    payload = encode_content(content)
    assert payload.endswith(null)
    requests.send(null + payload.removesuffix(null), settled=True)
    (reply,) = line.take(Delivery)
    answer = decode_content(reply.payload)
    assert (answer.correlation_id, answer.subject) == ("7", "200")
    assert isinstance(answer.body, dict)
    assert answer.body["name"] == "q"


def test_a_management_request_without_a_way_to_answer_is_rejected(line: Line) -> None:
    requests = line.session.attach_sender(
        "requests", Target(address="$management"), settle_mode=SENDER_UNSETTLED
    )
    line.exchange()
    requests.send(
        encode_content(MessageContent(application_properties={"operation": "QUERY"})), settled=False
    )
    (outcome,) = line.take(DeliverySettled)
    assert outcome.state.error.condition == "amqp:precondition-failed"


def test_a_settled_request_that_gets_no_answer_detaches_its_link(line: Line) -> None:
    """A rejection cannot reach who settled it, and who waits for the answer would wait for ever."""
    requests = line.session.attach_sender("requests", Target(address="$management"))
    line.exchange()
    requests.send(encode_content(MessageContent(application_properties={"operation": "QUERY"})), settled=True)
    (detached,) = line.take(LinkDetached)
    assert detached.error is not None
    assert detached.error.condition == "amqp:precondition-failed"


def asked(reply_to: str, operation: str = "READ", **properties: str) -> bytes:
    described = {"operation": operation, "type": "queue", "name": "q", **properties}
    return encode_content(
        MessageContent(message_id="1", reply_to=reply_to, application_properties=described, body={})
    )


def temporary_queue(line: Line) -> str:
    """A reader's dynamic queue, with credit: its address."""
    replies = line.session.attach_receiver("temporary", Source(dynamic=True))
    replies.add_credit(10)
    line.exchange()
    assert replies.remote is not None
    assert isinstance(replies.remote.source, Source)
    return replies.remote.source.address or ""


@pytest.mark.parametrize("other_links", [0, 1])
def test_a_reply_goes_to_the_queue_that_reply_to_names(line: Line, other_links: int) -> None:
    """[Broker-J] Its users read replies from a temporary queue."""
    address = temporary_queue(line)
    for number in range(other_links):
        line.session.attach_receiver(f"{number}", Source(address="$management"), Target(address="me"))
    requests = line.session.attach_sender("requests", Target(address="$management"))
    line.exchange()
    line.events.clear()
    requests.send(asked(address), settled=False)
    line.exchange()
    (reply,) = line.take(Delivery)
    answer = decode_content(reply.payload)
    assert reply.link.name == "temporary"
    assert (answer.correlation_id, answer.to) == ("1", address)
    assert answer.application_properties["statusCode"] == 200


def test_a_reply_to_a_queue_waits_for_the_journal_as_others_do(broker: Broker) -> None:
    peer = BrokerPeer(broker, Clock())
    peer.reads(address="light")
    peer.attach(ROLE_SENDER, "requests", 1, target=Target(address="$management"))
    peer.frames()
    peer.flushed = 0
    peer.transfer(0, asked("light", "CREATE", name="new"), handle=1, settled=True)
    peer.transfer(1, asked("light"), handle=1, settled=True)
    assert peer.got() == []
    peer.flushed = 1
    peer.turn()
    peer.turn()
    assert len(peer.got()) == 2


def test_a_reply_to_a_queue_that_has_gone_is_dropped(broker: Broker) -> None:
    peer = BrokerPeer(broker, Clock())
    peer.attach(ROLE_SENDER, "requests", 1, target=Target(address="$management"))
    peer.flushed = 0
    peer.transfer(0, asked("light", "CREATE", name="new"), handle=1, settled=True)
    broker.delete("light", 0)
    peer.flushed = 1
    peer.turn()
    assert broker.has_queue("new")


def test_so_many_management_replies_may_wait_for_credit(line: Line) -> None:
    line.session.attach_receiver("replies", Source(address="$management"), Target(address="me"))
    requests = line.session.attach_sender("requests", Target(address="$management"))
    line.exchange()
    content = MessageContent(application_properties={"operation": "READ", "name": "q"})
    states: list[object] = []
    while len(states) <= MAX_WAITING_REPLIES:
        for _ in range(min(requests.credit, MAX_WAITING_REPLIES + 1 - len(states))):
            requests.send(encode_content(content), settled=False)
        states += [event.state for event in line.take(DeliverySettled)]
    assert [type(state) for state in states] == [Accepted] * MAX_WAITING_REPLIES + [Rejected]


def test_replies_that_wait_take_memory_until_they_are_sent(line: Line) -> None:
    replies = line.session.attach_receiver("replies", Source(address="$management"), Target(address="me"))
    requests = line.session.attach_sender("requests", Target(address="$management"))
    line.exchange()
    memory = line.server.wire.memory
    asked = encode_content(
        MessageContent(reply_to="me", application_properties={"operation": "READ", "name": "q"})
    )
    for _ in range(3):
        requests.send(asked, settled=True)
    line.exchange()
    assert memory.used_bytes > 3 * 100
    replies.add_credit(2)
    line.exchange()
    assert 100 < memory.used_bytes < 3 * 100 * 10
    replies.detach()
    line.exchange()
    assert memory.used_bytes == 0


def test_a_reply_to_a_queue_needs_the_right_to_publish_there(broker: Broker) -> None:
    peer = BrokerPeer(broker, Clock())
    peer.attach(ROLE_SENDER, "requests", 1, target=Target(address="$management"))
    peer.frames()
    peer.flushed = 0
    peer.transfer(0, asked("light", "CREATE", name="new"), handle=1, settled=True)
    broker.authorization.permissions = lambda user: Permissions([parse_rule("read *")])
    peer.transfer(1, asked("light"), handle=1)
    ((number, state),) = peer.told()
    assert number == 1
    assert isinstance(state, Rejected)
    assert state.error is not None
    assert state.error.condition == "amqp:unauthorized-access"
    peer.flushed = 1
    peer.turn()
    assert broker.lookup("light").queue.depth == 0


def test_where_a_late_reply_has_no_room_its_link_ends_with_the_reason(broker: Broker) -> None:
    peer = BrokerPeer(broker, Clock())
    peer.attach(
        ROLE_RECEIVER, "replies", 2, source=Source(address="$management"), target=Target(address="me")
    )
    peer.attach(ROLE_SENDER, "requests", 1, target=Target(address="$management"))
    peer.flushed = 0
    peer.transfer(0, asked("me", "CREATE", name="new"), handle=1, settled=True)
    peer.frames()
    broker.memory.limit_bytes = 0
    peer.flushed = 1
    peer.turn()
    detach = peer.heard(Detach)
    assert detach.error is not None
    assert detach.error.condition == "amqp:resource-limit-exceeded"
    assert broker.has_queue("new")
