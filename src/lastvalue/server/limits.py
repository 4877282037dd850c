"""Watermarks of memory, journal and disk, at which producers are stopped before anything breaks."""

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lastvalue.broker.broker import Broker
from lastvalue.broker.resource_alarms import CREDIT, StoreFaultError
from lastvalue.config.server_options import ServerOptions
from lastvalue.model.memory_budget import UNLIMITED
from lastvalue.server.log_events import (
    DISK_ENOUGH,
    DISK_KEEPS_UP,
    DISK_LOW,
    DISK_SLOW,
    DISK_UNKNOWN,
    MEMORY_HIGH,
    MEMORY_NORMAL,
    STORE_FAILING,
    STORE_WRITABLE,
)
from lastvalue.server.memory_and_disk import DiskRoom, memory_bytes
from lastvalue.store.files import NO_SPACE
from lastvalue.store.journal import Journal

LEAST_WAITING: Final = 256 << 10
"""Bytes that may always wait for the disk: only larger batches show its pace."""

WRITTEN_WITHIN_S: Final = 0.25
"""The disk has to write what waits in this time; a confirmation takes up to three times as long."""

LEAST_CREDIT: Final = 16
"""The credit of a producer at the slowest disk."""

CALM_S: Final = 1.0
"""The time for which the disk has to keep up before producers get more credit."""

LARGEST_RESERVE: Final = 1 << 30
_BACKLOG_PART: Final = 4
"""A user's clients that do not read may have this part of the memory, so that several of them fill it."""
_RESERVED: Final = 0.05
_OPENS_AT: Final = 0.9
_LOOKS_EVERY_S: Final = 0.5
_OVERSHOT: Final = 1.5


@dataclass(frozen=True)
class Watermarks:
    """The limits at which producers are stopped, in bytes.

    Attributes:
        memory: of the messages on all queues; 0 is no limit, None half of the memory for this process.
        journal: that wait in the journal for the disk.
        disk: to leave free on the store's file system; None is a twentieth of it, and at most 1 GiB.
    """

    memory: int | None = None
    journal: int = ServerOptions.journal_limit
    disk: int | None = None


@dataclass(frozen=True)
class StoreDisk:
    """The disk of a store: its name in log messages, and its room, where that is limited."""

    name: str
    room: Callable[[], DiskRoom] | None


class Limits:
    """Compares memory, journal and disk with the watermarks, and sets the broker's alarms.

    The owner calls `look` once a turn, after its flush has begun; the room on the disk is checked twice a
    second, from `start` to `close`, and whenever a quarter of what is left to the reserve was appended.
    """

    def __init__(
        self, broker: Broker, journal: Journal, watermarks: Watermarks, disk: StoreDisk | None = None
    ) -> None:
        self._broker = broker
        self._alarms = broker.alarms
        self._journal = journal
        self._disk = disk
        self.adjust(watermarks)
        self._fault: int | None = None
        self._behind = False
        self._behind_s = 0.0
        self._slowed = False
        self._peak = 0
        self._credit = CREDIT
        self._scarce = False
        self._told = False
        self._timer: asyncio.TimerHandle | None = None
        # The room is checked again once the journal's appended bytes are as many.
        self._next_check_bytes = sys.maxsize

    @property
    def memory_bytes(self) -> int:
        """The limit of the memory of messages and of unfinished work; 0 is none."""
        return 0 if self._memory == sys.maxsize else self._memory

    def use(self, journal: Journal, disk: StoreDisk) -> None:
        """Look at this journal and its disk from now on."""
        self._journal = journal
        self._disk = disk
        self.start(asyncio.get_running_loop())

    def adjust(self, watermarks: Watermarks) -> None:
        """Use these watermarks from the next look on."""
        memory = memory_bytes() // 2 if watermarks.memory is None else watermarks.memory
        self._memory = memory or sys.maxsize
        # What peers have begun cannot stop producers for ever: consumers make room meanwhile.
        self._broker.memory.limit_bytes = memory // 2 if memory else UNLIMITED
        self._broker.quotas.limit_backlogs(memory // _BACKLOG_PART if memory else UNLIMITED)
        self._journal_bytes = watermarks.journal
        self._reserve = watermarks.disk

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Check the disk now, and regularly from now on."""
        if self._disk is not None and self._disk.room is not None:
            self._look_regularly(self._disk, self._disk.room, loop)

    def close(self) -> None:
        """Stop checking the disk."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def look(self) -> None:
        """Raise and clear the alarms by the memory and the journal's state now."""
        used = self._broker.held_bytes
        if used > self._memory or self._alarms.memory_alarm:
            self._look_at_memory(used)
        waiting = self._journal.waiting_bytes
        if waiting > LEAST_WAITING or waiting > self._journal_bytes or self._behind:
            self._look_at_backlog(waiting)
        if self._slowed and not self._behind:
            self._give_more_credit()
        if self._journal.appended_bytes >= self._next_check_bytes:
            disk = self._disk
            if disk is not None and disk.room is not None:
                self._look_at_room(disk.name, disk.room)
        fault = self._journal.fault
        # Each attempt to write has its own fault.
        number = None if fault is None else fault.errno
        if number != self._fault or (fault is None) is not (self._alarms.fault is None):
            self._fault = number
            self._look_at_fault(fault)

    def _look_at_memory(self, used: int) -> None:
        limit = self._memory
        raised = used > (limit * _OPENS_AT if self._alarms.memory_alarm else limit)
        if raised is self._alarms.memory_alarm:
            return
        (MEMORY_HIGH if raised else MEMORY_NORMAL).log(used_bytes=used, limit_bytes=limit)
        self._alarms.set_memory(raised)

    def _look_at_backlog(self, waiting: int) -> None:
        pace = self._journal.bytes_per_s
        most = min(self._journal_bytes, max(LEAST_WAITING, int(pace * WRITTEN_WITHIN_S)))
        if self._behind:
            self._peak = max(self._peak, waiting)
            if waiting <= most // 2:
                self._behind = False
                self._give_less_credit(most)
                self._set_store()
        elif waiting > most:
            self._behind = True
            self._peak = waiting
            self._set_store()
            self._tell_backlog(waiting, pace)

    def _tell_backlog(self, waiting: int, pace: float) -> None:
        now_s = time.monotonic()
        self._behind_s = now_s
        self._slowed = True
        # Under load producers are stopped and resumed many times a second.
        if pace > 0 and not self._told:
            self._told = True
            DISK_SLOW.log(waiting_bytes=waiting, bytes_per_second=int(pace))

    def _give_less_credit(self, most: int) -> None:
        """Reduce the producers' credit where many messages came after they were stopped."""
        if self._peak > most * _OVERSHOT:
            self._credit = max(LEAST_CREDIT, self._credit * most // self._peak)
            self._alarms.pace(self._credit)

    def _give_more_credit(self) -> None:
        """Raise the producers' credit while the disk keeps up, up to the usual amount."""
        now_s = time.monotonic()
        if now_s - self._behind_s < CALM_S:
            return
        self._behind_s = now_s
        if self._credit < CREDIT:
            self._credit = min(CREDIT, 2 * self._credit)
            self._alarms.pace(self._credit if self._credit < CREDIT else 0)
            return
        self._slowed = False
        if self._told:
            self._told = False
            DISK_KEEPS_UP.log()

    def _look_regularly(
        self, disk: StoreDisk, look: Callable[[], DiskRoom], loop: asyncio.AbstractEventLoop
    ) -> None:
        self._timer = loop.call_later(_LOOKS_EVERY_S, self._look_regularly, disk, look, loop)
        self._look_at_room(disk.name, look)

    def _look_at_room(self, name: str, look: Callable[[], DiskRoom]) -> None:
        self._next_check_bytes = sys.maxsize
        try:
            room = look()
        except OSError as fault:
            # The journal reports a missing disk; the last answer stays here.
            DISK_UNKNOWN.log(directory=name, cause=fault)
            return
        reserve = self._reserve
        if reserve is None:
            reserve = min(int(room.total * _RESERVED), LARGEST_RESERVE)
        # What waits is not on the disk yet.
        left = room.free - reserve - self._journal.waiting_bytes
        if reserve and not self._scarce:
            self._next_check_bytes = self._journal.appended_bytes + max(LEAST_WAITING, left) // 4
        scarce = room.free < (reserve / _OPENS_AT if self._scarce else reserve)
        if scarce is self._scarce:
            return
        self._scarce = scarce
        event = DISK_LOW if scarce else DISK_ENOUGH
        event.log(directory=name, free_bytes=room.free, reserve_bytes=reserve)
        self._set_store()

    def _set_store(self) -> None:
        self._alarms.set_store(self._behind or self._scarce)

    def _look_at_fault(self, fault: OSError | None) -> None:
        if fault is None:
            STORE_WRITABLE.log(directory=None if self._disk is None else self._disk.name)
            self._alarms.set_fault(None)
            return
        name = "" if self._disk is None else f" {self._disk.name}"
        why = fault.strerror or str(fault)
        full = fault.errno in NO_SPACE
        if full:
            text = f"the disk of the store{name} is full ({why}); send it again when there is room"
        else:
            text = f"the store{name} cannot be written ({why}); send it again when its disk is repaired"
        STORE_FAILING.log(
            directory=name.strip() or None,
            cause="; ".join((why, *getattr(fault, "__notes__", ()))),
            full=full,
        )
        self._alarms.set_fault(StoreFaultError(text, full=full))


def watermarks_of(options: ServerOptions) -> Watermarks:
    """The watermarks of a server with these options."""
    return Watermarks(options.memory_limit, options.journal_limit, options.disk_reserve)


def limit_accounts(broker: Broker, options: ServerOptions) -> None:
    """Limit by these options what a peer's unfinished work takes, and how many nodes a user has."""
    memory = broker.memory
    memory.account_limit_bytes = options.connection_memory_limit or UNLIMITED
    memory.user_limit_bytes = options.user_memory_limit or UNLIMITED
    memory.transaction_limit = options.max_transaction_messages or UNLIMITED
    broker.quotas.most = options.max_queues_per_user
    broker.exchanges.quotas.most = options.max_bindings_per_user
