"""What the frontend makes of a peer's links, beyond what the scenarios say."""

import pytest
from bare_queue import START_MS, encoded
from wired_broker import Clock, Line

from lastvalue.broker.bindings import Binding
from lastvalue.broker.broker import Broker
from lastvalue.broker.owner import NOBODY
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.performatives import (
    SENDER_SETTLED,
    SENDER_UNSETTLED,
    Accepted,
    Modified,
    Rejected,
    Source,
    Target,
)
from lastvalue.frontends.amqp10.links import ENTRY_ANNOTATIONS
from lastvalue.frontends.amqp10.requests import MAX_WAITING_REPLIES
from lastvalue.protocols.amqp10.events import Delivery, DeliverySettled, LinkDetached
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.amqp10.wire import STREAM_ROOM
from lastvalue.queues.spec import LastValue, Limit, QueueSpec


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    broker.declare(QueueSpec("lvq", LastValue("k")))
    broker.declare(QueueSpec("small", limit=Limit(1)))
    broker.declare(QueueSpec("kept", durable=True))
    return broker


@pytest.fixture
def line(broker: Broker) -> Line:
    return Line(broker, Clock())


def publish(line: Line, address: str, body: str, key: str = "k") -> None:
    link = line.session.attach_sender(f"to {address} {body}", Target(address=address))
    line.exchange()
    link.send(encoded(body, {"k": key}, None), settled=True)
    line.exchange()


@pytest.mark.spec("amqp-1.0", "2.6.5", "a link that fails is detached with the error")
@pytest.mark.parametrize(
    ("source", "condition"),
    [
        (Source(address="nosuch"), "amqp:not-found"),
        (Source(address=None), "amqp:invalid-field"),
    ],
)
def test_a_source_that_is_not_to_be_had_is_refused_with_the_reason(
    line: Line, source: Source, condition: str
) -> None:
    line.session.attach_receiver("r", source)
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition == condition
    assert detached.closed


@pytest.mark.parametrize(
    ("target", "condition"),
    [
        (Target(address="nosuch"), "amqp:not-found"),
        (Target(address="nosuch/subject"), "amqp:not-found"),
    ],
)
def test_a_target_that_is_not_to_be_had_is_refused_with_the_reason(
    line: Line, target: Target, condition: str
) -> None:
    line.session.attach_sender("s", target)
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition == condition


@pytest.mark.spec("amqp-1.0", "2.6.5", "a fault of one link leaves its session alone")
def test_a_refused_link_leaves_the_session_and_its_links_alone(line: Line) -> None:
    line.session.attach_receiver("r", Source(address="nosuch"))
    line.exchange()
    publish(line, "q", "1")
    assert line.session.open


@pytest.mark.spec("amqp-1.0", "2.8.2", "snd-settle-mode: unsettled, settled, mixed")
def test_a_consumer_is_sent_unsettled_and_a_browser_settled_unless_they_ask_otherwise(line: Line) -> None:
    publish(line, "q", "1")
    browser = line.session.attach_receiver("b", Source(address="q", distribution_mode="copy"))
    browser.add_credit(1)
    (seen,) = line.take(Delivery)
    asked = line.session.attach_receiver(
        "b2", Source(address="q", distribution_mode="copy"), settle_mode=SENDER_UNSETTLED
    )
    asked.add_credit(1)
    (seen_unsettled,) = line.take(Delivery)
    consumer = line.session.attach_receiver("c", Source(address="q"))
    consumer.add_credit(1)
    (got,) = line.take(Delivery)
    assert (seen.settled, seen_unsettled.settled, got.settled) == (True, False, False)


@pytest.mark.spec("amqp-1.0", "3.3.1", "a message that is sent settled is archived")
def test_what_a_consumer_is_sent_settled_has_left_the_queue(line: Line, broker: Broker) -> None:
    publish(line, "q", "1")
    link = line.session.attach_receiver("c", Source(address="q"), settle_mode=SENDER_SETTLED)
    link.add_credit(1)
    (got,) = line.take(Delivery)
    assert got.settled
    assert broker.lookup("q").queue.depth == 0


@pytest.mark.spec("amqp-1.0", "3.5.2", "copy leaves a message for others")
def test_what_a_browser_settles_means_nothing_to_the_queue(line: Line, broker: Broker) -> None:
    publish(line, "q", "1")
    link = line.session.attach_receiver(
        "b", Source(address="q", distribution_mode="copy"), settle_mode=SENDER_UNSETTLED
    )
    link.add_credit(1)
    (seen,) = line.take(Delivery)
    link.settle(seen.delivery_id, seen.delivery_id, Rejected())
    line.exchange()
    assert broker.lookup("q").queue.depth == 1


@pytest.mark.spec("amqp-1.0", "3.2.1", "delivery-count is the number of failed deliveries before")
def test_a_failed_delivery_is_counted_in_the_header(line: Line) -> None:
    publish(line, "q", "1")
    link = line.session.attach_receiver("c", Source(address="q"))
    link.add_credit(1)
    (first,) = line.take(Delivery)
    link.settle(first.delivery_id, first.delivery_id, Modified(delivery_failed=True))
    link.add_credit(1)
    (second,) = line.take(Delivery)
    assert decode_content(first.payload).delivery_count == 0
    assert decode_content(second.payload).delivery_count == 1


def test_entry_annotations_are_put_on_for_who_asks(line: Line) -> None:
    publish(line, "lvq", "1")
    publish(line, "lvq", "2")
    link = line.session.attach_receiver(
        "b",
        Source(address="lvq", distribution_mode="copy", capabilities=(ENTRY_ANNOTATIONS,)),
    )
    link.add_credit(1)
    (seen,) = line.take(Delivery)
    assert decode_content(seen.payload).delivery_annotations == {
        "x-opt-sequence-number": 2,
        "x-opt-enqueued-time": START_MS,
        "x-opt-updates": 2,
    }


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
    assert line.frontend.confirmations.confirm(6) is True
    assert line.server.data_to_send() == b""
    assert broker.lookup("kept").queue.depth == 3
    assert line.frontend.confirmations.confirm(7) is False
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
    assert line.frontend.confirmations.confirm(0) is False
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
        line.frontend.confirmations.confirm(flushed)
        line.client.receive(line.server.data_to_send(), START_MS)
        told.append(
            [event.delivery_id for event in line.client.events() if isinstance(event, DeliverySettled)]
        )
    assert told == [[1, 2], [0, 3]]


@pytest.mark.spec("amqp-1.0", "2.8.18", "resource-deleted: an intermediary ended a link whose node is gone")
def test_deleting_a_queue_detaches_its_readers_with_the_reason(line: Line, broker: Broker) -> None:
    line.session.attach_receiver("c", Source(address="q"))
    line.exchange()
    broker.delete("q", START_MS)
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition == "amqp:resource-deleted"


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


def test_no_message_is_chosen_while_the_transport_takes_no_bytes(line: Line) -> None:
    link = line.session.attach_receiver("b", Source(address="lvq", distribution_mode="copy"))
    link.add_credit(100)
    line.exchange()
    line.frontend.set_writable(False)
    publish(line, "lvq", "old")
    publish(line, "lvq", "new")
    assert line.take(Delivery) == []
    line.frontend.set_writable(True)
    line.frontend.resume()
    assert [decode_content(event.payload).body for event in line.take(Delivery)] == ["new"]


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


@pytest.mark.spec("amqp-1.0", "2.7.3", "max-message-size: a peer is sent nothing larger")
@pytest.mark.parametrize("mode", ["copy", "move"])
def test_a_reader_is_sent_no_message_that_is_larger_than_it_takes(
    line: Line, broker: Broker, mode: str
) -> None:
    small = Line(broker, Clock(), ConnectionOptions("small", max_message_size=1000))
    for body in ("a", "b" * 2000, "c"):
        publish(line, "q", body)
    link = small.session.attach_receiver("r", Source(address="q", distribution_mode=mode))
    link.add_credit(10)
    assert [decode_content(got.payload).body for got in small.take(Delivery)] == ["a", "c"]
    other = line.session.attach_receiver("other", Source(address="q", distribution_mode=mode))
    other.add_credit(10)
    bodies = [decode_content(got.payload).body for got in line.take(Delivery)]
    assert bodies == (["b" * 2000] if mode == "move" else ["a", "b" * 2000, "c"])


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


@pytest.mark.spec("amqp-1.0", "2.6.14", "a large message is sent in many transfers, as there is room")
def test_a_large_message_to_many_consumers_waits_in_the_queue_and_not_in_their_output(
    broker: Broker,
) -> None:
    clock = Clock()
    readers = [Line(broker, clock) for _ in range(3)]
    for reader in readers:
        link = reader.session.attach_receiver("b", Source(address="q", distribution_mode="copy"))
        reader.exchange()
        link.add_credit(1)
        reader.exchange()
    content = encode_content(MessageContent(body=b"x" * 8 * STREAM_ROOM))
    broker.publish(broker.queue_target("q"), read_message(content), clock.now)
    broker.pump(clock.now)
    assert [reader.server.output_size < STREAM_ROOM + 70_000 for reader in readers] == [True] * 3
    for reader in readers:
        (delivery,) = reader.take(Delivery)
        assert delivery.payload == content
