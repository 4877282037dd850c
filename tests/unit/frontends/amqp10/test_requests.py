"""Requests to the management node over AMQP 1.0, and their replies."""

import pytest
from wired_broker import Line

from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.performatives import (
    SENDER_MIXED,
    SENDER_UNSETTLED,
    Accepted,
    Rejected,
    Source,
    Target,
)
from lastvalue.frontends.amqp10.requests import MAX_WAITING_REPLIES
from lastvalue.protocols.amqp10.events import Delivery, DeliverySettled


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
    asked = MessageContent(reply_to="me", application_properties={"operation": "READ", "name": "q"})
    requests.send(encode_content(asked), settled=True)
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


def test_so_many_management_replies_may_wait_for_credit(line: Line) -> None:
    line.session.attach_receiver("replies", Source(address="$management"), Target(address="me"))
    requests = line.session.attach_sender("requests", Target(address="$management"))
    line.exchange()
    asked = encode_content(MessageContent(application_properties={"operation": "READ", "name": "q"}))
    states: list[object] = []
    while len(states) <= MAX_WAITING_REPLIES:
        for _ in range(min(requests.credit, MAX_WAITING_REPLIES + 1 - len(states))):
            requests.send(asked, settled=False)
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
