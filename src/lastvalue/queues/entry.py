"""One message on one queue."""

from typing import Final, final

from librt.strings import read_i64_le
from mypy_extensions import i32, i64, mypyc_attr, u8

from lastvalue.model.message import AT_ONCE, MOST_UPDATES, NEVER, KeyPlace, Message, OrderPlace, OrderValue

AVAILABLE: Final = 0
ACQUIRED: Final = 1
REMOVED: Final = 2
HELD_BACK: Final = 3
"""It waits for its delivery time."""

WAITS: Final = -1
"""The value of `stored` while an entry waits to be written.

Below it, the journal has only what the entry was before, in the part WAITS - `stored`.
"""

FOREVER: Final = -1
"""The lifetime of an entry that does not expire."""
_IN_DETAILS: Final = -2
"""The entry's details have the number."""
MOST_FEW: Final = (1 << 31) - 1
"""The largest number that an entry has room for."""
_WORD: Final = 8
_MANY: Final = 255
"""The entry's details have the number of deliveries."""

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
class EntryDetails:
    """What few entries have, in an object of their own.

    Attributes:
        place, order, rank, group, replaced_traces, not_before_ms: see Entry.
        expires_ms, updates, delivery_count: see Entry; where the entry has no room for them.
    """

    __slots__ = (
        "delivery_count",
        "expires_ms",
        "group",
        "not_before_ms",
        "order",
        "place",
        "rank",
        "replaced_traces",
        "updates",
    )

    def __init__(self, place: i64) -> None:
        self.place: i64 = place
        self.order: OrderValue | None = None
        self.rank: bytes = FIRST
        self.group: Group | None = None
        self.replaced_traces = ""
        self.not_before_ms: i64 = AT_ONCE
        self.expires_ms: i64 = NEVER
        self.updates: i64 = 0
        self.delivery_count: i64 = 0


@final
@mypyc_attr(acyclic=True)
class Entry:
    """A message on a queue, with its sequence, place, deadline and state.

    A broker has millions of them, so a field that few need is in `details`, and numbers that are small in
    most entries have few octets. They are there under these names all the same.

    Attributes:
        sequence: the queue's number for it, from 1, without gaps over all messages the queue took.
        encoded: its message, in the encoding it arrived in.
        example: its message, or one that differs from it in values alone: the header is the same.
        key: the canonical bytes of its last-value key; None on other queues and for messages without a key.
        order: its order value, if the queue has `order_by`.
        rank, place: its position: by rank, and by place among equal ranks. The place is the sequence, or the
            place of the entry that it replaced.
        group: its group, or None.
        arrival_ms: when the queue took it, in milliseconds since the epoch.
        expires_ms: when it expires, or NEVER.
        lifetime_ms: how long after its arrival it expires; negative if it never does or `details` say when.
        not_before_ms: when it may be delivered, or AT_ONCE.
        few_updates, few_deliveries: `updates` and `delivery_count`, unless `details` have the number.
        updates: the number of updates it represents: its own and those of the entries it replaced.
        replaced_traces: the trace contexts of entries that it replaced, if the queue keeps some.
        delivery_count: the number of failed deliveries.
        state: AVAILABLE, ACQUIRED, REMOVED or HELD_BACK.
        holder: the number of the subscription that acquired it, or 0.
        browsed: a browser has seen it; set only on queues that replace in place.
        superseded: a newer value of its key stands beside it, on queues that replace in place; an entry
            without a key is kept by its queue's keeper (`is_kept`).
        stored, slot: the part of the journal that stores it, or WAITS, or 0 if none does; and its index in
            that part. Only the journal sets them, and `renew`.
        details: what few entries have, or None.

    The links belong to the list that it is in: the available list, or its consumer's `AcquiredList`. They are
    cleared when it leaves, because the garbage collector does not traverse acyclic objects.
    """

    __slots__ = (
        "_key",
        "arrival_ms",
        "browsed",
        "details",
        "encoded",
        "example",
        "few_deliveries",
        "few_updates",
        "holder",
        "lifetime_ms",
        "next",
        "previous",
        "sequence",
        "slot",
        "state",
        "stored",
        "superseded",
    )

    def __init__(
        self, sequence: i64, message: Message, arrival_ms: i64, expires_ms: i64, updates: i64
    ) -> None:
        self.sequence: i64 = sequence
        self.encoded = message.encoded
        self.example = message
        self.arrival_ms: i64 = arrival_ms
        self._key: bytes | KeyPlace | None = None
        self.previous: Entry | None = None
        self.next: Entry | None = None
        self.details: EntryDetails | None = None
        # Fields of a size stand together, as each begins at a multiple of its own.
        self.lifetime_ms: i32 = FOREVER
        self.few_updates: i32 = 1
        self.holder: i32 = 0
        self.stored: i32 = 0
        self.slot: i32 = 0
        self.state: u8 = AVAILABLE
        self.few_deliveries: u8 = 0
        self.browsed = False
        self.superseded = False
        if expires_ms != NEVER:
            self.expires_ms = expires_ms
        if updates != 1:
            self.updates = updates

    def _extend(self) -> EntryDetails:
        """Its details, to be set."""
        details = self.details
        if details is None:
            details = self.details = EntryDetails(self.sequence)
        return details

    @property
    def message(self) -> Message:
        """Its message; another object each time where it has none of its own."""
        example = self.example
        return example if example.encoded is self.encoded else example.alike(self.encoded)

    @message.setter
    def message(self, message: Message) -> None:
        order = self.order
        self._key = self.key
        self.order = order
        self.encoded = message.encoded
        self.example = message

    @property
    def key(self) -> bytes | None:
        """See Entry; another object each time where it is part of the encoding."""
        key = self._key
        return self.encoded[key.start : key.end] if isinstance(key, KeyPlace) else key

    @key.setter
    def key(self, value: bytes | None) -> None:
        self._key = value

    def set_key(self, key: bytes | KeyPlace) -> None:
        """Set its key, or where the key and the order value are in the encoding."""
        self._key = key

    def share(self, copy: "Entry") -> None:
        """Let a copy have this message and this key, without objects of its own for them."""
        copy.encoded = self.encoded
        copy.example = self.example
        if self._key is not None:
            copy.set_key(self._key)

    def key_in(self) -> tuple[bytes, i64, i64]:
        """Bytes with the key in them, where it starts and where it ends; it must have one."""
        key = self._key
        if isinstance(key, KeyPlace):
            return self.encoded, key.start, key.end
        data = key or b""
        return data, 0, len(data)

    def has_key(self, data: bytes, start: i64, end: i64) -> bool:
        """Whether its key is what is between these places."""
        if start == 0 and end == len(data):
            return self.key == data
        own, at, own_end = self.key_in()
        if own_end - at != end - start:
            return False
        while end - start >= _WORD:
            if read_i64_le(own, at) != read_i64_le(data, start):
                return False
            at += _WORD
            start += _WORD
        while start < end:
            if own[at] != data[start]:
                return False
            at += 1
            start += 1
        return True

    @property
    def is_kept(self) -> bool:
        """Whether its queue dropped it, and the queue's `Keeper` keeps it."""
        return self.superseded and self._key is None

    @property
    def size_bytes(self) -> i64:
        """The bytes that its message is counted with: see `size_of`."""
        extras = self.example.extras
        return len(self.encoded) if extras is None or extras.wire_bytes == 0 else extras.wire_bytes

    @property
    def place(self) -> i64:
        """See Entry."""
        return self.sequence if self.details is None else self.details.place

    @place.setter
    def place(self, value: i64) -> None:
        if value != self.place:
            self._extend().place = value

    @property
    def order(self) -> OrderValue | None:
        """See Entry; read again each time where it is part of the encoding."""
        place = self.order_place
        if place is not None:
            return place.value(self.encoded)
        return None if self.details is None else self.details.order

    @order.setter
    def order(self, value: OrderValue | None) -> None:
        if self.details is not None or value is not None:
            self._extend().order = value

    @property
    def order_place(self) -> OrderPlace | None:
        """Where its order value is in the encoding, or None."""
        key = self._key
        return key.order if isinstance(key, KeyPlace) else None

    @property
    def rank(self) -> bytes:
        """See Entry."""
        return FIRST if self.details is None else self.details.rank

    @rank.setter
    def rank(self, value: bytes) -> None:
        if self.details is not None or value is not FIRST:
            self._extend().rank = value

    @property
    def group(self) -> Group | None:
        """See Entry."""
        return None if self.details is None else self.details.group

    @group.setter
    def group(self, value: Group | None) -> None:
        if self.details is not None or value is not None:
            self._extend().group = value

    @property
    def replaced_traces(self) -> str:
        """See Entry."""
        return "" if self.details is None else self.details.replaced_traces

    @replaced_traces.setter
    def replaced_traces(self, value: str) -> None:
        if self.details is not None or value:
            self._extend().replaced_traces = value

    @property
    def not_before_ms(self) -> i64:
        """See Entry."""
        return AT_ONCE if self.details is None else self.details.not_before_ms

    @not_before_ms.setter
    def not_before_ms(self, value: i64) -> None:
        if self.details is not None or value != AT_ONCE:
            self._extend().not_before_ms = value

    @property
    def expires_ms(self) -> i64:
        """See Entry."""
        lifetime_ms = i64(self.lifetime_ms)
        if lifetime_ms >= 0:
            return self.arrival_ms + lifetime_ms
        return NEVER if self.details is None or lifetime_ms == FOREVER else self.details.expires_ms

    @expires_ms.setter
    def expires_ms(self, value: i64) -> None:
        lifetime_ms = value - self.arrival_ms
        if value == NEVER:
            self.lifetime_ms = FOREVER
        elif 0 <= lifetime_ms <= MOST_FEW:
            self.lifetime_ms = i32(lifetime_ms)
        else:
            self.lifetime_ms = _IN_DETAILS
            self._extend().expires_ms = value

    @property
    def updates(self) -> i64:
        """See Entry."""
        few = i64(self.few_updates)
        return few if few >= 0 or self.details is None else self.details.updates

    @updates.setter
    def updates(self, value: i64) -> None:
        if 0 <= value <= MOST_FEW:
            self.few_updates = i32(value)
        else:
            self.few_updates = _IN_DETAILS
            self._extend().updates = value

    def add_updates(self, previous: "Entry") -> None:
        """Represent the updates of an entry that it replaces, too."""
        own = i64(self.few_updates)
        others = i64(previous.few_updates)
        if own >= 0 and others >= 0 and own + others <= MOST_FEW:
            self.few_updates = i32(own + others)
        else:
            both = self.updates + previous.updates
            self.updates = min(MOST_UPDATES, both)

    def renew(
        self, sequence: i64, example: Message, encoded: bytes, key: bytes | KeyPlace, arrival_ms: i64
    ) -> None:
        """Be the entry that replaces this one; it is in no list, and its `updates` are fewer than MOST_FEW.

        It has no details, it does not wait for the journal, and the key is equal to its own.
        """
        if self.stored > 0:
            self.stored = WAITS - self.stored
        self.sequence = sequence
        self.example = example
        self.encoded = encoded
        self._key = key
        self.arrival_ms = arrival_ms
        self.few_updates += 1
        self.few_deliveries = 0
        self.holder = 0
        self.browsed = False

    @property
    def delivery_count(self) -> i64:
        """See Entry."""
        few = i64(self.few_deliveries)
        return few if few < _MANY or self.details is None else self.details.delivery_count

    @delivery_count.setter
    def delivery_count(self, value: i64) -> None:
        if value < _MANY:
            self.few_deliveries = u8(value)
        else:
            self.few_deliveries = _MANY
            self._extend().delivery_count = value

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
