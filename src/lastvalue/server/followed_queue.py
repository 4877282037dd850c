"""A queue whose content is that of a store: filled from it, kept by its records, and let go to lead."""

from typing import final

from mypy_extensions import u8

from lastvalue.broker.history.history_base import adopt_base
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.message_shape import MessageShape, ShapeLearner
from lastvalue.model.message import NEVER, Message, PropertyName
from lastvalue.queues.effects import REPLACED, EpochBegan, Reason, Tombstone
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK, Entry
from lastvalue.queues.following import Following, without_deadlines
from lastvalue.queues.ids import KnownId
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue
from lastvalue.store.records import Forgotten, StoredMessage, Tombstoned
from lastvalue.store.store_contents import StoreContents


class FollowedQueue:
    """A queue that has what a store's content has of it, from its declaration until it leads.

    Args:
        queue: just declared; it is filled.
        number: of the queue in the content.
        stored: the content.
        empties: a message leaves the content once the queue has it, unless it has a time, which `lead` reads.

    Attributes:
        name: of the queue.
        queue: the queue.
        following: how it is changed.
    """

    def __init__(self, queue: Queue, number: int, stored: StoreContents, *, empties: bool = False) -> None:
        self.name = queue.spec.name
        self.queue = queue
        self._number = number
        self._alike = _AlikeEntries(queue)
        messages = stored.messages.get(number, {})
        entries: list[Entry] = []
        for sequence in sorted(messages):
            segment, one = messages[sequence]
            entry = self._entry(segment, one)
            entries.append(entry)
            if empties and one.expires_ms == NEVER and entry.state != HELD_BACK:
                del messages[sequence]
        queue.restore(entries, stored.sequences.get(number, 0))
        adopt_base(queue.contents)
        _restore_tombstones(queue, stored, number)
        self.following: Following = queue.follow()

    def _entry(self, segment: int, stored: StoredMessage) -> Entry:
        """The entry of a stored message, for its queue, as one that follows has it."""
        message = read_message(stored.encoded)
        message.origin = stored.origin
        # Also where its header does not say so: a record of a history.
        message.durable = True
        entry = self.queue.remake(message, stored.sequence, stored.arrival_ms)
        self._alike.join(entry, message)
        entry.state = u8(stored.state)
        entry.updates = stored.updates
        entry.place = stored.place
        entry.delivery_count = stored.delivery_count
        entry.not_before_ms = stored.not_before_ms
        entry.stored = segment
        entry.superseded = stored.superseded
        return without_deadlines(entry)

    def adopt(self) -> None:
        """Get ready for changes, which takes a time by the depth; else the first `apply` does."""
        if not self.following.present:
            self.following.adopt(self.queue.entries())

    def apply(
        self,
        stored: StoreContents,
        sequences: set[int],
        reasons: dict[int, int],
        tombstones: list[Tombstoned],
    ) -> None:
        """Bring the messages of these sequences to the state that the content has.

        Args:
            stored: the content.
            sequences: of the messages.
            reasons: why messages have left, by sequence; a newer value has replaced the others.
            tombstones: that are new.
        """
        self.adopt()
        messages = stored.messages.get(self._number, {})
        following = self.following
        present = following.present
        gone = {each for each in sequences if each not in messages and each in present}
        replaced = {each for each in gone if reasons.get(each, REPLACED) == REPLACED}
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
                following.arrive(self._entry(segment, one), replaced)
            else:
                self._change_entry(entry, one, replaced)
        for sequence in sorted(replaced):
            following.leave(sequence, REPLACED)
        following.end(stored.sequences.get(self._number, 0))
        ends = stored.forgotten.get(self._number, Forgotten(self._number, 0, 0))
        noted = [each.tombstone() for each in tombstones]
        following.remember(noted, ends.number, ends.forgotten, _epochs(stored, self._number))

    def _change_entry(self, entry: Entry, stored: StoredMessage, replaced: set[int]) -> None:
        following = self.following
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

    def lead(self, stored: StoreContents) -> list[Entry]:
        """Let the queue decide itself from now on, with the times and the ids that the content has.

        Returns its entries.
        """
        messages = stored.messages.get(self._number, {})
        entries = self.queue.entries()
        timed: list[Entry] = []
        for entry in entries:
            known = messages.get(entry.sequence)
            if known is None:
                continue
            entry.stored, one = known
            if one.expires_ms != NEVER or entry.state == HELD_BACK:
                entry.expires_ms = one.expires_ms
                entry.not_before_ms = one.not_before_ms
                timed.append(entry)
        self.following.lead(timed)
        _restore_ids(self.queue, stored, self._number)
        tombstones = self.queue.contents.tombstones
        if tombstones is not None:
            located = stored.tombstones.get(self._number, {})
            for tombstone in tombstones.all():
                if tombstone.key in located:
                    tombstone.stored = located[tombstone.key][0]
        return entries


@final
class _AlikeEntries:
    """Lets entries whose messages are alike share an example, and find their keys in their encodings.

    So they take as much memory as if the messages had come together.
    """

    __slots__ = ("_example", "_key", "_learner", "_shape")

    def __init__(self, queue: Queue) -> None:
        ordering = queue.spec.ordering
        self._key: PropertyName | None = None
        if isinstance(ordering, LastValue) and ordering.order_by is None:
            self._key = PropertyName(ordering.key)
        self._learner = ShapeLearner()
        self._shape: MessageShape | None = None
        self._example: Message | None = None

    def join(self, entry: Entry, message: EncodedMessage) -> None:
        """Let an entry share what it can with the one before; it is that of the message."""
        shape = self._learner.shape_of(message)
        if shape is None:
            return
        example = self._example
        if example is None or shape is not self._shape or example.extras is not message.extras:
            self._shape = shape
            example = self._example = shape.example(message)
        entry.example = example
        place = None if self._key is None else shape.key_place(self._key)
        # A queue may make another key of what the message says.
        if place is not None and message.encoded[place.start : place.end] == entry.key:
            entry.set_key(place)


def _restore_ids(queue: Queue, stored: StoreContents, number: int) -> None:
    """Restore the ids that a queue remembers."""
    ids = stored.ids.get(number, {})
    known_ids = [KnownId(each, sequence, durable=True) for each, (_, sequence) in ids.items()]
    queue.duplicates.restore(sorted(known_ids, key=_sequence))
    for known in queue.duplicates.ids():
        known.stored = ids[known.duplicate_id][0]
    # Not `Queue.drain`: what producers have counted is recorded again with the first drain.
    queue.contents.drain()


def _restore_tombstones(queue: Queue, stored: StoreContents, number: int) -> None:
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
        _epochs(stored, number),
    )


def _epochs(stored: StoreContents, number: int) -> list[EpochBegan]:
    """The epochs of a queue, oldest first; none if damage has lost some, as readers cannot hear of those."""
    epochs = {} if stored.damaged else stored.epochs.get(number, {})
    return [EpochBegan(each.epoch, each.sequence, each.number) for each in epochs.values()]


def _number(tombstone: Tombstone) -> int:
    return tombstone.number


def _sequence(known: KnownId) -> int:
    return known.sequence


def _reason(number: int) -> Reason:
    return Reason(number) if number in Reason.__members__.values() else Reason.PURGED
