"""The message, as applications send and receive it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final
from uuid import UUID

from lastvalue.client.annotated_fields import ENCODED, NAMES, fields_in

MessageId: TypeAlias = str | int | bytes | UUID
"""The identifier of a message: text, a whole number of at most 64 bits, bytes or a UUID."""

FIELDS: Final = ("subject", "message_id", "correlation_id", "reply_to", "group_id", "content_type")
"""The attributes of a message to send that are fields of AMQP's properties [1.0 §3.2.4]."""


def names_of_field(field: str) -> tuple[str, str]:
    """How a queue may name one of FIELDS as its key or order, as in `subject` and `properties.subject`."""
    name = field.replace("_", "-")
    return name, f"properties.{name}"


@final
class AnnotatedField:
    """A field that is read when it is asked for, from annotations that have its name."""

    def __init__(self, field: str, default: object) -> None:
        self._field = field
        self._name = NAMES[field].encode()
        self._default = default

    def __get__(self, message: Any, owner: type) -> object:
        if message is None:
            return self._default
        fields = message.__dict__
        encoded = fields.get(ENCODED)
        if encoded is not None:
            if self._name not in encoded:
                return self._default
            # In this order, as another thread may read the same message.
            fields.update(fields_in(encoded))
            fields.pop(ENCODED, None)
        return fields.get(self._field, self._default)


@dataclass(frozen=True)
class Message:
    """A message to send, or one that was received.

    Times are in milliseconds; points in time count from the epoch.
    Those from `updates` on are set on reception; of these a producer may only set `updates`.

    Attributes:
        body: bytes, text, a JSON-like value (numbers, booleans, lists, maps with text keys) or None.
        properties: application properties, text to simple values; a queue reads its key here.
        annotations: message annotations, names that start with x-opt-.
        subject: the message's subject; exchanges route by it.
        message_id: the producer's identifier of the message.
        correlation_id: the identifier of the message that this one answers.
        reply_to: the address for an answer.
        group_id: the message group.
        content_type: media type of a body of bytes.
        durable: whether it survives a restart of the broker, on a durable queue.
        priority: 0 to 255.
        ttl_ms: time to live from its arrival at the broker; None: it does not expire.
        updates: how many updates it stands for; more than 1 if a producer or a queue conflated.
        sequence: its number on the queue; None before reception, or if the broker does not send it.
        arrival_time_ms: when it arrived on the queue; None likewise.
        delivery_count: how many of its deliveries have failed.
        token: of a reader that watches: where it can continue later; as all that follow.
        removed: why its key has no value any more; the message has only the key's property.
        snapshot: it is the marker after the first values: `fresh`, or `resumed` if these are what changed.
        first_time_ms: since when it stands for all updates; the last one came at `arrival_time_ms`.
        policy: which update was chosen.
        delta: the body is the change since the last value of the key, as `merge-patch`.
        duplicate_id: the id that a client which reconnects gave it, by which a queue takes it once.
        replaced_traces: the trace contexts of messages that the value has replaced, newest first, if the
            queue's option `trace_links` keeps some.
        malformed: what of the message AMQP does not allow; such sections are left out, and from a malformed
            body on the body is the bytes as they came.
    """

    body: object = None
    properties: Mapping[str, object] = field(default_factory=dict)
    annotations: Mapping[str, object] = field(default_factory=dict)
    subject: str | None = field(default=None, kw_only=True)
    message_id: MessageId | None = field(default=None, kw_only=True)
    correlation_id: MessageId | None = field(default=None, kw_only=True)
    reply_to: str | None = field(default=None, kw_only=True)
    group_id: str | None = field(default=None, kw_only=True)
    content_type: str | None = field(default=None, kw_only=True)
    durable: bool = field(default=False, kw_only=True)
    priority: int = field(default=4, kw_only=True)
    ttl_ms: int | None = field(default=None, kw_only=True)
    updates: int = field(default=1, kw_only=True)
    sequence: int | None = field(default=None, kw_only=True)
    arrival_time_ms: int | None = field(default=None, kw_only=True)
    delivery_count: int = field(default=0, kw_only=True)
    token: str | None = field(default=None, kw_only=True)
    removed: str | None = field(default=None, kw_only=True)
    snapshot: str | None = field(default=None, kw_only=True)
    first_time_ms: int | None = field(default=None, kw_only=True)
    policy: str | None = field(default=None, kw_only=True)
    delta: str | None = field(default=None, kw_only=True)
    duplicate_id: str | None = field(default=None, kw_only=True)
    replaced_traces: tuple[str, ...] = field(default=(), kw_only=True)
    malformed: str | None = field(default=None, kw_only=True)

    if not TYPE_CHECKING:
        # The constructor that dataclass makes has this signature, but sets all fields, which takes four
        # times as long; here fields that are not given have the class's defaults.
        def __init__(
            self,
            body: object = None,
            properties: Mapping[str, object] | None = None,
            annotations: Mapping[str, object] | None = None,
            **others: object,
        ) -> None:
            if not others.keys() <= _OTHERS:
                unknown = ", ".join(sorted(others.keys() - _OTHERS))
                raise TypeError(f"a Message has no {unknown}; it has {', '.join(sorted(_OTHERS))}")
            others["body"] = body
            others["properties"] = {} if properties is None else properties
            others["annotations"] = {} if annotations is None else annotations
            self.__dict__.update(others)


for _each in fields(Message):
    if _each.name in NAMES:
        setattr(Message, _each.name, AnnotatedField(_each.name, _each.default))
_OTHERS: Final = frozenset(each.name for each in fields(Message) if each.kw_only)


def message_with(fields: Mapping[str, object]) -> Message:
    """A message with these fields, of which body, properties and annotations must not be missing.

    The constructor, which sets every field, would take a third of the time in which a message is decoded.
    """
    message = Message.__new__(Message)
    message.__dict__.update(fields)
    return message
