"""What the names of a selector stand for: JMS headers, the fields of AMQP, and properties."""

from typing import Final

from lastvalue.model.property_names import GROUP_ID, GROUP_SEQUENCE

DELIVERY_MODE: Final = "delivery mode"
"""Stands for the text PERSISTENT or NON_PERSISTENT, by whether the message is durable."""

_PROPERTIES: Final = (
    "message-id",
    "user-id",
    "to",
    "subject",
    "reply-to",
    "correlation-id",
    "content-type",
    "content-encoding",
    "absolute-expiry-time",
    "creation-time",
    "group-id",
    "group-sequence",
    "reply-to-group-id",
)

FIELDS: Final[dict[str, str]] = {
    "JMSCorrelationID": "properties.correlation-id",
    "JMSDeliveryMode": DELIVERY_MODE,
    "JMSDestination": "properties.to",
    "JMSExpiration": "properties.absolute-expiry-time",
    "JMSMessageID": "properties.message-id",
    "JMSPriority": "header.priority",
    "JMSReplyTo": "properties.reply-to",
    "JMSTimestamp": "properties.creation-time",
    "JMSType": "properties.subject",
    GROUP_ID: "properties.group-id",
    GROUP_SEQUENCE: "properties.group-sequence",
    "JMSXUserID": "properties.user-id",
    "amqp.delivery_mode": DELIVERY_MODE,
    "amqp.durable": "header.durable",
    "amqp.priority": "header.priority",
    "amqp.ttl": "header.ttl",
    **{f"amqp.{name.replace('-', '_')}": f"properties.{name}" for name in _PROPERTIES},
}
"""Names that are no application properties, and the message's field that each is."""

UNKNOWN: Final = frozenset(
    {"JMSRedelivered", "JMSXDeliveryCount", "JMSXRcvTimestamp", "amqp.delivery_count", "amqp.redelivered"}
)
"""What belongs to a delivery rather than to the message, so that nothing can be selected by it."""


def field_of(name: str) -> str:
    """The message's field, or DELIVERY_MODE, that a name stands for."""
    return FIELDS.get(name, name)
