"""The last-value queue document's diagram and example, through python-qpid-proton."""

from collections.abc import Iterator

import pytest
from proton import Message, Timeout
from proton.reactor import Copy
from proton.utils import BlockingConnection
from served_broker import ServedBroker

pytestmark = pytest.mark.interop

SECONDS = 60
SOON_SECONDS = 0.2


@pytest.fixture
def connection(broker: ServedBroker) -> Iterator[BlockingConnection]:
    opened = BlockingConnection(broker.url, timeout=SECONDS)
    yield opened
    opened.close()


def tickers(connection: BlockingConnection, queue: str) -> list[str]:
    """The keys of the messages on the queue, in order."""
    receiver = connection.create_receiver(queue, credit=0, name=f"snapshot-{queue}", options=Copy())
    receiver.link.drain(1000)
    connection.wait(lambda: not receiver.link.draining() and not receiver.link.queued)
    waiting = len(receiver.fetcher.incoming)
    found = [str(receiver.fetcher.pop().properties["ticker"]) for _ in range(waiting)]
    receiver.close()
    return found


def test_the_diagram(connection: BlockingConnection, prices: str) -> None:
    sender = connection.create_sender(prices)
    shown = []
    for key in "123421":
        sender.send(Message(body="Content", properties={"ticker": key}))
        shown.append(" ".join(tickers(connection, prices)))
    assert shown == ["1", "1 2", "1 2 3", "1 2 3 4", "1 3 4 2", "3 4 2 1"]


def test_the_sender_and_the_browsing_receiver(connection: BlockingConnection, prices: str) -> None:
    sender = connection.create_sender(prices)
    message = Message(body="Content")
    for key in ("key1", "key2", "key3", "key4", "key2", "key1"):
        message.properties = {"ticker": key}
        sender.send(message)

    browser = connection.create_receiver(prices, credit=10, options=Copy())
    got = [browser.receive().properties["ticker"] for _ in range(4)]
    assert got == ["key3", "key4", "key2", "key1"]
    with pytest.raises(Timeout):
        browser.receive(timeout=SOON_SECONDS)

    message.properties = {"ticker": "key3"}
    sender.send(message)
    assert browser.receive().properties["ticker"] == "key3"
