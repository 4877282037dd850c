"""Messages that python-qpid-proton repeats, before and after the broker was killed."""

from pathlib import Path
from typing import Any

import pytest
from proton import Link, Message, symbol
from proton.reactor import LinkOption
from proton.utils import BlockingConnection
from served_broker import ServedBroker

from lastvalue.client import blocking

pytestmark = pytest.mark.interop

SECONDS = 60


class Named(LinkOption):  # type: ignore[misc] # proton has no types
    """Names the producer of a link."""

    def apply(self, link: Link) -> None:
        link.properties = {symbol("producer-name"): "proton"}


def send(broker: ServedBroker, queue: str, *messages: Message, options: Any = None) -> None:
    """Send durable messages, each confirmed, over a connection of their own."""
    connection = BlockingConnection(broker.url, timeout=SECONDS)
    sender = connection.create_sender(queue, options=options)
    for message in messages:
        message.durable = True
        sender.send(message)
    connection.close()


def marked(body: str, duplicate_id: object) -> Message:
    return Message(body=body, properties={"_AMQ_DUPL_ID": duplicate_id})


def bodies(broker: ServedBroker, queue: str) -> list[object]:
    with blocking.connect(broker.url) as connection, connection.queue(queue).browse() as browser:
        return [message.body for message in browser]


def counts(broker: ServedBroker, queue: str) -> tuple[int, int]:
    with blocking.connect(broker.url) as connection:
        info = connection.queue(queue).info()
        return info.depth, info.removed.get("duplicate", 0)


def test_a_repeated_id_is_accepted_and_taken_once(broker: ServedBroker) -> None:
    queue = broker.declare(duplicate_window=100)
    send(broker, queue, marked("first", "7"), marked("again", "7"), marked("other", b"8"))
    send(broker, queue, marked("again", "8"))
    assert bodies(broker, queue) == ["first", "other"]
    assert counts(broker, queue) == (2, 2)


def test_a_named_producer_may_repeat_a_message_id(broker: ServedBroker) -> None:
    queue = broker.declare()
    for body in ("first", "again"):
        send(broker, queue, Message(body=body, id="m-1"), options=Named())
    assert bodies(broker, queue) == ["first"]


def test_ids_are_known_after_the_broker_was_killed(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path))
    with ServedBroker(*store) as broker:
        windowed = broker.declare(durable=True, duplicate_window=100)
        named = broker.declare(durable=True)
        send(broker, windowed, marked("first", "7"), marked("again", "7"))
        send(broker, named, Message(body="first", id=1), options=Named())
        with blocking.connect(broker.url) as connection:
            assert connection.purge(named) == 1
        broker.process.kill()
    with ServedBroker(*store) as broker:
        send(broker, windowed, marked("again", "7"), marked("second", "8"))
        send(broker, named, Message(body="again", id=1), options=Named())
        assert bodies(broker, windowed) == ["first", "second"]
        assert bodies(broker, named) == []
        assert counts(broker, named) == (0, 1)
