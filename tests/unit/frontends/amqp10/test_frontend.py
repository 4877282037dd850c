"""What the frontend makes of a peer's links, beyond what the scenarios say."""

import pytest
from bare_queue import START_MS, encoded
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.performatives import (
    SENDER_UNSETTLED,
    Accepted,
    Source,
    Target,
)
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.sender import DeliverySettled
from lastvalue.protocols.amqp10.session import LinkDetached


def publish(line: Line, address: str, body: str, key: str = "k") -> None:
    link = line.session.attach_sender(f"to {address} {body}", Target(address=address))
    line.exchange()
    link.send(encoded(body, {"k": key}, None), settled=True)
    line.exchange()


def test_a_full_queue_rejects_with_the_reason(line: Line) -> None:
    publish(line, "small", "1")
    link = line.session.attach_sender("s", Target(address="small"), settle_mode=SENDER_UNSETTLED)
    line.exchange()
    link.send(encoded("2", {}, None), settled=False)
    (outcome,) = line.take(DeliverySettled)
    assert outcome.state.error.condition == "amqp:resource-limit-exceeded"


@pytest.mark.spec("amqp-1.0", "3.4.3", "an invalid message is rejected with an error")
@pytest.mark.parametrize("address", ["q", "lvq"])
def test_a_message_that_cannot_be_read_is_rejected_and_the_link_lives(line: Line, address: str) -> None:
    link = line.session.attach_sender("s", Target(address=address), settle_mode=SENDER_UNSETTLED)
    line.exchange()
    link.send(b"\x00\x53\x70\xff", settled=False)
    (outcome,) = line.take(DeliverySettled)
    assert outcome.state.error.condition == "amqp:decode-error"
    link.send(encoded("1", {"k": "a"}, None), settled=False)
    (outcome,) = line.take(DeliverySettled)
    assert outcome.state == Accepted()


def test_a_settled_message_that_cannot_be_read_ends_its_link_with_the_reason(line: Line) -> None:
    link = line.session.attach_sender("s", Target(address="q"))
    line.exchange()
    link.send(b"garbage", settled=True)
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition == "amqp:decode-error"


@pytest.mark.spec("amqp-1.0", "3.4.2", "accepted: responsibility has passed to the receiver")
def test_nothing_is_confirmed_before_the_journal_has_flushed_it(line: Line, broker: Broker) -> None:
    link = line.session.attach_sender("s", Target(address="kept"), settle_mode=SENDER_UNSETTLED)
    line.exchange()
    line.events.clear()
    for body in ("1", "2", "3"):
        link.send(encoded(body, {}, None, durable=True), settled=False)
    line.server.receive(line.client.data_to_send(), START_MS)
    line.frontend.handle(START_MS)
    line.frontend.confirmations.seal(7)
    assert line.frontend.confirmations.confirm(6, START_MS) is True
    assert line.server.data_to_send() == b""
    assert broker.lookup("kept").queue.depth == 3
    assert line.frontend.confirmations.confirm(7, START_MS) is False
    line.client.receive(line.server.data_to_send(), START_MS)
    settled = [event for event in line.client.events() if isinstance(event, DeliverySettled)]
    assert [event.state for event in settled] == [Accepted()] * 3


@pytest.mark.parametrize(
    ("address", "durable"), [("q", True), ("kept", False), ("amq.fanout", True), ("amq.fanout", False)]
)
def test_what_no_journal_keeps_is_confirmed_at_once(
    line: Line, broker: Broker, address: str, durable: bool
) -> None:
    broker.bind("amq.fanout", Binding("q", ""), NOBODY, START_MS)
    link = line.session.attach_sender("s", Target(address=address), settle_mode=SENDER_UNSETTLED)
    line.exchange()
    line.events.clear()
    link.send(encoded("1", {}, None, durable=durable), settled=False)
    line.server.receive(line.client.data_to_send(), START_MS)
    line.frontend.handle(START_MS)
    line.frontend.confirmations.seal(7)
    assert line.frontend.confirmations.confirm(0, START_MS) is False
    line.client.receive(line.server.data_to_send(), START_MS)
    (settled,) = [event for event in line.client.events() if isinstance(event, DeliverySettled)]
    assert settled.state == Accepted()


def test_on_one_link_only_what_the_journal_keeps_waits_for_it(line: Line, broker: Broker) -> None:
    for name in ("q", "kept"):
        broker.bind("amq.direct", Binding(name, name), NOBODY, START_MS)
    link = line.session.attach_sender("s", Target(address="amq.direct"), settle_mode=SENDER_UNSETTLED)
    line.exchange()
    line.events.clear()
    for subject, durable in (("kept", True), ("q", True), ("kept", False), ("kept", True)):
        link.send(encoded(subject, {}, None, subject=subject, durable=durable), settled=False)
    line.server.receive(line.client.data_to_send(), START_MS)
    line.frontend.handle(START_MS)
    line.frontend.confirmations.seal(7)
    told = []
    for flushed in (6, 7):
        line.frontend.confirmations.confirm(flushed, START_MS)
        line.client.receive(line.server.data_to_send(), START_MS)
        told.append(
            [event.delivery_id for event in line.client.events() if isinstance(event, DeliverySettled)]
        )
    assert told == [[1, 2], [0, 3]]


def test_a_connection_that_is_lost_gives_back_what_it_held_in_order(line: Line, broker: Broker) -> None:
    for body in ("1", "2", "3"):
        publish(line, "q", body)
    other = Line(broker, Clock())
    link = other.session.attach_receiver("c", Source(address="q"))
    link.add_credit(2)
    other.exchange()
    assert broker.lookup("q").queue.available == 1
    other.server.receive_eof(START_MS)
    other.frontend.handle(START_MS)
    browser = line.session.attach_receiver("b", Source(address="q", distribution_mode="copy"))
    browser.add_credit(10)
    assert [decode_content(event.payload).body for event in line.take(Delivery)] == ["1", "2", "3"]
