"""A broker in the test's process, as those use it who test their own feeds."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lastvalue.client import Message, RefusedError
from lastvalue.testing import BrokerThread


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[BrokerThread]:
    with BrokerThread(store=tmp_path, manual_clock=True) as broker:
        yield broker


def test_a_reader_gets_the_newest_of_each_key_and_nothing_twice(broker: BrokerThread) -> None:
    prices = broker.connection.declare("prices", lvq_key="symbol")
    reader = broker.record("prices")
    prices.send_many(Message(n, {"symbol": f"S{n % 7}"}) for n in range(1000))
    reader.assert_newest_per_key()
    reader.assert_nothing_twice()
    assert {message.body for message in broker.messages("prices")} == set(range(993, 1000))


def test_time_moves_only_by_hand(broker: BrokerThread) -> None:
    prices = broker.connection.declare("prices", lvq_key="symbol", default_ttl_ms=60_000)
    prices.send(Message(1, {"symbol": "A"}))
    broker.advance(seconds=59)
    assert [message.body for message in broker.messages("prices")] == [1]
    broker.advance(seconds=1)
    assert broker.messages("prices") == []


def test_a_restart_keeps_the_port_the_time_and_what_is_durable(broker: BrokerThread) -> None:
    for name, durable in (("kept", True), ("gone", False)):
        broker.connection.declare(name, durable=durable).send(Message(name, durable=durable))
    url = broker.url
    broker.advance(minutes=10)
    now_ms = broker.connection.clock_ms()
    broker.restart()
    assert broker.url == url
    assert broker.connection.clock_ms() == now_ms
    assert [message.body for message in broker.messages("kept")] == ["kept"]
    assert [queue.name for queue in broker.connection.queues()] == ["kept"]


def test_the_clock_of_the_system_is_not_moved() -> None:
    with BrokerThread() as broker, pytest.raises(RefusedError, match="clock"):
        broker.advance(seconds=1)


def test_brokers_in_two_threads_read_what_their_own_clients_send() -> None:
    with BrokerThread() as one, BrokerThread() as other, ThreadPoolExecutor(2) as threads:
        kept = list(threads.map(_kept_of_many, (one, other)))
    assert kept == [[str(n) for n in range(4900, 5000)]] * 2


def _kept_of_many(broker: BrokerThread) -> list[object]:
    prices = broker.connection.declare("prices", lvq_key="symbol")
    for first in range(0, 5000, 100):
        prices.send_many(Message(str(n), {"symbol": n % 100}) for n in range(first, first + 100))
    return [message.body for message in broker.messages("prices")]
