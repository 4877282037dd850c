"""python-qpid-proton attached to exchanges, to dynamic nodes, and to nothing, at the real server."""

from collections.abc import Iterator

import pytest
from proton import Described, Message, symbol
from proton.reactor import Filter
from proton.utils import BlockingConnection, LinkDetached, SendException
from served_broker import ServedBroker

pytestmark = pytest.mark.interop

SECONDS = 60


@pytest.fixture
def connection(broker: ServedBroker) -> Iterator[BlockingConnection]:
    opened = BlockingConnection(broker.url, timeout=SECONDS)
    yield opened
    opened.close()


def test_topics_go_by_the_subject(connection: BlockingConnection) -> None:
    """S-277."""
    reds = connection.create_receiver("amq.topic/red.*", name="reds")
    squirrels = connection.create_receiver("amq.topic/*.squirrel", name="squirrels")
    sender = connection.create_sender("amq.topic")
    for subject in ("red.dog", "red.squirrel", "grey.squirrel"):
        sender.send(Message(subject=subject, body=subject))
    assert [reds.receive().body for _ in range(2)] == ["red.dog", "red.squirrel"]
    assert [squirrels.receive().body for _ in range(2)] == ["red.squirrel", "grey.squirrel"]


def test_a_binding_filter_says_the_key(connection: BlockingConnection) -> None:
    wanted = Described(symbol("apache.org:legacy-amqp-topic-binding:string"), "news.#")
    receiver = connection.create_receiver("amq.topic", name="news", options=Filter({symbol("f"): wanted}))
    sender = connection.create_sender("amq.topic")
    for subject in ("other", "news.uk"):
        sender.send(Message(subject=subject, body=subject))
    assert receiver.receive().body == "news.uk"


@pytest.mark.capability("python-qpid-proton, blocking", "temporary")
def test_a_request_is_answered_through_a_dynamic_queue(connection: BlockingConnection) -> None:
    """S-320."""
    requests = connection.create_receiver(None, name="requests", dynamic=True)
    replies = connection.create_receiver(None, name="replies", dynamic=True)
    asking = connection.create_sender(requests.link.remote_source.address)
    asking.send(Message(body="question", reply_to=replies.link.remote_source.address, correlation_id="7"))
    request = requests.receive()
    connection.create_sender(request.reply_to).send(
        Message(body="answer", correlation_id=request.correlation_id)
    )
    reply = replies.receive()
    assert (reply.body, reply.correlation_id) == ("answer", "7")


@pytest.mark.capability("python-qpid-proton, blocking", "relay")
def test_without_a_target_the_message_says_where_it_goes(connection: BlockingConnection) -> None:
    replies = connection.create_receiver(None, name="replies", dynamic=True)
    sender = connection.create_sender(None)
    sender.send(Message(address=replies.link.remote_source.address, body="found"))
    assert replies.receive().body == "found"
    with pytest.raises(SendException):
        sender.send(Message(address="nosuch", body="lost"))


def test_what_does_not_exist_is_not_found(connection: BlockingConnection) -> None:
    with pytest.raises(LinkDetached, match="not-found"):
        connection.create_receiver("nosuch/key")
