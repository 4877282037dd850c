"""Puts the content of a store onto an empty broker, and lets the store's journal continue from there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mypy_extensions import u8

from lastvalue.broker.broker import Broker
from lastvalue.broker.history.history_base import adopt_base
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.definitions import BINDING, BRANCH, CREATOR, EXCHANGE, stored_binding
from lastvalue.broker.routing.exchange_spec import ExchangeType, exchange_from_arguments
from lastvalue.broker.stored_transactions import transaction_sequences
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.errors import BrokerError
from lastvalue.queues.claims import release_others
from lastvalue.queues.effects import EpochBegan, Tombstone
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import stored_spec
from lastvalue.server.log_events import STORE_PASSED_OVER
from lastvalue.store.records import Declared, Forgotten, StoredMessage
from lastvalue.store.store_contents import StoreContents
from lastvalue.store.store_journal import StoreJournal


@dataclass
class RestoredStore:
    """What became of a store's content.

    Attributes:
        journal: it continues; what it repeats of the content waits for its first flush.
        branches: prepared transactions, for `lastvalue.broker.stored_transactions`.
    """

    journal: StoreJournal
    branches: list[Declared]


def restore_store(
    stored: StoreContents, broker: Broker, make_journal: Callable[[], StoreJournal], now: int
) -> RestoredStore:
    """Restore the content; the journal is made and begun once the nodes are declared.

    Messages that consumers held are available again, with one more failed delivery.

    Raises:
        OSError: the journal cannot begin.
    """
    alive = declare_all(broker, [each for each in stored.declared.values() if each.kind != BRANCH], now)
    return go_on(stored, broker, alive, make_journal, now)


def go_on(
    stored: StoreContents,
    broker: Broker,
    alive: list[Declared],
    make_journal: Callable[[], StoreJournal],
    now: int,
    fill: Callable[[Queue, StoreContents, int], None] | None = None,
) -> RestoredStore:
    """Let a journal continue from a content whose nodes are declared; see `restore_store`.

    `alive` are these nodes. `fill` gives a queue, by its number, what the content has of it; None is for
    queues that are empty.
    """
    branches = [each for each in stored.declared.values() if each.kind == BRANCH]
    sequences = _held_by(branches)
    broker.definitions.drain()
    journal = make_journal()
    journal.begin()
    journal.adopt_segments(stored.segments, stored.damaged)
    journal.adopt([*alive, *branches], stored.next_number)
    for record in alive:
        if record.kind not in (EXCHANGE, BINDING):
            queue = broker.lookup(record.name).queue
            (fill or restore)(queue, stored, record.number)
            adopt_base(queue.contents)
            journal.adopt_entries(record.name, queue.entries(), queue.sequence)
            journal.adopt_ids(record.name, queue.duplicates.ids())
            tombstones = queue.contents.tombstones
            if tombstones is not None:
                journal.adopt_tombstones(record.name, tombstones)
                tombstones.begin_epoch(queue.sequence, now)
            # From here on effects are recorded as those of a live queue.
            release_others(queue, sequences.get(record.name, set()), now)
            queue.advance(now)
            hosted = broker.lookup(record.name)
            hosted.mark_restored()
            broker.count_unused(hosted, now)
    # The first turn records what follows.
    _end_unused_addresses(broker)
    return RestoredStore(journal, branches)


def _end_unused_addresses(broker: Broker) -> None:
    """Delete addresses that were made for queues of which none survived."""
    for exchange in broker.exchanges.every():
        spec = exchange.spec
        if (
            spec.type is ExchangeType.ADDRESS
            and spec.auto_delete
            and not exchange.bindings
            and not broker.alternates.is_used(spec.name)
        ):
            broker.delete_exchange(spec.name, BROKER, even_alternate=True)


def _held_by(branches: list[Declared]) -> dict[str, set[int]]:
    """By queue, the sequences of messages that prepared transactions hold."""
    by_queue: dict[str, set[int]] = {}
    for branch in branches:
        for name, sequences in transaction_sequences(branch.arguments).items():
            by_queue.setdefault(name, set()).update(sequences)
    return by_queue


def declare_all(broker: Broker, declared: Iterable[Declared], now: int) -> list[Declared]:
    """Declare all nodes, each after those that it needs; the ones that exist now."""
    # A history comes before the queue that names it, or another would be made in its place.
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
                STORE_PASSED_OVER.log(kind=record.kind, name=record.name, cause=why)
            break
        waiting = [record for record, _ in refused]
    return alive


def _declare(broker: Broker, record: Declared, now: int) -> None:
    arguments = record.arguments
    if record.kind == BINDING:
        broker.bind(arguments["exchange"], stored_binding(arguments), BROKER, now)
    elif record.kind == EXCHANGE:
        broker.declare_exchange(exchange_from_arguments(record.name, options_of(record)), BROKER)
        if CREATOR in arguments:
            broker.exchanges.restored(record.name, arguments[CREATOR])
    else:
        broker.declare(stored_spec(record.name, options_of(record)), BROKER)
        if CREATOR in arguments:
            hosted = broker.lookup(record.name)
            broker.quotas.restored(hosted, arguments[CREATOR])
            # A queue that belongs to its user is not free for others to take.
            broker.own(hosted, hosted.creator)


def options_of(record: Declared) -> dict[str, Any]:
    """The options of a queue or an exchange."""
    return {name: value for name, value in record.arguments.items() if name != CREATOR}


def restore(queue: Queue, stored: StoreContents, number: int) -> None:
    """Restore a queue's messages from the store, by the queue's number; none of them is acquired."""
    messages = stored.messages.get(number, {})
    entries = [entry_of(queue, segment, one) for _, (segment, one) in sorted(messages.items())]
    queue.restore(entries, stored.sequences.get(number, 0))
    restore_ids(queue, stored, number)
    restore_tombstones(queue, stored, number)


def restore_ids(queue: Queue, stored: StoreContents, number: int) -> None:
    """Restore the ids that a queue remembers."""
    ids = stored.ids.get(number, {})
    known_ids = [KnownId(each, sequence, durable=True) for each, (_, sequence) in ids.items()]
    queue.duplicates.restore(sorted(known_ids, key=_sequence))
    for known in queue.duplicates.ids():
        known.stored = ids[known.duplicate_id][0]
    # Not `Queue.drain`: what producers have counted is recorded again with the first drain.
    queue.contents.drain()


def restore_tombstones(queue: Queue, stored: StoreContents, number: int) -> None:
    """Restore what the queue remembers of keys without a value; a key that has one is none of them."""
    tombstones = queue.contents.tombstones
    if tombstones is None:
        return
    present: list[Tombstone] = []
    for segment, record in stored.tombstones.get(number, {}).values():
        if record.key not in queue.contents.current:
            tombstone = record.tombstone()
            tombstone.stored = segment
            present.append(tombstone)
    ends = stored.forgotten.get(number, Forgotten(number, 0, 0))
    tombstones.restore(
        sorted(present, key=_number),
        ends.number,
        ends.forgotten,
        epochs_of(stored, number),
    )


def epochs_of(stored: StoreContents, number: int) -> list[EpochBegan]:
    """The epochs of a queue, oldest first; what damage has lost cannot be told to readers, so none then."""
    epochs = {} if stored.damaged else stored.epochs.get(number, {})
    return [EpochBegan(each.epoch, each.sequence, each.number) for each in epochs.values()]


def _number(tombstone: Tombstone) -> int:
    return tombstone.number


def _sequence(known: KnownId) -> int:
    return known.sequence


def entry_of(queue: Queue, segment: int, stored: StoredMessage) -> Entry:
    """The entry of a stored message, for its queue."""
    message = read_message(stored.encoded)
    message.origin = stored.origin
    # Also where its header does not say so: a record of a history.
    message.durable = True
    entry = queue.remake(message, stored.sequence, stored.arrival_ms)
    entry.expires_ms = stored.expires_ms
    entry.updates = stored.updates
    entry.place = stored.place
    entry.delivery_count = stored.delivery_count
    entry.not_before_ms = stored.not_before_ms
    entry.stored = segment
    entry.superseded = stored.superseded
    entry.state = u8(stored.state)
    return entry
