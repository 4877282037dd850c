"""Several messages at a time through a queue, where nothing about them is special.

Each loop does what the queue's commands on single messages do, and leaves to them a message that asks for
more.
"""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, AlikeMessages, KeyPlace, Message, MessageRun, PropertyName
from lastvalue.queues.browsers import Browsers
from lastvalue.queues.consumers import Consumers
from lastvalue.queues.contents import Contents
from lastvalue.queues.duplicates import Duplicates
from lastvalue.queues.entry import AVAILABLE, FOREVER, MOST_FEW, REMOVED, Entry
from lastvalue.queues.entry_run import EntryRun, is_plain
from lastvalue.queues.spec import LastValue, Ordering, Placement, QueueSpec, Standard
from lastvalue.queues.subscription import BrowserPosition, Mode, Subscription, wake

CONSUME: Final = Mode.CONSUME


def _is_plain(spec: QueueSpec) -> bool:
    """Whether a declaration asks for nothing that `FastPath` leaves out."""
    ordering = spec.ordering
    expiry = spec.expiry
    if isinstance(ordering, LastValue):
        plain = (
            ordering.placement is Placement.TAIL
            and ordering.levels == 0
            and ordering.interval_ms == 0
            and ordering.order_by is None
            and not ordering.conflates
            and not ordering.keys_as_text
        )
    else:
        plain = isinstance(ordering, Standard)
    return (
        plain
        and not spec.limit.exists
        and spec.flow.stop_messages == 0
        and spec.flow.stop_bytes == 0
        and spec.grouping is None
        and expiry.maximum_ttl_ms == 0
        and expiry.default_ttl_ms == 0
        and not expiry.removes_aged
        and not spec.holds
        and not spec.filter
        and not spec.deletes_on_empty
        and spec.trace_links == 0
    )


@final
class FastPath:
    """Takes messages as `Queue.enqueue` does, and gives entries as `Queue.next` does, several in one loop.

    It does nothing of its own: what the declaration rules out it does not ask, and it ends at a message or an
    entry that needs more than its place.
    """

    __slots__ = ("_browsers", "_consumers", "_contents", "_duplicates", "_key", "_runs")

    def __init__(
        self,
        ordering: Ordering,
        contents: Contents,
        consumers: Consumers,
        browsers: Browsers,
        duplicates: Duplicates,
    ) -> None:
        self._contents = contents
        self._consumers = consumers
        self._browsers = browsers
        self._duplicates = duplicates
        # By the first entry: what browsers are given in one round of the broker.
        self._runs: dict[Entry, EntryRun] = {}
        self._key: PropertyName | None = None
        if isinstance(ordering, LastValue):
            self._key = PropertyName(ordering.key)

    def take(self, first: Message, run: MessageRun, now: i64) -> Message | None:
        """Take the messages of a run from the one at which it stands; returns the first that needs more.

        None if all are taken.
        Errors from reading a message pass, and those before it are taken.
        """
        contents = self._contents
        message: Message | None = first
        if contents.held_back > 0 or contents.tombstones is not None or self._duplicates.detects:
            return message
        self._browsers.park_cursor()
        name = self._key
        while message is not None:
            extras = message.extras
            if message.annotated or (extras is not None and (extras.expires or len(extras.duplicate_id) > 0)):
                return message
            alike = run.alike(message, name)
            taken = self._add(alike, now) if name is None else self._add_values(alike, message, name, now)
            if taken == 0:
                return message
            if taken > 1:
                run.skip(taken - 1)
            message = run.next()
        return None

    def _add(self, alike: AlikeMessages, now: i64) -> i64:
        """Take messages of a queue without keys; returns their number."""
        contents = self._contents
        example = alike.example
        count: i64 = len(alike.encodings)
        size_bytes: i64 = 0
        for encoded in alike.encodings:
            contents.sequence += 1
            entry = Entry(contents.sequence, example, now, NEVER, 1)
            entry.encoded = encoded
            size_bytes += len(encoded)
            contents.depth += 1
            contents.available += 1
            contents.note_taken(entry, None)
            self._show(contents.available_list.add(entry))
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
        contents.depth_bytes += size_bytes
        extras = example.extras
        if extras is not None and extras.wire_bytes > 0:
            size_bytes = count * extras.wire_bytes
        contents.counts.add(count, size_bytes, example.durable)

    def _add_values(self, alike: AlikeMessages, first: Message, name: PropertyName, now: i64) -> i64:
        """Take values of keys up to one that needs more; returns their number."""
        contents = self._contents
        example = alike.example
        available_list = contents.available_list
        place = alike.key_place
        current = contents.current
        count: i64 = 0
        size_bytes: i64 = 0
        for encoded in alike.encodings:
            if place is not None:
                key: bytes | KeyPlace = place
                entry = current.get_in(encoded, place.start, place.end)
            else:
                own_key = first.key(name)
                if own_key is None:
                    break
                key = own_key
                entry = current.get(own_key)
            if entry is None:
                contents.depth += 1
                contents.available += 1
                contents.counts.keys_created += 1
                entry = self._new_value(None, example, encoded, key, now)
            elif entry.state != AVAILABLE or entry.lifetime_ms != FOREVER:
                break
            else:
                contents.depth_bytes -= len(entry.encoded)
                contents.replaced += 1
                contents.counts.remove(1, entry.size_bytes, entry.example.durable)
                available_list.unlink(entry)
                if not self._renew(entry, example, encoded, key, now):
                    entry = self._new_value(entry, example, encoded, key, now)
            contents.sequence += 1
            count += 1
            size_bytes += len(encoded)
            self._show(available_list.add(entry))
        self._count(example, count, size_bytes)
        return count

    def _renew(self, entry: Entry, example: Message, encoded: bytes, key: bytes | KeyPlace, now: i64) -> bool:
        """Let an entry that has left the list be its key's next value; false where others may have it."""
        contents = self._contents
        available_list = contents.available_list
        if (
            available_list.indexed
            or available_list.placed.runs
            or entry.details is not None
            or entry.few_updates >= MOST_FEW
        ):
            return False
        if contents.notes_all:
            # One that is not in the journal may be in an effect, or wait to be written.
            if not contents.notes_runs or entry.stored <= 0:
                return False
            contents.taken_run().replace(entry)
        elif entry.stored != 0:
            return False
        entry.renew(contents.sequence + 1, example, encoded, key, now)
        return True

    def _new_value(
        self, previous: Entry | None, example: Message, encoded: bytes, key: bytes | KeyPlace, now: i64
    ) -> Entry:
        """A new entry that replaces the previous one of its key, which has left the list already."""
        contents = self._contents
        entry = Entry(contents.sequence + 1, example, now, NEVER, 1)
        entry.encoded = encoded
        entry.set_key(key)
        contents.current.put(entry)
        if previous is not None:
            entry.add_updates(previous)
            previous.state = REMOVED
        contents.note_taken(entry, previous)
        return entry

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


def fast_path(
    spec: QueueSpec, contents: Contents, consumers: Consumers, browsers: Browsers, duplicates: Duplicates
) -> FastPath | None:
    """The fast path of a queue with this declaration; None if the declaration rules it out."""
    return FastPath(spec.ordering, contents, consumers, browsers, duplicates) if _is_plain(spec) else None
