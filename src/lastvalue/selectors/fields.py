"""The meaning of the names in a selector: JMS headers, AMQP fields and properties."""

from typing import Final

from lastvalue.model.property_names import GROUP_ID, GROUP_SEQUENCE

DELIVERY_MODE: Final = "delivery mode"
"""The field with the text PERSISTENT for a durable message, else NON_PERSISTENT."""

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
"""The names that are not application properties, with the message field of each."""

UNKNOWN: Final = frozenset(
    {"JMSRedelivered", "JMSXDeliveryCount", "JMSXRcvTimestamp", "amqp.delivery_count", "amqp.redelivered"}
)
"""Names that belong to a delivery rather than to the message, so that selectors cannot use them."""


def field_of(name: str) -> str:
    """The message field of a name, or DELIVERY_MODE."""
    return FIELDS.get(name, name)
