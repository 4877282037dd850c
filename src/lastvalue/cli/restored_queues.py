"""What `lastvalue snapshot restore --as-of` makes of each queue: what its history says, or the snapshot."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, Final

from lastvalue.cli.exits import CommandFailedError, UsageError
from lastvalue.cli.progress import show_progress
from lastvalue.history.data_files import GAPS
from lastvalue.history.errors import HistoryUnavailableError
from lastvalue.history.moment import QueuedMessage
from lastvalue.history.recorded_history import RecordedHistory, read_history
from lastvalue.history.records import DUE, WITH_CONTENT
from lastvalue.history.times import print_time
from lastvalue.model.message import AT_ONCE, NEVER
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK
from lastvalue.queues.spec import LastValue, Placement, QueueSpec
from lastvalue.server.point_in_time import PointInTime, QueueAtTime, stored_queues, write_point_in_time
from lastvalue.store.records import StoredMessage
from lastvalue.store.segments import SUFFIX
from lastvalue.store.snapshot import restoring
from lastvalue.store.snapshot_places import below, restore_from, snapshot_at, snapshots_at

if TYPE_CHECKING:
    from lastvalue.history.tables import HistoryTables
    from lastvalue.store.object_address import ObjectAddress
    from lastvalue.store.snapshot import SnapshotSummary

FROM_HISTORY: Final = "history"
FROM_SNAPSHOT: Final = "snapshot"
LEFT_OUT: Final = "left out"
STARTED_OVER: Final = "starts over"


@dataclass(frozen=True, slots=True)
class RestoredQueue:
    """What became of a queue: where its messages are from, and of which time."""

    name: str
    source: str
    as_of_ms: int
    messages: int | None = None
    note: str = ""

    def document(self) -> dict[str, Any]:
        """As the command prints it."""
        return {
            "queue": self.name,
            "from": self.source,
            "as_of_ms": self.as_of_ms,
            "messages": self.messages,
            "note": self.note,
        }


def last_before(place: "Path | ObjectAddress", time_ms: int) -> "tuple[Path | ObjectAddress, int]":
    """The snapshot to begin with, which a place is or has, and when it was taken.

    Raises:
        CommandFailedError: there is none.
        StoreError, OSError: the place cannot be read.
    """
    alone = snapshot_at(place)
    if alone is not None:
        _check(alone, time_ms)
        return place, alone.taken_ms
    found = [each for each in snapshots_at(place) if not each.fault]
    before = [each for each in found if each.taken_ms <= time_ms]
    if not before:
        first = f"; the first is of {print_time(found[0].taken_ms)}" if found else ""
        raise CommandFailedError(f"{place} has no snapshot that was taken by {print_time(time_ms)}{first}")
    return below(place, before[-1].name), before[-1].taken_ms


def _check(snapshot: "SnapshotSummary", time_ms: int) -> None:
    if snapshot.fault:
        raise CommandFailedError(snapshot.fault)
    if snapshot.taken_ms > time_ms:
        raise CommandFailedError(
            f"snapshot {snapshot.name} was taken at {print_time(snapshot.taken_ms)}, which is after "
            f"{print_time(time_ms)}; name an earlier one, or the place of all of them"
        )


def restore_as_of(
    snapshot: "Path | ObjectAddress", store: Path, histories: "Histories", now_ms: int
) -> tuple[list[RestoredQueue], int]:
    """Make the store; returns what became of each queue, and how many transactions were left out.

    Raises:
        HistoryUnavailableError: a history does not say what its queue held.
        HistoryTablesError: the tables cannot be read.
        StoreError: the snapshot cannot be read.
        OSError: a file cannot be read or written.
    """
    with restoring(store):
        try:
            return _restore_as_of(snapshot, store, histories, now_ms)
        except Exception:
            # Only what was cut off leaves the directory unusable.
            for path in store.iterdir():
                rmtree(path) if path.is_dir() else path.unlink()
            raise


def _restore_as_of(
    snapshot: "Path | ObjectAddress", store: Path, histories: "Histories", now_ms: int
) -> tuple[list[RestoredQueue], int]:
    copied, made = store / "snapshot", store / "made"
    with show_progress("copying the snapshot", "bytes") as progress:
        restore_from(snapshot, copied, progress)
    with show_progress("reading histories", "queues") as progress:
        point, queues = histories.point(stored_queues(copied), progress)
    made.mkdir(mode=0o700)
    begin_ms = max([now_ms, *histories.landed_ms.values()])
    transactions = write_point_in_time(copied, made, point, begin_ms)
    rmtree(copied)
    for path in made.iterdir():
        # The reserve is made again by the broker; the lock was this process's.
        if path.suffix == SUFFIX:
            path.rename(store / path.name)
    rmtree(made)
    return queues, transactions


class Histories:
    """Asks the tables about queues.

    Attributes:
        landed_ms: by history the time of its last record.
    """

    def __init__(
        self, tables: "HistoryTables", location: str, time_ms: int, taken_ms: int, kept: frozenset[str]
    ) -> None:
        self.landed_ms: dict[str, int] = {}
        self._tables = tables
        self._location = location
        self._time_ms = time_ms
        self._taken_ms = taken_ms
        self._kept = kept

    def point(
        self, specs: dict[str, QueueSpec], progress: Callable[[int, int], None]
    ) -> "tuple[PointInTime, list[RestoredQueue]]":
        """What the histories say, and what becomes of each queue."""
        landed = set(self._queues_in_tables())
        names = sorted(specs.keys() | landed)
        if unknown := self._kept - specs.keys():
            raise UsageError(f"--from-snapshot {min(unknown)}: the snapshot has no such queue")
        offsets = {}
        for history in self._tables.histories:
            position = self._tables.landed(history)
            if position is not None:
                offsets[history] = position.offset
                self.landed_ms[history] = position.time_ms
        states: dict[str, QueueAtTime | None] = {}
        restored: list[RestoredQueue] = []
        histories = {*self._tables.histories, *(each.history for each in specs.values())}
        for number, name in enumerate(names, 1):
            spec = specs.get(name)
            if name in histories:
                restored.append(RestoredQueue(name, STARTED_OVER, self._time_ms))
            elif name in self._kept or (spec is not None and spec.history is None and name not in landed):
                restored.append(self._as_in_snapshot(name, "" if name in self._kept else "has no history"))
            else:
                state, became = self._from_history(name, spec)
                restored.append(became)
                if became.source != FROM_SNAPSHOT:
                    states[name] = state
            progress(number, len(names))
        made = {each.spec.history for each in states.values() if each is not None and each.spec.history}
        restored += [
            RestoredQueue(name, STARTED_OVER, self._time_ms) for name in sorted(made.difference(names))
        ]
        return PointInTime(states, offsets), restored

    def _queues_in_tables(self) -> set[str]:
        return {file.queue for file in self._tables.files if file.kind != GAPS}

    def _as_in_snapshot(self, name: str, note: str) -> RestoredQueue:
        return RestoredQueue(name, FROM_SNAPSHOT, self._taken_ms, None, note)

    def _from_history(self, name: str, spec: QueueSpec | None) -> "tuple[QueueAtTime | None, RestoredQueue]":
        try:
            recorded = asyncio.run(read_history(name, tables=self._location))
            known_ms = min(self._time_ms, recorded.known_to_ms)
            began_later = not recorded.records or recorded.records[0].time_ms > known_ms
            if began_later and spec is not None and spec.history is None:
                return None, self._as_in_snapshot(name, "had no history yet")
            if began_later and spec is None:
                return None, RestoredQueue(name, LEFT_OUT, known_ms, None, "did not exist, or had no history")
            return _at_time(name, recorded, known_ms, self._time_ms)
        except HistoryUnavailableError as fault:
            if spec is None:
                return None, RestoredQueue(name, LEFT_OUT, self._time_ms, None, str(fault))
            raise HistoryUnavailableError(
                f"{fault}; --from-snapshot {name} restores it as it was in the snapshot"
            ) from None


def _at_time(
    name: str, recorded: RecordedHistory, known_ms: int, asked_ms: int
) -> "tuple[QueueAtTime | None, RestoredQueue]":

    moment = recorded.as_of(known_ms)
    spec = moment.spec
    if not moment.exists or spec is None:
        return None, RestoredQueue(name, LEFT_OUT, known_ms, None, "did not exist")
    if not spec.durable:
        return None, RestoredQueue(name, LEFT_OUT, known_ms, None, "is not durable")
    messages = [each for _, each in sorted(moment.present.items()) if each.record.durable]
    last = _last_values(recorded, known_ms, spec)
    stored = [_stored(name, each, last) for each in messages]
    lost = len(moment.present) - len(messages)
    notes = [f"{lost} messages were not durable"] if lost else []
    if known_ms < asked_ms:
        notes.append("its records end there")
    highest = max((each.sequence or 0 for each in recorded.records), default=0)
    became = RestoredQueue(name, FROM_HISTORY, known_ms, len(stored), "; ".join(notes))
    return QueueAtTime(spec, stored, highest), became


def _last_values(recorded: RecordedHistory, time_ms: int, spec: QueueSpec) -> dict[str | None, int]:
    """By key the sequence of the last message that came to be available, if an older one may stay beside it.

    One that waited for its time comes when it is due, also after one of a higher sequence.
    Messages without a key are of one key if the queue conflates them.
    """
    ordering = spec.ordering
    if not isinstance(ordering, LastValue) or ordering.placement is Placement.TAIL:
        return {}
    last: dict[str | None, int] = {}
    for record in recorded.records:
        came = record.effect == DUE or (record.effect in WITH_CONTENT and not record.waits)
        if came and record.time_ms <= time_ms:
            last[record.key] = record.sequence or 0
    if not ordering.keyless:
        last.pop(None, None)
    return last


def _stored(queue: str, queued: QueuedMessage, last: dict[str | None, int]) -> StoredMessage:
    record = queued.record
    if not record.message or record.sequence is None:
        raise HistoryUnavailableError(
            f"message {record.sequence} of {queue!r} is in its history without its content; "
            f"--from-snapshot {queue} restores it as it was in the snapshot"
        )
    stored = StoredMessage(0, record.sequence, record.message)
    stored.arrival_ms = record.arrival_ms or 0
    stored.expires_ms = NEVER if queued.expires_ms is None else queued.expires_ms
    stored.not_before_ms = AT_ONCE if record.not_before_ms is None else record.not_before_ms
    stored.place = record.sequence if record.place is None else record.place
    stored.updates = queued.updates
    stored.delivery_count = queued.delivery_count
    stored.state = ACQUIRED if queued.holder is not None else HELD_BACK if queued.waits else AVAILABLE
    stored.superseded = not queued.waits and last.get(record.key, record.sequence) != record.sequence
    return stored
