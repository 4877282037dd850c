"""Requests in messages to `activemq.management`, and their answers."""

import pytest
from core_management import ManagedBroker

from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.compat.artemis.management.management_requests import ManagementRequests


def test_only_the_address_of_management_is_one(managed: ManagedBroker) -> None:
    assert managed.requests.takes("activemq.management")
    assert not managed.requests.takes("activemq.management.answers")


@pytest.mark.parametrize("name", ["MessageCount", "messageCount", "getMessageCount"])
def test_an_attribute_has_every_name_that_java_has_for_it(managed: ManagedBroker, name: str) -> None:
    managed.declare("q")
    managed.publish("q", "1", "2")
    assert managed.attribute("queue.q", name) == 2
    assert managed.ask("queue.q", "getMessageCount") == 2


@pytest.mark.parametrize(
    ("resource", "operation", "parameters", "fault"),
    [
        ("broker", "fly", (), "there is no operation 'fly' of 'broker'; known are createQueue"),
        ("queue.none", "removeAllMessages", (), "there is no queue named 'none'"),
        ("address.none", "purge", (), "there is no address named 'none'"),
        ("acceptor.a", "stop", (), "expected broker, queue.NAME or address.NAME"),
        ("queue.q", "removeMessage", (), "wrong parameters of removeMessage"),
        ("queue.q", "removeMessage", ("first",), "messageID is 'first'; expected a whole number"),
    ],
)
def test_a_wrong_request_is_answered_with_what_would_be_right(
    managed: ManagedBroker, resource: str, operation: str, parameters: tuple[object, ...], fault: str
) -> None:
    managed.declare("q")
    assert fault in managed.refusal(resource, operation, *parameters)


def test_an_unknown_attribute_is_refused(managed: ManagedBroker) -> None:
    succeeded, fault = managed.asked({"_AMQ_ResourceName": "broker", "_AMQ_Attribute": "Color"}, (), NOBODY)
    assert not succeeded
    assert "there is no attribute 'Color'; known are name" in fault


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        (f"[{'9' * 5000}]", "is not JSON"),
        (r'["\ud800"]', "is not JSON"),
        ("[" + " " * (1 << 20), "at most 1048576"),
        ("{}", "expected a JSON array"),
        (1, "are a text"),
    ],
)
def test_parameters_that_are_no_array_are_refused(managed: ManagedBroker, body: object, fault: str) -> None:
    content = MessageContent(
        reply_to="answers",
        correlation_id="c",
        application_properties={"_AMQ_ResourceName": "broker", "_AMQ_OperationName": "listQueues"},
        body=body,
        body_kind=BodyKind.VALUE,
    )
    managed.requests.take(encode_content(content), NOBODY, managed.now)
    managed.broker.long_commands.step(managed.now)
    (entry,) = managed.broker.lookup("answers").queue.entries()
    assert fault in entry.message.encoded.decode("utf-8", "replace")


def test_a_request_without_a_reply_address_is_carried_out(managed: ManagedBroker) -> None:
    managed.declare("q")
    managed.publish("q", "1")
    properties = {"_AMQ_ResourceName": "queue.q", "_AMQ_OperationName": "removeAllMessages"}
    content = encode_content(MessageContent(application_properties=properties))
    managed.requests.take(content, NOBODY, managed.now)
    assert (managed.depth("q"), managed.depth("answers")) == (0, 0)


def test_an_answer_that_cannot_be_published_is_dropped(managed: ManagedBroker) -> None:
    properties = {"_AMQ_ResourceName": "broker", "_AMQ_Attribute": "Started"}
    content = encode_content(MessageContent(reply_to="gone", application_properties=properties))
    managed.requests.take(content, NOBODY, managed.now)
    managed.broker.long_commands.step(managed.now)
    assert not managed.broker.long_commands.busy


def test_a_request_that_cannot_be_read_is_refused(managed: ManagedBroker) -> None:
    with pytest.raises(DecodeError):
        managed.requests.take(b"\x00\x53\x77", NOBODY, managed.now)


def test_a_user_without_the_right_changes_nothing(managed: ManagedBroker) -> None:
    managed.declare("q")
    managed.publish("q", "1")
    rules = [parse_rule(rule) for rule in ("read q", "write answers")]
    managed.broker.authorization.permissions = lambda user: Permissions(rules if user == "bob" else [])
    bob = Owner(principal="bob")
    assert "bob" in managed.refusal("queue.q", "removeAllMessages", owner=bob)
    assert managed.attribute("queue.q", "MessageCount", owner=bob) == 1
    assert managed.attribute("broker", "QueueNames", owner=bob) == ["answers", "q"]


def test_where_management_is_off_each_request_fails_with_the_reason_and_changes_nothing(
    managed: ManagedBroker,
) -> None:
    managed.requests = ManagementRequests(managed.broker, "node-1", offered=False)
    managed.declare("q")
    fault = managed.refusal("broker", "destroyQueue", "q")
    assert fault == "management over CORE is off here; core_management = true turns it on"
    assert managed.depth("q") == 0
    managed.requests.begin()
    assert managed.broker.resolve("activemq.notifications") is None
