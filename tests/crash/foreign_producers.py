"""Clients of other makers that publish numbered messages through a cluster, and note what was confirmed when.

Each is a thread with one connection. When that fails, or the broker sends it elsewhere, it tries the next
broker of its list.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

import pika
from pika.adapters.utils.connection_workflow import AMQPConnectorException
from pika.exceptions import AMQPError
from proton import Message, ProtonException
from proton.utils import BlockingConnection
from raw_amqp010 import RawAmqp010

PATIENCE_S: Final = 3.0
"""After so long without an answer a client takes its connection for lost."""

PAIRED: Final = ("paired left", "paired right")
_AGAIN_S: Final = 0.05
_BETWEEN_S: Final = 0.004
_CLOSES_S: Final = 0.2


@dataclass(frozen=True)
class Confirmation:
    """Something that a client was told to be safe.

    Attributes:
        client: who was told.
        process: which process of which broker said so.
        began_s: when the client asked for it.
        ended_s: when it was told.
    """

    client: str
    process: str
    began_s: float
    ended_s: float


@dataclass
class Numbers:
    """What a producer has sent: every number once, in order."""

    sent: int = 0
    confirmed: set[int] = field(default_factory=set)


class Brokers(ABC):
    """Where brokers listen, and which process does now."""

    @property
    @abstractmethod
    def hosts(self) -> list[str]:
        """Their addresses; all have the same port."""

    @abstractmethod
    def process_at(self, host: str) -> str:
        """Names the process that runs there now."""


@contextmanager
def over_proton(host: str, port: int) -> Iterator[Callable[[str], None]]:
    """AMQP 1.0 by Qpid Proton: the outcome is the confirmation."""
    connection = BlockingConnection(f"amqp://{host}:{port}", timeout=PATIENCE_S)
    try:
        sender = connection.create_sender(OVER_PROTON)
        yield lambda text: sender.send(Message(body=text, durable=True))
    finally:
        # A broker that is paused does not answer.
        connection.timeout = _CLOSES_S
        with suppress(ProtonException):
            connection.close()


def _pika(host: str, port: int) -> pika.BlockingConnection:
    return pika.BlockingConnection(
        pika.ConnectionParameters(
            host,
            port,
            heartbeat=2,
            socket_timeout=PATIENCE_S,
            stack_timeout=PATIENCE_S,
            blocked_connection_timeout=PATIENCE_S,
        )
    )


_DURABLE: Final = pika.BasicProperties(delivery_mode=2)


@contextmanager
def over_pika(host: str, port: int) -> Iterator[Callable[[str], None]]:
    """AMQP 0-9-1 by pika, with publisher confirms."""
    with _pika(host, port) as connection:
        channel = connection.channel()
        channel.confirm_delivery()
        yield lambda text: channel.basic_publish("", OVER_PIKA, text, _DURABLE, mandatory=True)


@contextmanager
def pairs_over_pika(host: str, port: int) -> Iterator[Callable[[str], None]]:
    """AMQP 0-9-1 by pika, with transactions that publish to two queues."""
    with _pika(host, port) as connection:
        channel = connection.channel()
        channel.tx_select()

        def publish(text: str) -> None:
            for queue in PAIRED:
                channel.basic_publish("", queue, text, _DURABLE)
            channel.tx_commit()

        yield publish


@contextmanager
def over_010(host: str, port: int) -> Iterator[Callable[[str], None]]:
    """AMQP 0-10: the completion is the confirmation."""
    # By the session's name what it has sent on a lost connection comes before what it sends on a new one.
    with RawAmqp010(host, port, timeout_s=PATIENCE_S, session=OVER_010) as peer:
        yield lambda text: peer.publish_confirmed(OVER_010, text.encode())


OVER_PROTON: Final = "orders over Proton"
OVER_PIKA: Final = "orders over pika"
OVER_010: Final = "orders over 0-10"
PAIRS: Final = "pairs over pika"
DIALECTS: Final = {
    OVER_PROTON: over_proton,
    OVER_PIKA: over_pika,
    OVER_010: over_010,
    PAIRS: pairs_over_pika,
}
FAULTS: Final = (ProtonException, AMQPError, AMQPConnectorException, OSError, AssertionError)


class ForeignProducer:
    """Publishes one number after the other until it is stopped.

    Attributes:
        fault: what no loss of a connection explains.
    """

    def __init__(self, name: str, brokers: Brokers, port: int, history: list[Confirmation]) -> None:
        self.name = name
        self.numbers = Numbers()
        self.fault: BaseException | None = None
        self._brokers = brokers
        self._port = port
        self._history = history
        self._at = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        """Begin, or continue with the number after the last one."""
        self._stopped.clear()
        self._thread = threading.Thread(target=self._run, name=self.name)
        self._thread.start()

    def stop(self) -> None:
        """Stop after the message that is under way."""
        self._stopped.set()
        self._thread.join()
        if self.fault is not None:
            raise self.fault

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                host = self._brokers.hosts[self._at % len(self._brokers.hosts)]
                try:
                    self._publish_at(host)
                except FAULTS:
                    self._at += 1
                    self._stopped.wait(_AGAIN_S)
        except BaseException as fault:  # noqa: BLE001 - `stop` raises it
            self.fault = fault

    def _publish_at(self, host: str) -> None:
        before = self._brokers.process_at(host)
        with DIALECTS[self.name](host, self._port) as publish:
            process = self._brokers.process_at(host)
            if process != before:
                return
            while not self._stopped.is_set():
                number = self.numbers.sent = self.numbers.sent + 1
                began_s = time.monotonic()
                publish(str(number))
                self._history.append(Confirmation(self.name, process, began_s, time.monotonic()))
                self.numbers.confirmed.add(number)
                self._stopped.wait(_BETWEEN_S)


def both_led(history: list[Confirmation]) -> list[tuple[str, str]]:
    """The pairs of processes that confirmed in turn, as no two leaders may.

    One began to confirm something after the other had confirmed, and the other way round. What is confirmed
    before, and only told after, proves nothing.
    """
    earliest: dict[str, float] = {}
    latest: dict[str, float] = {}
    for each in history:
        earliest[each.process] = min(earliest.get(each.process, each.ended_s), each.ended_s)
        latest[each.process] = max(latest.get(each.process, each.began_s), each.began_s)
    processes = sorted(earliest)
    return [
        (one, other)
        for number, one in enumerate(processes)
        for other in processes[number + 1 :]
        if latest[one] > earliest[other] and latest[other] > earliest[one]
    ]
