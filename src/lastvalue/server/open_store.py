"""Opens a store: restores its content onto a broker, and continues its journal."""

import gc
import socket
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from lastvalue.broker.broker import Broker
from lastvalue.broker.routing.definitions import BINDING, BRANCH, EXCHANGE
from lastvalue.config.server_options import OnCorruption, OnUnsynced, ServerOptions
from lastvalue.server.event_loop import event_loop_factory
from lastvalue.server.followed_store import RestoredStore, restore_store
from lastvalue.server.invariant_checks import checks_invariants
from lastvalue.server.log_events import (
    STORE_DOUBTFUL,
    STORE_LOST,
    STORE_MISSING,
    STORE_RECOVERED,
    STORE_TORN,
    STORE_UNFINISHED,
)
from lastvalue.server.memory_and_disk import DiskRoom, disk_room
from lastvalue.store.committer import CommitSteps, Committer, Worker
from lastvalue.store.file_log import FileLog
from lastvalue.store.files import DISK, Files
from lastvalue.store.lock import StoreLock
from lastvalue.store.log_address import LogAddress
from lastvalue.store.log_settings import LogSettings, LogThread
from lastvalue.store.records import Declared
from lastvalue.store.reserve import reserve_bytes
from lastvalue.store.snapshot import check_restored
from lastvalue.store.store_contents import StoreContents, load_contents
from lastvalue.store.store_journal import StoreJournal
from lastvalue.store.store_options import StoreOptions

if TYPE_CHECKING:
    from lastvalue.cluster.stream_log import StreamLog

LEAST_SEGMENTS: Final = 16
"""How many segments fit a file system at least, so that it is not full of one that cannot be released."""

LEAST_SEGMENT_BYTES: Final = 256 << 10


class Lock(Protocol):
    """Keeps others from a store."""

    def close(self) -> None:
        """Unlock it."""


@dataclass(frozen=True)
class StoreMachine:
    """What a store needs of the machine that it is on, besides time.

    Attributes:
        files: the disk.
        lock: locks a directory, which is created where it does not exist.
        room: how much the disk of a directory may take.
        work: begins to carry out the commits of a journal.
    """

    files: Files = DISK
    lock: Callable[[Path], Lock] = StoreLock
    room: Callable[[Path], DiskRoom] = disk_room
    work: Callable[[CommitSteps], Worker] = Committer


@dataclass(frozen=True)
class StoreSettings:
    """The settings of a broker's store.

    Attributes:
        directory: created where it does not exist.
        salvage: skip damaged records and log them, instead of refusing to start.
        machine: that has the directory.
    """

    directory: Path
    options: StoreOptions = field(default_factory=StoreOptions)
    salvage: bool = False
    machine: StoreMachine = field(default_factory=StoreMachine, compare=False)


def store_from(options: ServerOptions) -> StoreSettings | LogSettings | None:
    """The store of a broker with these options; None if they name none."""
    journal = StoreOptions(
        options.sync, options.sync_interval_ms, options.segment_size, checks=checks_invariants()
    )
    place = options.store
    if isinstance(place, LogAddress):
        return LogSettings(
            place,
            journal,
            options.store_replicas,
            options.store_lease_ms,
            options.store_monitors,
            must_sync=options.store_unsynced is OnUnsynced.REFUSE,
            advertise=advertised_address(options, options.port),
            thread=partial(LogThread, event_loop_factory(options.event_loop)),
        )
    if place is None:
        return None
    return StoreSettings(place, journal, salvage=options.on_corruption is OnCorruption.SALVAGE)


def advertised_address(options: ServerOptions, port: int) -> str:
    """Where clients reach a broker that listens on this port; "" while the port is not known."""
    if options.advertise or port == 0:
        return options.advertise
    host = socket.getfqdn() if options.host in _ALL_ADDRESSES else options.host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


_ALL_ADDRESSES: Final = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not listened on


@dataclass
class OpenStore:
    """A store that this process writes.

    Attributes:
        name: its directory, or the address of its log.
        branches: prepared transactions, for `lastvalue.broker.stored_transactions`.
        files: its log where that is files.
        room: what its disk, or its log, may take; None if that is not limited.
        release: unlocks it.
        log: the stream, where it is in one.
        salvaged_bytes: how many damaged bytes were skipped when it was opened.
    """

    name: str
    journal: StoreJournal
    branches: list[Declared]
    files: FileLog | None
    room: Callable[[], DiskRoom] | None
    release: Callable[[], None]
    log: "StreamLog | None" = None
    salvaged_bytes: int = 0

    def close(self) -> None:
        """Write the rest, and unlock the store."""
        self.journal.close()
        fault = self.journal.fault
        if fault is not None:
            STORE_UNFINISHED.log(directory=self.name, cause=fault.strerror or fault)
        self.release()


def open_store(
    settings: StoreSettings | LogSettings,
    broker: Broker,
    now: int,
    progress: Callable[[int, int], None] | None = None,
) -> OpenStore:
    """Restore the store's content onto an empty broker; `progress` hears what was read, of how much.

    Messages that consumers held are available again, with one more failed delivery.

    Raises:
        StoreInUseError: another process has the store open.
        StoreError: the store is damaged, or of a later format.
        OSError: the store cannot be read or written.
    """
    began_s = time.monotonic()
    # All of it stays in memory, so collecting garbage meanwhile would only take longer than reading.
    collects = gc.isenabled()
    gc.disable()
    try:
        if isinstance(settings, LogSettings):
            store, stored = _open_log(settings, broker, now, progress)
        else:
            store, stored = _open_files(settings, broker, now, progress)
    finally:
        if collects:
            gc.enable()
    _tell(store, stored, broker, time.monotonic() - began_s)
    return store


def _open_files(
    settings: StoreSettings, broker: Broker, now: int, progress: Callable[[int, int], None] | None
) -> tuple[OpenStore, StoreContents]:
    directory, machine = settings.directory, settings.machine
    lock = machine.lock(directory)
    try:
        check_restored(directory)
        stored = load_contents(directory, salvage=settings.salvage, progress=progress, files=machine.files)
        options = fitted(settings.options, machine.room(directory).total)
        files = FileLog(directory, options, stored.tail, machine.files, machine.work)
        try:
            restored = restore_store(
                stored, broker, lambda: StoreJournal(files, options, stored.next_segment), now
            )
        except BaseException:
            files.close(None)
            raise
    except BaseException:
        lock.close()
        raise
    store = OpenStore(
        str(directory),
        restored.journal,
        restored.branches,
        files,
        lambda: machine.room(directory),
        lock.close,
        salvaged_bytes=sum(end - start for _, start, end in stored.lost),
    )
    return store, stored


def _open_log(
    settings: LogSettings, broker: Broker, now: int, progress: Callable[[int, int], None] | None
) -> tuple[OpenStore, StoreContents]:
    from lastvalue.cluster.stream_log import StreamLog  # noqa: PLC0415 - only a store in a log needs the library

    log = StreamLog(settings)
    try:
        stored = log.take_over(progress)
        restored = restore_store(
            stored, broker, lambda: StoreJournal(log, settings.options, stored.next_segment), now
        )
    except BaseException:
        log.abandon()
        raise
    for doubt in log.doubts:
        STORE_DOUBTFUL.log(directory=settings.address, cause=doubt)
    return log_store(settings, log, restored), stored


def log_store(settings: LogSettings, log: "StreamLog", restored: RestoredStore) -> OpenStore:
    """The store in a log that this process writes."""
    limit_bytes = log.limit_bytes
    return OpenStore(
        str(settings.address),
        restored.journal,
        restored.branches,
        None,
        (lambda: DiskRoom(limit_bytes, max(0, limit_bytes - log.used_bytes))) if limit_bytes else None,
        lambda: None,
        log,
    )


def _tell(store: OpenStore, stored: StoreContents, broker: Broker, seconds: float) -> None:
    """Log what was read, and what of it was not whole."""
    for path, start, end in stored.torn:
        STORE_TORN.log(segment=path, start=start, end=end)
    for path, start, end in stored.lost:
        STORE_LOST.log(segment=path, start=start, end=end)
    for path in stored.missing:
        STORE_MISSING.log(segment=path)
    counts = Counter(each.kind for each in stored.declared.values())
    queues = broker.queues()
    STORE_RECOVERED.log(
        directory=store.name,
        queues=len(queues),
        exchanges=counts[EXCHANGE],
        bindings=counts[BINDING],
        messages=sum(queue.depth for queue in queues),
        branches=counts[BRANCH],
        segments=len(stored.segments),
        records=stored.records,
        seconds=round(seconds, 3),
    )


def fitted(options: StoreOptions, volume_bytes: int) -> StoreOptions:
    """The options for a file system of that size: with a reserve, and on a small one with small segments."""
    segment_bytes = min(options.segment_bytes, max(volume_bytes // LEAST_SEGMENTS, LEAST_SEGMENT_BYTES))
    return replace(options, segment_bytes=segment_bytes, reserve_bytes=reserve_bytes(volume_bytes))
