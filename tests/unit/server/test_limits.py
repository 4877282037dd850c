"""When the broker's gates are shut and opened."""

import asyncio
import errno
import logging
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from bare_queue import encoded
from broker_desk import enqueue, made
from logged_events import names
from waiting import until

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_memory import QUEUE_BYTES
from lastvalue.broker.resource_alarms import CREDIT
from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.memory_budget import UNLIMITED
from lastvalue.queues.effects import Effect
from lastvalue.queues.spec import Exclusive, Limit, QueueSpec, WhenFull
from lastvalue.server.limits import (
    CALM_S,
    LARGEST_RESERVE,
    LEAST_CREDIT,
    LEAST_WAITING,
    WRITTEN_WITHIN_S,
    Limits,
    StoreDisk,
    Watermarks,
)
from lastvalue.server.memory_and_disk import DiskRoom, disk_room, memory_bytes
from lastvalue.store.journal import Journal

MIB = 1 << 20
ANN = Owner(principal="ann")
DROP_OLDEST = WhenFull.DROP_OLDEST


class GivenJournal(Journal):
    """A journal that says what it is told to."""

    waiting_bytes = 0
    appended_bytes = 0
    bytes_per_s = 0.0
    fault: OSError | None = None

    def define(self, kind: str, name: str, arguments: Mapping[str, Any] | None) -> int:
        return 0

    def append(self, queue: str, effects: list[Effect]) -> int:
        return 0

    def flush(self, done: Callable[[], None]) -> None:
        done()


class Watched:
    """A broker whose limits are looked at when the test says so."""

    def __init__(self, watermarks: Watermarks, room: Callable[[], DiskRoom] | None = None) -> None:
        self.broker: Broker = made("q")
        self.journal = GivenJournal()
        disk = None if room is None else StoreDisk("/var/lib/store", room)
        self.limits = Limits(self.broker, self.journal, watermarks, disk)

    def holding(self, *bodies: str) -> bool:
        """Whether the memory's gate is shut once the queue holds these."""
        self.broker.purge("q")
        enqueue(self.broker, "q", *bodies)
        self.broker.drain(0)
        self.limits.look()
        return self.broker.alarms.memory_alarm

    def waiting(self, size_bytes: int) -> bool:
        """Whether the store's gate is shut while so much waits for the disk."""
        self.journal.waiting_bytes = size_bytes
        self.limits.look()
        return self.broker.alarms.store_alarm


# ---------------------------------------------------------------------- memory


def test_more_than_the_memorys_limit_shuts_the_gate_and_nine_tenths_of_it_open_it() -> None:
    watched = Watched(Watermarks(memory=QUEUE_BYTES + 100_000))
    shut = [watched.holding("x" * size) for size in (99_000, 100_000, 99_000, 91_000, 88_000, 99_000)]
    assert shut == [False, True, True, True, False, False]


def test_what_is_held_back_and_the_records_of_a_history_count() -> None:
    broker = made("log", QueueSpec("q", history="log"))
    broker.drain(0)
    before = broker.held_bytes
    later = {"x-opt-delivery-time": 60_000}
    broker.publish(broker.queue_target("q"), read_message(encoded("x" * 50_000, {}, None)), 0)
    held_back = encoded("x" * 50_000, {}, None, message_annotations=later)
    broker.publish(broker.queue_target("q"), read_message(held_back), 0)
    broker.pump(0)
    broker.drain(0)
    broker.drain(0)
    assert (broker.lookup("q").queue.available, broker.lookup("log").queue.depth) == (1, 3)
    assert broker.held_bytes - before > 200_000


def test_without_a_limit_nothing_is_too_much() -> None:
    assert Watched(Watermarks(memory=0)).holding("x" * 10 * MIB) is False


@pytest.mark.parametrize(("limit", "backlog"), [(400, 100), (0, UNLIMITED)])
def test_what_waits_for_a_users_clients_has_a_quarter_of_the_memorys_limit(limit: int, backlog: int) -> None:
    broker = Broker()
    Limits(broker, GivenJournal(), Watermarks(memory=limit))
    broker.declare(QueueSpec("q", limit=Limit(9, when_full=DROP_OLDEST), exclusive=Exclusive.LINK), ANN)
    share = broker.lookup("q").queue.contents.share
    assert share is not None
    assert (share.has_room(backlog), share.has_room(backlog + 1)) == (True, False)


def test_the_memorys_limit_is_half_of_what_the_machine_has() -> None:
    watched = Watched(Watermarks())
    watched.broker._turn.held_bytes = memory_bytes() // 2
    watched.limits.look()
    assert not watched.broker.alarms.memory_alarm
    watched.broker._turn.held_bytes += 1
    watched.limits.look()
    assert watched.broker.alarms.memory_alarm


def test_shutting_and_opening_is_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    watched = Watched(Watermarks(memory=QUEUE_BYTES + 1_000))
    with caplog.at_level(logging.WARNING):
        watched.holding("x" * 2_000)
        watched.holding("x" * 2_001)
        watched.holding()
    assert names(caplog) == ["memory.high", "memory.normal"]


# ---------------------------------------------------------------------- the journal's backlog


def test_before_its_pace_is_known_little_may_wait_for_the_disk() -> None:
    watched = Watched(Watermarks())
    assert watched.waiting(LEAST_WAITING) is False
    assert watched.waiting(LEAST_WAITING + 1) is True
    assert watched.waiting(LEAST_WAITING // 2 + 1) is True
    assert watched.waiting(LEAST_WAITING // 2) is False


def test_as_much_may_wait_as_the_disk_writes_in_a_quarter_of_a_second() -> None:
    watched = Watched(Watermarks(journal=16 * MIB))
    watched.journal.bytes_per_s = 8 * MIB
    most = int(8 * MIB * WRITTEN_WITHIN_S)
    assert [watched.waiting(size) for size in (most, most + 1)] == [False, True]


def test_however_fast_the_disk_is_no_more_waits_than_the_limit() -> None:
    watched = Watched(Watermarks(journal=16 * MIB))
    watched.journal.bytes_per_s = 1e12
    assert [watched.waiting(size) for size in (16 * MIB, 16 * MIB + 1, 8 * MIB)] == [False, True, False]


def test_a_small_limit_is_kept_too() -> None:
    watched = Watched(Watermarks(journal=1000))
    assert [watched.waiting(size) for size in (1000, 1001, 500)] == [False, True, False]


def test_a_flood_is_told_when_it_begins_and_when_it_is_over(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(Watermarks())
    watched.journal.bytes_per_s = 1.0
    now_s = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            watched.waiting(MIB)
            watched.waiting(0)
        # Twice as much credit with each second, from a fifth and less of what is usual.
        for _ in range(20):
            now_s += CALM_S
            watched.waiting(0)
    assert names(caplog) == ["disk.slow", "disk.keeps_up"]


def test_who_was_let_send_too_far_ahead_gets_less_credit_and_more_while_the_disk_keeps_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = Watched(Watermarks())
    alarms = watched.broker.alarms
    now_s = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    watched.waiting(4 * LEAST_WAITING)
    assert alarms.paced == 0
    watched.waiting(0)
    assert alarms.paced == CREDIT // 4
    watched.waiting(LEAST_WAITING + 1)
    watched.waiting(0)
    assert alarms.paced == CREDIT // 4
    now_s += CALM_S / 2
    watched.waiting(0)
    assert alarms.paced == CREDIT // 4
    now_s += CALM_S
    watched.waiting(0)
    assert alarms.paced == CREDIT // 2
    now_s += CALM_S
    watched.waiting(0)
    assert alarms.paced == 0


def test_however_far_they_sent_ahead_producers_may_send_some_messages() -> None:
    watched = Watched(Watermarks())
    watched.waiting(CREDIT * LEAST_WAITING)
    watched.waiting(0)
    assert watched.broker.alarms.paced == LEAST_CREDIT


# ---------------------------------------------------------------------- the disk


@pytest.mark.parametrize(
    ("number", "condition", "text"),
    [
        (errno.ENOSPC, "amqp:resource-limit-exceeded", "the disk of the store /var/lib/store is full"),
        (errno.EDQUOT, "amqp:resource-limit-exceeded", "the disk of the store /var/lib/store is full"),
        (errno.EFBIG, "amqp:resource-limit-exceeded", "the disk of the store /var/lib/store is full"),
        (errno.EIO, "amqp:internal-error", "the store /var/lib/store cannot be written"),
        (errno.EROFS, "amqp:internal-error", "the store /var/lib/store cannot be written"),
    ],
)
def test_a_disk_that_takes_nothing_is_named_until_it_does_again(
    number: int, condition: str, text: str
) -> None:
    watched = Watched(Watermarks(), lambda: DiskRoom(MIB, MIB))
    watched.journal.fault = OSError(number, os.strerror(number))
    watched.limits.look()
    fault = watched.broker.alarms.fault
    assert fault is not None
    assert fault.condition.amqp10 == condition
    assert str(fault).startswith(f"{text} ({os.strerror(number)})")
    watched.journal.fault = None
    watched.limits.look()
    assert watched.broker.alarms.fault is None


def test_a_fault_that_stays_is_told_once_and_another_anew(caplog: pytest.LogCaptureFixture) -> None:
    watched = Watched(Watermarks())
    with caplog.at_level(logging.WARNING):
        for number in (errno.ENOSPC, errno.ENOSPC, errno.EIO, errno.EIO):
            watched.journal.fault = OSError(number, os.strerror(number))
            watched.limits.look()
    assert names(caplog) == ["store.failing", "store.failing"]
    assert "cannot be written" in str(watched.broker.alarms.fault)


def test_a_fault_without_a_number_is_a_fault() -> None:
    watched = Watched(Watermarks())
    watched.journal.fault = OSError("the disk has left")
    watched.limits.look()
    assert "the disk has left" in str(watched.broker.alarms.fault)


async def shut_by_room(total: int, free: int, reserve: int | None) -> bool:
    watched = Watched(Watermarks(disk=reserve), lambda: DiskRoom(total, free))
    watched.limits.start(asyncio.get_running_loop())
    watched.limits.close()
    return watched.broker.alarms.store_alarm


@pytest.mark.parametrize(
    ("total", "reserve", "least"),
    [
        (100 * MIB, None, 5 * MIB),
        (100 * LARGEST_RESERVE, None, LARGEST_RESERVE),
        (100 * MIB, 50 * MIB, 50 * MIB),
    ],
)
async def test_less_room_than_the_reserve_shuts_the_gate(total: int, reserve: int | None, least: int) -> None:
    assert [await shut_by_room(total, free, reserve) for free in (least, least - 1)] == [False, True]


async def test_without_a_reserve_the_disk_may_be_filled() -> None:
    assert await shut_by_room(MIB, 0, 0) is False


async def test_room_that_comes_back_opens_the_gate_by_itself(caplog: pytest.LogCaptureFixture) -> None:
    free = 99
    watched = Watched(Watermarks(disk=100), lambda: DiskRoom(1000, free))
    with caplog.at_level(logging.WARNING):
        watched.limits.start(asyncio.get_running_loop())
        assert watched.broker.alarms.store_alarm
        free = 112
        await until(lambda: not watched.broker.alarms.store_alarm)
        watched.limits.close()
    assert names(caplog) == ["disk.low", "disk.enough"]


async def test_the_reserve_is_kept_however_fast_is_written() -> None:
    free = 100 * MIB
    watched = Watched(Watermarks(disk=10 * MIB), lambda: DiskRoom(1000 * MIB, free))
    watched.limits.start(asyncio.get_running_loop())
    # No time passes for the loop, so that what was appended alone counts.
    while not watched.broker.alarms.store_alarm:
        free -= MIB
        watched.journal.appended_bytes += MIB
        watched.limits.look()
    watched.limits.close()
    assert 8 * MIB < free < 10 * MIB


async def test_a_system_that_does_not_tell_the_room_leaves_the_gate_as_it_is() -> None:
    def room() -> DiskRoom:
        raise OSError(errno.EIO, "no answer")

    watched = Watched(Watermarks(), room)
    watched.limits.start(asyncio.get_running_loop())
    watched.limits.close()
    assert not watched.broker.alarms.store_alarm


def test_the_room_of_a_disk_is_what_the_system_says(tmp_path: Path) -> None:
    room = disk_room(tmp_path)
    assert 0 < room.free <= room.total
