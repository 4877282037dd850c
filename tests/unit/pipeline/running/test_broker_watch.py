"""Whether brokers answer."""

import asyncio
import queue
import threading

import pytest

from lastvalue.pipeline.running.broker_watch import BrokerWatch
from lastvalue.server.broker_server import BrokerServer, ServerOptions

SOON_S = 60


class Brokers:
    """Brokers that come and go at one port."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._server = self.started(0)
        self.port = self._server.port
        self.url = f"amqp://127.0.0.1:{self.port}"

    def started(self, port: int) -> BrokerServer:
        self._server = BrokerServer(ServerOptions(port=port, users={"ann": "x"}, anonymous=True))
        asyncio.run_coroutine_threadsafe(self._server.start(), self._loop).result(SOON_S)
        return self._server

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._server.stop(), self._loop).result(SOON_S)


@pytest.fixture
def brokers() -> Brokers:
    return Brokers()


def test_a_broker_that_goes_and_comes_is_told_once_each(brokers: Brokers) -> None:
    told: queue.Queue[tuple[str, str]] = queue.Queue()
    watch = BrokerWatch([brokers.url, brokers.url], lambda url, fault: told.put((url, fault)), 0.01)
    watch.start()
    brokers.stop()
    url, fault = told.get(timeout=SOON_S)
    assert url == brokers.url
    assert "cannot connect" in fault
    assert "cannot connect" in watch.fault(brokers.url)
    brokers.started(brokers.port)
    watch.wait_for(brokers.url, threading.Event())
    assert told.get(timeout=SOON_S) == (brokers.url, "")
    watch.stop()
    brokers.stop()
    assert told.empty()


def test_waiting_ends_when_the_run_stops() -> None:
    told: queue.Queue[str] = queue.Queue()
    watch = BrokerWatch(["amqp://127.0.0.1:1"], lambda _, fault: told.put(fault), 0.01)
    watch.start()
    assert told.get(timeout=SOON_S)
    stop = threading.Event()
    waiting = threading.Thread(target=watch.wait_for, args=("amqp://127.0.0.1:1", stop))
    waiting.start()
    stop.set()
    waiting.join(SOON_S)
    assert not waiting.is_alive()
    watch.stop()


def test_a_broker_that_refuses_the_user_answers(brokers: Brokers) -> None:
    told: queue.Queue[str] = queue.Queue()
    url = f"amqp://ann:wrong@127.0.0.1:{brokers.port}"
    watch = BrokerWatch([url, "amqp://127.0.0.1:1"], lambda _, fault: told.put(fault), 0.01)
    watch.start()
    assert told.get(timeout=SOON_S)
    assert watch.fault(url) == ""
    watch.stop()
    brokers.stop()
