"""Who reads a queue, and how far they are."""

from enum import Enum
from typing import final

from mypy_extensions import i64, mypyc_attr, trait

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
@trait
class Subscriber:
    """Whoever reads through a subscription."""

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
        self.held: dict[int, Entry] = {}


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
