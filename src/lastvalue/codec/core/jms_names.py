"""The names and numbers of JMS's headers and types in CORE and in AMQP 1.0.

docs/protocols/messages.md has the table of the properties.
"""

from typing import Final

# [Artemis] The types of CORE's messages.
DEFAULT_TYPE: Final = 0
OBJECT_TYPE: Final = 2
TEXT_TYPE: Final = 3
BYTES_TYPE: Final = 4
MAP_TYPE: Final = 5
STREAM_TYPE: Final = 6

JMS_TYPES: Final[dict[int, int]] = {
    DEFAULT_TYPE: 0,
    OBJECT_TYPE: 1,
    MAP_TYPE: 2,
    BYTES_TYPE: 3,
    STREAM_TYPE: 4,
    TEXT_TYPE: 5,
}
"""[Qpid JMS] By type in CORE, the value of the annotation x-opt-jms-msg-type."""
CORE_TYPES: Final = {number: core_type for core_type, number in JMS_TYPES.items()}
"""By the value of the annotation, the type in CORE."""

OBJECT_CONTENT: Final = "application/x-java-serialized-object"
"""[Qpid JMS] The content type of a serialized Java object."""

PREFIXES: Final = ("queue://", "topic://", "temp-queue://", "temp-topic://")
"""[Artemis] How JMSReplyTo begins; the place is the value of the annotation x-opt-jms-reply-to."""

MULTICAST: Final = 0
ANYCAST: Final = 1
"""[Artemis] The values of _AMQ_ROUTING_TYPE."""
ROUTING_TYPES: Final = ("MULTICAST", "ANYCAST")
"""[Artemis] Their names, by value."""

# [Artemis] Properties that AMQP 1.0 has fields or annotations for.
TYPE_HEADER: Final = "JMSType"
REPLY_TO: Final = "JMSReplyTo"
CORRELATION_ID: Final = "JMSCorrelationID"
USER: Final = "_AMQ_VALIDATED_USER"
GROUP: Final = "_AMQ_GROUP_ID"
SEQUENCE: Final = "_AMQ_GROUP_SEQUENCE"
ROUTING_TYPE: Final = "_AMQ_ROUTING_TYPE"
SCHEDULED: Final = "_AMQ_SCHED_DELIVERY"
ORIGINAL_ADDRESS: Final = "_AMQ_ORIG_ADDRESS"
ORIGINAL_QUEUE: Final = "_AMQ_ORIG_QUEUE"
COMPRESSED: Final = "_AMQ_LARGE_COMPRESSED"
LARGE_SIZE: Final = "_AMQ_LARGE_SIZE"
CONTENT_TYPE: Final = "JMS_AMQP_ContentType"
CONTENT_ENCODING: Final = "JMS_AMQP_ContentEncoding"
REPLY_GROUP: Final = "JMS_AMQP_ReplyToGroupID"
ANNOTATION: Final = "JMS_AMQP_MA_"
ENCODED_ANNOTATION: Final = "JMS_AMQP_ENCODED_MA_"
"""The beginnings of properties that are message annotations; the second have their AMQP encoding."""
