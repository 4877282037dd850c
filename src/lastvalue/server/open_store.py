"""Opens a store: what it holds comes back onto a broker, and a journal goes on behind it."""

import gc
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lastvalue.broker.bindings import Binding
from lastvalue.broker.broker import Broker
from lastvalue.broker.definitions import BINDING, BRANCH, EXCHANGE
from lastvalue.broker.exchange_spec import exchange_from_arguments
from lastvalue.broker.owner import BROKER
from lastvalue.broker.stored_transactions import transaction_sequences
from lastvalue.codec.amqp10.message import read_message
from lastvalue.config.server_options import OnCorruption, ServerOptions
from lastvalue.model.errors import BrokerError
from lastvalue.queues.claims import release_others
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.store.file_journal import FileJournal, StoreOptions
from lastvalue.store.files import Files
from lastvalue.store.lock import take_lock
from lastvalue.store.records import Declared, StoredMessage
from lastvalue.store.snapshot import check_restored
from lastvalue.store.store_contents import StoreContents, load_contents

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class StoreSettings:
    """Where a broker keeps what is durable.

    Attributes:
        directory: made where it does not exist.
        files: the disk.
        salvage: pass over what is damaged and tell it in the log, instead of refusing to start.
    """

    directory: Path
    options: StoreOptions = field(default_factory=StoreOptions)
    salvage: bool = False
    files: Files = field(default_factory=Files, compare=False)


def store_from(options: ServerOptions) -> StoreSettings | None:
    """Where a broker with these options keeps what is durable; None where they name no directory."""
    if options.store is None:
        return None
    journal = StoreOptions(options.sync, options.sync_interval_ms, options.segment_size)
    return StoreSettings(options.store, journal, salvage=options.on_corruption is OnCorruption.SALVAGE)


@dataclass
class OpenStore:
    """A store that this process has to itself.

    Attributes:
        branches: transactions that are prepared, for `lastvalue.broker.stored_transactions`.
    """

    journal: FileJournal
    stored: StoreContents
    branches: list[Declared]
    _lock: int

    def close(self) -> None:
        """Write what is left and let others have it."""
        self.journal.close()
        os.close(self._lock)


def open_store(
    settings: StoreSettings, broker: Broker, now: int, progress: Callable[[int, int], None] | None = None
) -> OpenStore:
    """Put what the store holds onto a broker that has nothing yet.

    What consumers held is available again, with one more failed delivery.

    Raises:
        StoreInUseError: another process has it open.
        StoreError: it is damaged, or of a later format.
        OSError: the directory cannot be read or written.
    """
    lock = take_lock(settings.directory)
    # What is read stays: looking for garbage again and again while it grows takes longer than reading.
    collects = gc.isenabled()
    gc.disable()
    try:
        check_restored(settings.directory)
        stored = load_contents(settings.directory, salvage=settings.salvage, progress=progress)
        branches = [each for each in stored.declared.values() if each.kind == BRANCH]
        alive = _declare_all(broker, [each for each in stored.declared.values() if each.kind != BRANCH], now)
        held = _held_by(branches)
        broker.definitions.drain()
        journal = FileJournal(settings.directory, settings.options, stored.tail, settings.files)
        journal.begin()
        journal.adopt_segments(stored.segments, stored.damaged)
        journal.adopt([*alive, *branches], stored.next_number)
        for record in alive:
            if record.kind not in (EXCHANGE, BINDING):
                queue = broker.lookup(record.name).queue
                restore(queue, stored, record.number)
                journal.adopt_entries(record.name, queue.entries(), queue.sequence)
                journal.adopt_ids(record.name, queue.duplicates.ids())
                # What happens from here on is recorded as what happens to a queue that lives.
                release_others(queue, held.get(record.name, set()), now)
                queue.advance(now)
                broker.lookup(record.name).mark_restored()
    except BaseException:
        os.close(lock)
        raise
    finally:
        if collects:
            gc.enable()
    return OpenStore(journal, stored, branches, lock)


def _held_by(branches: list[Declared]) -> dict[str, set[int]]:
    """By queue, the sequences of the messages that transactions hold which wait for their end."""
    held: dict[str, set[int]] = {}
    for branch in branches:
        for name, sequences in transaction_sequences(branch.arguments).items():
            held.setdefault(name, set()).update(sequences)
    return held


def _declare_all(broker: Broker, declared: Any, now: int) -> list[Declared]:
    """Declare everything; what needs another thing first waits for it. Those that exist now."""
    # A history is there before the queue that names it: else another would be made in its place.
    waiting: list[Declared] = sorted(declared, key=lambda record: "history" in record.arguments)
    alive: list[Declared] = []
    while waiting:
        refused: list[tuple[Declared, BrokerError]] = []
        for record in waiting:
            try:
                _declare(broker, record, now)
            except BrokerError as fault:
                refused.append((record, fault))
            else:
                alive.append(record)
        if len(refused) == len(waiting):
            for record, why in refused:
                logger.error("%s %r in the store is passed over: %s", record.kind, record.name, why)
            break
        waiting = [record for record, _ in refused]
    return alive


def _declare(broker: Broker, record: Declared, now: int) -> None:
    arguments = record.arguments
    if record.kind == EXCHANGE:
        broker.declare_exchange(exchange_from_arguments(record.name, arguments), BROKER)
    elif record.kind == BINDING:
        binding = Binding(
            arguments["destination"], arguments["key"], arguments["arguments"], arguments["to_exchange"]
        )
        broker.bind(arguments["exchange"], binding, BROKER, now)
    else:
        broker.declare(spec_from_arguments(record.name, arguments), BROKER)


def restore(queue: Queue, stored: StoreContents, number: int) -> None:
    """Put what a store holds of a queue onto it, by the queue's number; what was held is held by nobody."""
    kept = stored.messages.get(number, {})
    entries = [_entry(queue, segment, one) for _, (segment, one) in sorted(kept.items())]
    ids = stored.ids.get(number, {})
    known = [KnownId(each, sequence, True) for each, (_, sequence) in ids.items()]  # noqa: FBT003 - compiled, positional
    queue.restore(entries, stored.sequences.get(number, 0), sorted(known, key=_sequence))
    for each in queue.duplicates.ids():
        each.stored = ids[each.duplicate_id][0]


def _sequence(known: KnownId) -> int:
    return known.sequence


def _entry(queue: Queue, segment: int, kept: StoredMessage) -> Entry:
    message = read_message(kept.encoded)
    message.origin = kept.origin
    entry = queue.remake(message, kept.sequence, kept.arrival_ms)
    entry.expires_ms = kept.expires_ms
    entry.updates = kept.updates
    entry.place = kept.place
    entry.delivery_count = kept.delivery_count
    entry.not_before_ms = kept.not_before_ms
    entry.stored = segment
    entry.superseded = kept.superseded
    entry.state = kept.state
    return entry
