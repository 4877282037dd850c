"""One message on one queue."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.message import AT_ONCE, Message, OrderValue

AVAILABLE: Final = 0
ACQUIRED: Final = 1
REMOVED: Final = 2
HELD_BACK: Final = 3
"""It waits for its delivery time."""

WAITS: Final = -1
"""The value of `stored` while an entry waits to be written."""

FIRST: Final = b""
"""The rank of an entry ordered by its place alone; the lowest rank."""
LAST: Final = b"\xff\xff\xff"
"""The highest rank."""


@final
class Group:
    """Messages that go to one consumer at a time, on one queue.

    Attributes:
        name: the group's name, or the number of its hash bucket.
        owner: the number of the subscription that owns it, or 0.
        present: the number of its entries on the queue.
        held: the number of its entries that are acquired.
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
    """A message on a queue, with its sequence, place, deadline and state.

    Attributes:
        sequence: the queue's number for it, from 1, without gaps over all messages the queue took.
        key: the canonical bytes of its last-value key; None on other queues and for messages without a key.
        order: its order value, if the queue has `order_by`.
        rank, place: its position: by rank, and by place among equal ranks. The place is the sequence, or the
            place of the entry that it replaced.
        group: its group, or None.
        arrival_ms: when the queue took it, in milliseconds since the epoch.
        expires_ms: when it expires, or NEVER.
        not_before_ms: when it may be delivered, or AT_ONCE.
        updates: the number of updates it represents: its own and those of the entries it replaced.
        replaced_traces: the trace contexts of entries that it replaced, if the queue keeps some.
        delivery_count: the number of failed deliveries.
        state: AVAILABLE, ACQUIRED, REMOVED or HELD_BACK.
        holder: the number of the subscription that acquired it, or 0.
        browsed: a browser has seen it; set only on queues that replace in place.
        superseded: a newer value of its key stands beside it; set only on queues that replace in place.
        stored, slot: the part of the journal that stores it, or WAITS, or 0 if none does; and its index in
            that part. Only the journal sets them.

    The links belong to the list that it is in: the available list, or its consumer's `AcquiredList`. They are
    cleared when it leaves, because the garbage collector does not traverse acyclic objects.
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
        "replaced_traces",
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
        self.replaced_traces = ""
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

    @property
    def available_ms(self) -> i64:
        """Since when it may be delivered, or when that begins: when it came, or its delivery time."""
        return max(self.arrival_ms, self.not_before_ms)


def with_message(entry: Entry, message: Message) -> Entry:
    """An entry as its readers see it, with another message; it is on no queue."""
    copy = Entry(entry.sequence, message, entry.arrival_ms, entry.expires_ms, entry.updates)
    copy.key = entry.key
    copy.replaced_traces = entry.replaced_traces
    copy.delivery_count = entry.delivery_count
    return copy


def precedes(one: Entry, other: Entry) -> bool:
    """Whether an entry comes before another on its queue."""
    return comes_after(other, one.rank, one.place)


def comes_after(entry: Entry, rank: bytes, place: i64) -> bool:
    """Whether an entry comes after this rank and place."""
    if entry.rank is rank or entry.rank == rank:
        return entry.place > place
    return entry.rank > rank
