"""What happens to a queue, as values: the journal stores them, statistics count them, tests compare them."""

from enum import IntEnum
from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.message import Message
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId
from lastvalue.queues.spec import QueueSpec


class Reason(IntEnum):
    """Why a message is not on the queue any more."""

    REPLACED = 0
    """A newer value of its key came."""
    STALE = 1
    """It came after a value of its key with a higher order value."""
    EXPIRED = 2
    ACCEPTED = 3
    REJECTED = 4
    DEAD_LETTERED = 5
    OVERFLOW = 6
    """The queue was full and this was the oldest."""
    PURGED = 7
    MOVED = 8
    DELETED = 9
    """Its queue was deleted."""
    FILTERED = 10
    """The queue's filter did not select it."""
    DUPLICATE = 11
    """The queue has taken a message of its id before."""


REPLACED: Final = Reason.REPLACED
STALE: Final = Reason.STALE
EXPIRED: Final = Reason.EXPIRED
ACCEPTED: Final = Reason.ACCEPTED
REJECTED: Final = Reason.REJECTED
OVERFLOW: Final = Reason.OVERFLOW
FILTERED: Final = Reason.FILTERED
DUPLICATE: Final = Reason.DUPLICATE


@final
@mypyc_attr(acyclic=True)
class Added:
    """The queue took a message, and it is available."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


@final
@mypyc_attr(acyclic=True)
class Dismissed:
    """The queue took a message that is stale, a duplicate or not selected: nobody ever sees it.

    It has a sequence.
    """

    __slots__ = ("entry", "reason")

    def __init__(self, entry: Entry, reason: Reason) -> None:
        self.entry = entry
        self.reason = reason


@final
@mypyc_attr(acyclic=True)
class Scheduled:
    """The queue took a message that waits for the time from which it may be delivered."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


@final
@mypyc_attr(acyclic=True)
class Due:
    """An entry that waited is available now."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


@final
@mypyc_attr(acyclic=True)
class Removed:
    """An entry left, and why."""

    __slots__ = ("entry", "reason")

    def __init__(self, entry: Entry, reason: Reason) -> None:
        self.entry = entry
        self.reason = reason


@final
@mypyc_attr(acyclic=True)
class Acquired:
    """A consumer holds an entry."""

    __slots__ = ("entry", "holder")

    def __init__(self, entry: Entry, holder: i64) -> None:
        self.entry = entry
        self.holder: i64 = holder


@final
@mypyc_attr(acyclic=True)
class Released:
    """An entry is available again, in its place; `delivery_count` is the count from then on."""

    __slots__ = ("delivery_count", "entry")

    def __init__(self, entry: Entry, delivery_count: i64) -> None:
        self.entry = entry
        self.delivery_count: i64 = delivery_count


@final
@mypyc_attr(acyclic=True)
class Amended:
    """An entry has another message, which says more; the one before had `size_bytes`."""

    __slots__ = ("entry", "size_bytes")

    def __init__(self, entry: Entry, size_bytes: i64) -> None:
        self.entry = entry
        self.size_bytes: i64 = size_bytes


@final
@mypyc_attr(acyclic=True)
class Superseded:
    """A newer value of an entry's key came, and the entry stays beside it: it is its key's value no more."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


@final
@mypyc_attr(acyclic=True)
class Refused:
    """The queue did not take a message: it was full."""

    __slots__ = ("message",)

    def __init__(self, message: Message) -> None:
        self.message = message


@final
@mypyc_attr(acyclic=True)
class Reconfigured:
    """The queue is declared anew, and what is on it expires accordingly; `now` is when."""

    __slots__ = ("now", "spec")

    def __init__(self, spec: QueueSpec, now: i64) -> None:
        self.spec = spec
        self.now: i64 = now


@final
@mypyc_attr(acyclic=True)
class Identified:
    """The queue remembers the id of the message that it took last, and has forgotten others for it."""

    __slots__ = ("forgotten", "known")

    def __init__(self, known: KnownId, forgotten: list[KnownId]) -> None:
        self.known = known
        self.forgotten = forgotten


Effect: TypeAlias = (
    Added
    | Dismissed
    | Scheduled
    | Due
    | Removed
    | Acquired
    | Released
    | Amended
    | Superseded
    | Refused
    | Reconfigured
    | Identified
)


_TO_ALTERNATE: Final = (Reason.REJECTED, Reason.DEAD_LETTERED, Reason.OVERFLOW, Reason.DELETED)


def reasons_with_alternate(spec: QueueSpec) -> frozenset[Reason]:
    """The reasons for leaving that have an alternate."""
    reasons = _TO_ALTERNATE if spec.alternate is not None else ()
    return frozenset((*reasons, EXPIRED) if spec.expiry_alternate is not None else reasons)
