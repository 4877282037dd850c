"""The content of a store on a broker: of its own store at a start, or of a log that another one writes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.broker.broker import Broker
from lastvalue.broker.history.history_base import adopt_base
from lastvalue.broker.history.recorder import Recorder
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.definitions import BINDING, BRANCH, CREATOR, EXCHANGE, stored_binding
from lastvalue.broker.routing.exchange_spec import ExchangeType, exchange_from_arguments
from lastvalue.broker.stored_transactions import transaction_sequences
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import NEVER
from lastvalue.queues.claims import release_others
from lastvalue.queues.spec_arguments import stored_spec
from lastvalue.server.followed_queue import FollowedQueue
from lastvalue.server.log_events import STORE_PASSED_OVER
from lastvalue.store import records
from lastvalue.store.records import Declared, Deleted, Mark, Record, StoredMessage, Tombstoned
from lastvalue.store.store_contents import StoreContents, apply_record
from lastvalue.store.store_journal import StoreJournal

_NODES: Final = (EXCHANGE, BINDING, BRANCH)


class _Touched:
    """What a batch has changed.

    Attributes:
        nodes: the declarations and deletions, in their order.
        sequences: of the messages, by the number of their queue.
        reasons: why messages left, by queue and sequence.
        tombstones: that are new, by queue.
    """

    def __init__(self) -> None:
        self.nodes: list[Declared | Deleted] = []
        self.sequences: dict[int, set[int]] = {}
        self.reasons: dict[int, dict[int, int]] = {}
        self.tombstones: dict[int, list[Tombstoned]] = {}

    def note(self, record: Record) -> None:
        """A record of the batch."""
        if isinstance(record, StoredMessage):
            self.sequences.setdefault(record.queue, set()).add(record.sequence)
        elif isinstance(record, Mark):
            self.sequences.setdefault(record.queue, set()).add(record.sequence)
            if record.kind == records.REMOVED:
                self.reasons.setdefault(record.queue, {})[record.sequence] = record.number
        elif isinstance(record, (Declared, Deleted)):
            self.nodes.append(record)
        else:
            self.sequences.setdefault(record.queue, set())
            if isinstance(record, Tombstoned):
                self.tombstones.setdefault(record.queue, []).append(record)


@dataclass
class RestoredStore:
    """What became of a store's content.

    Attributes:
        journal: it continues; what it repeats of the content waits for its first flush.
        branches: prepared transactions, for `lastvalue.broker.stored_transactions`.
    """

    journal: StoreJournal
    branches: list[Declared]


class FollowedStore:
    """Keeps a broker as the records of a log leave it.

    The records become the content of a store as when a broker starts (`store_contents`); what of it a batch
    has changed is then brought to the broker, whose queues have readers.

    Args:
        broker: it has no nodes yet, and decides nothing itself: it has no turns until `lead`, or
            `Authorization.leader` is not None.
        empties: a message leaves the content once its queue has it, as nothing changes the content any more.

    Attributes:
        stored: the content.
    """

    def __init__(self, broker: Broker, *, empties: bool = False) -> None:
        self.stored = StoreContents()
        self._empties = empties
        self._broker = broker
        self._nodes: dict[tuple[str, str], Declared] = {}
        self._queues: dict[int, FollowedQueue] = {}

    # ------------------------------------------------------------------ following

    def begin(self, stored: StoreContents, now: int) -> None:
        """Take over a whole content, as `fill`, of which batches change parts from now on."""
        self.fill(stored, now)
        for followed in self._queues.values():
            followed.adopt()

    def fill(self, stored: StoreContents, now: int) -> None:
        """Bring the broker to a whole content; what it has from before and is not there leaves."""
        self.stored = stored
        for key, node in list(self._nodes.items()):
            present = stored.declared.get(key)
            if present is None or present.number != node.number:
                self._delete(node.kind, node.name, now)
        before = list(self._queues.items())
        self._declare(list(stored.declared.values()), now)
        for number, followed in before:
            followed.adopt()
            sequences = {*followed.following.present, *stored.messages.get(number, {})}
            tombstones = [each for _, each in stored.tombstones.get(number, {}).values()]
            followed.apply(stored, sequences, {}, sorted(tombstones, key=lambda each: each.number))
            self._broker.lookup(followed.name).mark_changed()

    def take(self, segment: int, batch: bytes, now: int) -> None:
        """Apply the next batch.

        Raises:
            RecordError: it is not valid.
        """
        touched = _Touched()
        for record in records.records(batch):
            apply_record(self.stored, record, segment)
            touched.note(record)
        self._change_nodes(touched.nodes, now)
        for number, sequences in touched.sequences.items():
            followed = self._queues.get(number)
            if followed is not None:
                reasons = touched.reasons.get(number, {})
                followed.apply(self.stored, sequences, reasons, touched.tombstones.get(number, []))
                self._broker.lookup(followed.name).mark_changed()

    # ------------------------------------------------------------------ nodes

    def _change_nodes(self, nodes: list[Declared | Deleted], now: int) -> None:
        declared: list[Declared] = []
        for node in nodes:
            if isinstance(node, Declared):
                declared.append(node)
                continue
            self._declare(declared, now)
            declared = []
            self._delete(node.kind, node.name, now)
        self._declare(declared, now)

    def _declare(self, declared: list[Declared], now: int) -> None:
        # Whatever they were before within the batch, they come as they are now.
        latest = {(node.kind, node.name): node for node in declared if node.kind != BRANCH}
        fresh: list[Declared] = []
        changed: list[Declared] = []
        for key, node in latest.items():
            before = self._nodes.get(key)
            # Not the nodes: compiled, two are equal only where they are one (decision 0002).
            if before is not None and before.arguments == node.arguments:
                continue
            if before is None or node.kind == BINDING:
                fresh.append(node)
            else:
                changed.append(node)
        for node in _declare_all(self._broker, fresh, now):
            self._nodes[node.kind, node.name] = node
            if node.kind not in _NODES:
                self._begin_queue(node)
        # Last, as they may name some that are new.
        for node in changed:
            self._change(node, now)

    def _change(self, node: Declared, now: int) -> None:
        """Change the options of a node that is there."""
        self._nodes[node.kind, node.name] = node
        try:
            if node.kind == EXCHANGE:
                self._broker.reconfigure_exchange(
                    exchange_from_arguments(node.name, options_of(node)), BROKER
                )
                return
            self._broker.reconfigure(stored_spec(node.name, options_of(node)), now, BROKER)
        except BrokerError as fault:
            STORE_PASSED_OVER.log(kind=node.kind, name=node.name, cause=fault)

    def _delete(self, kind: str, name: str, now: int) -> None:
        """Delete a node; it may have left with another one already."""
        node = self._nodes.pop((kind, name), None)
        if node is None or kind == BRANCH:
            return
        broker = self._broker
        try:
            if kind == BINDING:
                arguments = node.arguments
                # It may have left with its queue: the same follows here from that deletion.
                if broker.exchanges.get(arguments["exchange"]) is not None:
                    broker.unbind(arguments["exchange"], arguments["destination"], arguments["key"], BROKER)
            elif kind != EXCHANGE:
                self._queues.pop(node.number, None)
                broker.delete(name, now, BROKER, even_alternate=True)
            elif broker.exchanges.get(name) is not None:
                broker.delete_exchange(name, BROKER, even_alternate=True)
        except BrokerError as fault:
            STORE_PASSED_OVER.log(kind=kind, name=name, cause=fault)
        while broker.long_commands.busy:
            broker.long_commands.step(now)

    def _begin_queue(self, node: Declared) -> None:
        """Fill a queue that was just declared: it has no readers."""
        hosted = self._broker.lookup(node.name)
        # The leader writes the history.
        hosted.recorder = None
        self._queues[node.number] = FollowedQueue(
            hosted.queue, node.number, self.stored, empties=self._empties
        )
        hosted.mark_changed()

    # ------------------------------------------------------------------ leading

    def lead(self, make_journal: Callable[[], StoreJournal], now: int) -> RestoredStore:
        """Let a journal continue from the content, on the queues as they are; `leader` is None already.

        Messages that consumers of the last leader held are available again, with one more failed delivery.

        Raises:
            OSError: the journal cannot begin.
        """
        broker, stored = self._broker, self.stored
        # What the effects tell the observers, the journal has in its log.
        broker.drain(now)
        branches = [each for each in stored.declared.values() if each.kind == BRANCH]
        broker.definitions.drain()
        journal = make_journal()
        journal.begin()
        journal.adopt_segments(stored.segments, stored.damaged)
        journal.adopt([*self._nodes.values(), *branches], stored.next_number)
        held = _held_by(branches)
        for followed in self._queues.values():
            self._lead_queue(followed, journal, held.get(followed.name, set()), now)
        # The first turn records what follows.
        _end_unused_addresses(broker)
        self.stored = StoreContents()
        self._queues = {}
        return RestoredStore(journal, branches)

    def _lead_queue(self, followed: FollowedQueue, journal: StoreJournal, held: set[int], now: int) -> None:
        """Let a queue decide itself; the messages of these sequences are held by prepared transactions."""
        broker, queue, name = self._broker, followed.queue, followed.name
        entries = followed.lead(self.stored)
        hosted = broker.lookup(name)
        if queue.spec.history is not None:
            hosted.recorder = Recorder(queue, queue.spec.history)
        # As after a start, a queue that nobody uses waits for its first use.
        hosted.ownership.read = hosted.ownership.linked = bool(hosted.readers)
        hosted.end_at(NEVER)
        adopt_base(queue.contents)
        journal.adopt_entries(name, entries, queue.sequence)
        journal.adopt_ids(name, queue.duplicates.ids())
        tombstones = queue.contents.tombstones
        if tombstones is not None:
            journal.adopt_tombstones(name, tombstones)
            tombstones.begin_epoch(queue.sequence, now)
        # From here on effects are recorded as those of a live queue.
        release_others(queue, held, now)
        queue.advance(now)
        hosted.mark_restored()
        broker.count_unused(hosted, now)


def restore_store(
    stored: StoreContents, broker: Broker, make_journal: Callable[[], StoreJournal], now: int
) -> RestoredStore:
    """Put the content of a store onto an empty broker, and let a journal continue from there.

    That is to follow the records from the first to the last one, and then to lead: see `FollowedStore`.
    Messages leave the content meanwhile, so that they are not in memory twice.

    Raises:
        OSError: the journal cannot begin.
    """
    followed = FollowedStore(broker, empties=True)
    followed.fill(stored, now)
    return followed.lead(make_journal, now)


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


def _declare_all(broker: Broker, declared: Iterable[Declared], now: int) -> list[Declared]:
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
    """The options of a stored queue or exchange."""
    return {name: value for name, value in record.arguments.items() if name != CREATOR}
