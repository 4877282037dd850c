"""What a queue may know of a message, whatever protocol brought it."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from mypy_extensions import i64, mypyc_attr

OrderValue: TypeAlias = int | float | str
"""A value that says which of two updates is newer; numbers compare with numbers, texts with texts."""

FieldValue: TypeAlias = bool | int | float | str | bytes | None
"""A field as selectors read it; None where there is none, bytes where it is of no other of these types."""

NEVER: Final = (1 << 62) - 1
"""No expiry, no time to live, no deadline: later than any time, so the sooner of two is their minimum."""

AT_ONCE: Final = -1
"""No time from which a message may be delivered: it may be now."""


class PropertyName:
    """The name of a message property that a queue reads: its key, its order, later its group or sort value.

    The bytes are computed once, because a codec looks for them in every message.
    """

    __slots__ = ("text", "utf8")

    def __init__(self, text: str) -> None:
        self.text = text
        self.utf8 = text.encode()


@mypyc_attr(acyclic=True, allow_interpreted_subclasses=True)
class Message:
    """One message in the encoding it arrived in; each codec has one implementation.

    Attributes:
        encoded: the message's sections exactly as received.
        durable: the producer asks that it survives a restart.
        priority: 0 to 255; 4 where the producer gave none.
        ttl_ms: time to live in milliseconds from arrival, or NEVER.
        expires_ms: the producer's absolute expiry in milliseconds since the epoch, or NEVER.
        annotated: it may carry a time from which it may be delivered, or a count of updates.
        origin: whose message it is: the container that sent it; "" where nobody asked.
        duplicate_id: the id by which queues know that they have taken it before; b"" where nobody asked.
        told_bytes: the size that its protocol tells of it, where that is not the encoding's; else 0.
    """

    __slots__ = (
        "annotated",
        "duplicate_id",
        "durable",
        "encoded",
        "expires_ms",
        "origin",
        "priority",
        "told_bytes",
        "ttl_ms",
    )

    def __init__(
        self,
        encoded: bytes,
        durable: bool = False,
        priority: i64 = 4,
        ttl_ms: i64 = NEVER,
        expires_ms: i64 = NEVER,
    ) -> None:
        self.encoded = encoded
        self.durable = durable
        self.priority: i64 = priority
        self.ttl_ms: i64 = ttl_ms
        self.expires_ms: i64 = expires_ms
        self.annotated = False
        self.origin = ""
        self.duplicate_id = b""
        self.told_bytes: i64 = 0

    def key(self, name: PropertyName) -> bytes | None:
        """The property's value as a canonical byte string, or None where the message lacks it.

        Two values are the same key exactly when their canonical bytes are equal: equal text, or equal
        integers of any width. Values of different kinds are different keys.
        """
        raise NotImplementedError

    def order(self, name: PropertyName) -> OrderValue | None:
        """The property's value as something that can be compared, or None where the message lacks it."""
        raise NotImplementedError

    def text(self, name: PropertyName) -> str | None:
        """The property's value as text, or None where the message lacks it.

        Texts are as they are, numbers decimal, booleans `true` and `false`; other values have no text.
        """
        raise NotImplementedError

    def field(self, name: str) -> FieldValue:
        """The field of that name, or None where the message lacks it or it is null.

        The names `header.durable`, `header.priority`, `header.ttl` (milliseconds) and `properties.message-id`
        to `properties.reply-to-group-id` are those of AMQP 1.0, whatever protocol brought the message; any
        other name is an application property's, or else an annotation's.
        Symbols and UUIDs are given as text, and so are message-id, correlation-id and user-id of every type;
        times are milliseconds since the epoch; binaries are bytes, and so is a value of any further type.
        """
        raise NotImplementedError

    def not_before(self, now: i64) -> i64:
        """When it may be delivered by the delivery time or delay that it carries, or AT_ONCE."""
        raise NotImplementedError

    def given_id(self) -> bytes:
        """The id that the producer gave it for duplicate detection, or b"" where it gave none."""
        raise NotImplementedError

    def forwarded(self, notes: Mapping[str, str | int], keeps_expiry: bool) -> "Message":
        """The copy that another queue gets, with these annotations; itself where the encoding has none.

        Without `keeps_expiry` it does not expire any more.
        """
        del notes, keeps_expiry
        return self

    def with_priority(self, priority: i64) -> "Message":
        """The same message with another priority; itself where the encoding has none."""
        del priority
        return self

    def updates(self) -> i64:
        """How many updates this message stands for: 1 unless a conflating producer annotated more."""
        raise NotImplementedError


def size_of(message: Message) -> i64:
    """The bytes that a message is counted with: as it came over AMQP 0-10, or else as it is encoded."""
    return message.told_bytes if message.told_bytes > 0 else len(message.encoded)


@mypyc_attr(allow_interpreted_subclasses=True)
class MessageFilter:
    """Says which messages are wanted."""

    __slots__ = ()

    def matches(self, message: Message) -> bool:
        """Whether the message is wanted; what the message raises when it is asked for a field passes."""
        raise NotImplementedError
