"""What changed in a queue, in an order by which a reader can continue."""

from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from heapq import heappop, heappush
from operator import attrgetter
from typing import Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.broker.canonical_keys import key_text
from lastvalue.broker.turn_time import COSTLY, LARGE_BYTES, WATCHED, TurnTime
from lastvalue.broker.watches.conflated_values import ConflatedValues
from lastvalue.broker.watches.key_index import LOOK_BYTES, KeyIndex
from lastvalue.broker.watches.key_pattern import KeyPattern
from lastvalue.broker.watches.update_log import UpdateLog
from lastvalue.model.composite_key import composite_key_of, names_of_key
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import MessageFilter, PropertyName, selects
from lastvalue.queues.effects import Tombstone
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.subscription import Subscription, scan_cost
from lastvalue.queues.tombstones import Tombstones

Change: TypeAlias = Entry | Tombstone

SCAN_KEYS: Final = 2000
"""How many keys, or messages, one call looks at."""

_FOLDED_LOOKS: Final = 4
"""As how many looks a message counts, or a part of a large one, of which a policy makes a value."""


class Feed:
    """What changed in a queue, as far as it concerns one reader, one change after the other.

    Args:
        number: the last tombstone that the reader needs no more.
        aside: it finds the entries by itself, so the reader's subscription is shown none.
        values: those that it makes for the reader; None if it gives entries of the queue.

    Attributes:
        number: the last tombstone that was given.
        is_lost: a tombstone was forgotten before it was given.
    """

    def __init__(self, number: int, aside: bool = False, values: ConflatedValues | None = None) -> None:
        self.number = number
        self.aside = aside
        self.values = values
        self.is_lost = False

    @abstractmethod
    def next(self, subscription: Subscription, now: i64) -> Change | None:
        """The next change; None if there is none now, or with `scans_on` after many looks."""
        raise NotImplementedError

    def take_updates(self, time: TurnTime) -> bool:
        """Work on the updates that it got; returns whether they are done, or else the time is spent."""
        del time
        return True

    def close(self) -> None:
        """End it."""
        if self.values is not None:
            self.values.clear()


@final
class QueueFeed(Feed):
    """All that changes in a queue; removals only if the reader asked for them."""

    def __init__(self, queue: Queue, tombstones: Tombstones, number: int, tells_removals: bool) -> None:
        super().__init__(number)
        self._queue = queue
        self._tombstones = tombstones
        self._tells_removals = tells_removals

    def next(self, subscription: Subscription, now: i64) -> Change | None:
        """See Feed."""
        if self._tells_removals:
            tombstone = self._tombstones.after(self.number)
            if self.number < self._tombstones.forgotten:
                self.is_lost = True
                return None
            if tombstone is not None:
                self.number = int(tombstone.number)
                return tombstone
        self.number = max(self.number, int(self._tombstones.number))
        return self._queue.next(subscription, now)


@final
class KeyFeed(Feed):
    """What changes of certain keys of a queue; the others cost nothing but the first look.

    After it, the feed finds all keys that have changed up to one moment, gives what became of them, and looks
    again: so what it keeps is bounded, and a token tells how far it is. A key that changes meanwhile is left
    to the next look.
    """

    def __init__(
        self,
        queue: Queue,
        tombstones: Tombstones,
        index: KeyIndex,
        pattern: KeyPattern,
        tells_removals: bool,
        wake: Callable[[], None],
    ) -> None:
        super().__init__(int(tombstones.number), aside=True)
        self._queue = queue
        self._tombstones = tombstones
        self._index = index
        self._pattern = pattern
        self._tells_removals = tells_removals
        self._after = (0, 0)
        self._looks: i64 = 0
        self._found: list[Change] = []
        self._unseen: list[bytes] = []
        # The keys that had a tombstone when it began, until all were looked at.
        self._removed: set[bytes] = set()
        # What the present look has found and not yet given, and the last tombstone when it began.
        self._changed: OrderedDict[bytes, None] = OrderedDict()
        self._last_number = self.number
        # A heap of those without a value, by their tombstones' numbers.
        self._removals: list[tuple[int, bytes]] = []
        self._reader = index.join(pattern, wake)

    def begin(self, sequence: int, number: int) -> None:
        """Give what changed after this sequence, and after this tombstone."""
        self.number = number
        self._after = (sequence, number)
        keys = self._pattern.keys
        removed: list[bytes] = []
        if self._tells_removals:
            removed = [each.key for each in self._tombstones.all() if each.number > number]
        self._removed = set(removed)
        if keys is not None:
            self._unseen = list(keys)
            return
        present = [entry.key for entry in self._queue.contents.current.entries() if entry.key is not None]
        self._unseen = present + removed

    def next(self, subscription: Subscription, now: i64) -> Change | None:
        """See Feed."""
        self._looks = SCAN_KEYS
        if self._unseen:
            self._look(now)
        reader = self._reader
        while not self.is_lost:
            if not reader.done:
                self._find()
            if self._unseen or not reader.done or self._looks <= 0:
                subscription.scans_on = True
                return None
            change: Change | None = self._next_removal()
            if change is None and not self.is_lost:
                change = self._next_value(now)
            if change is not None:
                return change
            if self._changed or self.is_lost:
                continue
            if not reader.begin():
                return None
            self._last_number = int(self._tombstones.number)
        return None

    def _find(self) -> None:
        """Find some of the keys that have changed up to the beginning of the look."""
        if self._tells_removals and self._reader.is_lost:
            self.is_lost = True
            return
        found: list[bytes] = []
        self._looks = self._reader.read(self._looks, found)
        current = self._queue.contents.current
        for key in found:
            if key in current:
                self._changed[key] = None
            elif self._tells_removals:
                self._changed[key] = None
                self._note_removal(key)

    def _note_removal(self, key: bytes) -> None:
        """A changed key has no value; its tombstone may be forgotten already."""
        tombstone = self._tombstones.of(key)
        heappush(self._removals, (0 if tombstone is None else int(tombstone.number), key))

    def _next_removal(self) -> Tombstone | None:
        """The first removal that the reader has not had: by number, as its token tells how far it has them.

        On a queue that follows another process's, keys of one batch change in another order.
        There is none for a reader that is lost: the token would say that it has had all before.
        """
        while self._removals and self._looks > 0:
            number, key = heappop(self._removals)
            self._looks -= 1
            if key in self._queue.contents.current or self._reader.is_newer(key):
                continue
            tombstone = self._tombstones.of(key)
            if tombstone is None:
                self.is_lost = True
                return None
            if tombstone.number != number:
                self._note_removal(key)
                continue
            self._given(key)
            self.number = max(self.number, number)
            return tombstone
        return None

    def _next_value(self, now: i64) -> Entry | None:
        """The first value that the reader has not had; removals come before."""
        sequence, _ = self._after
        while self._changed and self._looks > 0 and not self._removals:
            key = next(iter(self._changed))
            self._given(key)
            self._looks -= 1
            entry = self._queue.contents.current.get(key)
            # With its present value it would come before others that have changed earlier.
            if entry is None or self._reader.is_newer(key):
                continue
            if entry.state == AVAILABLE and entry.sequence > sequence and entry.expires_ms > now:
                return entry
        return None

    def _given(self, key: bytes) -> None:
        """A key of the present look is given, or will be found by the next one."""
        self._changed.pop(key, None)
        if not self._changed:
            self.number = max(self.number, self._last_number)

    def _look(self, now: i64) -> None:
        """Look at some of the keys that were there at the beginning; the first values come by sequence."""
        while self._looks > 0 and self._unseen:
            key = self._unseen.pop()
            self._looks -= 1 + len(key) // LOOK_BYTES
            if self._pattern.matches(key, key_text(self._queue, key)):
                change = self._state_of(key, now)
                if change is not None:
                    self._found.append(change)
                elif key in self._removed and key not in self._queue.contents.current:
                    self.is_lost = True
        if not self._unseen:
            self._removed = set()
            for change in sorted(self._found, key=_place):
                if change.key is not None:
                    self._changed[change.key] = None
                    if isinstance(change, Tombstone):
                        self._note_removal(change.key)
            self._found = []

    def _state_of(self, key: bytes, now: i64) -> Change | None:
        """The key's value or tombstone, if it is newer than what the reader had when it came."""
        sequence, number = self._after
        entry = self._queue.contents.current.get(key)
        if entry is None:
            tombstone = self._tombstones.of(key) if self._tells_removals else None
            return tombstone if tombstone is not None and tombstone.number > number else None
        seen = entry.state == AVAILABLE and entry.sequence > sequence and entry.expires_ms > now
        return entry if seen else None

    def close(self) -> None:
        """See Feed."""
        self._index.leave(self._reader)


@final
class ConflatingFeed(Feed):
    """The values that are made of the messages of a queue that has no keys, for one reader alone.

    Where as many values wait as may, messages wait on the queue.
    """

    def __init__(self, queue: Queue, key: str, values: ConflatedValues) -> None:
        super().__init__(0, values=values)
        self._values = values
        self._queue = queue
        self._names = [PropertyName(name) for name in names_of_key(key)]

    def next(self, subscription: Subscription, now: i64) -> Change | None:
        """See Feed."""
        looked = 0
        while not self._values.full:
            if looked >= SCAN_KEYS:
                subscription.scans_on = True
                return None
            entry = self._queue.next(subscription, now)
            if entry is None:
                if subscription.scans_on:
                    return None
                break
            looked += _FOLDED_LOOKS * scan_cost(entry) if self._values.conflates else 1
            self._values.keep(self._key_of(entry), entry, entry.updates)
        return self._values.take(now)

    def _key_of(self, entry: Entry) -> bytes:
        try:
            if len(self._names) == 1:
                key = entry.message.key(self._names[0])
            else:
                text = composite_key_of(entry.message, self._names)
                key = None if text is None else text.encode("utf-8", "surrogatepass")
        except LastvalueError:
            return _alone(entry)
        return _alone(entry) if key is None else key


@final
class UpdateFeed(Feed):
    """The values that are made of all updates of a last-value queue, for one reader alone.

    It gets every update, because the queue keeps only the newest of a key; values are made of them when
    there is time. Where as many values wait as may, updates of further keys are left out; so are those that
    were dropped before there was time.
    """

    def __init__(
        self,
        queue: Queue,
        updates: UpdateLog,
        values: ConflatedValues,
        selected: MessageFilter | None,
        wake: Callable[[], None],
    ) -> None:
        super().__init__(0, aside=True, values=values)
        self._values = values
        self._queue = queue
        self._selected = selected
        self._wake = wake
        self._updates = updates
        self._reader = updates.join(wake)
        # The values that were there when it began, the first of them last.
        self._present: list[Entry] = []

    def begin(self) -> None:
        """Begin with the present values, as far as a reader would be given them."""
        # With no more than this a reader holds others: of 100,000 keys for 15 ms in compiled code.
        self._present = sorted(
            self._queue.contents.current.entries(), key=attrgetter("sequence"), reverse=True
        )
        self._wake()

    def take_updates(self, time: TurnTime) -> bool:
        """See Feed."""
        present, updates, reader = self._present, self._updates, self._reader
        while present:
            entry = present.pop()
            if entry.state != ACQUIRED:
                self._keep(entry, entry.updates)
            if not time.spend(WATCHED if len(entry.encoded) < LARGE_BYTES else COSTLY):
                return not present and updates.has_all(reader)
        self._values.leave_out(updates.missed(reader))
        while not updates.has_all(reader):
            update = updates.next(reader)
            self._keep(update.entry, update.updates)
            if not time.spend(WATCHED if len(update.entry.encoded) < LARGE_BYTES else COSTLY):
                return updates.has_all(reader)
        return True

    def _keep(self, entry: Entry, updates: i64) -> None:
        if entry.key is not None and selects(self._selected, entry.message):
            self._values.keep(entry.key, entry, updates)

    def next(self, subscription: Subscription, now: i64) -> Change | None:
        """See Feed."""
        del subscription
        return self._values.take(now)

    def close(self) -> None:
        """See Feed."""
        self._updates.leave(self._reader)
        self._present = []
        super().close()


def _alone(entry: Entry) -> bytes:
    """A key that no other message has."""
    return b"\x00%d" % entry.sequence


def _place(change: Change) -> tuple[int, int]:
    return int(change.sequence), 0 if isinstance(change, Entry) else int(change.number)
