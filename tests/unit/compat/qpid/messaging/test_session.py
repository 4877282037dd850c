"""lastvalue.compat.qpid.messaging with exchanges: what it hands over to the broker."""

import pytest

from lastvalue.compat.qpid.messaging import (
    AssertionFailed,
    Empty,
    LinkError,
    Message,
    NotFound,
    Receiver,
    Session,
)
from lastvalue.model.conditions import Condition


def fetched(receiver: Receiver) -> list[object]:
    """What has come to the receiver."""
    found: list[object] = []
    while True:
        try:
            found.append(receiver.fetch(0).content)
        except Empty:
            return found


def test_the_subject_of_a_message_or_else_of_the_address_is_what_it_is_routed_by(session: Session) -> None:
    """S-299."""
    first, second = session.receiver("amq.topic/a"), session.receiver("amq.topic/b")
    sender = session.sender("amq.topic/a")
    sender.send("one")
    sender.send(Message("two", subject="b"))
    got = [first.fetch(5), second.fetch(5)]
    assert [(message.content, message.subject) for message in got] == [("one", "a"), ("two", "b")]


def test_a_subject_with_wildcards_wants_many(session: Session) -> None:
    receiver = session.receiver("amq.topic/prices.#")
    sender = session.sender("amq.topic")
    for subject in ("prices.a", "news", "prices.b.c"):
        sender.send(Message(subject, subject=subject))
    assert fetched(receiver) == ["prices.a", "prices.b.c"]


def test_a_topic_is_created_and_deleted(session: Session) -> None:
    sender = session.sender("news; {create: always, delete: always, node: {type: topic}}")
    receiver = session.receiver("news/sports; {node: {type: topic}}")
    sender.send(Message("goal", subject="sports"))
    sender.send(Message("rain", subject="weather"))
    assert fetched(receiver) == ["goal"]
    sender.close()
    session.sync()
    with pytest.raises(NotFound):
        session.sender("news; {node: {type: topic}}")


def test_bindings_of_a_node_are_made_with_it(session: Session) -> None:
    """S-298."""
    receiver = session.receiver(
        "orders; {create: always, node: {x-bindings: [{exchange: 'amq.topic', key: 'a.#'}, "
        "{exchange: 'amq.direct', key: b}, {exchange: 'amq.topic', key: c}]}}"
    )
    for exchange, subject, content in (
        ("amq.topic", "a.b", "one"),
        ("amq.direct", "b", "two"),
        ("amq.topic", "c", "three"),
        ("amq.topic", "a.c", "four"),
    ):
        session.sender(exchange).send(Message(content, subject=subject))
    assert fetched(receiver) == ["one", "two", "three", "four"]


def test_bindings_of_a_link_end_with_it(session: Session) -> None:
    """S-298."""
    session.sender("orders; {create: always}")
    bound = session.receiver("orders; {link: {x-bindings: [{exchange: 'amq.topic', key: a}]}}")
    sender = session.sender("amq.topic/a")
    sender.send("while it lasts")
    assert fetched(bound) == ["while it lasts"]
    session.acknowledge()
    bound.close()
    session.sync()
    sender.send("afterwards")
    assert fetched(session.receiver("orders")) == []


def test_what_is_the_brokers_own_is_not_deleted(session: Session) -> None:
    """S-302."""
    sender = session.sender("amq.topic; {delete: always}")
    with pytest.raises(LinkError, match="broker's own") as refused:
        sender.close()
    assert refused.value.condition is Condition.NOT_ALLOWED
    session.sender("amq.topic")


def test_the_type_tells_an_exchange_from_a_queue_of_one_name(session: Session) -> None:
    """S-303: without it, the queue is meant."""
    topic = session.sender("ambiguous; {create: always, node: {type: topic}}")
    queue = session.sender("ambiguous; {create: always, node: {type: queue}}")
    subscriber = session.receiver("ambiguous; {node: {type: topic}}")
    consumer = session.receiver("ambiguous; {node: {type: queue}}")
    topic.send("to the topic")
    queue.send("to the queue")
    session.sender("ambiguous").send("to whatever")
    assert fetched(subscriber) == ["to the topic"]
    assert fetched(consumer) == ["to the queue", "to whatever"]


def test_a_queue_is_not_asserted_to_be_a_topic(session: Session) -> None:
    session.sender("orders; {create: always}")
    with pytest.raises(AssertionFailed):
        session.sender("orders; {assert: always, node: {type: topic}}")


def test_what_a_subscription_leaves_goes_to_its_alternate(session: Session, other: Session) -> None:
    """S-307."""
    rest = other.receiver("amq.fanout")
    receiver = session.receiver("amq.direct/key; {link: {x-declare: {alternate-exchange: 'amq.fanout'}}}")
    sender = session.sender("amq.direct/key")
    for number in range(1, 11):
        sender.send(f"Message_{number}")
    receiver.close()
    session.sync()
    assert fetched(rest) == [f"Message_{number}" for number in range(1, 11)]


def test_two_receivers_from_a_topic_have_last_values_each(session: Session) -> None:
    """S-073."""
    key = "{qpid.last_value_queue_key: reuters_code}"
    address = f"amq.fanout; {{link: {{x-declare: {{arguments: {key}}}}}}}"
    receivers = [session.receiver(address) for _ in range(2)]
    sender = session.sender("amq.fanout")
    for number in range(100):
        sender.send(Message(f"Message{number}", properties={"reuters_code": "key"}))
    assert [fetched(receiver) for receiver in receivers] == [["Message99"]] * 2
