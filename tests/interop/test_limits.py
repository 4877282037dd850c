"""A foreign client's producers where memory is short, or the disk slow, full or broken."""

import asyncio
import errno
import os
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from proton import Delivery, Message
from proton.handlers import MessagingHandler
from proton.reactor import AtLeastOnce, AtMostOnce, Container
from proton.utils import BlockingConnection, SendException
from served_broker import ServedBroker
from waiting import take_time

from lastvalue.broker.resource_alarms import CREDIT
from lastvalue.queues.spec import QueueSpec
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.limits import WRITTEN_WITHIN_S
from lastvalue.store.file_log import file_journal
from lastvalue.store.store_journal import StoreJournal
from lastvalue.store.store_options import StoreOptions

pytestmark = pytest.mark.interop

SECONDS = 60
SIZE = 2_000
UNLIMITED = resource.RLIM_INFINITY

# ---------------------------------------------------------------------- too little memory

MANY = 1_000


@pytest.mark.parametrize("option", [AtMostOnce(), AtLeastOnce()], ids=["settled", "unsettled"])
def test_too_many_messages_stop_producers_until_consumers_have_made_room(option: AtMostOnce) -> None:
    with ServedBroker("--memory-limit", "1000000") as served:
        queue, other = served.declare(), served.declare()
        connection = BlockingConnection(served.url, timeout=SECONDS)
        sender = connection.create_sender(queue, options=option)
        for _ in range(MANY):
            sender.link.send(Message("x" * SIZE))
        # Proton counts what it sent ahead of the withdrawal as credit below none.
        connection.wait(lambda: sender.link.credit <= 0)
        assert connection.create_sender(other).link.credit == 0
        receiver = connection.create_receiver(queue, credit=100)
        for _ in range(MANY):
            receiver.receive()
            receiver.accept()
        connection.wait(lambda: sender.link.credit == CREDIT)
        connection.close()


# ---------------------------------------------------------------------- a disk that takes nothing


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[ServedBroker]:
    with ServedBroker("--store", str(tmp_path / "store"), "--disk-reserve", "0") as served:
        yield served


def allow_files_of(broker: ServedBroker, size_bytes: int) -> None:
    """The system refuses the broker to write beyond that place of any file."""
    resource.prlimit(broker.process.pid, resource.RLIMIT_FSIZE, (size_bytes, UNLIMITED))


def test_a_disk_that_takes_nothing_rejects_with_the_reason_and_goes_on_by_itself(kept: ServedBroker) -> None:
    queue = kept.declare(durable=True)
    connection = BlockingConnection(kept.url, timeout=SECONDS)
    sender = connection.create_sender(queue)
    sender.send(Message("before", durable=True))

    allow_files_of(kept, 0)
    taken = sender.link.send(Message("taken", durable=True))
    # From here on it may try one message at a time.
    connection.wait(lambda: sender.link.credit == 1)
    with pytest.raises(SendException) as refused:
        sender.send(Message("refused", durable=True))
    assert refused.value.state == Delivery.REJECTED
    rejected = sender.link.send(Message("refused", durable=True))
    connection.wait(lambda: rejected.settled or rejected.remote_state == Delivery.REJECTED)
    assert rejected.remote.condition.name == "amqp:resource-limit-exceeded"
    assert "the disk of the store" in rejected.remote.condition.description
    assert sender.send(Message("light")).remote_state == Delivery.ACCEPTED
    assert taken.remote_state == 0

    receiver = connection.create_receiver(queue, credit=10)
    bodies = [receiver.receive().body for _ in range(3)]
    assert bodies == ["before", "taken", "light"]
    receiver.accept()

    allow_files_of(kept, UNLIMITED)
    connection.wait(lambda: taken.remote_state == Delivery.ACCEPTED)
    assert sender.send(Message("after", durable=True)).remote_state == Delivery.ACCEPTED
    connection.close()


def test_what_was_confirmed_before_the_disk_was_full_is_there_after_a_kill(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "store"), "--disk-reserve", "0")
    confirmed = [f"{number}" for number in range(10)]
    with ServedBroker(*store) as broker:
        queue = broker.declare(durable=True)
        connection = BlockingConnection(broker.url, timeout=SECONDS)
        sender = connection.create_sender(queue)
        for body in confirmed:
            sender.send(Message(body, durable=True))
        allow_files_of(broker, 0)
        sender.link.send(Message("taken", durable=True))
        connection.wait(lambda: sender.link.credit == 1)
        with pytest.raises(SendException):
            sender.send(Message("refused", durable=True))
        broker.process.kill()
    with ServedBroker(*store) as broker:
        receiver = BlockingConnection(broker.url, timeout=SECONDS).create_receiver(queue, credit=20)
        assert [receiver.receive().body for _ in confirmed] == confirmed
        assert broker.depth(queue) == len(confirmed)


class BrokenDisk:
    """Syncs fail while it is broken."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.broken = False
        self._sync = os.fdatasync
        monkeypatch.setattr(os, "fdatasync", self.sync)

    def sync(self, descriptor: int) -> None:
        if self.broken:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._sync(descriptor)


def test_a_broken_disk_is_an_internal_error_until_it_is_repaired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = BrokenDisk(monkeypatch)
    journal = file_journal(tmp_path, StoreOptions())
    with serving(journal) as url:
        connection = BlockingConnection(url, timeout=SECONDS)
        sender = connection.create_sender("q")
        disk.broken = True
        taken = sender.link.send(Message("taken", durable=True))
        connection.wait(lambda: sender.link.credit == 1)
        rejected = sender.link.send(Message("rejected", durable=True))
        connection.wait(lambda: rejected.remote_state == Delivery.REJECTED)
        assert rejected.remote.condition.name == "amqp:internal-error"
        assert os.strerror(errno.EIO) in rejected.remote.condition.description
        disk.broken = False
        connection.wait(lambda: taken.remote_state == Delivery.ACCEPTED)
        connection.close()


# ---------------------------------------------------------------------- a slow disk

BYTES_PER_S = 2_000_000
MESSAGES = 6_000


class SlowDisk:
    """Makes a sync take as long as a disk of that pace takes to write what came since the last one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, bytes_per_s: int) -> None:
        self._bytes_per_s = bytes_per_s
        self._unsafe = 0
        self._write, self._sync = os.pwrite, os.fdatasync
        monkeypatch.setattr(os, "pwrite", self.write)
        monkeypatch.setattr(os, "fdatasync", self.sync)

    def write(self, descriptor: int, data: bytes, offset: int) -> int:
        # Files are filled with zeros ahead; that is not what is measured here.
        self._unsafe += len(data) - bytes(data).count(0)
        return self._write(descriptor, data, offset)

    def sync(self, descriptor: int) -> None:
        take_time(self._unsafe / self._bytes_per_s)
        self._unsafe = 0
        self._sync(descriptor)


class Flood(MessagingHandler):  # type: ignore[misc]  # proton is untyped to us
    """Sends as fast as credit allows.

    Attributes:
        waits_s: how long each message waited for its confirmation.
        most_waiting: the most bytes that the journal was seen to hold for the disk.
    """

    def __init__(self, url: str, queue: str, journal: StoreJournal, *, settled: bool) -> None:
        super().__init__()
        self._url, self._queue, self._journal = url, queue, journal
        self._option = AtMostOnce() if settled else AtLeastOnce()
        self._settled = settled
        self._message = Message("x" * SIZE, durable=True)
        self._sent: dict[Delivery, float] = {}
        self.waits_s: list[float] = []
        self.count = 0
        self.most_waiting = 0

    def on_start(self, event: object) -> None:
        connection = event.container.connect(self._url)  # type: ignore[attr-defined]  # proton is untyped to us
        event.container.create_sender(connection, self._queue, options=self._option)  # type: ignore[attr-defined]  # proton is untyped to us

    def on_sendable(self, event: object) -> None:
        link = event.sender  # type: ignore[attr-defined]  # proton is untyped to us
        self.most_waiting = max(self.most_waiting, self._journal.waiting_bytes)
        while link.credit > 0 and self.count < MESSAGES:
            delivery = link.send(self._message)
            self._sent[delivery.tag] = time.monotonic()
            self.count += 1
        if self._settled and self.count == MESSAGES:
            link.connection.close()

    def on_accepted(self, event: object) -> None:
        delivery = event.delivery  # type: ignore[attr-defined]  # proton is untyped to us
        self.waits_s.append(time.monotonic() - self._sent.pop(delivery.tag))
        self.most_waiting = max(self.most_waiting, self._journal.waiting_bytes)
        if len(self.waits_s) == MESSAGES:
            delivery.connection.close()


@contextmanager
def serving(journal: StoreJournal) -> Iterator[str]:
    """A broker in a thread, with one durable queue `q`; its address. The journal is closed with it."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = BrokerServer(ServerOptions(port=0), journal)
    server.broker.declare(QueueSpec("q", durable=True))
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(SECONDS)
    try:
        yield f"amqp://127.0.0.1:{server.port}"
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(SECONDS)
        # What it still writes it tells the loop.
        journal.close()
        loop.call_soon_threadsafe(loop.stop)
        thread.join(SECONDS)
        loop.close()


@pytest.mark.parametrize("settled", [False, True], ids=["unsettled", "settled"])
def test_a_flood_before_a_slow_disk_waits_for_credit_so_that_memory_and_latency_stay_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settled: bool
) -> None:
    SlowDisk(monkeypatch, BYTES_PER_S)
    journal = file_journal(tmp_path, StoreOptions())
    with serving(journal) as url:
        flood = Flood(url, "q", journal, settled=settled)
        Container(flood).run()
    assert flood.count == MESSAGES
    # What was let wait, and the credit that the producer had before.
    assert flood.most_waiting < BYTES_PER_S * WRITTEN_WITHIN_S + CREDIT * (SIZE + 200)
    if not settled:
        assert max(flood.waits_s[MESSAGES // 2 :]) < 8 * WRITTEN_WITHIN_S
