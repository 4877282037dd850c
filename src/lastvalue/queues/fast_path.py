"""Several messages at a time through a queue, where nothing about them is special.

Each loop does what the queue's commands on single messages do, and leaves to them a message that asks for
more.
"""

from typing import Final, final

from librt.strings import write_i64_le
from mypy_extensions import i64

from lastvalue.model.message import (
    NEVER,
    NO_NUMBER,
    AlikeMessages,
    KeyPlace,
    Message,
    MessageRun,
    OrderValue,
    PropertyName,
)
from lastvalue.queues.browsers import Browsers
from lastvalue.queues.capacity import Bounds
from lastvalue.queues.consumers import Consumers
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import STALE
from lastvalue.queues.entry import AVAILABLE, FOREVER, MOST_FEW, REMOVED, Entry
from lastvalue.queues.entry_factory import EntryFactory
from lastvalue.queues.entry_run import EntryRun, is_plain
from lastvalue.queues.passing_entries import SHORTEST_MS
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.queues.subscription import BrowserPosition, Mode, Subscription, wake

CONSUME: Final = Mode.CONSUME


@final
class FastPath:
    """Takes messages as `Queue.enqueue` does, and gives entries as `Queue.next` does, several in one loop.

    It does nothing of its own: what the declaration rules out it does not ask, and it ends at a message or an
    entry that needs more than its place.

    Attributes:
        key, order_by: the properties that are a value's key and its order, or None.
    """

    __slots__ = (
        "_bounded", "_bounds", "_browsers", "_consumers", "_contents", "_deletes", "_factory", "_runs", "key",
        "order_by",
    )  # fmt: skip

    def __init__(
        self,
        spec: QueueSpec,
        contents: Contents,
        consumers: Consumers,
        browsers: Browsers,
        bounds: Bounds,
        factory: EntryFactory,
    ) -> None:
        self._contents = contents
        # Whether an empty message removes its key's value, which is no matter of its place.
        self._deletes = spec.deletes_on_empty
        self._consumers = consumers
        self._browsers = browsers
        self._bounds = bounds
        self._bounded = bounds.capacity is not None or bounds.flow is not None
        self._factory = factory
        # By the first entry: what browsers are given in one round of the broker.
        self._runs: dict[Entry, EntryRun] = {}
        self.key: PropertyName | None = None
        self.order_by: PropertyName | None = None
        ordering = spec.ordering
        if isinstance(ordering, LastValue):
            self.key = PropertyName(ordering.key)
            if ordering.order_by is not None:
                self.order_by = PropertyName(ordering.order_by)

    def take(self, first: Message, run: MessageRun, now: i64) -> Message | None:
        """Take the messages of a run from the one at which it stands; returns the first that needs more.

        None if all are taken.
        Errors from reading a message pass, and those before it are taken.
        """
        message: Message | None = first
        if self._contents.held_back > 0:
            return message
        self._browsers.park_cursor()
        name = self.key
        while message is not None:
            extras = message.extras
            if message.annotated or (extras is not None and len(extras.duplicate_id) > 0):
                return message
            if self._deletes and message.is_empty():
                return message
            expires_ms = self._factory.deadline(message, now)
            if expires_ms == now + SHORTEST_MS:
                return message
            alike = run.alike(message, name, self.order_by)
            if self._deletes:
                alike = _before_empty(alike)
            if name is None:
                taken = self._add(alike, expires_ms, now)
            else:
                taken = self._add_values(alike, message, name, expires_ms, now)
            if taken == 0:
                return message
            if taken > 1:
                run.skip(taken - 1)
            message = run.next()
        return None

    def _add(self, alike: AlikeMessages, expires_ms: i64, now: i64) -> i64:
        """Take messages of a queue without keys up to one that does not fit; returns their number."""
        contents = self._contents
        example = alike.example
        bounds = self._bounds
        bounded = self._bounded and not bounds.admit_all(alike.encodings)
        count: i64 = 0
        size_bytes: i64 = 0
        for encoded in alike.encodings:
            if bounded and not bounds.takes(len(encoded), None):
                break
            contents.sequence += 1
            entry = Entry(contents.sequence, example, now, expires_ms, 1)
            entry.encoded = encoded
            count += 1
            size_bytes += len(encoded)
            contents.depth += 1
            contents.depth_bytes += len(encoded)
            contents.available += 1
            contents.note_taken(entry, None)
            if expires_ms != NEVER:
                contents.deadlines.add(entry)
            self._show(contents.available_list.add(entry))
            if bounded:
                bounds.apply(entry, now)
        contents.counts.keyless += count
        self._count(example, count, size_bytes)
        return count

    def _show(self, position: BrowserPosition | None) -> None:
        """Wake who gets an entry next that has come."""
        if position is not None:
            wake(position.subscriptions)
        if self._consumers.waits:
            self._consumers.wake()

    def _count(self, example: Message, count: i64, size_bytes: i64) -> None:
        """Count messages like an example that were taken, whose encodings have this size together."""
        contents = self._contents
        contents.published += count
        extras = example.extras
        if extras is not None and extras.wire_bytes > 0:
            size_bytes = count * extras.wire_bytes
        contents.counts.add(count, size_bytes, example.durable)

    def _add_values(  # noqa: C901 - hot: few calls
        self, alike: AlikeMessages, first: Message, name: PropertyName, expires_ms: i64, now: i64
    ) -> i64:
        """Take values of keys up to one that needs more; returns their number."""
        contents = self._contents
        bounds = self._bounds
        bounded = self._bounded and not bounds.admit_all(alike.encodings)
        first_sequence = contents.sequence
        count: i64 = 0
        size_bytes: i64 = 0
        key: bytes | KeyPlace | None = alike.key_place or first.key(name)
        if key is None:
            return 0
        order: OrderValue | None = None
        if alike.key_place is None and self.order_by is not None:
            order = first.order(self.order_by)
        replaced = contents.recent.begin(first_sequence + 1, now)
        for encoded in alike.encodings:
            previous = self._value_of(key, encoded)
            if previous is not None:
                if previous.state != AVAILABLE or self._is_due(previous, now):
                    break
                if self.order_by is not None and self._is_older(encoded, key, order, previous):
                    contents.dismiss(
                        self._entry(alike.example, encoded, key, order, expires_ms, now), STALE, previous
                    )
                    write_i64_le(replaced, 0)
                    continue
            if bounded and not bounds.takes(len(encoded), previous):
                break
            entry: Entry | None = None
            write_i64_le(replaced, 0 if previous is None else previous.sequence)
            if previous is not None:
                self._leave(previous)
                if order is None and expires_ms == NEVER:
                    entry = self._renewed(previous, alike.example, encoded, key, now)
            if entry is None:
                entry = self._entry(alike.example, encoded, key, order, expires_ms, now)
                self._put(entry, previous)
            contents.sequence += 1
            contents.depth_bytes += len(encoded)
            count += 1
            size_bytes += len(encoded)
            self._show(contents.available_list.add(entry))
            if bounded:
                bounds.apply(entry, now)
        self._count(alike.example, count, size_bytes)
        return contents.sequence - first_sequence

    def _entry(
        self,
        example: Message,
        encoded: bytes,
        key: bytes | KeyPlace,
        order: OrderValue | None,
        expires_ms: i64,
        now: i64,
    ) -> Entry:
        """The next entry; `order` is its order value if that has no place."""
        entry = Entry(self._contents.sequence + 1, example, now, expires_ms, 1)
        entry.encoded = encoded
        entry.set_key(key)
        entry.order = order
        return entry

    def _value_of(self, key: bytes | KeyPlace, encoded: bytes) -> Entry | None:
        """The present value of a key, which may be in this encoding."""
        current = self._contents.current
        return current.get_in(encoded, key.start, key.end) if isinstance(key, KeyPlace) else current.get(key)

    def _is_due(self, entry: Entry, now: i64) -> bool:
        """Whether an entry expires now."""
        return entry.lifetime_ms != FOREVER and entry.expires_ms <= now

    def _is_older(
        self, encoded: bytes, key: bytes | KeyPlace, order: OrderValue | None, previous: Entry
    ) -> bool:
        """Whether a value is older than its key's present one; `order` is as for `_entry`."""
        at = key.order if isinstance(key, KeyPlace) else None
        if at is not None:
            present = previous.order_place
            if present is not None:
                number = at.number(encoded)
                than = present.number(previous.encoded)
                if number != NO_NUMBER and than != NO_NUMBER:
                    return number < than
            order = at.value(encoded)
        other = previous.order
        return order is not other and self._contents.counts.is_older(order, other)

    def _renewed(
        self, entry: Entry, example: Message, encoded: bytes, key: bytes | KeyPlace, now: i64
    ) -> Entry | None:
        """An entry that has left the list, as its key's next value; None if others may have it."""
        contents = self._contents
        available_list = contents.available_list
        if (
            available_list.indexed
            or available_list.placed.runs
            or entry.details is not None
            or entry.lifetime_ms != FOREVER
            or entry.few_updates >= MOST_FEW
        ):
            return None
        if contents.notes_all:
            # One that is not in the journal may be in an effect, or wait to be written.
            if not contents.notes_runs or entry.stored <= 0:
                return None
            contents.taken_run().replace(entry)
        elif entry.stored != 0:
            return None
        entry.renew(contents.sequence + 1, example, encoded, key, now)
        return entry

    def _leave(self, entry: Entry) -> None:
        """Count a value out that is replaced, and take it from the list."""
        contents = self._contents
        contents.depth_bytes -= len(entry.encoded)
        contents.replaced += 1
        contents.counts.remove(1, entry.size_bytes, entry.example.durable)
        contents.available_list.unlink(entry)

    def _put(self, entry: Entry, previous: Entry | None) -> None:
        """Make a new entry its key's value; the previous one has left the list already."""
        contents = self._contents
        contents.current.put(entry)
        if previous is None:
            contents.depth += 1
            contents.available += 1
            contents.counts.keys_created += 1
        else:
            entry.add_updates(previous)
            previous.state = REMOVED
            if previous.lifetime_ms != FOREVER:
                contents.deadlines.forget()
        contents.note_taken(entry, previous)
        if previous is None and contents.tombstones is not None and entry.key is not None:
            contents.tombstones.discard(entry.key)
        if entry.lifetime_ms != FOREVER:
            contents.deadlines.add(entry)

    def has_more(self, reader: Subscription) -> bool:
        """Whether `next` may have entries for a reader that was just given one."""
        return reader.at is not None or (
            reader.mode is CONSUME and self._contents.available_list.head is not None
        )

    def next(self, reader: Subscription, most: i64, room_bytes: i64) -> EntryRun | None:
        """The entries that `Queue.next` would give a reader after the one that it has just given; or None.

        They end before one that has a deadline or failed deliveries, or is large.
        Browsers that come to the same place are given the same run, until `forget_runs`.

        Args:
            reader: the reader.
            most: the largest number of entries.
            room_bytes: takes no more once this size is exceeded.
        """
        if reader.mode is CONSUME:
            return None if self._consumers.chooses(reader) else self._acquire(reader, most, room_bytes)
        if self._browsers.active_cursor is not reader or reader.missed is not None or reader.terms.selective:
            return None
        at = reader.at
        if at is None:
            return None
        run = self._runs.get(at)
        if run is not None and len(run.entries) <= most and run.size_bytes <= room_bytes:
            run.readers += 1
        else:
            run = _run_from(at, most, room_bytes)
            if run is None:
                return None
            self._runs[at] = run
        last = run.entries[-1]
        reader.last_rank = last.rank
        reader.last_place = last.place
        # Look up the next entry again in the next round: another browser may have expired it.
        reader.at = last.next
        return run

    def _acquire(self, reader: Subscription, most: i64, room_bytes: i64) -> EntryRun | None:
        contents = self._contents
        entries: list[Entry] = []
        size_bytes: i64 = 0
        entry = contents.available_list.head
        while entry is not None and most > 0 and size_bytes < room_bytes and is_plain(entry):
            most -= 1
            size_bytes += len(entry.encoded)
            entries.append(entry)
            contents.hold(entry, reader.held, reader.number)
            entry = contents.available_list.head
        return EntryRun(entries, size_bytes) if entries else None

    def forget_runs(self) -> None:
        """The browsers that may share runs are served: the entries may change from now on."""
        if self._runs:
            self._runs = {}


def _before_empty(alike: AlikeMessages) -> AlikeMessages:
    """Of messages that are alike, of which the first has a body, those before one that has none."""
    for place, encoded in enumerate(alike.encodings):
        if len(encoded) == alike.empty_bytes:
            return AlikeMessages(alike.example, alike.encodings[:place], alike.key_place)
    return alike


def _run_from(entry: Entry | None, most: i64, room_bytes: i64) -> EntryRun | None:
    """The run that begins with an entry; None if that one is not plain, or there is no room."""
    entries: list[Entry] = []
    size_bytes: i64 = 0
    while entry is not None and most > 0 and size_bytes < room_bytes and is_plain(entry):
        most -= 1
        size_bytes += len(entry.encoded)
        entries.append(entry)
        entry = entry.next
    return EntryRun(entries, size_bytes) if entries else None
