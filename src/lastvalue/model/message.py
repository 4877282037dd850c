"""A message as queues see it, independent of its protocol."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Final, TypeAlias, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.model.errors import LastvalueError

OrderValue: TypeAlias = int | float | str
"""A value that says which of two updates is newer; numbers compare with numbers, texts with texts."""

FieldValue: TypeAlias = bool | int | float | str | bytes | None
"""A field as selectors read it; None if it is missing, bytes if it has none of the other types."""

NEVER: Final = (1 << 62) - 1
"""No expiry, no time to live, no deadline: later than any time, so the sooner of two is their minimum."""

MOST_UPDATES: Final = (1 << 32) - 1
"""The most updates that a message stands for; a greater count or sum is this one."""

AT_ONCE: Final = -1
"""The message has no delivery time: it may be delivered now."""

NO_NUMBER: Final = -(1 << 63)
"""No whole number that 64 bits hold, or this one."""

USUAL_PRIORITY: Final = 4
"""The priority of a message whose producer set none."""


class PropertyName:
    """The name of a message property that a queue reads, such as its key.

    The bytes are computed once, because a codec searches for them in every message.
    """

    __slots__ = ("text", "utf8")

    def __init__(self, text: str) -> None:
        self.text = text
        self.utf8 = text.encode()


@final
@mypyc_attr(acyclic=True)
class MessageExtras:
    """What few messages have, see Message; messages that came alike share an object, which never changes."""

    __slots__ = ("duplicate_id", "expires_ms", "origin", "priority", "ttl_ms", "wire_bytes")

    def __init__(
        self,
        priority: i64 = USUAL_PRIORITY,
        ttl_ms: i64 = NEVER,
        expires_ms: i64 = NEVER,
        origin: str = "",
        duplicate_id: bytes = b"",
        wire_bytes: i64 = 0,
    ) -> None:
        self.priority: i64 = priority
        self.ttl_ms: i64 = ttl_ms
        self.expires_ms: i64 = expires_ms
        self.origin = origin
        self.duplicate_id = duplicate_id
        self.wire_bytes: i64 = wire_bytes

    @property
    def expires(self) -> bool:
        """Whether there is a time to live or an expiry."""
        return self.ttl_ms != NEVER or self.expires_ms != NEVER

    def copy(self) -> "MessageExtras":
        """The same in another object."""
        return MessageExtras(
            self.priority, self.ttl_ms, self.expires_ms, self.origin, self.duplicate_id, self.wire_bytes
        )

    def equals(self, other: "MessageExtras") -> bool:
        """Whether another one says the same."""
        return (
            self.priority == other.priority
            and self.ttl_ms == other.ttl_ms
            and self.expires_ms == other.expires_ms
            and self.wire_bytes == other.wire_bytes
            and self.origin == other.origin
            and self.duplicate_id == other.duplicate_id
        )


@mypyc_attr(acyclic=True, allow_interpreted_subclasses=True)
class Message:
    """One message in the encoding it arrived in; each codec has one implementation.

    It has few fields, and none of a native integer, whose presence would take a further field.

    Attributes:
        encoded: the message's sections exactly as received.
        durable: it survives a restart on a durable queue.
        annotated: it may have annotations with a delivery time or a count of updates.
        extras: what few messages have; None if all of it is as usual.
        priority: 0 to 255; 4 if the producer set none.
        ttl_ms: time to live in milliseconds from arrival, or NEVER.
        expires_ms: the producer's absolute expiry in milliseconds since the epoch, or NEVER.
        origin: the container that sent it; "" if no queue needs it.
        duplicate_id: the id for duplicate detection that its link asked for, or b"".
        wire_bytes: the size as it came, where that is not the size of the encoding; else 0.
    """

    __slots__ = ("annotated", "durable", "encoded", "extras")

    def __init__(
        self,
        encoded: bytes,
        durable: bool = False,
        priority: i64 = USUAL_PRIORITY,
        ttl_ms: i64 = NEVER,
        expires_ms: i64 = NEVER,
    ) -> None:
        self.encoded = encoded
        self.extras: MessageExtras | None = None
        self.durable = durable
        self.annotated = False
        if priority != USUAL_PRIORITY or ttl_ms != NEVER or expires_ms != NEVER:
            self.extras = MessageExtras(priority, ttl_ms, expires_ms)

    def _own_extras(self) -> MessageExtras:
        """Its extras, in an object that no other message has, to be changed."""
        extras = MessageExtras() if self.extras is None else self.extras.copy()
        self.extras = extras
        return extras

    @property
    def priority(self) -> i64:
        """See Message."""
        return USUAL_PRIORITY if self.extras is None else self.extras.priority

    @priority.setter
    def priority(self, value: i64) -> None:
        if value != self.priority:
            self._own_extras().priority = value

    @property
    def ttl_ms(self) -> i64:
        """See Message."""
        return NEVER if self.extras is None else self.extras.ttl_ms

    @ttl_ms.setter
    def ttl_ms(self, value: i64) -> None:
        if value != self.ttl_ms:
            self._own_extras().ttl_ms = value

    @property
    def expires_ms(self) -> i64:
        """See Message."""
        return NEVER if self.extras is None else self.extras.expires_ms

    @expires_ms.setter
    def expires_ms(self, value: i64) -> None:
        if value != self.expires_ms:
            self._own_extras().expires_ms = value

    @property
    def origin(self) -> str:
        """See Message."""
        return "" if self.extras is None else self.extras.origin

    @origin.setter
    def origin(self, value: str) -> None:
        if value != self.origin:
            self._own_extras().origin = value

    @property
    def duplicate_id(self) -> bytes:
        """See Message."""
        return b"" if self.extras is None else self.extras.duplicate_id

    @duplicate_id.setter
    def duplicate_id(self, value: bytes) -> None:
        if value != self.duplicate_id:
            self._own_extras().duplicate_id = value

    @property
    def wire_bytes(self) -> i64:
        """See Message."""
        return 0 if self.extras is None else self.extras.wire_bytes

    @wire_bytes.setter
    def wire_bytes(self, value: i64) -> None:
        if value != self.wire_bytes:
            self._own_extras().wire_bytes = value

    def alike(self, encoded: bytes) -> "Message":
        """A message with this encoding, which differs in values only, and neither in the header nor in sizes.

        It has the same extras. It is asked where a run's messages are `alike`.
        """
        raise NotImplementedError

    def key(self, name: PropertyName) -> bytes | None:
        """The property's value as a canonical byte string, or None if the message lacks it.

        Two values are the same key exactly when their canonical bytes are equal: equal text, or equal
        integers of any width. Values of different kinds are different keys.
        """
        raise NotImplementedError

    def order(self, name: PropertyName) -> OrderValue | None:
        """The property's value in a form that can be compared, or None if the message lacks it."""
        raise NotImplementedError

    def text(self, name: PropertyName) -> str | None:
        """The property's value as text, or None if the message lacks it.

        Texts are unchanged, numbers decimal, booleans `true` and `false`; other values have no text.
        """
        raise NotImplementedError

    def field(self, name: str) -> FieldValue:
        """The field of this name, or None if the message lacks it or it is null.

        The names `header.durable`, `header.priority`, `header.ttl` (milliseconds) and `properties.message-id`
        to `properties.reply-to-group-id` are those of AMQP 1.0 in every protocol; any other name is an
        application property's, or else an annotation's.
        Symbols and UUIDs become text, and so do message-id, correlation-id and user-id of every type; times
        are milliseconds since the epoch; binaries and values of all other types are bytes.
        """
        raise NotImplementedError

    def fields(self, names: Mapping[bytes, str]) -> dict[str, FieldValue]:
        """The fields of these names, which are by their UTF-8, as `field` gives them, without missing ones.

        A codec finds them in time proportional to the message, however many names there are. Where it knows
        nulls, a property or annotation that is null is not missing: it is None.
        """
        values = {name: self.field(name) for name in names.values()}
        return {name: value for name, value in values.items() if value is not None}

    def not_before(self, now: i64) -> i64:
        """When its delivery time or delay allows delivery, milliseconds since the epoch, or AT_ONCE."""
        raise NotImplementedError

    def is_empty(self) -> bool:
        """Whether it has no body, or one without content: null, or an empty text, binary, list or map."""
        raise NotImplementedError

    def body_value(self) -> object:
        """The body; a map where it is JSON of one, as a text or as bytes; None if there is none."""
        raise NotImplementedError

    def conflated(
        self, body: Mapping[str, object] | None, notes: Mapping[str, str | int], durable: bool
    ) -> "Message":
        """A copy with another body, unless that is None, in the form of its own, and with these annotations.

        Annotations that hold for one update only are dropped: a delivery time, a count of updates.
        """
        raise NotImplementedError

    def conflation(self) -> str:
        """What a queue that has made this message of updates keeps with it, or ""."""
        raise NotImplementedError

    def explicit_id(self) -> bytes:
        """The id that the producer set for duplicate detection, or b"" if there is none."""
        raise NotImplementedError

    def annotation(self, name: str) -> object:
        """The message annotation of this name, decoded; None if there is none, or it cannot be decoded."""
        del name
        return None

    def forwarded(self, notes: Mapping[str, object], keeps_expiry: bool) -> "Message":
        """A copy for another queue, with these annotations; the message itself if its encoding has none.

        It lacks the annotations that are None. Without `keeps_expiry` the copy does not expire.
        """
        del notes, keeps_expiry
        return self

    def with_priority(self, priority: i64) -> "Message":
        """The message with another priority; the message itself if its encoding has no priority."""
        del priority
        return self

    def updates(self) -> i64:
        """The number of updates it represents: 1 unless a conflating producer annotated more."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class OrderPlace:
    """Where encodings that are alike have their order values."""

    __slots__ = ()

    @abstractmethod
    def value(self, encoded: bytes) -> OrderValue | None:
        """The order value of one of them, as `Message.order` gives it."""
        raise NotImplementedError

    @abstractmethod
    def number(self, encoded: bytes) -> i64:
        """The same if it is a whole number that 64 bits hold, else NO_NUMBER."""
        raise NotImplementedError


@final
@mypyc_attr(acyclic=True)
class KeyPlace:
    """Where encodings that are alike have their keys, as `Message.key` gives them.

    Attributes:
        order: where they have their order values; None if they have none, or nobody asks.
    """

    __slots__ = ("end", "order", "start")

    def __init__(self, start: i64, end: i64, order: OrderPlace | None = None) -> None:
        self.start: i64 = start
        self.end: i64 = end
        self.order = order


@final
class AlikeMessages:
    """Messages in a row that differ in values only.

    Attributes:
        example: a message like them, with the same header and the same extras.
        encodings: theirs, in their order.
        key_place: where each of them has its key and its order value; None if there is only one of them,
            which `Message.key` and `Message.order` read.
        empty_bytes: the size of such an encoding whose body is empty; for one message `Message.is_empty` says
            whether it is.
    """

    __slots__ = ("empty_bytes", "encodings", "example", "key_place")

    def __init__(
        self,
        example: Message,
        encodings: list[bytes],
        key_place: KeyPlace | None = None,
        empty_bytes: i64 = 0,
    ) -> None:
        self.example = example
        self.encodings = encodings
        self.key_place = key_place
        self.empty_bytes: i64 = empty_bytes


@mypyc_attr(allow_interpreted_subclasses=True)
class MessageRun:
    """Messages that came together from one producer for one queue, in their order."""

    __slots__ = ()

    def next(self) -> Message | None:
        """The next message, or None; the queue has taken the one at which the run stands.

        Errors from reading the message pass.
        """
        raise NotImplementedError

    def alike(
        self, message: Message, name: PropertyName | None, order_by: PropertyName | None
    ) -> AlikeMessages:
        """The message at which it stands, and those after it that are like it.

        Args:
            message: the one at which it stands.
            name: of the property that is the key, or None.
            order_by: of the property that is the order value, or None.
        """
        del name, order_by
        return AlikeMessages(message, [message.encoded])

    def skip(self, count: i64) -> None:
        """Move on by this many of the messages that `alike` gave, at least one; those before are taken."""
        while count > 0:
            self.next()
            count -= 1


def size_of(message: Message) -> i64:
    """The bytes that a message is counted with: as it came over AMQP 0-10, or else as it is encoded."""
    extras = message.extras
    return len(message.encoded) if extras is None or extras.wire_bytes == 0 else extras.wire_bytes


@mypyc_attr(allow_interpreted_subclasses=True)
class MessageFilter:
    """Selects messages."""

    __slots__ = ()

    def matches(self, message: Message) -> bool:
        """Whether the message is selected; errors from reading its fields pass."""
        raise NotImplementedError

    def size_bytes(self) -> i64:
        """The memory that it takes, besides that of its reader."""
        return 0


def selects(wanted: MessageFilter | None, message: Message) -> bool:
    """Whether a message is selected: without a filter every one, with one none that it cannot read."""
    if wanted is None:
        return True
    try:
        return wanted.matches(message)
    except LastvalueError:
        return False
