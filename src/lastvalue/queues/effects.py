"""Effects: the changes of a queue as values. The journal stores them and statistics count them."""

from enum import IntEnum
from typing import Final, TypeAlias, final

from librt.strings import BytesWriter, write_i64_be
from mypy_extensions import i64, mypyc_attr

from lastvalue.model.message import Message
from lastvalue.queues.entry import Entry
from lastvalue.queues.ids import KnownId
from lastvalue.queues.spec import QueueSpec


class Reason(IntEnum):
    """Why an entry left the queue."""

    REPLACED = 0
    """A newer value of its key came."""
    STALE = 1
    """It came after a value of its key with a higher order value."""
    EXPIRED = 2
    ACCEPTED = 3
    REJECTED = 4
    DEAD_LETTERED = 5
    OVERFLOW = 6
    """The queue was full and this was its oldest entry."""
    PURGED = 7
    MOVED = 8
    DELETED = 9
    """The queue was deleted."""
    FILTERED = 10
    """The queue's filter did not select it."""
    DUPLICATE = 11
    """The queue had taken a message of the same id."""
    KEY_DELETED = 12
    """Its key was deleted, by a request or by a message with an empty body; that message leaves so too."""
    AGED = 13
    """It was its key's value for longer than the queue's `max_age_ms`."""


UNTIMED: Final = -1
"""A tombstone's time until its queue knows the time."""

REPLACED: Final = Reason.REPLACED
STALE: Final = Reason.STALE
EXPIRED: Final = Reason.EXPIRED
ACCEPTED: Final = Reason.ACCEPTED
REJECTED: Final = Reason.REJECTED
OVERFLOW: Final = Reason.OVERFLOW
FILTERED: Final = Reason.FILTERED
DUPLICATE: Final = Reason.DUPLICATE
KEY_DELETED: Final = Reason.KEY_DELETED
AGED: Final = Reason.AGED


@final
@mypyc_attr(acyclic=True)
class Added:
    """The queue took a message, and it is available."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


@final
@mypyc_attr(acyclic=True)
class Updated:
    """The queue took a message, and it is available; `previous`, which had its key's value, was replaced.

    It is as Added and then Removed, in one object, as a last-value queue has one for each message.
    """

    __slots__ = ("entry", "previous")

    def __init__(self, entry: Entry, previous: Entry) -> None:
        self.entry = entry
        self.previous = previous


@final
@mypyc_attr(acyclic=True)
class TakenRun:
    """The queue took messages, and they are available, where the journal alone reads what is noted.

    Each is as Added; or where `Entry.renew` has put it into its key's entry, as Updated.

    Attributes:
        entries: of the messages, in the order of their sequences.
        replaced: the sequences of the values that entries had before, 8 bytes each, big-endian, or None.
        replaced_bytes: the bytes of these values, with their origins.
    """

    __slots__ = ("entries", "replaced", "replaced_bytes")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.replaced: BytesWriter | None = None
        self.replaced_bytes: i64 = 0

    def replace(self, entry: Entry) -> None:
        """Add an entry that the journal has, before `Entry.renew` gives it its key's next value."""
        replaced = self.replaced
        if replaced is None:
            replaced = self.replaced = BytesWriter()
        write_i64_be(replaced, entry.sequence)
        self.replaced_bytes += len(entry.encoded) + len(entry.example.origin)
        self.entries.append(entry)


@final
@mypyc_attr(acyclic=True)
class Dismissed:
    """The queue took a message and removed it at once: it is stale, a duplicate or not selected.

    It uses a sequence, and no reader sees it.

    Attributes:
        newer: the value that its key has, if it is stale; else None.
        first: the sequence of the message that had its id, if it is a duplicate and that is known; else 0.
    """

    __slots__ = ("entry", "first", "newer", "reason")

    def __init__(self, entry: Entry, reason: Reason, newer: Entry | None = None, first: i64 = 0) -> None:
        self.entry = entry
        self.reason = reason
        self.newer = newer
        self.first: i64 = first


@final
@mypyc_attr(acyclic=True)
class Scheduled:
    """The queue took a message and holds it back until its delivery time."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


@final
@mypyc_attr(acyclic=True)
class Due:
    """A held back entry became available."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry


@final
@mypyc_attr(acyclic=True)
class RemovalCommand:
    """A command that removes entries.

    Attributes:
        user: whose it is: the user, or the container of a client without a name.
        destination: the queue or exchange to which it moves them, or "".
        priority: with which it puts them in again, or -1.
    """

    __slots__ = ("destination", "priority", "user")

    def __init__(self, user: str, destination: str = "", priority: i64 = -1) -> None:
        self.user = user
        self.destination = destination
        self.priority: i64 = priority


Cause: TypeAlias = Entry | RemovalCommand | None


@final
@mypyc_attr(acyclic=True)
class Removed:
    """An entry left the queue for a reason.

    Attributes:
        cause: the message because of which it left, or the command that removed it. That message is the newer
            value of its key, the one that deletes its key, or the one for which a full queue dropped it.
            None if there is none, or if the entry was superseded before (see Superseded).
    """

    __slots__ = ("cause", "entry", "reason")

    def __init__(self, entry: Entry, reason: Reason, cause: Cause = None) -> None:
        self.entry = entry
        self.reason = reason
        self.cause = cause


@final
@mypyc_attr(acyclic=True)
class Acquired:
    """A consumer acquired an entry; `holder` is the number of its subscription."""

    __slots__ = ("entry", "holder")

    def __init__(self, entry: Entry, holder: i64) -> None:
        self.entry = entry
        self.holder: i64 = holder


@final
@mypyc_attr(acyclic=True)
class Released:
    """An entry is available again, in its place, with a new `delivery_count`."""

    __slots__ = ("delivery_count", "entry")

    def __init__(self, entry: Entry, delivery_count: i64) -> None:
        self.entry = entry
        self.delivery_count: i64 = delivery_count


@final
@mypyc_attr(acyclic=True)
class Amended:
    """An entry's message is replaced: make it before that.

    Attributes:
        entry: that has the message.
        size_bytes: of the previous message, with its origin.
        more_bytes: that the new one has, with its origin.
    """

    __slots__ = ("entry", "more_bytes", "size_bytes")

    def __init__(self, entry: Entry, message: Message) -> None:
        self.entry = entry
        self.size_bytes: i64 = len(entry.encoded) + len(entry.example.origin)
        self.more_bytes: i64 = len(message.encoded) + len(message.origin) - self.size_bytes


@final
@mypyc_attr(acyclic=True)
class Superseded:
    """A newer value of the entry's key came, and the entry stays beside it; None if its keeper keeps it."""

    __slots__ = ("entry", "newer")

    def __init__(self, entry: Entry, newer: Entry | None = None) -> None:
        self.entry = entry
        self.newer = newer


@final
@mypyc_attr(acyclic=True)
class Refused:
    """The queue was full and did not take a message."""

    __slots__ = ("message",)

    def __init__(self, message: Message) -> None:
        self.message = message


@final
@mypyc_attr(acyclic=True)
class Reconfigured:
    """The queue got a new spec; its entries' deadlines follow from it.

    Attributes:
        endless: the entries that had a deadline and have none now.
    """

    __slots__ = ("endless", "spec")

    def __init__(self, spec: QueueSpec, endless: list[Entry]) -> None:
        self.spec = spec
        self.endless = endless


@final
@mypyc_attr(acyclic=True)
class Identified:
    """The queue remembers the id of the message it took last; older ids were `forgotten` for it."""

    __slots__ = ("forgotten", "known")

    def __init__(self, known: KnownId, forgotten: list[KnownId]) -> None:
        self.known = known
        self.forgotten = forgotten


@final
@mypyc_attr(acyclic=True)
class Tombstone:
    """A key that lost its value.

    Attributes:
        number: the queue's number for it, from 1.
        key: the canonical bytes of the key.
        reason: why its value left.
        sequence: the last sequence of the queue at that time.
        time_ms: when the queue first looked at the time after that, or UNTIMED.
        dropped: it is forgotten: it is too old, or its key has a value again.
        stored: the part of the journal that stores it, or 0. Only the journal sets it.
    """

    __slots__ = ("dropped", "key", "number", "reason", "sequence", "stored", "time_ms")

    def __init__(self, number: i64, key: bytes, reason: Reason, sequence: i64) -> None:
        self.number: i64 = number
        self.key = key
        self.reason = reason
        self.sequence: i64 = sequence
        self.time_ms: i64 = UNTIMED
        self.dropped = False
        self.stored: i64 = 0


@final
@mypyc_attr(acyclic=True)
class Tombstoned:
    """A key lost its value, or tombstones were dropped; those up to `forgotten` because of their age."""

    __slots__ = ("dropped", "forgotten", "kept")

    def __init__(self, kept: Tombstone | None, dropped: list[Tombstone], forgotten: i64) -> None:
        self.kept = kept
        self.dropped = dropped
        self.forgotten: i64 = forgotten


@final
@mypyc_attr(acyclic=True)
class EpochBegan:
    """What readers know of the queue counts from here: see `lastvalue.queues.tombstones`.

    Attributes:
        epoch: its name, a number; 0 if nothing that readers know outlives a restart any more, and then
            `sequence` is the name of the last one.
        sequence, number: the queue's last sequence, and its last tombstone's number, when it began.
    """

    __slots__ = ("epoch", "number", "sequence")

    def __init__(self, epoch: i64, sequence: i64, number: i64) -> None:
        self.epoch: i64 = epoch
        self.sequence: i64 = sequence
        self.number: i64 = number


Effect: TypeAlias = (
    Added
    | Updated
    | TakenRun
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
    | Tombstoned
    | EpochBegan
)


_TO_ALTERNATE: Final = (Reason.REJECTED, Reason.DEAD_LETTERED, Reason.OVERFLOW, Reason.DELETED)


def reasons_with_alternate(spec: QueueSpec) -> frozenset[Reason]:
    """The reasons for which entries go to an alternate."""
    reasons = _TO_ALTERNATE if spec.alternate is not None else ()
    return frozenset((*reasons, EXPIRED) if spec.expiry_alternate is not None else reasons)
