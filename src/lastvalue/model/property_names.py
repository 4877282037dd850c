"""The well-known names of annotations and application properties, each with what it is of."""

from typing import Final

ANNOTATION_PREFIX: Final = "x-opt-"
"""[1.0 §3.2.10] How annotations begin that a receiver may ignore."""

SEQUENCE_NUMBER: Final = "x-opt-sequence-number"
ENQUEUED_TIME: Final = "x-opt-enqueued-time"
"""[Azure Service Bus] Where and when a queue took the message."""

DELIVERY_TIME: Final = "x-opt-delivery-time"
DELIVERY_DELAY: Final = "x-opt-delivery-delay"
"""[Artemis] When the message may be delivered, and how long it waits."""

UPDATES: Final = "x-opt-updates"
"""How many updates the message stands for."""

DUPLICATE_ID: Final = "_AMQ_DUPL_ID"
"""[Artemis] The application property by which a queue knows a message again; it names one sending."""

REFUSED_ID: Final = "lastvalue:duplicate-id"
"""In the error of a transaction that is refused for it: such an id that a queue had taken before."""

ORIGINAL_QUEUE: Final = "x-opt-original-queue"
REASON: Final = "x-opt-reason"
"""On dead letters: where the message was, and why it left."""

HISTORY_PREFIX: Final = "x-opt-lastvalue-"
"""How the annotations of a history's records begin."""

GROUP_ID: Final = "JMSXGroupID"
GROUP_SEQUENCE: Final = "JMSXGroupSeq"
"""[JMS] A message's group, and its number in it."""

SUBJECT: Final = "qpid.subject"
"""[Qpid] The subject where a protocol has none."""

QPID_APP_ID: Final = "x-amqp-0-10.app-id"
"""[Qpid C++] The application property that is the app-id to readers of AMQP 0-10."""
MESSAGE_ID: Final = "x-amqp-1.0.message-id"
"""[Qpid C++] The header with a message-id that is no UUID, to readers of AMQP 0-10."""

TYPE: Final = "x-opt-amqp-type"
APP_ID: Final = "x-opt-amqp-app-id"
CLUSTER_ID: Final = "x-opt-amqp-cluster-id"
"""Properties of AMQP 0-9-1 and 0-10 without a place in AMQP 1.0."""

AMQP010_PREFIX: Final = "x-opt-amqp-0-10."
"""How annotations begin that are for readers of AMQP 0-10 alone."""
HEADERS: Final = "x-opt-amqp-0-10.headers"
"""Maps, lists and arrays among the headers that could be no annotations of their own names."""
REPLY_EXCHANGE: Final = "x-opt-amqp-0-10.reply-exchange"
"""The exchange to reply to, where this broker has none of that name."""
