"""A message as an application sees it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

MessageId: TypeAlias = str | int | bytes | UUID
"""What identifies a message: text, a whole number of at most 64 bits, bytes or a UUID."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message, to send or received.

    Times are in milliseconds, since the epoch where they name a moment.
    The last four are set on reception; of these a producer may set `updates` alone.

    Attributes:
        body: bytes, text, a JSON-like value (numbers, booleans, lists, maps with text keys) or None.
        properties: application properties, text to simple values; a queue reads its key here.
        annotations: message annotations, names that start with x-opt-.
        subject: what the message is about.
        message_id: the producer's name for it.
        correlation_id: the message that this one answers.
        reply_to: where an answer shall go.
        group_id: the group that it belongs to.
        content_type: media type of a body of bytes.
        durable: whether it should survive a restart of the broker.
        priority: 0 to 255.
        ttl_ms: time to live from its arrival at the broker; None: for ever.
        updates: how many updates it stands for; more than 1 where a producer or a queue conflated.
        sequence: its number on the queue; None before reception, or where the broker does not tell.
        enqueued_time_ms: when it arrived on the queue; None likewise.
        delivery_count: how many deliveries of it have failed before.
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
    enqueued_time_ms: int | None = field(default=None, kw_only=True)
    delivery_count: int = field(default=0, kw_only=True)
