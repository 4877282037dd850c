"""lastvalue.client.blocking."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from lastvalue.client import (
    ConnectFailedError,
    ConnectionLostError,
    InvalidMessageError,
    InvalidUrlError,
    Message,
    NotOpenError,
    PutResult,
    QueueNotFoundError,
    Reconnection,
    SendRejectedError,
    TimedOutError,
)
from lastvalue.client.blocking import Connection, Queue, connect
from lastvalue.server.broker_server import BrokerServer, ServerOptions

NUMBERS = [Message(number) for number in range(2000)]


class ServerThread:
    """A broker whose loop runs in a thread, for tests that block."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server = BrokerServer(ServerOptions(port=0))

    @property
    def url(self) -> str:
        return f"amqp://127.0.0.1:{self._server.port}"

    def start(self) -> None:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._server.start(), self._loop).result(60)

    def stop_server(self) -> None:
        asyncio.run_coroutine_threadsafe(self._server.stop(), self._loop).result(60)

    def stop(self) -> None:
        self.stop_server()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        self._loop.close()


@pytest.fixture
def broker_thread() -> Iterator[ServerThread]:
    thread = ServerThread()
    thread.start()
    yield thread
    thread.stop()


@pytest.fixture
def blocking(broker_thread: ServerThread) -> Iterator[Connection]:
    with connect(broker_thread.url) as connection:
        yield connection


@pytest.fixture
def orders(blocking: Connection) -> Queue:
    return blocking.declare("orders")


def bodies(queue: Queue) -> list[object]:
    return [message.body for message in queue.browse(prefetch=1000)]


def test_values_are_put_and_got(broker_thread: ServerThread) -> None:
    with connect(broker_thread.url) as connection:
        prices = connection.declare("prices", lvq_key="symbol")
        put = prices.put("A", 1, if_sequence=0)
        assert put == PutResult(sequence=1, taken=True)
        value = prices.get("A")
        assert value is not None
        assert value.body == 1
        assert list(prices.get_many(["A", "B"])) == ["A"]


def test_a_queue_is_declared_used_and_deleted(blocking: Connection) -> None:
    queue = blocking.declare("prices", lvq_key="symbol")
    queue.send(Message(1, {"symbol": "A"}))
    queue.send(Message(2, {"symbol": "A"}))
    assert [(message.body, message.updates) for message in queue.browse()] == [(2, 2)]
    assert queue.info().published == 2
    assert blocking.purge("prices") == 1
    assert [each.name for each in blocking.queues()] == ["prices"]
    blocking.delete("prices")
    assert blocking.queues() == []


def test_many_messages_arrive_in_their_order(orders: Queue) -> None:
    assert orders.send_many(iter(NUMBERS)) == 2000
    assert bodies(orders) == list(range(2000))


def test_posted_messages_are_there_after_a_flush(orders: Queue) -> None:
    with orders.sender() as sender:
        for message in NUMBERS:
            sender.post(message)
        sender.flush()
        assert bodies(orders) == list(range(2000))


def test_a_posted_message_leaves_without_a_flush(orders: Queue) -> None:
    with orders.sender() as sender:
        sender.post(Message("a"))
        assert [message.body for message in orders.browse(follow=True, limit=1, timeout_s=5)] == ["a"]


def test_sending_gives_up_when_nothing_moves(orders: Queue) -> None:
    sender = orders.sender(max_outstanding=1)
    with pytest.raises(TimedOutError, match="sending to 'orders'"):
        sender.send_many(NUMBERS, timeout_s=0.05)


def test_a_sender_sends_one_and_many(orders: Queue) -> None:
    with orders.sender(max_outstanding=10) as sender:
        sender.send(Message("a"))
        assert sender.send_many([Message("b"), Message("c")]) == 2
    assert bodies(orders) == ["a", "b", "c"]


def test_a_full_queue_rejects(blocking: Connection) -> None:
    small = blocking.declare("small", max_messages=1000)
    with pytest.raises(SendRejectedError) as caught:
        small.send_many(NUMBERS)
    assert (caught.value.index, caught.value.rejected) == (1000, 1000)
    with small.sender() as sender:
        sender.post(Message("a"))
        with pytest.raises(SendRejectedError):
            sender.flush()


def test_a_message_that_cannot_be_encoded_is_refused_at_once(orders: Queue) -> None:
    with orders.sender() as sender, pytest.raises(InvalidMessageError):
        sender.post(Message(object()))
    with pytest.raises(InvalidMessageError):
        orders.send_many([Message(object())])


def test_following_goes_on_with_what_comes_later(orders: Queue) -> None:
    orders.send_many(NUMBERS[:3])
    with orders.browse(follow=True, timeout_s=5) as browser:
        assert [next(browser).body for _ in range(3)] == [0, 1, 2]
        orders.send(Message("later"))
        assert next(browser).body == "later"


def test_a_long_silence_is_told(orders: Queue) -> None:
    with pytest.raises(TimedOutError):
        next(orders.browse(follow=True, timeout_s=0.01))


@pytest.mark.parametrize("prefetch", [1, 2, 3, 7])
def test_a_snapshot_is_whole_whatever_the_prefetch(orders: Queue, prefetch: int) -> None:
    orders.send_many(NUMBERS[:10])
    assert [message.body for message in orders.browse(prefetch=prefetch)] == list(range(10))


def test_deliveries_are_settled_each_its_way(orders: Queue) -> None:
    orders.send_many(NUMBERS[:5])
    with orders.receive(limit=4) as receiver:
        deliveries = list(receiver)
        deliveries[0].accept()
        deliveries[1].reject("unreadable")
        deliveries[2].release()
        deliveries[3].modify()
    assert [(message.body, message.delivery_count) for message in orders.browse()] == [(2, 0), (3, 1), (4, 0)]
    assert orders.info().removed == {"accepted": 1, "rejected": 1}


def test_settling_after_the_end_does_nothing(orders: Queue) -> None:
    orders.send(Message("a"))
    with orders.receive(limit=1) as receiver:
        delivery = next(receiver)
    delivery.accept()
    assert orders.info().available == 1


def test_leaving_a_loop_detaches(orders: Queue) -> None:
    orders.send_many(NUMBERS[:3])
    for _ in orders.browse(follow=True):
        break
    assert orders.info().subscriptions == 0


def test_threads_share_a_connection(orders: Queue) -> None:
    with ThreadPoolExecutor(4) as pool:
        counts = pool.map(lambda _: orders.send_many(NUMBERS), range(4))
        assert sum(counts) == 8000
    assert orders.info().depth == 8000


def test_a_queue_that_does_not_exist_is_named(blocking: Connection) -> None:
    with pytest.raises(QueueNotFoundError):
        blocking.queue("nowhere").send(Message("a"))


@pytest.mark.parametrize(
    ("url", "error"), [("http://127.0.0.1", InvalidUrlError), ("amqp://host.invalid", ConnectFailedError)]
)
def test_a_connection_that_cannot_be_made_leaves_no_thread(url: str, error: type[Exception]) -> None:
    before = set(threading.enumerate())
    with pytest.raises(error):
        connect(url)
    assert "lastvalue-client" not in {thread.name for thread in set(threading.enumerate()) - before}


def test_closing_ends_the_thread_and_what_uses_the_connection(broker_thread: ServerThread) -> None:
    before = threading.active_count()
    connection = connect(broker_thread.url)
    queue = connection.declare("orders")
    browser = queue.browse(follow=True)
    sender = queue.sender()
    sender.open()
    connection.close()
    connection.close()
    assert threading.active_count() == before
    with pytest.raises(NotOpenError, match="closed"):
        queue.send(Message("a"))
    with pytest.raises(NotOpenError, match="closed"):
        next(browser)
    with pytest.raises(NotOpenError, match="closed"):
        sender.post(Message("a"))
    browser.close()
    sender.close()


def test_a_waiting_thread_is_told_of_a_lost_connection(broker_thread: ServerThread) -> None:
    with (
        connect(broker_thread.url, reconnect=False) as connection,
        ThreadPoolExecutor(1) as pool,
    ):
        queue = connection.declare("orders")
        waiting = pool.submit(next, queue.browse(follow=True))
        queue.info()
        broker_thread.stop_server()
        with pytest.raises(ConnectionLostError):
            waiting.result(60)


def test_programs_go_on_when_the_connection_is_lost(broker_thread: ServerThread) -> None:
    with connect(broker_thread.url, reconnect=Reconnection(first_wait_s=0.01)) as connection:
        connection.declare("orders", duplicate_window=10)
        orders = connection.queue("orders")
        orders.send(Message(0))
        browser = orders.browse(follow=True, prefetch=1)
        assert next(browser).body == 0
        for each in connection.statistics("connection"):
            with suppress(ConnectionLostError):
                connection.close_connection(str(each["name"]))
        orders.send_many([Message(1), Message(2)])
        assert [next(browser).body, next(browser).body] == [1, 2]


def test_a_transaction_commits_at_the_end_of_its_block(blocking: Connection) -> None:
    source, target = blocking.declare("source"), blocking.declare("target")
    source.send_many(NUMBERS[:50])
    with blocking.transaction() as transaction:
        with target.sender() as sender:
            for delivery in source.receive(limit=50):
                sender.post(delivery.message, transaction=transaction)
                delivery.accept(transaction=transaction)
        assert (source.info().depth, target.info().depth) == (50, 0)
    assert (source.info().depth, target.info().depth) == (0, 50)


def test_a_transaction_rolls_back_where_its_block_raises(blocking: Connection) -> None:
    queue = blocking.declare("q")

    def fail_halfway() -> None:
        with blocking.transaction() as transaction:
            queue.send_many(NUMBERS, transaction=transaction)
            raise KeyError

    with pytest.raises(KeyError):
        fail_halfway()
    assert queue.info().depth == 0
