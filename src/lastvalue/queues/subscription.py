"""A queue's readers and their positions."""

from enum import Enum
from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.message import NEVER, Message, MessageFilter, selects
from lastvalue.queues.entry import AVAILABLE, FIRST, LAST, Entry, comes_after
from lastvalue.queues.sorted_entries import RUN, SortedEntries
from lastvalue.queues.watch_terms import WatchTerms

_UNIT_BYTES: Final = 256


def scan_cost(entry: Entry) -> i64:
    """What passing an entry counts: a large one as several, as its fields may be as much more to compare."""
    return 1 + len(entry.encoded) // _UNIT_BYTES


class Mode(Enum):
    """Whether a reader acquires entries."""

    CONSUME = "consume"
    """The reader acquires an entry, which leaves when the reader accepts it."""
    BROWSE = "browse"
    """Entries stay; each browser sees each entry once, also later ones."""


Modes: TypeAlias = tuple[Mode, ...]
ALL_MODES: Final[Modes] = (Mode.CONSUME, Mode.BROWSE)


class Outcome(Enum):
    """How a consumer ends a delivery."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    RELEASED = "released"
    MODIFIED_FAILED = "modified"
    """Released, and the delivery counts as failed."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Subscriber:
    """The owner of a subscription. Not a trait: uncompiled classes cannot implement a compiled trait."""

    __slots__ = ()

    def wake(self) -> None:
        """Ask `Queue.next` again: called at most once for each None that it returned.

        It must not call the queue.
        """
        raise NotImplementedError


@final
class _Nobody(Subscriber):
    __slots__ = ()

    def wake(self) -> None:
        """See Subscriber."""


_NOBODY: Final = _Nobody()
_NO_MESSAGE: Final = Message(b"")

MOST_NUMBERS: Final = (1 << 31) - 1
"""The largest number of a subscription, for which an entry has room."""

UNBOUNDED: Final = -1
"""A reader's terms have no lower or no upper bound."""


@final
class Terms:
    """Which entries a reader gets, and its priority.

    Attributes:
        filter: only messages that it matches, if it is not None.
        since_ms: only entries that arrived at this time (ms since the epoch) or later, or UNBOUNDED.
        only_new: only entries that come after the reader.
        after: only entries with a higher sequence, or UNBOUNDED; with `only_new` set by `from_sequence`.
        until: only entries up to this sequence, or UNBOUNDED.
        after_ms: besides those after `after` also entries that came, or became due, later than this (ms since
            the epoch), or UNBOUNDED: those are new, although a broker that lost some numbered them again.
        priority: consumers with a higher one are served first.
        aside: a browser that is not shown the entries, as it looks keys up.
        watch: what a reader that watches asks for besides this, or None.
    """

    __slots__ = ("after", "after_ms", "aside", "filter", "only_new", "priority", "since_ms", "until", "watch")

    def __init__(
        self,
        filter: MessageFilter | None = None,  # noqa: A002 - the word for it
        since_ms: i64 = UNBOUNDED,
        only_new: bool = False,
        priority: i64 = 0,
        after: i64 = UNBOUNDED,
        until: i64 = UNBOUNDED,
    ) -> None:
        self.after: i64 = after
        self.after_ms: i64 = UNBOUNDED
        self.until: i64 = until
        self.filter = filter
        self.since_ms: i64 = since_ms
        self.only_new = only_new
        self.priority: i64 = priority
        self.aside = False
        self.watch: WatchTerms | None = None

    @property
    def selective(self) -> bool:
        """Whether the terms may exclude entries."""
        return self.filter is not None or self.since_ms >= 0 or self.after >= 0 or self.until >= 0

    def from_sequence(self, sequence: i64) -> "Terms":
        """These terms for a reader that subscribes when this is the queue's last sequence."""
        if not self.only_new:
            return self
        terms = Terms(self.filter, self.since_ms, True, self.priority, sequence, self.until)
        terms.aside = self.aside
        return terms

    def admits(self, entry: Entry) -> bool:
        """Whether the reader gets an entry."""
        if entry.arrival_ms < self.since_ms:
            return False
        if entry.sequence <= self.after and (self.after_ms < 0 or entry.available_ms <= self.after_ms):
            return False
        if 0 <= self.until < entry.sequence:
            return False
        return selects(self.filter, entry.message)


ANY: Final = Terms()


@final
class Subscription:
    """One reader of one queue.

    `last_rank` and `last_place` are the place that a browser has passed; its next entry is the first after
    it. The list knows that entry from one of three: the position at the entry, the position of the caught up
    browsers, or `at` while the browser reads a batch. Entries that were put before the browser's place later
    are in `missed`, and come first.

    Attributes:
        held: the entries that a consumer acquired and has not settled.
        waiting: there was no entry for it, and it has not been woken since.
        opened_group: its last entry is the first that it got of that group.
        scans_on: it got no entry, as many others had to be passed; its next call continues from there.
        live: whether the consumer is served; others wait until it leaves.
    """

    __slots__ = (
        "at",
        "browser_position",
        "held",
        "last_place",
        "last_rank",
        "live",
        "missed",
        "mode",
        "number",
        "opened_group",
        "position_index",
        "scans_on",
        "subscriber",
        "terms",
        "waiting",
    )

    def __init__(self, number: i64, mode: Mode, subscriber: Subscriber, terms: Terms) -> None:
        self.number: i64 = number
        self.mode = mode
        self.subscriber = subscriber
        self.terms = terms
        self.last_rank: bytes = FIRST
        self.last_place: i64 = 0
        self.missed: SortedEntries | None = None
        self.scans_on = False
        self.live = True
        self.opened_group = False
        self.at: Entry | None = None
        self.browser_position: BrowserPosition | None = None
        self.position_index: i64 = 0
        self.waiting = False
        self.held = AcquiredList()

    def end(self) -> None:
        """The owner has unsubscribed: the two do not keep each other in memory."""
        self.subscriber = _NOBODY

    def wake(self) -> None:
        """Wake it if it waits."""
        if self.waiting:
            self.waiting = False
            self.subscriber.wake()

    def has_passed(self, entry: Entry) -> bool:
        """Whether the browser's place is at or after the entry."""
        return not comes_after(entry, self.last_rank, self.last_place)

    def move_to_end(self) -> None:
        """Set the browser's place after all entries."""
        self.last_rank = LAST
        self.last_place = 0

    def add_missed(self, entry: Entry, available: i64) -> None:
        """Add an entry that was put before the browser's place; sweeps those that left."""
        missed = self.missed
        if missed is None:
            missed = SortedEntries()
            self.missed = missed
        missed.add(entry)
        if len(missed.runs) > 2 * (available // RUN + 2) * 2:
            missed.fill([one for one in missed.entries() if one.state == AVAILABLE])


def next_number(last: i64, taken: dict[int, Subscription]) -> i64:
    """The number of the next subscription after the last one: from 1 to MOST_NUMBERS, then from 1 again."""
    number = last % MOST_NUMBERS + 1
    while number in taken:
        number = number % MOST_NUMBERS + 1
    return number


def wake(subscriptions: list[Subscription]) -> None:
    """Wake the subscriptions that wait, each once."""
    for subscription in subscriptions:
        subscription.wake()


@final
class BrowserPosition:
    """The browsers whose next entry is the same; when it leaves, they move to its successor together."""

    __slots__ = ("entry", "subscriptions")

    def __init__(self, entry: Entry | None) -> None:
        self.entry = entry
        self.subscriptions: list[Subscription] = []

    def join(self, subscription: Subscription) -> None:
        """Add a browser; constant time."""
        subscription.browser_position = self
        subscription.position_index = len(self.subscriptions)
        self.subscriptions.append(subscription)

    def leave(self, subscription: Subscription) -> None:
        """Take a browser out; constant time, by putting the last one in its place."""
        last = self.subscriptions.pop()
        if last is not subscription:
            self.subscriptions[subscription.position_index] = last
            last.position_index = subscription.position_index
        subscription.browser_position = None


@final
class AcquiredList:
    """The acquired entries of one consumer, latest first, linked through the entries.

    The links begin at a sentinel, so that an entry can be unlinked without access to its list.
    """

    __slots__ = ("_end",)

    def __init__(self) -> None:
        self._end = Entry(0, _NO_MESSAGE, 0, NEVER, 1)

    @property
    def first(self) -> Entry | None:
        """The entry acquired last, or None."""
        return self._end.next

    @property
    def several(self) -> bool:
        """Whether there is more than one entry."""
        first = self._end.next
        return first is not None and first.next is not None

    def add(self, entry: Entry) -> None:
        """Add an entry that is in no other list."""
        end = self._end
        after = end.next
        entry.previous = end
        entry.next = after
        end.next = entry
        if after is not None:
            after.previous = entry

    def entries(self) -> list[Entry]:
        """All entries, latest first."""
        entries = []
        entry = self._end.next
        while entry is not None:
            entries.append(entry)
            entry = entry.next
        return entries


def unlink_acquired(entry: Entry) -> None:
    """Take an entry out of the `AcquiredList` it is in."""
    before = entry.previous
    after = entry.next
    if before is not None:
        before.next = after
    if after is not None:
        after.previous = before
    entry.previous = None
    entry.next = None
