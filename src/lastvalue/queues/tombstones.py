"""The keys of a queue that lost their values, so that readers learn of it, also those that come back."""

from bisect import bisect_right
from typing import Final, final

from mypy_extensions import i64

from lastvalue.model.message import NEVER
from lastvalue.queues.effects import UNTIMED, Effect, EpochBegan, Reason, Tombstone, Tombstoned
from lastvalue.queues.subscription import Subscription, wake

DEFAULT_TOMBSTONE_MS: Final = 60_000
"""How long tombstones live where the declaration does not say."""

MOST_EPOCHS: Final = 16
"""How many starts of the broker a reader's token outlives."""

ANY_NUMBER: Final = -1
"""The number of no tombstone: of a reader that needs none."""

ITEM_BYTES: Final = 300
"""Bytes of memory that a tombstone takes besides its key."""


@final
class Tombstones:
    """The tombstones of one queue, by number; a key has a value or a tombstone, never both.

    A tombstone gets its time at the first `advance` after it, so that removals need not know the time; its
    life begins then, and again at a restart.

    Attributes:
        keep_ms: how long a tombstone lives.
        lasting: tombstones and epochs have effects, so that they survive a restart.
        number: the number of the last one.
        forgotten: the number of the last one that was dropped because of its age.
        size_bytes: the memory that all of them take.
        epochs: the last epochs, oldest first; the last one is the present one, if there is any.
        readers: the subscriptions that are woken, by number.
    """

    __slots__ = (
        "_by_key",
        "_dropped",
        "_in_order",
        "_outbox",
        "_timed",
        "_unstored",
        "epochs",
        "forgotten",
        "keep_ms",
        "lasting",
        "number",
        "readers",
        "size_bytes",
    )

    def __init__(self, outbox: list[Effect]) -> None:
        self.keep_ms: i64 = DEFAULT_TOMBSTONE_MS
        self.lasting = False
        self.number: i64 = 0
        self.forgotten: i64 = 0
        self.size_bytes: i64 = 0
        self.epochs: list[EpochBegan] = []
        self.readers: dict[int, Subscription] = {}
        self._outbox = outbox
        self._by_key: dict[bytes, Tombstone] = {}
        self._in_order: list[Tombstone] = []
        self._dropped: i64 = 0
        # How many of `_in_order` have a time.
        self._timed: i64 = 0
        self._unstored = False

    def __len__(self) -> int:
        """How many there are."""
        return len(self._by_key)

    def configure(self, keep_ms: i64) -> None:
        """Follow a declaration: 0 is the default, and not over a restart."""
        self.lasting = keep_ms > 0
        self.keep_ms = keep_ms or DEFAULT_TOMBSTONE_MS

    def write_to(self, outbox: list[Effect]) -> None:
        """Leave effects in this list from now on."""
        self._outbox = outbox

    # ------------------------------------------------------------------ keys

    def note(self, key: bytes, reason: Reason, sequence: i64) -> None:
        """Note that a key lost its value, and wake the readers."""
        self.number += 1
        tombstone = Tombstone(self.number, key, reason, sequence)
        self.put(tombstone)
        if self.lasting:
            self._outbox.append(Tombstoned(tombstone, [], self.forgotten))
        if self.readers:
            wake(list(self.readers.values()))

    def put(self, tombstone: Tombstone) -> None:
        """Add a tombstone; its number is the highest."""
        self.number = tombstone.number
        self._by_key[tombstone.key] = tombstone
        self._in_order.append(tombstone)
        self.size_bytes += len(tombstone.key) + ITEM_BYTES

    def discard(self, key: bytes) -> None:
        """Drop the tombstone of a key that has a value again."""
        tombstone = self._by_key.get(key)
        if tombstone is not None:
            self._remove(tombstone)
            if self.lasting:
                self._outbox.append(Tombstoned(None, [tombstone], self.forgotten))
            if self._dropped > 2 * len(self._by_key) + 64:
                self._sweep()

    def of(self, key: bytes) -> Tombstone | None:
        """The tombstone of a key."""
        return self._by_key.get(key)

    def after(self, number: i64) -> Tombstone | None:
        """The first tombstone with a higher number."""
        if number >= self.number:
            return None
        index: i64 = bisect_right(self._in_order, number, key=_number)
        while index < len(self._in_order):
            tombstone = self._in_order[index]
            if not tombstone.dropped:
                return tombstone
            index += 1
        return None

    def all(self) -> list[Tombstone]:
        """All of them, by number."""
        return [each for each in self._in_order if not each.dropped]

    # ------------------------------------------------------------------ time

    def advance(self, now: i64) -> None:
        """Give those without a time this one, and drop those that are too old."""
        in_order = self._in_order
        while self._timed < len(in_order):
            in_order[self._timed].time_ms = now
            self._timed += 1
        old: list[Tombstone] = []
        while len(old) < len(in_order):
            oldest = in_order[len(old)]
            if not oldest.dropped and oldest.time_ms + self.keep_ms > now:
                break
            old.append(oldest)
        if old:
            self.forget(old)

    def forget(self, old: list[Tombstone]) -> None:
        """Drop the oldest tombstones, some of which may be dropped already."""
        present = [each for each in old if not each.dropped]
        for tombstone in present:
            self._remove(tombstone)
            self.forgotten = tombstone.number
        self._sweep()
        if present and self.lasting:
            self._outbox.append(Tombstoned(None, present, self.forgotten))

    def next_deadline(self) -> i64:
        """When `advance` has something to do."""
        if self._timed < len(self._in_order):
            return 0
        return self._in_order[0].time_ms + self.keep_ms if self._in_order else NEVER

    def _remove(self, tombstone: Tombstone) -> None:
        tombstone.dropped = True
        self._dropped += 1
        self.size_bytes -= len(tombstone.key) + ITEM_BYTES
        if self._by_key.get(tombstone.key) is tombstone:
            del self._by_key[tombstone.key]

    def _sweep(self) -> None:
        self._in_order = self.all()
        self._dropped = 0
        self._timed = 0
        for tombstone in self._in_order:
            if tombstone.time_ms == UNTIMED:
                break
            self._timed += 1

    # ------------------------------------------------------------------ epochs

    def begin_epoch(self, sequence: i64, now: i64) -> None:
        """Begin an epoch: the broker has started, or the first reader came that asks for tokens."""
        self.epochs.append(EpochBegan(max(now, self._last_epoch() + 1), sequence, self.number))
        del self.epochs[:-MOST_EPOCHS]
        if self.lasting:
            self._outbox.append(self.epochs[-1])

    def _last_epoch(self) -> i64:
        last = self.epochs[-1] if self.epochs else EpochBegan(0, 0, 0)
        return last.epoch or last.sequence

    def end_epochs(self) -> None:
        """Nothing that readers know outlives a restart: the queue has what is not stored."""
        if self.lasting and not self._unstored:
            self._unstored = True
            end = EpochBegan(0, self._last_epoch(), 0)
            self.epochs = [end, *self.epochs[-1:]]
            self._outbox.append(end)

    def restore(self, stored: list[Tombstone], number: i64, forgotten: i64, epochs: list[EpochBegan]) -> None:
        """Continue with what was stored, before any key lost its value: tombstones by number, and epochs."""
        for tombstone in stored:
            self.put(tombstone)
        self.number = max(self.number, number)
        self.forgotten = forgotten
        self.epochs = epochs

    def knows(self, epoch: i64, sequence: i64, number: i64, last: i64) -> bool:
        """Whether all that changed after a place in an epoch is there; `last` is the last sequence now.

        With ANY_NUMBER it may be forgotten which keys lost their values.
        """
        if ANY_NUMBER < number < self.forgotten:
            return False
        for index, each in enumerate(self.epochs):
            if each.epoch == epoch and epoch != 0:
                if index + 1 == len(self.epochs):
                    return sequence <= last and number <= self.number
                end = self.epochs[index + 1]
                return sequence <= end.sequence and number <= end.number
        return False

    def may_be_behind(self, epoch: i64, sequence: i64, number: i64, last: i64) -> bool:
        """Whether a place in an epoch may be later than all that is here, where another process decides.

        An unknown epoch may have begun since; `last` is the last sequence here.
        """
        newest = len(self.epochs) - 1
        for index, each in enumerate(self.epochs):
            if each.epoch == epoch and epoch != 0:
                return index == newest and (sequence > last or number > self.number)
        return True


def _number(tombstone: Tombstone) -> int:
    return tombstone.number
