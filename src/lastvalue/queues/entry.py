"""One message standing in one queue."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.message import AT_ONCE, Message, OrderValue

AVAILABLE: Final = 0
ACQUIRED: Final = 1
REMOVED: Final = 2
HELD_BACK: Final = 3
"""It waits for the time from which it may be delivered."""

WAITS: Final = -1
"""What an entry has for `stored` while it waits to be written."""

FIRST: Final = b""
"""The rank of an entry that stands by its place alone; no rank comes before it."""
LAST: Final = b"\xff\xff\xff"
"""No rank comes after it."""


@final
class Group:
    """Messages that go to one consumer at a time, on one queue.

    Attributes:
        name: the group, or the number of the bucket that it falls into.
        owner: the number of the subscription that has it, or 0.
        present: entries of it on the queue.
        held: entries of it that the owner holds.
    """

    __slots__ = ("held", "name", "owner", "present")

    def __init__(self, name: str) -> None:
        self.name = name
        self.owner: i64 = 0
        self.present: i64 = 0
        self.held: i64 = 0


@final
@mypyc_attr(acyclic=True)
class Entry:
    """A message's standing in a queue: its place, its deadline, what it stands for.

    Attributes:
        sequence: the queue's own number, from 1, gap-free over everything the queue took.
        key: the canonical bytes of its last-value key; None on other queues and for keyless messages.
        order: its order value, where the queue has `order_by`.
        rank, place: where it stands: by rank, among equal ranks by place. The place is the sequence, or the
            place of the entry that it replaced.
        group: its group, where the queue has groups and it is in one.
        arrival_ms: when the queue took it, milliseconds since the epoch.
        expires_ms: when it expires, or NEVER.
        not_before_ms: when it may be delivered, or AT_ONCE.
        updates: how many updates it stands for: its own and those of the entries it replaced.
        delivery_count: deliveries that failed so far.
        state: AVAILABLE, ACQUIRED, REMOVED or HELD_BACK.
        holder: the number of the subscription that acquired it, or 0.
        browsed: a browser has seen it; noted on queues that replace in place.
        superseded: a newer value of its key came to stand beside it; on queues that replace in place.
        stored, slot: the part of the journal that holds it, or WAITS, or 0 where none does; and where in that
            part. The journal's own.

    The links belong to where it stands: the list of what is available, or what its consumer holds. They are
    cleared when it leaves, because the garbage collector does not look at acyclic objects.
    """

    __slots__ = (
        "arrival_ms",
        "browsed",
        "delivery_count",
        "expires_ms",
        "group",
        "holder",
        "key",
        "message",
        "next",
        "not_before_ms",
        "order",
        "place",
        "previous",
        "rank",
        "sequence",
        "slot",
        "state",
        "stored",
        "superseded",
        "updates",
    )

    def __init__(
        self, sequence: i64, message: Message, arrival_ms: i64, expires_ms: i64, updates: i64
    ) -> None:
        self.sequence: i64 = sequence
        self.message = message
        self.arrival_ms: i64 = arrival_ms
        self.expires_ms: i64 = expires_ms
        self.updates: i64 = updates
        self.key: bytes | None = None
        self.order: OrderValue | None = None
        self.delivery_count: i64 = 0
        self.state: i64 = AVAILABLE
        self.holder: i64 = 0
        self.rank: bytes = FIRST
        self.place: i64 = sequence
        self.group: Group | None = None
        self.not_before_ms: i64 = AT_ONCE
        self.browsed = False
        self.superseded = False
        self.stored: i64 = 0
        self.slot: i64 = 0
        self.previous: Entry | None = None
        self.next: Entry | None = None


def precedes(one: Entry, other: Entry) -> bool:
    """Whether an entry stands before another on its queue."""
    return comes_after(other, one.rank, one.place)


def comes_after(entry: Entry, rank: bytes, place: i64) -> bool:
    """Whether an entry stands behind that place of that rank."""
    if entry.rank is rank or entry.rank == rank:
        return entry.place > place
    return entry.rank > rank
