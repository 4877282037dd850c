"""Who reads a queue, and how far they are."""

from enum import Enum
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER, Message, MessageFilter
from lastvalue.queues.entry import AVAILABLE, FIRST, LAST, Entry, comes_after
from lastvalue.queues.sorted_entries import RUN, SortedEntries


class Mode(Enum):
    """What reading does to an entry."""

    CONSUME = "consume"
    """It is acquired, and leaves when the consumer accepts it."""
    BROWSE = "browse"
    """It stays; each browser sees each entry once, and follows what comes after."""


class Outcome(Enum):
    """How a consumer ends a delivery."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    RELEASED = "released"
    MODIFIED_FAILED = "modified"
    """Released, and the delivery counts as failed."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Subscriber:
    """Whoever reads through a subscription. No trait: uncompiled code could not implement a compiled one."""

    __slots__ = ()

    def wake(self) -> None:
        """Something may be there again, after `Queue.next` returned None; called at most once for each None.

        It must not call the queue.
        """
        raise NotImplementedError


UNBOUNDED: Final = -1
"""A reader asks for no first, or no last, of what it is given."""


@final
class Terms:
    """What a reader asks of the entries it is given, and how it stands among the other readers.

    Attributes:
        filter: messages that it does not match are not for this reader.
        since_ms: nor are entries that arrived before, milliseconds since the epoch; or UNBOUNDED.
        only_new: nor is anything that is on the queue already.
        after: nor are entries up to that sequence, or UNBOUNDED; where `only_new`, set when the reader comes.
        until: nor are entries behind that sequence, or UNBOUNDED.
        priority: consumers with a higher one are served first.
    """

    __slots__ = ("after", "filter", "only_new", "priority", "since_ms", "until")

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
        self.until: i64 = until
        self.filter = filter
        self.since_ms: i64 = since_ms
        self.only_new = only_new
        self.priority: i64 = priority

    @property
    def selective(self) -> bool:
        """Whether there are entries that it does not admit."""
        return self.filter is not None or self.since_ms >= 0 or self.after >= 0 or self.until >= 0

    def from_sequence(self, sequence: i64) -> "Terms":
        """These terms for a reader that comes when this is the last sequence."""
        if not self.only_new:
            return self
        return Terms(self.filter, self.since_ms, True, self.priority, sequence, self.until)

    def admits(self, entry: Entry) -> bool:
        """Whether an entry is for this reader; one that cannot be read is for nobody who asks."""
        if entry.arrival_ms < self.since_ms or entry.sequence <= self.after:
            return False
        if 0 <= self.until < entry.sequence:
            return False
        if self.filter is None:
            return True
        try:
            return self.filter.matches(entry.message)
        except LastvalueError:
            return False


ANY: Final = Terms()


@final
class Subscription:
    """One reader of one queue.

    `last_rank` and `last_place` are the place a browser has passed: its next entry is the first behind it.
    The list keeps that entry ready, in one of three places: the position at the entry, the position of those
    that are caught up, or `at` while the browser goes through a batch. What came to stand before it later
    is in `missed`, and is next.

    Attributes:
        held: what a consumer acquired and has not settled.
        waiting: there was nothing for it, and it has not been woken since.
        opened_group: the entry it was given last is the first that it has of its group.
        live: a consumer that is served; others wait until it goes.
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
        self.live = True
        self.opened_group = False
        self.at: Entry | None = None
        self.browser_position: BrowserPosition | None = None
        self.position_index: i64 = 0
        self.waiting = False
        self.held = AcquiredList()

    def has_passed(self, entry: Entry) -> bool:
        """Whether a browser's position is at or behind the entry."""
        return not comes_after(entry, self.last_rank, self.last_place)

    def move_to_end(self) -> None:
        """Let a browser have passed all that is there."""
        self.last_rank = LAST
        self.last_place = 0

    def add_missed(self, entry: Entry, available: i64) -> None:
        """Note an entry that came to stand before a browser's position; those that left are swept."""
        missed = self.missed
        if missed is None:
            missed = SortedEntries()
            self.missed = missed
        missed.add(entry)
        if len(missed.runs) > 2 * (available // RUN + 2) * 2:
            missed.fill([one for one in missed.entries() if one.state == AVAILABLE])


def wake(subscriptions: list[Subscription]) -> None:
    """Wake those that were told that there is nothing, each once."""
    for subscription in subscriptions:
        if subscription.waiting:
            subscription.waiting = False
            subscription.subscriber.wake()


@final
class BrowserPosition:
    """The browsers that stand at one entry; when it leaves they move to its successor as one."""

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
    """The acquired entries of one consumer, latest first, linked as the list links the available ones.

    The links begin at an entry that stands for none, so that an entry can be let go without asking who
    holds it.
    """

    __slots__ = ("_end",)

    def __init__(self) -> None:
        self._end = Entry(0, Message(b""), 0, NEVER, 0)

    @property
    def first(self) -> Entry | None:
        """The entry acquired last."""
        return self._end.next

    @property
    def several(self) -> bool:
        """Whether there is more than one."""
        first = self._end.next
        return first is not None and first.next is not None

    def add(self, entry: Entry) -> None:
        """Hold an entry that stands nowhere else."""
        end = self._end
        after = end.next
        entry.previous = end
        entry.next = after
        end.next = entry
        if after is not None:
            after.previous = entry

    def entries(self) -> list[Entry]:
        """Every entry held, latest first."""
        found = []
        entry = self._end.next
        while entry is not None:
            found.append(entry)
            entry = entry.next
        return found


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
