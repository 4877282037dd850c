"""The well-known names of annotations and application properties, each with its source."""

from typing import Final

ANNOTATION_PREFIX: Final = "x-opt-"
"""[1.0 §3.2.10] The prefix of annotations that a receiver may ignore."""

SEQUENCE_NUMBER: Final = "x-opt-sequence-number"
ENQUEUED_TIME: Final = "x-opt-enqueued-time"
"""[Azure Service Bus] The sequence and the time with which a queue took the message."""

DELIVERY_TIME: Final = "x-opt-delivery-time"
DELIVERY_DELAY: Final = "x-opt-delivery-delay"
"""[Artemis] When the message may be delivered, or how long it waits."""

UPDATES: Final = "x-opt-updates"
"""The number of updates that the message represents."""

TRACE_PARENT: Final = "traceparent"
"""[W3C Trace Context] The application property by which a message belongs to a trace."""
REPLACED_TRACES: Final = "x-opt-replaced-traces"
"""The trace contexts of messages that the value has replaced, newest first, with spaces between them."""

DUPLICATE_ID: Final = "_AMQ_DUPL_ID"
"""[Artemis] The application property for duplicate detection; it identifies one sending."""
COUNTED: Final = "lastvalue:"
"""The beginning of such an id of a producer that counts its messages: `lastvalue:NAME-NUMBER`."""

REFUSED_ID: Final = "lastvalue:duplicate-id"
"""In the error of a transaction that is refused as a duplicate: the id that a queue took before."""

PLACE: Final = "x-opt-token"
"""On what a reader that watches is sent: the place from which it continues later."""
REMOVED: Final = "x-opt-removed"
"""On a message that tells a watching reader that a key lost its value: why."""
SNAPSHOT: Final = "x-opt-snapshot"
"""On the marker after the first values: `fresh`, or `resumed` if they are what changed since a token.

`begun` comes before the first values of a reader that starts over while it is attached.
"""
FIRST_TIME: Final = "x-opt-first-time"
LAST_TIME: Final = "x-opt-last-time"
POLICY: Final = "x-opt-policy"
"""What a conflated message stands for: from when, to when, and by which policy."""
INTERVAL_START: Final = "x-opt-interval-start"
"""On a value of a queue that conflates by intervals: the start of its interval, milliseconds since 1970."""
CONFLATION: Final = "x-opt-conflation"
"""On a value that a queue has made of updates: what it needs for the next one, as JSON."""
DELTA: Final = "x-opt-delta"
"""The body is the change since the reader's last value of the key, as `merge-patch` [RFC 7396]."""

ORIGINAL_QUEUE: Final = "x-opt-original-queue"
ORIGINAL_SEQUENCE: Final = "x-opt-original-sequence"
REASON: Final = "x-opt-reason"
"""On dead letters: where the message was, its sequence there, and why it left."""

DEATHS: Final = "x-opt-deaths"
"""[RabbitMQ] On dead letters: a list of maps, for each queue and reason when and how often it was one."""
EXCHANGE: Final = "x-exchange"
ROUTING_KEY: Final = "x-routing-key"
"""[RabbitMQ] On dead letters: the exchange and the key by which it came to its queue."""
COPIED_TO: Final = "CC"
HIDDEN_COPIES: Final = "BCC"
"""[RabbitMQ] Headers with lists of further routing keys; readers do not see the second."""

HISTORY_PREFIX: Final = "x-opt-lastvalue-"
"""The prefix of the annotations of a history's records."""

GROUP_ID: Final = "JMSXGroupID"
GROUP_SEQUENCE: Final = "JMSXGroupSeq"
"""[JMS] A message's group, and its number in it."""

SUBJECT: Final = "qpid.subject"
"""[Qpid] The subject in a protocol that has none."""

QPID_APP_ID: Final = "x-amqp-0-10.app-id"
"""[Qpid C++] The application property that AMQP 0-10 readers get as the app-id."""
MESSAGE_ID: Final = "x-amqp-1.0.message-id"
"""[Qpid C++] The header in which AMQP 0-10 readers get a message-id that is not a UUID."""

TYPE: Final = "x-opt-amqp-type"
APP_ID: Final = "x-opt-amqp-app-id"
CLUSTER_ID: Final = "x-opt-amqp-cluster-id"
"""Properties of AMQP 0-9-1 and 0-10 that AMQP 1.0 does not have."""

AMQP010_PREFIX: Final = "x-opt-amqp-0-10."
"""The prefix of annotations that are only for AMQP 0-10 readers."""
HEADERS: Final = "x-opt-amqp-0-10.headers"
"""The maps, lists and arrays of the headers that cannot be annotations under their own names."""
REPLY_EXCHANGE: Final = "x-opt-amqp-0-10.reply-exchange"
"""The exchange to reply to, if this broker has none of that name."""

JMS_MESSAGE_TYPE: Final = "x-opt-jms-msg-type"
JMS_DESTINATION: Final = "x-opt-jms-dest"
JMS_REPLY_TO: Final = "x-opt-jms-reply-to"
"""[Qpid JMS] Which of JMS's types a message has, and what its destination and its address for replies are."""

MQTT_QOS: Final = "x-opt-mqtt-qos"
"""The quality of service with which a message was published, if it is not 1 for a durable one and else 0."""
MQTT_RETAINED: Final = "x-opt-mqtt-retained"
"""On a message that was published as retained: how many of its first application properties are its key."""
MQTT_PAYLOAD_FORMAT: Final = "x-opt-mqtt-payload-format"
"""0 if the publisher said that the payload is octets, rather than nothing."""
MQTT_USER_PROPERTIES: Final = "x-opt-mqtt-user-properties"
"""All user properties, each a name and a text, where a name stands in them several times."""
MQTT_FOR: Final = "x-opt-mqtt-for"
"""On a message in a session's queue that was copied there for one of its subscriptions: the filter."""
MQTT_RELEASED: Final = "x-opt-mqtt-released"
"""On a message in a session's queue that its client has received: a release is still to be sent."""
