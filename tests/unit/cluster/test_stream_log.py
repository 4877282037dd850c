"""A journal on a real stream: how it stays small, what is large, what is full."""

import asyncio
import errno
import time
from collections.abc import Iterator
from contextlib import contextmanager

import nats
import pytest
from canned_message import CannedMessage
from nats.js.api import StreamConfig
from waiting import take_time, wait_until

from lastvalue.cluster.jetstream import LogUnavailableError, UnsuitableStreamError
from lastvalue.cluster.stream_log import StreamLog
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.store.log_address import read_log_address
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.store_contents import StoreContents
from lastvalue.store.store_journal import StoreJournal
from lastvalue.store.store_options import StoreOptions

NOW_MS = 1_000
SEGMENT_BYTES = 64 << 10


class Kept:
    """A queue whose effects go to a stream."""

    def __init__(self, address: str, lease_ms: int = 2000) -> None:
        options = StoreOptions(segment_bytes=SEGMENT_BYTES)
        self.log = StreamLog(LogSettings(read_log_address(address), options, lease_ms=lease_ms))
        try:
            self.stored: StoreContents = self.log.take_over(None)
        except BaseException:
            self.log.abandon()
            raise
        self.journal = StoreJournal(self.log, options, self.stored.next_segment)
        self.journal.adopt_segments(self.stored.segments, 0)
        self.queue = Queue(spec_from_arguments("q", {"durable": True, "lvq_key": "k"}))
        self.journal.declare("queue", "q", {"lvq_key": "k"})

    def send(self, key: str, body: bytes) -> None:
        message = CannedMessage({"k": key}, body=body)
        message.durable = True
        self.queue.enqueue(message, NOW_MS)

    def append(self) -> int:
        return self.journal.append("q", self.queue.drain())

    def flush(self) -> None:
        position = self.append()
        while self.journal.flushed < position:
            # It may do nothing while another batch is under way.
            self.journal.flush(lambda: None)
            take_time(0.001)


@contextmanager
def kept(address: str, lease_ms: int = 2000) -> Iterator[Kept]:
    store = Kept(address, lease_ms)
    try:
        yield store
    finally:
        store.journal.close()


def errno_of(store: Kept) -> int | None:
    fault = store.journal.fault
    return None if fault is None else fault.errno


async def configured(address: str, **changes: object) -> tuple[int, int]:
    """Change the stream, if there is something to change; its messages and bytes."""
    servers, name = address.removeprefix("nats://").split("/")
    async with await nats.connect(servers=[f"nats://{each}" for each in servers.split(",")]) as client:
        info = await client.jetstream().stream_info(name)
        if changes:
            info = await client.jetstream().update_stream(info.config.evolve(**changes))
        return info.state.messages, info.state.bytes


def test_what_is_replaced_is_trimmed_from_the_stream(log_address: str) -> None:
    with kept(log_address) as store:
        for round_ in range(40):
            for key in range(20):
                store.send(f"k{key}", bytes([round_]) * 1000)
            store.flush()
        wait_until(lambda: asyncio.run(configured(log_address))[1] < 8 * SEGMENT_BYTES, every_s=0.2)
    with kept(log_address) as store:
        held = {each.encoded for _, each in store.stored.messages[1].values()}
        assert held == {bytes([39]) * 1000}
        assert len(store.stored.messages[1]) == 20


def test_a_batch_larger_than_a_message_is_sent_in_parts(log_address: str) -> None:
    with kept(log_address) as store:
        for key in range(30):
            store.send(f"k{key}", bytes(100_000))
        store.flush()
        before = asyncio.run(configured(log_address))[0]
        assert before >= 6
    with kept(log_address) as store:
        assert len(store.stored.messages[1]) == 30


def test_a_writer_that_has_nothing_to_say_keeps_its_lease_and_leaves_few_messages(log_address: str) -> None:
    with kept(log_address, lease_ms=500) as store:
        store.send("k", b"x")
        store.flush()
        before, _ = asyncio.run(configured(log_address))
        after_six_leases_s = time.monotonic() + 3.0
        # On a busy machine a beat may come late, and the next one prolongs the lease again.
        wait_until(lambda: time.monotonic() >= after_six_leases_s and store.log.leads)
        wait_until(lambda: asyncio.run(configured(log_address))[0] <= before + 3)


def test_a_full_stream_is_a_full_disk_until_it_may_grow(log_address: str) -> None:
    with kept(log_address) as store:
        asyncio.run(configured(log_address, max_bytes=200_000))
        for key in range(10):
            store.send(f"k{key}", bytes(50_000))
        position = store.append()
        store.journal.flush(lambda: None)
        wait_until(lambda: errno_of(store) == errno.ENOSPC)
        asyncio.run(configured(log_address, max_bytes=-1))
        wait_until(lambda: store.journal.flushed >= position)
        assert errno_of(store) is None
    with kept(log_address) as store:
        assert len(store.stored.messages[1]) == 10


def test_a_broker_does_not_start_on_a_full_stream_and_says_why(
    log_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastvalue.cluster.jetstream.ANSWER_WITHIN_S", 1.0)
    with kept(log_address) as store:
        store.send("k", bytes(50_000))
        store.flush()
    _, bytes_ = asyncio.run(configured(log_address))
    asyncio.run(configured(log_address, max_bytes=bytes_))
    with pytest.raises(LogUnavailableError, match="the log is full"):
        Kept(log_address)
    asyncio.run(configured(log_address, max_bytes=-1))
    with kept(log_address) as store:
        assert len(store.stored.messages[1]) == 1


def test_a_stream_that_would_drop_what_is_old_is_refused(log_address: str) -> None:
    async def make() -> None:
        servers, name = log_address.removeprefix("nats://").split("/")
        async with await nats.connect(servers=[f"nats://{each}" for each in servers.split(",")]) as client:
            config = StreamConfig(name=name, subjects=[f"lastvalue.{name}"], max_msgs=1000)
            await client.jetstream().add_stream(config)

    asyncio.run(make())
    with pytest.raises(UnsuitableStreamError, match=r"its discard is .*; its max_msgs is 1000"):
        Kept(log_address)


def test_messages_that_somebody_deletes_within_the_stream_are_missed(log_address: str) -> None:
    with kept(log_address) as store:
        for key in range(5):
            store.send(f"k{key}", b"x")
            store.flush()

    async def delete() -> None:
        servers, name = log_address.removeprefix("nats://").split("/")
        async with await nats.connect(servers=[f"nats://{each}" for each in servers.split(",")]) as client:
            await client.jetstream().delete_msg(name, 3)

    asyncio.run(delete())
    with pytest.raises(Exception, match="are missing before message 4 of the stream"):
        Kept(log_address)
