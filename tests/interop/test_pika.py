"""pika, a client of AMQP 0-9-1, against a broker process."""

from collections.abc import Iterator
from typing import Any

import pika
import pytest
from pika.adapters.blocking_connection import BlockingChannel
from pika.exceptions import ChannelClosedByBroker, NackError, ProbableAuthenticationError, UnroutableError
from proton import Message
from proton.utils import BlockingConnection
from served_broker import HOST, PASSWORD, USER, ServedBroker

pytestmark = pytest.mark.interop

BROWSE = {"x-filter-no-consume": True}


def parameters(broker: ServedBroker, password: str = PASSWORD) -> pika.ConnectionParameters:
    credentials = pika.PlainCredentials(USER, password)
    return pika.ConnectionParameters(HOST, broker.port, credentials=credentials)


@pytest.fixture
def channel(broker: ServedBroker) -> Iterator[BlockingChannel]:
    connection = pika.BlockingConnection(parameters(broker))
    yield connection.channel()
    connection.close()


def declared(channel: BlockingChannel, **arguments: Any) -> str:
    """Declare a queue that goes with the connection; its name."""
    return str(channel.queue_declare("", exclusive=True, arguments=arguments).method.queue)


def publish(
    channel: BlockingChannel, queue: str, body: str, priority: int | None = None, **headers: Any
) -> None:
    properties = pika.BasicProperties(headers=headers or None, priority=priority)
    channel.basic_publish("", queue, body.encode(), properties, mandatory=True)


def bodies(channel: BlockingChannel, queue: str, count: int, **options: Any) -> list[str]:
    """What a consumer gets, and no more than is expected."""
    found: list[str] = []
    for method, _, body in channel.consume(queue, auto_ack=True, inactivity_timeout=60, **options):
        assert method is not None, found
        found.append(body.decode())
        if len(found) == count:
            break
    channel.cancel()
    return found


def test_confirmed_messages_are_consumed_in_order(channel: BlockingChannel) -> None:
    queue = declared(channel)
    channel.confirm_delivery()
    for number in range(5):
        publish(channel, queue, str(number))
    assert bodies(channel, queue, 5) == ["0", "1", "2", "3", "4"]


def test_an_unroutable_message_and_a_full_queue_are_told(channel: BlockingChannel) -> None:
    channel.confirm_delivery()
    with pytest.raises(UnroutableError):
        publish(channel, "nowhere", "x")
    queue = declared(channel, **{"x-max-length": 1, "x-overflow": "reject-publish"})
    publish(channel, queue, "1")
    with pytest.raises(NackError):
        publish(channel, queue, "2")


def test_a_last_value_queue_is_browsed_and_followed(channel: BlockingChannel) -> None:
    queue = declared(channel, **{"qpid.last_value_queue_key": "ticker"})
    for number, ticker in enumerate(["A", "B", "A"]):
        publish(channel, queue, str(number), ticker=ticker)
    assert bodies(channel, queue, 2, arguments=BROWSE) == ["1", "2"]
    assert channel.queue_declare(queue, passive=True).method.message_count == 2


def test_who_acknowledges_nothing_leaves_everything(channel: BlockingChannel) -> None:
    queue = declared(channel)
    publish(channel, queue, "1")
    reader = channel.connection.channel()
    method, _, body = next(reader.consume(queue))
    assert (method.redelivered, body) == (False, b"1")
    reader.close()
    method, _, body = channel.basic_get(queue)
    assert (method.redelivered, body) == (True, b"1")


def test_a_priority_queue_gives_the_highest_first(channel: BlockingChannel) -> None:
    queue = declared(channel, **{"x-max-priority": 5})
    for priority in (1, 5, 3):
        publish(channel, queue, str(priority), priority)
    assert bodies(channel, queue, 3) == ["5", "3", "1"]


def test_a_sorted_queue_gives_in_the_order_of_its_key(channel: BlockingChannel) -> None:
    queue = declared(channel, **{"qpid.queue_sort_key": "name"})
    for name in "cab":
        publish(channel, queue, name, name=name)
    assert bodies(channel, queue, 3) == ["a", "b", "c"]


def test_the_messages_of_a_group_go_to_one_consumer(channel: BlockingChannel, broker: ServedBroker) -> None:
    queue = declared(channel, **{"qpid.group_header_key": "g", "qpid.shared_msg_group": 1})
    for number, group in enumerate("aab"):
        publish(channel, queue, str(number), g=group)
    first, second = channel.connection.channel(), channel.connection.channel()
    assert [first.basic_get(queue)[2], second.basic_get(queue)[2]] == [b"0", b"2"]


def test_everybody_sees_everything_on_a_non_destructive_queue(channel: BlockingChannel) -> None:
    queue = declared(channel, **{"qpid.ensure_nondestructive_consumers": True})
    for body in "12":
        publish(channel, queue, body)
    assert [bodies(channel, queue, 2) for _ in range(2)] == [["1", "2"], ["1", "2"]]


def test_what_is_put_back_is_redelivered_and_what_is_rejected_is_a_dead_letter(
    channel: BlockingChannel,
) -> None:
    dead = declared(channel)
    queue = declared(channel, **{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead})
    publish(channel, queue, "x")
    method, _, _ = channel.basic_get(queue)
    channel.basic_nack(method.delivery_tag)
    method, _, _ = channel.basic_get(queue)
    assert method.redelivered
    channel.basic_reject(method.delivery_tag, requeue=False)
    assert bodies(channel, dead, 1) == ["x"]


def test_transactions_are_committed_and_rolled_back(channel: BlockingChannel) -> None:
    queue = declared(channel)
    channel.tx_select()
    publish(channel, queue, "1")
    channel.tx_rollback()
    publish(channel, queue, "2")
    assert channel.basic_get(queue) == (None, None, None)
    channel.tx_commit()
    assert channel.basic_get(queue)[2] == b"2"


def test_a_message_of_pika_is_read_by_proton_and_the_other_way_round(
    channel: BlockingChannel, broker: ServedBroker
) -> None:
    queue = broker.declare()
    publish(channel, queue, "from pika", ticker="A", n=7)
    with_proton = BlockingConnection(broker.url, timeout=60)
    receiver = with_proton.create_receiver(queue)
    message = receiver.receive()
    receiver.accept()
    assert (bytes(message.body), message.properties) == (b"from pika", {"ticker": "A", "n": 7})
    with_proton.create_sender(queue).send(Message(body="from proton", properties={"ticker": "B"}, priority=7))
    receiver.close()
    with_proton.close()
    _, properties, body = channel.basic_get(queue)
    assert (body, properties.headers, properties.priority) == (b"from proton", {"ticker": "B"}, 7)


def test_a_reply_comes_directly(channel: BlockingChannel) -> None:
    requests = declared(channel)
    replies: list[bytes] = []
    direct = "amq.rabbitmq.reply-to"
    channel.basic_consume(direct, lambda *reply: replies.append(reply[3]), auto_ack=True)
    channel.basic_publish("", requests, b"?", pika.BasicProperties(reply_to=direct))
    worker = channel.connection.channel()
    _, request, _ = worker.basic_get(requests, auto_ack=True)
    worker.basic_publish("", request.reply_to, b"!")
    while not replies:
        channel.connection.process_data_events(time_limit=5)
    assert replies == [b"!"]


def test_a_wrong_password_is_refused(broker: ServedBroker) -> None:
    with pytest.raises(ProbableAuthenticationError):
        pika.BlockingConnection(parameters(broker, "wrong"))


def test_an_unknown_argument_is_refused_with_the_nearest_name(channel: BlockingChannel) -> None:
    with pytest.raises(ChannelClosedByBroker, match="did you mean 'x-max-length'"):
        declared(channel, **{"x-max-lenght": 5})
