"""Several messages at a time through a queue, where nothing about them is special.

Each loop does what the queue's commands on single messages do, and leaves to them a message that asks for
more.
"""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER, Message, MessageRun, PropertyName, size_of
from lastvalue.queues.browsers import Browsers
from lastvalue.queues.consumers import Consumers
from lastvalue.queues.contents import Contents
from lastvalue.queues.duplicates import Duplicates
from lastvalue.queues.effects import Added, Updated
from lastvalue.queues.entry import AVAILABLE, FOREVER, REMOVED, Entry
from lastvalue.queues.entry_run import EntryRun, is_plain
from lastvalue.queues.spec import LastValue, Ordering, Placement, QueueSpec, Standard
from lastvalue.queues.subscription import Mode, Subscription, wake

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

    def take(  # noqa: C901, PLR0912, PLR0915 - hot: a call for each step costs more than the step
        self, first: Message, run: MessageRun, now: i64
    ) -> Message | None:
        """Take the messages of a run from the one at which it stands; returns the first that needs more.

        None where all are taken.
        Errors from reading a message pass, and those before it are taken.
        """
        contents = self._contents
        name = self._key
        message: Message | None = first
        if contents.held_back > 0 or contents.tombstones is not None or self._duplicates.detects:
            return message
        self._browsers.park_cursor()
        available_list = contents.available_list
        consumers = self._consumers
        counts = contents.counts
        current = contents.current
        while message is not None:
            extras = message.extras
            if message.annotated or (extras is not None and (extras.expires or len(extras.duplicate_id) > 0)):
                return message
            key: bytes | None = None
            previous: Entry | None = None
            if name is not None:
                key = run.key(message, name)
                if key is None:
                    return message
                previous = current.get(key)
                if previous is not None and (previous.state != AVAILABLE or previous.lifetime_ms != FOREVER):
                    return message
            sequence: i64 = contents.sequence + 1
            contents.sequence = sequence
            contents.published += 1
            size_bytes: i64 = size_of(message)
            counts.published_bytes += size_bytes
            if message.durable:
                counts.durable_published += 1
                counts.durable_published_bytes += size_bytes
            contents.depth_bytes += len(message.encoded)
            entry = Entry(sequence, message, now, NEVER, 1)
            if key is None:
                contents.depth += 1
                contents.available += 1
                counts.keyless += 1
            elif previous is None:
                contents.depth += 1
                contents.available += 1
                counts.keys_created += 1
                entry.key = key
                current[key] = entry
            else:
                # One object per key, however many updates.
                key = previous.key
                entry.key = key
                entry.add_updates(previous)
                if key is not None:
                    current[key] = entry
                available_list.unlink(previous)
                previous.state = REMOVED
                contents.depth_bytes -= len(previous.message.encoded)
                contents.replaced += 1
                counts.remove(previous.message)
            if contents.notes_all:
                contents.note(Added(entry) if previous is None else Updated(entry, previous))
            position = available_list.add(entry)
            if position is not None:
                wake(position.subscriptions)
            if consumers.waiting:
                consumers.wake()
            message = run.next()
        return None

    def goes_on(self, reader: Subscription) -> bool:
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
            room_bytes: no more once so many bytes are exceeded.
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
        reader.at = run.after
        return run

    def _acquire(self, reader: Subscription, most: i64, room_bytes: i64) -> EntryRun | None:
        contents = self._contents
        entries: list[Entry] = []
        size_bytes: i64 = 0
        entry = contents.available_list.head
        while entry is not None and most > 0 and size_bytes < room_bytes and is_plain(entry):
            most -= 1
            size_bytes += len(entry.message.encoded)
            entries.append(entry)
            contents.hold(entry, reader.held, reader.number)
            entry = contents.available_list.head
        return EntryRun(entries, size_bytes, None) if entries else None

    def forget_runs(self) -> None:
        """The browsers that may share runs are served: the entries may change from now on."""
        if self._runs:
            self._runs = {}


def _run_from(entry: Entry | None, most: i64, room_bytes: i64) -> EntryRun | None:
    """The run that begins with an entry; None where that one is not plain, or there is no room."""
    entries: list[Entry] = []
    size_bytes: i64 = 0
    while entry is not None and most > 0 and size_bytes < room_bytes and is_plain(entry):
        most -= 1
        size_bytes += len(entry.message.encoded)
        entries.append(entry)
        entry = entry.next
    return EntryRun(entries, size_bytes, entry) if entries else None


def fast_path(
    spec: QueueSpec, contents: Contents, consumers: Consumers, browsers: Browsers, duplicates: Duplicates
) -> FastPath | None:
    """The fast path of a queue with this declaration; None where the declaration rules it out."""
    return FastPath(spec.ordering, contents, consumers, browsers, duplicates) if _is_plain(spec) else None
