"""The content of a log that another broker writes, kept on this one's broker batch by batch."""

from collections.abc import Callable
from typing import Final

from lastvalue.broker.broker import Broker
from lastvalue.broker.history.history_base import adopt_base
from lastvalue.broker.history.recorder import Recorder
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.definitions import BINDING, BRANCH, EXCHANGE
from lastvalue.broker.routing.exchange_spec import exchange_from_arguments
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import REPLACED, Reason
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK, Entry
from lastvalue.queues.following import Following, without_deadlines
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import stored_spec
from lastvalue.server.log_events import STORE_PASSED_OVER
from lastvalue.server.restored_store import (
    RestoredStore,
    declare_all,
    entry_of,
    epochs_of,
    go_on,
    options_of,
    restore_ids,
    restore_tombstones,
)
from lastvalue.store import records
from lastvalue.store.records import Declared, Deleted, Forgotten, Mark, Record, StoredMessage, Tombstoned
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


class _Followed:
    """A queue that follows."""

    def __init__(self, hosted: HostedQueue) -> None:
        self.hosted = hosted
        self.queue = hosted.queue
        self.following: Following = hosted.queue.follow()


class FollowedStore:
    """Keeps a broker as the records of a log leave it.

    The records become the content of a store as when a broker starts (`store_contents`); what of it a batch
    has changed is then brought to the broker, whose queues have readers.

    Args:
        broker: it has no nodes yet, and decides nothing itself: `Authorization.leader` is not None.

    Attributes:
        stored: the content.
    """

    def __init__(self, broker: Broker) -> None:
        self.stored = StoreContents()
        self._broker = broker
        self._nodes: dict[tuple[str, str], Declared] = {}
        self._queues: dict[int, _Followed] = {}

    # ------------------------------------------------------------------ following

    def begin(self, stored: StoreContents, now: int) -> None:
        """Take over a whole content; what the broker has from before and is not there leaves."""
        self.stored = stored
        for key, node in list(self._nodes.items()):
            present = stored.declared.get(key)
            if present is None or present.number != node.number:
                self._delete(node.kind, node.name, now)
        self._declare(list(stored.declared.values()), now)
        for number, followed in self._queues.items():
            sequences = {*followed.following.present, *stored.messages.get(number, {})}
            tombstones = [each for _, each in stored.tombstones.get(number, {}).values()]
            self._apply(number, sequences, {}, sorted(tombstones, key=lambda each: each.number))

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
            if number in self._queues:
                reasons = touched.reasons.get(number, {})
                self._apply(number, sequences, reasons, touched.tombstones.get(number, []))

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
        for node in declare_all(self._broker, fresh, now):
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

    # ------------------------------------------------------------------ messages

    def _begin_queue(self, node: Declared) -> None:
        """Fill a queue that was just declared: it has no readers."""
        hosted = self._broker.lookup(node.name)
        # The leader writes the history.
        hosted.recorder = None
        queue, stored = hosted.queue, self.stored
        messages = stored.messages.get(node.number, {})
        entries = [_entry(queue, segment, one) for _, (segment, one) in sorted(messages.items())]
        queue.restore(entries, stored.sequences.get(node.number, 0))
        adopt_base(queue.contents)
        restore_tombstones(queue, stored, node.number)
        followed = self._queues[node.number] = _Followed(hosted)
        followed.following.adopt(queue.entries())
        hosted.mark_changed()

    def _apply(
        self, number: int, sequences: set[int], reasons: dict[int, int], tombstones: list[Tombstoned]
    ) -> None:
        """Bring the messages of these sequences to the state that the content has."""
        followed, stored = self._queues[number], self.stored
        messages = stored.messages.get(number, {})
        present = followed.following.present
        gone = {each for each in sequences if each not in messages and each in present}
        replaced = {each for each in gone if reasons.get(each, REPLACED) == REPLACED}
        following = followed.following
        following.begin()
        for sequence in sorted(gone - replaced):
            following.leave(sequence, _reason(reasons[sequence]))
        for sequence in sorted(sequences):
            located = messages.get(sequence)
            if located is None:
                continue
            entry = present.get(sequence)
            segment, one = located
            if entry is None:
                following.arrive(_entry(followed.queue, segment, one), replaced)
            else:
                self._change_entry(followed, entry, one, replaced)
        for sequence in sorted(replaced):
            following.leave(sequence, REPLACED)
        following.end(stored.sequences.get(number, 0))
        ends = stored.forgotten.get(number, Forgotten(number, 0, 0))
        noted = [each.tombstone() for each in tombstones]
        following.remember(noted, ends.number, ends.forgotten, epochs_of(stored, number))
        followed.hosted.mark_changed()

    def _change_entry(
        self, followed: _Followed, entry: Entry, stored: StoredMessage, replaced: set[int]
    ) -> None:
        following = followed.following
        if stored.superseded and not entry.superseded:
            following.supersede(entry)
        message = None
        if stored.encoded != entry.encoded:
            message = read_message(stored.encoded)
            message.origin = stored.origin
            message.durable = True
        if entry.state == HELD_BACK and stored.state != HELD_BACK:
            entry.not_before_ms = stored.not_before_ms
            following.show_due(entry, stored.updates, replaced)
        if entry.state in (AVAILABLE, ACQUIRED):
            following.change(entry, stored.state, stored.delivery_count, message)

    # ------------------------------------------------------------------ leading

    def lead(self, make_journal: Callable[[], StoreJournal], now: int) -> RestoredStore:
        """Let a journal continue from the content, on the queues as they are; `leader` is None already.

        Messages that consumers of the last leader held are available again, with one more failed delivery.

        Raises:
            OSError: the journal cannot begin.
        """
        # What the effects tell the observers, the journal has in its log.
        self._broker.drain(now)
        alive = list(self._nodes.values())
        restored = go_on(self.stored, self._broker, alive, make_journal, now, self._lead_queue)
        self.stored = StoreContents()
        self._queues = {}
        return restored

    def _lead_queue(self, queue: Queue, stored: StoreContents, number: int) -> None:
        followed = self._queues[number]
        messages = stored.messages.get(number, {})
        for sequence, entry in followed.following.present.items():
            entry.stored = messages[sequence][0]
        followed.following.lead(
            {each: (one.expires_ms, one.not_before_ms) for each, (_, one) in messages.items()}
        )
        restore_ids(queue, stored, number)
        tombstones = queue.contents.tombstones
        if tombstones is not None:
            located = stored.tombstones.get(number, {})
            for tombstone in tombstones.all():
                if tombstone.key in located:
                    tombstone.stored = located[tombstone.key][0]
        hosted = followed.hosted
        if queue.spec.history is not None:
            hosted.recorder = Recorder(queue, queue.spec.history)
        # As after a start, a queue that nobody uses waits for its first use.
        hosted.ownership.read = hosted.ownership.linked = bool(hosted.readers)
        hosted.end_at(NEVER)


def _entry(queue: Queue, segment: int, stored: StoredMessage) -> Entry:
    return without_deadlines(entry_of(queue, segment, stored))


def _reason(number: int) -> Reason:
    return Reason(number) if number in Reason.__members__.values() else Reason.PURGED
