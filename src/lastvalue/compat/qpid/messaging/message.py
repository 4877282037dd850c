"""The message of `qpid.messaging`, which is mutable."""

from dataclasses import dataclass, field, fields

from lastvalue.client.message import Message as ClientMessage
from lastvalue.client.message import MessageId
from lastvalue.model.property_names import SUBJECT

"""AMQP 0-10 has no subject, so its clients use this property; it may be a queue's key."""


@dataclass(eq=False, slots=True, repr=False)
class Message:
    """One message; unlike the client's message it may be changed, also after it was sent.

    Attributes:
        content: bytes, text, a JSON-like value or None.
        subject: the message's subject; if it has none, a sender uses the subject of its address.
        properties: text to simple values; a queue reads its key here.
        ttl: seconds from its arrival after which it expires; None: never.
        priority: 0 to 255; None: the default, 4.
        redelivered: set on reception: an earlier delivery of it has failed.
    """

    content: object = None
    subject: str | None = field(default=None, kw_only=True)
    properties: dict[str, object] = field(default_factory=dict, kw_only=True)
    ttl: float | None = field(default=None, kw_only=True)
    priority: int | None = field(default=None, kw_only=True)
    durable: bool = field(default=False, kw_only=True)
    id: MessageId | None = field(default=None, kw_only=True)
    correlation_id: MessageId | None = field(default=None, kw_only=True)
    reply_to: str | None = field(default=None, kw_only=True)
    content_type: str | None = field(default=None, kw_only=True)
    redelivered: bool = field(default=False, kw_only=True)

    def __repr__(self) -> str:
        given = [(each.name, getattr(self, each.name)) for each in fields(self)[1:]]
        shown = [f"{name}={value!r}" for name, value in given if value not in (None, {}, False)]
        return f"Message({', '.join([*shown, f'content={self.content!r}'])})"


def outgoing(message: Message, subject: str | None) -> ClientMessage:
    """The message as the client sends it; `subject` is the address's."""
    properties = dict(message.properties)
    subject = message.subject if message.subject is not None else subject
    if subject is not None:
        properties.setdefault(SUBJECT, subject)
    return ClientMessage(
        message.content,
        properties,
        subject=subject,
        message_id=message.id,
        correlation_id=message.correlation_id,
        reply_to=message.reply_to,
        content_type=message.content_type,
        durable=message.durable,
        priority=4 if message.priority is None else message.priority,
        ttl_ms=None if message.ttl is None else round(message.ttl * 1000),
    )


def incoming(message: ClientMessage) -> Message:
    """The message that the client received."""
    properties = dict(message.properties)
    named = properties.pop(SUBJECT, None)
    return Message(
        message.body,
        subject=message.subject if named is None else str(named),
        properties=properties,
        ttl=None if message.ttl_ms is None else message.ttl_ms / 1000,
        priority=message.priority,
        durable=message.durable,
        id=message.message_id,
        correlation_id=message.correlation_id,
        reply_to=message.reply_to,
        content_type=message.content_type,
        redelivered=message.delivery_count > 0,
    )
