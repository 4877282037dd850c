"""What the field's scenarios say of links rather than of queues, engine to engine."""

import pytest
from bare_queue import encoded
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.performatives import SENDER_SETTLED, SENDER_UNSETTLED, Rejected, Source, Target
from lastvalue.codec.amqp10.values import Described, Symbol, Value
from lastvalue.protocols.amqp10.receiver import Delivery, Drained
from lastvalue.protocols.amqp10.sender import DeliverySettled
from lastvalue.protocols.amqp10.session import LinkDetached
from lastvalue.queues.spec import Limit, QueueSpec, WhenFull


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
    assert link.link_state.remote is not None
    assert link.link_state.remote.source is None
    assert (detached.error.condition, detached.closed) == ("amqp:not-found", True)


def test_a_target_that_does_not_exist_is_answered_with_none_and_then_detached(line: Line) -> None:
    """S-329."""
    link = line.session.attach_sender("s", Target(address="nosuch"))
    (detached,) = line.take(LinkDetached)
    assert link.link_state.remote is not None
    assert link.link_state.remote.target is None
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


def test_queues_that_sending_makes_have_the_ring_of_their_address(broker: Broker, line: Line) -> None:
    """S-109."""
    rings = {"ring.a": {"ring-size": 100}, "ring.b": {"ring-size": -1}}
    broker.missing.settings_for = rings.get
    for address in rings:
        line.session.attach_sender(f"to {address}", Target(address=address))
    assert line.take(LinkDetached) == []
    limits = [broker.lookup(address).queue.spec.limit for address in rings]
    assert limits == [Limit(100, when_full=WhenFull.DROP_OLDEST), Limit()]


def test_a_filter_that_is_not_known_is_left_out_of_the_answer(line: Line) -> None:
    """S-212: as Qpid C++ and Artemis do; Broker-J refuses the link."""
    filters: dict[str, Value] = {
        "wanted": Described(Symbol("apache.org:selector-filter:string"), "a = 1"),
        "strange": Described(Symbol("example.org:strange"), "x"),
    }
    link = line.session.attach_receiver("r", Source(address="q", filter=filters))
    assert line.take(LinkDetached) == []
    assert link.link_state.remote is not None
    assert isinstance(link.link_state.remote.source, Source)
    assert link.link_state.remote.source.filter.keys() == {"wanted"}


def test_a_selector_that_cannot_be_read_refuses_the_link(line: Line) -> None:
    """S-278: on AMQP 1.0."""
    filters: dict[str, Value] = {"f": Described(Symbol("apache.org:selector-filter:string"), "A like 234")}
    line.session.attach_receiver("r", Source(address="q", filter=filters))
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition == "amqp:invalid-field"


def test_a_delivery_delay_that_the_queue_refuses_is_a_failed_precondition(broker: Broker, line: Line) -> None:
    """S-185."""
    broker.declare(QueueSpec("prompt", refuses_delay=True))
    link = line.session.attach_sender("s", Target(address="prompt"), settle_mode=SENDER_UNSETTLED)
    line.exchange()
    link.send(encoded("late", {}, None, message_annotations={"x-opt-delivery-delay": 3000}), settled=False)
    (settled,) = line.take(DeliverySettled)
    assert isinstance(settled.state, Rejected)
    assert settled.state.error is not None
    assert settled.state.error.condition == "amqp:precondition-failed"
