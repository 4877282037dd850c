"""One message standing in one queue."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.message import Message, OrderValue

AVAILABLE: Final = 0
ACQUIRED: Final = 1
REMOVED: Final = 2


@final
@mypyc_attr(acyclic=True)
class Entry:
    """A message's standing in a queue: its place, its deadline, what it stands for.

    Attributes:
        sequence: the queue's own number, from 1, gap-free over everything the queue took.
        key: the canonical bytes of its last-value key; None on other queues and for keyless messages.
        order: its order value, where the queue has `order_by`.
        arrival_ms: when the queue took it, milliseconds since the epoch.
        expires_ms: when it expires, or NEVER.
        updates: how many updates it stands for: its own and those of the entries it replaced.
        delivery_count: deliveries that failed so far.
        state: AVAILABLE, ACQUIRED or REMOVED.
        holder: the number of the subscription that acquired it, or 0.

    The links belong to where it stands: the line of what is available, or what its consumer holds. They are
    cleared when it leaves, because the garbage collector does not look at acyclic objects.
    """

    __slots__ = (
        "arrival_ms",
        "delivery_count",
        "expires_ms",
        "holder",
        "key",
        "message",
        "next",
        "order",
        "previous",
        "sequence",
        "state",
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
        self.previous: Entry | None = None
        self.next: Entry | None = None
