"""Browsing in bulk over a blocking socket, against a real broker in a thread."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterator

import pytest

from lastvalue.client import blocking
from lastvalue.client.bulk import browse_in_bulk
from lastvalue.client.errors import ConnectFailedError, ConnectionLostError, InvalidUrlError, RefusedError
from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message
from lastvalue.client.wanted import EVERYTHING, Wanted
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.server.broker_server import BrokerServer, ServerOptions


@pytest.fixture
def served() -> Iterator[tuple[str, Callable[[], None]]]:
    """The address of a broker, and how to stop it."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = BrokerServer(ServerOptions(port=0))
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
    stopped = False

    def stop() -> None:
        nonlocal stopped
        if not stopped:
            stopped = True
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)

    yield f"amqp://127.0.0.1:{server.port}", stop
    stop()
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()


@pytest.fixture
def url(served: tuple[str, Callable[[], None]]) -> str:
    with blocking.connect(served[0]) as connection:
        connection.declare("q").send_many(Message(number, {"n": number}) for number in range(3000))
    return served[0]


def bodies(url: str, wanted: Wanted = EVERYTHING) -> list[object]:
    with browse_in_bulk(url, "q", wanted) as browser:
        return [decode_message(payload).body for messages in browser for payload in messages.payloads()]


def test_all_that_is_there_comes_in_order_and_then_it_ends(url: str) -> None:
    assert bodies(url) == list(range(3000))
    assert bodies(url) == list(range(3000))


def test_what_is_not_wanted_does_not_come(url: str) -> None:
    assert bodies(url, Wanted(after=10, until=12)) == [10, 11]
    assert bodies(url, Wanted(after=2990, selector="n > 2997")) == [2998, 2999]
    assert bodies(url, Wanted(after=3000)) == []


def test_messages_tell_their_place(url: str) -> None:
    with browse_in_bulk(url, "q", Wanted(after=7, until=8)) as browser:
        (messages,) = browser
    (payload,) = messages.payloads()
    assert decode_message(payload).sequence == 8


def test_messages_larger_than_a_frame_come_whole(url: str) -> None:
    large = b"x" * 300_000
    with blocking.connect(url) as connection:
        connection.queue("q").send(Message(large))
    assert bodies(url, Wanted(after=3000)) == [large]


def test_a_queue_that_is_not_there_is_told(url: str) -> None:
    with pytest.raises(QueueNotFoundError, match="'absent'"):
        browse_in_bulk(url, "absent")


def test_a_selector_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(RefusedError):
        browse_in_bulk(url, "q", Wanted(selector="n >"))


def test_nobody_answers() -> None:
    with pytest.raises(ConnectFailedError, match=r"cannot connect to 127\.0\.0\.1:1"):
        browse_in_bulk("amqp://127.0.0.1:1", "q")
    with pytest.raises(InvalidUrlError):
        browse_in_bulk("http://x", "q")


def test_a_broker_that_goes_away_is_told(served: tuple[str, Callable[[], None]]) -> None:
    url, stop = served
    with blocking.connect(url) as connection:
        connection.declare("large").send_many(Message(b"x" * 20_000) for _ in range(500))
    with browse_in_bulk(url, "large") as browser:
        received = iter(browser)
        next(received)
        stop()
        with pytest.raises(ConnectionLostError):
            deque(received, maxlen=0)
