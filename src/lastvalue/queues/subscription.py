"""Who reads a queue, and how far they are."""

from enum import Enum
from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.message import NEVER, Message
from lastvalue.queues.entry import Entry


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


@final
class Subscription:
    """One reader of one queue.

    `last_sequence` is all of a browser's position: its next entry is the first in line beyond it. The line
    keeps that entry ready, in one of three places: the berth of the entry, the berth of those that are caught
    up, or `at` while the browser roves through a batch.

    Attributes:
        held: what a consumer acquired and has not settled.
        dry: it was told that there is nothing, and has not been woken since.
    """

    __slots__ = (
        "at",
        "berth_index",
        "berthed",
        "dry",
        "held",
        "last_sequence",
        "mode",
        "number",
        "subscriber",
    )

    def __init__(self, number: i64, mode: Mode, subscriber: Subscriber) -> None:
        self.number: i64 = number
        self.mode = mode
        self.subscriber = subscriber
        self.last_sequence: i64 = 0
        self.at: Entry | None = None
        self.berthed: Berth | None = None
        self.berth_index: i64 = 0
        self.dry = False
        self.held = Held()


def wake(subscriptions: list[Subscription]) -> None:
    """Wake those that were told that there is nothing, each once."""
    for subscription in subscriptions:
        if subscription.dry:
            subscription.dry = False
            subscription.subscriber.wake()


@final
class Berth:
    """The browsers that stand at one entry; when it leaves they move to its successor as one."""

    __slots__ = ("entry", "subscriptions")

    def __init__(self, entry: Entry | None) -> None:
        self.entry = entry
        self.subscriptions: list[Subscription] = []

    def join(self, subscription: Subscription) -> None:
        """Add a browser; constant time."""
        subscription.berthed = self
        subscription.berth_index = len(self.subscriptions)
        self.subscriptions.append(subscription)

    def leave(self, subscription: Subscription) -> None:
        """Take a browser out; constant time, by putting the last one in its place."""
        last = self.subscriptions.pop()
        if last is not subscription:
            self.subscriptions[subscription.berth_index] = last
            last.berth_index = subscription.berth_index
        subscription.berthed = None


@final
class Held:
    """The acquired entries of one consumer, latest first, linked as the line links the available ones.

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


def let_go(entry: Entry) -> None:
    """Take an entry out of the `Held` it is in."""
    before = entry.previous
    after = entry.next
    if before is not None:
        before.next = after
    if after is not None:
        after.previous = before
    entry.previous = None
    entry.next = None
