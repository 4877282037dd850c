"""What consumers and browsers of AMQP 1.0 are sent."""

import pytest
from bare_queue import START_MS, encoded
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
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
from lastvalue.delivery.unsettled import PINNED_BYTES
from lastvalue.frontends.amqp10.links import ENTRY_ANNOTATIONS
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.session import LinkDetached
from lastvalue.protocols.amqp10.wire import STREAM_ROOM
from lastvalue.queues.effects import Reason


def publish(line: Line, address: str, body: str, key: str = "k") -> None:
    link = line.session.attach_sender(f"to {address} {body}", Target(address=address))
    line.exchange()
    link.send(encoded(body, {"k": key}, None), settled=True)
    line.exchange()


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


@pytest.mark.parametrize("size_bytes", [1 << 20, 10_000])
def test_a_browser_that_settles_late_keeps_no_messages_that_have_left_the_queue(
    line: Line, broker: Broker, size_bytes: int
) -> None:
    link = line.session.attach_receiver(
        "b", Source(address="lvq", distribution_mode="copy"), settle_mode=SENDER_UNSETTLED
    )
    count = 2 + PINNED_BYTES // size_bytes
    link.add_credit(count)
    for number in range(count):
        broker.publish(
            broker.queue_target("lvq"), read_message(encoded("x" * size_bytes, {"k": "k"}, None)), number
        )
        broker.pump(number)
        line.exchange()
    (session,) = line.server.sessions.values()
    held = [each.context for each in session.windows.unsettled.values() if each.context is not None]
    # All but those of the last messages.
    assert len(held) < 10
    # What it settles now means nothing, and is no fault.
    link.settle(0, count - 1, Rejected())
    line.exchange()
    assert (len(session.windows.unsettled), broker.lookup("lvq").queue.depth) == (0, 1)


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


@pytest.mark.spec("amqp-1.0", "2.8.18", "resource-deleted: an intermediary ended a link whose node is gone")
def test_deleting_a_queue_detaches_its_readers_with_the_reason(line: Line, broker: Broker) -> None:
    line.session.attach_receiver("c", Source(address="q"))
    line.exchange()
    broker.delete("q", START_MS)
    (detached,) = line.take(LinkDetached)
    assert detached.error.condition == "amqp:resource-deleted"


def test_no_message_is_chosen_while_the_transport_takes_no_bytes(line: Line) -> None:
    link = line.session.attach_receiver("b", Source(address="lvq", distribution_mode="copy"))
    link.add_credit(100)
    line.exchange()
    line.frontend.output.set_writable(False)
    publish(line, "lvq", "old")
    publish(line, "lvq", "new")
    assert line.take(Delivery) == []
    line.frontend.output.set_writable(True)
    line.frontend.resume()
    assert [decode_content(event.payload).body for event in line.take(Delivery)] == ["new"]


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


@pytest.mark.parametrize(
    ("mode", "distribution"), [(SENDER_UNSETTLED, None), (SENDER_SETTLED, None), (SENDER_SETTLED, "copy")]
)
def test_many_messages_are_given_in_their_order(
    line: Line, broker: Broker, mode: int, distribution: str | None
) -> None:
    sender = line.session.attach_sender("s", Target(address="q"))
    line.exchange()
    for number in range(40):
        sender.send(encoded(str(number), {"k": str(number)}, None), settled=True)
    line.exchange()
    link = line.session.attach_receiver(
        "c", Source(address="q", distribution_mode=distribution), settle_mode=mode
    )
    link.add_credit(37)
    got = line.take(Delivery)
    bodies = [decode_content(each.payload).body for delivery in got for each in delivery.each()]
    assert bodies == [str(number) for number in range(37)]
    queue = broker.lookup("q").queue
    left = 40 if distribution == "copy" or mode == SENDER_UNSETTLED else 3
    assert (queue.depth, link.credit) == (left, 0)


@pytest.mark.spec("amqp-1.0", "2.7.6", "first and last name a range of deliveries")
def test_deliveries_that_are_accepted_together_leave_their_queues(line: Line, broker: Broker) -> None:
    sender = line.session.attach_sender("s", Target(address="q"))
    line.exchange()
    for number in range(45):
        sender.send(encoded(str(number), {"k": str(number)}, None), settled=True)
    line.exchange()
    consumers = [line.session.attach_receiver(name, Source(address="q")) for name in "ab"]
    numbers: list[int] = []
    for credit in (20, 5, 20):
        for consumer in consumers:
            consumer.add_credit(credit // 2)
        got = line.take(Delivery)
        numbers += [each.delivery_id for delivery in got for each in delivery.each()]
    assert numbers == sorted(numbers)
    consumers[0].settle(numbers[0], numbers[-2], Accepted())
    line.exchange()
    queue = broker.lookup("q").queue
    assert (queue.depth, queue.removed(Reason.ACCEPTED)) == (45 - len(numbers) + 1, len(numbers) - 1)
