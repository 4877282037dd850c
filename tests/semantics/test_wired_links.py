"""What the field's scenarios say of links rather than of queues, engine to engine."""

import pytest
from bare_queue import encoded
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.performatives import SENDER_SETTLED, Source, Target
from lastvalue.protocols.amqp10.events import Delivery, Drained, LinkDetached
from lastvalue.queues.spec import QueueSpec


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    return broker


@pytest.fixture
def line(broker: Broker) -> Line:
    return Line(broker, Clock())


def send(line: Line, *bodies: str) -> None:
    link = line.session.attach_sender(f"to q: {bodies}", Target(address="q"))
    line.exchange()
    for body in bodies:
        link.send(encoded(body, {}, None), settled=True)
    line.exchange()


def test_a_source_that_does_not_exist_is_answered_with_none_and_then_detached(line: Line) -> None:
    """S-329."""
    link = line.session.attach_receiver("r", Source(address="nosuch"))
    (detached,) = line.take(LinkDetached)
    assert link.terms.remote is not None
    assert link.terms.remote.source is None
    assert (detached.error.condition, detached.closed) == ("amqp:not-found", True)


def test_a_target_that_does_not_exist_is_answered_with_none_and_then_detached(line: Line) -> None:
    """S-329."""
    link = line.session.attach_sender("s", Target(address="nosuch"))
    (detached,) = line.take(LinkDetached)
    assert link.terms.remote is not None
    assert link.terms.remote.target is None
    assert (detached.error.condition, detached.closed) == ("amqp:not-found", True)


def test_a_browser_that_is_sent_settled_messages_gets_all_and_its_credit_drained(line: Line) -> None:
    """S-325: as a JMS queue browser asks."""
    send(line, "a", "b", "c")
    link = line.session.attach_receiver(
        "browser", Source(address="q", distribution_mode="copy"), settle_mode=SENDER_SETTLED
    )
    link.add_credit(1000)
    line.exchange()
    link.request_drain()
    seen = line.take(Delivery)
    assert [decode_content(event.payload).body for event in seen] == ["a", "b", "c"]
    assert all(event.settled for event in seen)
    assert len(line.take(Drained)) == 1
    assert link.credit == 0


def test_a_fetch_from_an_empty_queue_ends_at_once_and_loses_nothing_that_comes_later(line: Line) -> None:
    """S-328, S-006: credit, then a drain."""
    link = line.session.attach_receiver("r", Source(address="q"))
    link.add_credit(1)
    link.request_drain()
    assert len(line.take(Drained)) == 1
    assert line.take(Delivery) == []
    send(line, "late")
    assert line.take(Delivery) == []
    link.add_credit(1)
    (event,) = line.take(Delivery)
    assert decode_content(event.payload).body == "late"
