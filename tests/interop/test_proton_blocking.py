"""python-qpid-proton's blocking face against the real server."""

from collections.abc import Iterator

import pytest
from proton import ConnectionException, Delivery, Message, Timeout
from proton.reactor import AtLeastOnce, AtMostOnce, Copy
from proton.utils import BlockingConnection, BlockingReceiver, LinkDetached, SendException
from served_broker import PASSWORD, USER, ServedBroker

from lastvalue.client import blocking

pytestmark = pytest.mark.interop

SECONDS = 60
SOON_SECONDS = 0.2


@pytest.fixture
def connection(broker: ServedBroker) -> Iterator[BlockingConnection]:
    opened = BlockingConnection(broker.url, timeout=SECONDS)
    yield opened
    opened.close()


def update(ticker: str, body: object = None) -> Message:
    return Message(body=body, properties={"ticker": ticker})


def bodies(receiver: BlockingReceiver, count: int) -> list[object]:
    return [receiver.receive().body for _ in range(count)]


def send_all(connection: BlockingConnection, queue: str, *sent: object) -> None:
    sender = connection.create_sender(queue)
    for body in sent:
        sender.send(Message(body=body))
    sender.close()


def browsed(connection: BlockingConnection, queue: str) -> list[object]:
    """What the queue holds now: everything that a drained browser gets."""
    receiver = connection.create_receiver(queue, credit=0, name=f"snapshot-{queue}", options=Copy())
    receiver.link.drain(1000)
    connection.wait(lambda: not receiver.link.draining() and not receiver.link.queued)
    found = [receiver.fetcher.pop().body for _ in range(len(receiver.fetcher.incoming))]
    receiver.close()
    return found


@pytest.mark.capability("python-qpid-proton, blocking", "send")
def test_an_unsettled_message_is_accepted(connection: BlockingConnection, standard_queue: str) -> None:
    sender = connection.create_sender(standard_queue, options=AtLeastOnce())
    delivery = sender.send(Message(body="one"))
    assert delivery.remote_state == Delivery.ACCEPTED
    assert browsed(connection, standard_queue) == ["one"]


class Malformed(Message):  # type: ignore[misc] # Proton has no types
    """A message with an octet in it that is neither ASCII nor UTF-8."""

    def encode(self) -> bytes:
        return bytes(super().encode()).replace(b"FAULT", b"FAUL\xff")


def test_a_malformed_message_does_not_keep_readers_from_the_others(
    broker: ServedBroker, connection: BlockingConnection, standard_queue: str
) -> None:
    sender = connection.create_sender(standard_queue)
    for message in (
        Malformed(body="1", content_type="FAULT"),
        Malformed(body="2", properties={"k": "FAULT"}),
        Malformed(body="FAULT"),
        Message(body="4"),
    ):
        sender.send(message)
    with blocking.connect(broker.url, timeout_s=SECONDS) as readers:
        found = list(readers.queue(standard_queue).browse())
    assert [message.body for message in found] == ["1", "2", b"\x00Sw\xa1\x05FAUL\xff", "4"]
    faults = ["text that is not ascii", "text that is not utf-8", "text that is not utf-8"]
    assert [(message.malformed or "").partition(":")[0] for message in found] == [*faults, ""]


def test_management_answers_to_a_temporary_queue(connection: BlockingConnection, standard_queue: str) -> None:
    replies = connection.create_receiver(None, dynamic=True)
    requests = connection.create_sender("$management")
    asked = {"operation": "READ", "type": "queue", "name": standard_queue}
    requests.send(Message(id="1", reply_to=replies.link.remote_source.address, properties=asked))
    answer = replies.receive()
    assert (answer.correlation_id, answer.properties["statusCode"]) == ("1", 200)


def test_a_settled_message_arrives(connection: BlockingConnection, standard_queue: str) -> None:
    sender = connection.create_sender(standard_queue, options=AtMostOnce())
    sender.send(Message(body="one"))
    receiver = connection.create_receiver(standard_queue)
    assert receiver.receive().body == "one"


def test_every_part_of_a_message_comes_back_as_it_was_sent(
    connection: BlockingConnection, standard_queue: str
) -> None:
    sent = Message(
        body={"bid": 1.5, "levels": [1, 2, 3], "note": None},
        id="id-7",
        correlation_id=7,
        subject="quote",
        reply_to="answers",
        content_type="application/x-quote",
        group_id="g",
        durable=True,
        priority=7,
        properties={"ticker": "AAPL", "size": 100, "firm": True, "rate": 0.25},
        annotations={"x-opt-origin": "floor"},
    )
    connection.create_sender(standard_queue).send(sent)
    got = connection.create_receiver(standard_queue).receive()
    fields = ["body", "id", "correlation_id", "subject", "reply_to", "content_type", "group_id"]
    fields += ["durable", "priority", "properties", "annotations"]
    assert {name: getattr(got, name) for name in fields} == {name: getattr(sent, name) for name in fields}


@pytest.mark.capability("python-qpid-proton, blocking", "receive")
def test_an_accepted_message_is_gone(connection: BlockingConnection, standard_queue: str) -> None:
    send_all(connection, standard_queue, "one", "two")
    receiver = connection.create_receiver(standard_queue, credit=1)
    assert receiver.receive().body == "one"
    receiver.accept()
    receiver.close()
    assert browsed(connection, standard_queue) == ["two"]


@pytest.mark.capability("python-qpid-proton, blocking", "outcomes")
def test_a_rejected_message_is_gone(connection: BlockingConnection, standard_queue: str) -> None:
    send_all(connection, standard_queue, "one", "two")
    receiver = connection.create_receiver(standard_queue, credit=1)
    assert receiver.receive().body == "one"
    receiver.reject()
    receiver.close()
    assert browsed(connection, standard_queue) == ["two"]


@pytest.mark.capability("python-qpid-proton, blocking", "outcomes")
def test_a_released_message_returns_to_its_place(connection: BlockingConnection, standard_queue: str) -> None:
    send_all(connection, standard_queue, "one", "two")
    receiver = connection.create_receiver(standard_queue, credit=1)
    assert receiver.receive().body == "one"
    receiver.release(delivered=False)
    receiver.close()
    again = connection.create_receiver(standard_queue, credit=2)
    assert bodies(again, 2) == ["one", "two"]


def test_a_message_modified_as_failed_counts_the_attempt(
    connection: BlockingConnection, standard_queue: str
) -> None:
    send_all(connection, standard_queue, "one")
    receiver = connection.create_receiver(standard_queue, credit=1)
    assert receiver.receive().delivery_count == 0
    receiver.fetcher.unsettled[0].local.failed = True
    receiver.release(delivered=True)
    again = connection.create_receiver(standard_queue, credit=1, name="again")
    assert again.receive().delivery_count == 1


def test_a_closed_receiver_gives_back_what_it_did_not_settle(
    connection: BlockingConnection, standard_queue: str
) -> None:
    send_all(connection, standard_queue, "one", "two", "three")
    receiver = connection.create_receiver(standard_queue, credit=2)
    assert bodies(receiver, 2) == ["one", "two"]
    receiver.close()
    assert browsed(connection, standard_queue) == ["one", "two", "three"]


def test_a_settled_receiver_needs_no_acknowledgement(
    connection: BlockingConnection, standard_queue: str
) -> None:
    send_all(connection, standard_queue, "one", "two")
    receiver = connection.create_receiver(standard_queue, credit=2, options=AtMostOnce())
    assert bodies(receiver, 2) == ["one", "two"]
    assert not receiver.fetcher.unsettled
    receiver.close()
    assert browsed(connection, standard_queue) == []


@pytest.mark.capability("python-qpid-proton, blocking", "browse")
def test_a_browser_leaves_the_messages(connection: BlockingConnection, standard_queue: str) -> None:
    send_all(connection, standard_queue, "one", "two")
    browser = connection.create_receiver(standard_queue, credit=10, options=Copy())
    assert bodies(browser, 2) == ["one", "two"]
    browser.close()
    assert browsed(connection, standard_queue) == ["one", "two"]


def test_a_browser_needs_no_acknowledgement(connection: BlockingConnection, standard_queue: str) -> None:
    send_all(connection, standard_queue, "one")
    browser = connection.create_receiver(standard_queue, credit=10, options=Copy())
    assert browser.receive().body == "one"
    assert not browser.fetcher.unsettled


@pytest.mark.parametrize("outcome", [Delivery.ACCEPTED, Delivery.REJECTED, Delivery.RELEASED])
def test_what_a_browser_answers_changes_nothing(
    connection: BlockingConnection, standard_queue: str, outcome: int
) -> None:
    send_all(connection, standard_queue, "one")
    browser = connection.create_receiver(standard_queue, credit=10, options=[Copy(), AtLeastOnce()])
    assert browser.receive().body == "one"
    browser.settle(outcome)
    browser.close()
    assert browsed(connection, standard_queue) == ["one"]


def test_a_browser_follows_what_comes_after_the_snapshot(
    connection: BlockingConnection, standard_queue: str
) -> None:
    send_all(connection, standard_queue, "one")
    browser = connection.create_receiver(standard_queue, credit=10, options=Copy())
    assert browser.receive().body == "one"
    with pytest.raises(Timeout):
        browser.receive(timeout=SOON_SECONDS)
    send_all(connection, standard_queue, "two")
    assert browser.receive().body == "two"


def test_draining_an_empty_queue_returns_the_credit(
    connection: BlockingConnection, standard_queue: str
) -> None:
    receiver = connection.create_receiver(standard_queue, credit=0)
    receiver.link.drain(5)
    connection.wait(lambda: not receiver.link.draining())
    assert receiver.link.credit == 0


def test_draining_delivers_what_there_is_and_returns_the_rest(
    connection: BlockingConnection, standard_queue: str
) -> None:
    send_all(connection, standard_queue, "one", "two")
    receiver = connection.create_receiver(standard_queue, credit=0)
    receiver.link.drain(5)
    connection.wait(lambda: not receiver.link.draining() and not receiver.link.queued)
    assert receiver.link.credit == 0
    assert bodies(receiver, 2) == ["one", "two"]


def test_a_message_comes_only_when_there_is_credit(
    connection: BlockingConnection, standard_queue: str
) -> None:
    send_all(connection, standard_queue, "one", "two", "three")
    receiver = connection.create_receiver(standard_queue, credit=0)  # each receive() grants one
    assert bodies(receiver, 2) == ["one", "two"]
    assert browsed(connection, standard_queue) == ["three"]


@pytest.mark.capability("python-qpid-proton, blocking", "large")
def test_a_message_of_a_megabyte_travels_in_many_frames(
    connection: BlockingConnection, standard_queue: str
) -> None:
    body = bytes(range(256)) * 4096
    connection.create_sender(standard_queue).send(Message(body=body))
    assert connection.create_receiver(standard_queue).receive().body == body


def test_two_consumers_share_the_messages(connection: BlockingConnection, standard_queue: str) -> None:
    consumers = [connection.create_receiver(standard_queue, credit=0, name=name) for name in ("A", "B")]
    for consumer in consumers:
        consumer.link.flow(2)
    send_all(connection, standard_queue, 1, 2, 3, 4)
    connection.wait(lambda: all(len(consumer.fetcher.incoming) == 2 for consumer in consumers))
    shared = [consumer.fetcher.pop().body for consumer in consumers for _ in range(2)]
    assert sorted(shared) == [1, 2, 3, 4]


def test_a_link_that_is_attached_again_is_stolen(connection: BlockingConnection, standard_queue: str) -> None:
    connection.create_receiver(standard_queue)
    with pytest.raises(LinkDetached) as stolen:
        connection.create_receiver(standard_queue)  # proton names a link after its container and queue
    assert stolen.value.condition == "amqp:link:stolen"


def test_a_receiver_from_an_unknown_queue_is_refused(connection: BlockingConnection) -> None:
    with pytest.raises(LinkDetached) as refused:
        connection.create_receiver("no-such-queue")
    assert refused.value.condition == "amqp:not-found"


def test_a_sender_to_an_unknown_queue_is_refused(connection: BlockingConnection) -> None:
    with pytest.raises(LinkDetached) as refused:
        connection.create_sender("no-such-queue")
    assert refused.value.condition == "amqp:not-found"


def test_a_refused_link_leaves_the_connection_usable(
    connection: BlockingConnection, standard_queue: str
) -> None:
    with pytest.raises(LinkDetached):
        connection.create_sender("no-such-queue")
    send_all(connection, standard_queue, "one")
    assert browsed(connection, standard_queue) == ["one"]


def test_a_full_queue_rejects(connection: BlockingConnection, broker: ServedBroker) -> None:
    queue = broker.declare(max_messages=1, when_full="refuse")
    sender = connection.create_sender(queue)
    sender.send(Message(body="one"))
    with pytest.raises(SendException) as refused:
        sender.send(Message(body="two"))
    assert refused.value.state == Delivery.REJECTED
    assert browsed(connection, queue) == ["one"]


@pytest.mark.capability("python-qpid-proton, blocking", "password")
def test_a_known_user_is_let_in(broker: ServedBroker, standard_queue: str) -> None:
    connection = BlockingConnection(
        broker.url,
        timeout=SECONDS,
        user=USER,
        password=PASSWORD,
        allowed_mechs="PLAIN",
        allow_insecure_mechs=True,
    )
    send_all(connection, standard_queue, "one")
    assert browsed(connection, standard_queue) == ["one"]
    connection.close()


@pytest.mark.capability("python-qpid-proton, blocking", "password")
@pytest.mark.parametrize(("user", "password"), [(USER, "wrong"), ("stranger", PASSWORD)])
def test_wrong_credentials_are_refused(broker: ServedBroker, user: str, password: str) -> None:
    with pytest.raises(ConnectionException, match="Authentication failed"):
        BlockingConnection(
            broker.url,
            timeout=SECONDS,
            user=user,
            password=password,
            allowed_mechs="PLAIN",
            allow_insecure_mechs=True,
        )


@pytest.mark.capability("python-qpid-proton, blocking", "updates")
def test_a_consumer_of_a_last_value_queue_gets_the_newest(
    connection: BlockingConnection, prices: str
) -> None:
    sender = connection.create_sender(prices)
    for ticker, price in (("A", 1), ("B", 1), ("A", 2)):
        sender.send(update(ticker, price))
    receiver = connection.create_receiver(prices, credit=2)
    got = [receiver.receive() for _ in range(2)]
    assert [(message.properties["ticker"], message.body) for message in got] == [("B", 1), ("A", 2)]


def test_settling_a_message_that_was_replaced_meanwhile_does_no_harm(
    connection: BlockingConnection, prices: str
) -> None:
    sender = connection.create_sender(prices)
    sender.send(update("A", 1))
    receiver = connection.create_receiver(prices, credit=0)
    assert receiver.receive().body == 1
    sender.send(update("A", 2))
    receiver.release(delivered=False)
    assert browsed(connection, prices) == [2]
