"""A store as a broker would have left it at a moment: a snapshot, with what histories say of their queues."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lastvalue.broker.broker import Broker
from lastvalue.broker.histories import default_history
from lastvalue.broker.routing.definitions import BINDING, BRANCH, CREATOR, QUEUE
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_to_arguments, stored_spec
from lastvalue.server.followed_store import options_of
from lastvalue.server.open_store import StoreSettings, open_store
from lastvalue.store.compaction import write_contents
from lastvalue.store.records import Declared, StoredMessage
from lastvalue.store.segments import StoreError
from lastvalue.store.store_contents import StoreContents, load_contents
from lastvalue.store.store_journal import StoreJournal

_BEFORE_EVERYTHING: Final = 0


@dataclass(frozen=True, slots=True)
class QueueAtTime:
    """A durable queue at the moment.

    Attributes:
        messages: of it, in the order of their sequences; their `queue` is of no meaning.
        last_sequence: the highest that it has ever given, so that none is given twice.
    """

    spec: QueueSpec
    messages: list[StoredMessage]
    last_sequence: int


@dataclass(frozen=True, slots=True)
class PointInTime:
    """What differs from the snapshot.

    Attributes:
        queues: those that histories know; None is one that did not exist.
        landed: by the name of a history the offset of the last record read of it; it continues there.
    """

    queues: Mapping[str, QueueAtTime | None]
    landed: Mapping[str, int] = field(default_factory=dict)


def stored_queues(directory: Path) -> dict[str, QueueSpec]:
    """The queues of a store that nobody has open.

    Raises:
        StoreError: it is damaged, or has a later format.
    """
    return {
        each.name: stored_spec(each.name, options_of(each))
        for each in load_contents(directory, salvage=False).declared.values()
        if each.kind == QUEUE
    }


def write_point_in_time(snapshot: Path, directory: Path, point: PointInTime, now_ms: int) -> int:
    """Write a store into an empty directory; returns how many prepared transactions were left out.

    Queues with a history start it over at `now_ms`, with what they hold.

    Args:
        snapshot: the files of a snapshot; they are cut off at their ends.
        directory: for the store.
        point: what differs from the snapshot.
        now_ms: the time of the first records of histories.

    Raises:
        StoreError: the snapshot is damaged or has a later format, or a queue names one that is not there.
        OSError: the directory cannot be written.
    """
    stored = load_contents(snapshot, salvage=False)
    branches = [each for each in stored.declared if each[0] == BRANCH]
    for each in branches:
        del stored.declared[each]
    for name, queue in point.queues.items():
        if queue is None:
            _drop(stored, name)
        else:
            _put(stored, name, queue)
    recorded = _empty_histories(stored, point.landed)
    # Watches that continue after a position would miss what differs.
    stored.epochs.clear()
    write_contents(stored, directory)
    there = [queue.spec for queue in point.queues.values() if queue is not None]
    _begin_histories(directory, there, recorded, now_ms)
    return len(branches)


def _drop(stored: StoreContents, name: str) -> None:
    declared = stored.declared.pop((QUEUE, name), None)
    if declared is not None:
        stored.messages.pop(declared.number, None)
        stored.ids.pop(declared.number, None)
        stored.sequences.pop(declared.number, None)
    for key in [key for key, each in stored.declared.items() if _is_to(each, name)]:
        del stored.declared[key]


def _is_to(declared: Declared, queue: str) -> bool:
    arguments = declared.arguments
    return declared.kind == BINDING and not arguments["to_exchange"] and arguments["destination"] == queue


def _put(stored: StoreContents, name: str, queue: QueueAtTime) -> None:
    number = _declare(stored, name, spec_to_arguments(queue.spec))
    for message in queue.messages:
        message.queue = number
    stored.messages[number] = {message.sequence: (0, message) for message in queue.messages}
    stored.sequences[number] = max(stored.sequences.get(number, 0), queue.last_sequence)


def _declare(stored: StoreContents, name: str, arguments: Mapping[str, object]) -> int:
    """Declare a queue, or change its options; returns its number."""
    present = stored.declared.get((QUEUE, name))
    if present is None:
        number, stored.next_number = stored.next_number, stored.next_number + 1
    else:
        number = present.number
        if CREATOR in present.arguments:
            arguments = {**arguments, CREATOR: present.arguments[CREATOR]}
    stored.declared[QUEUE, name] = Declared(number, QUEUE, name, dict(arguments))
    return number


def _empty_histories(stored: StoreContents, landed: Mapping[str, int]) -> list[str]:
    """Leave out the records of histories; returns the queues that have one."""
    specs = {
        each.name: stored_spec(each.name, options_of(each))
        for each in stored.declared.values()
        if each.kind == QUEUE
    }
    recorded = []
    for each in list(specs.values()):
        if each.history is not None:
            spec = specs.get(each.history) or default_history(each, each.history)
            number = _declare(stored, each.history, spec_to_arguments(spec))
            stored.messages.pop(number, None)
            stored.sequences[number] = max(stored.sequences.get(number, 0), landed.get(each.history, 0))
            recorded.append(each.name)
    return recorded


def _begin_histories(directory: Path, there: list[QueueSpec], recorded: list[str], now_ms: int) -> None:
    """Let a broker that has no peers begin the histories; nothing expires meanwhile."""
    broker = Broker()
    store = open_store(StoreSettings(directory), broker, _BEFORE_EVERYTHING)
    try:
        for spec in there:
            if not broker.has_queue(spec.name):
                raise StoreError(
                    f"queue {spec.name!r} cannot be declared: one that it names is not in "
                    "the snapshot; take the queue from the snapshot, or restore a later one"
                )
        for name in recorded:
            broker.record_anew(name, now_ms)
        _record(broker, store.journal, now_ms)
    finally:
        store.close()


def _record(broker: Broker, journal: StoreJournal, now_ms: int) -> None:
    effects = broker.drain(now_ms)
    position = 0
    for definition in broker.definitions.drain():
        position = journal.define(definition.kind, definition.name, definition.arguments)
    for queue, some in effects:
        position = journal.append(queue, some)
    while journal.flushed < position and journal.fault is None:
        written = threading.Event()
        journal.flush(written.set)
        if journal.flushed < position:
            written.wait(1)
    if journal.fault is not None:
        raise journal.fault
