"""The statistics of queues, each declared once: what it is, how it adds up, and what other products call it.

The broker reads the values (`broker/statistics/statistic.py`). Whoever shows them reads this table.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Unit(Enum):
    """What is counted."""

    MESSAGES = "messages"
    RECORDS = "records"
    KEYS = "keys"
    READERS = "readers"
    TIMES = "times"
    SEQUENCES = "sequences"
    BYTES = "bytes"
    MOMENT = "milliseconds since the epoch"
    """0 is never."""
    TRUTH = "0 or 1"
    TEXT = "text"


class Over(Enum):
    """What the statistic is of several queues together."""

    SUM = "sum"
    HIGHEST = "highest"
    LOWEST = "lowest but 0"
    NONE = ""
    """There is none."""


@dataclass(frozen=True, slots=True)
class QueueStatistic:
    """One thing that is counted of a queue, or known; a name that is "" is none.

    Attributes:
        name: by which `$management`, the clients and the gateway show it.
        meaning: what it is.
        unit: what is counted.
        over: what it is of several queues together.
        totalled: whether `/queue-totals` has it.
        prometheus: the metric, without prefix. One of a moment ends in `_age_seconds` or
            `_timestamp_seconds`; one that begins with `history_` is shown of histories alone.
        qmf: the property of QMF's class `queue`.
        broker_j: the statistic of Broker-J, for which a moment is an age in milliseconds.
        rabbitmq: the path in RabbitMQ's description of a queue, with a dot between its parts.
        artemis: the attribute of Artemis's `QueueControl`.
    """

    name: str
    meaning: str
    unit: Unit
    over: Over = Over.SUM
    totalled: bool = False
    prometheus: str = ""
    qmf: str = ""
    broker_j: str = ""
    rabbitmq: str = ""
    artemis: str = ""


QUEUE_STATISTICS: Final = (
    QueueStatistic(
        "depth",
        "messages that it holds",
        Unit.MESSAGES,
        totalled=True,
        prometheus="queue_depth_messages",
        qmf="msgDepth",
        broker_j="queueDepthMessages",
        rabbitmq="messages",
        artemis="messageCount",
    ),
    QueueStatistic(
        "depth_bytes",
        "the size of what it holds, as it is kept",
        Unit.BYTES,
        totalled=True,
        prometheus="queue_depth_bytes",
        broker_j="queueDepthBytes",
        rabbitmq="message_bytes",
        artemis="persistentSize",
    ),
    QueueStatistic(
        "base_depth",
        "of a history: records that it has dropped and keeps, because they are still in force",
        Unit.RECORDS,
        prometheus="history_base_records",
    ),
    QueueStatistic(
        "base_end",
        "of a history that keeps such records: the number of the last record that it has dropped",
        Unit.SEQUENCES,
        Over.NONE,
    ),
    QueueStatistic(
        "history_records",
        "of a history: its records without those that it has dropped",
        Unit.RECORDS,
        prometheus="history_records",
    ),
    QueueStatistic(
        "history_first_ms",
        "of a history: when the oldest of these happened",
        Unit.MOMENT,
        Over.LOWEST,
        prometheus="history_first_timestamp_seconds",
    ),
    QueueStatistic(
        "history_last_ms",
        "of a history: when the last of these happened",
        Unit.MOMENT,
        Over.HIGHEST,
        prometheus="history_last_timestamp_seconds",
    ),
    QueueStatistic(
        "history_whole",
        "of a history: 1 if it is known what its queues held at that time",
        Unit.TRUTH,
        Over.NONE,
        prometheus="history_is_whole",
    ),
    QueueStatistic(
        "available",
        "messages that a consumer could get",
        Unit.MESSAGES,
        prometheus="queue_available_messages",
        broker_j="availableMessages",
        rabbitmq="messages_ready",
    ),
    QueueStatistic(
        "unsettled",
        "messages that consumers have and have not settled",
        Unit.MESSAGES,
        totalled=True,
        prometheus="queue_unacknowledged_messages",
        broker_j="unacknowledgedMessages",
        rabbitmq="messages_unacknowledged",
        artemis="deliveringCount",
    ),
    QueueStatistic(
        "delayed",
        "messages that may not be delivered yet",
        Unit.MESSAGES,
        prometheus="queue_delayed_messages",
        artemis="scheduledCount",
    ),
    QueueStatistic(
        "subscriptions",
        "consumers and browsers",
        Unit.READERS,
        totalled=True,
        prometheus="queue_subscriptions",
        broker_j="consumerCount",
        rabbitmq="consumers",
        artemis="consumerCount",
    ),
    QueueStatistic("consumers", "consumers, which take messages", Unit.READERS, prometheus="queue_consumers"),
    QueueStatistic("browsers", "browsers, which take nothing", Unit.READERS, prometheus="queue_browsers"),
    QueueStatistic(
        "published",
        "messages that came",
        Unit.MESSAGES,
        totalled=True,
        prometheus="queue_published_total",
        qmf="msgTotalEnqueues",
        broker_j="totalEnqueuedMessages",
        rabbitmq="message_stats.publish",
        artemis="messagesAdded",
    ),
    QueueStatistic(
        "in_bytes",
        "the size of what came",
        Unit.BYTES,
        totalled=True,
        prometheus="queue_published_bytes_total",
        qmf="byteTotalEnqueues",
        broker_j="totalEnqueuedBytes",
    ),
    QueueStatistic(
        "left", "messages that left", Unit.MESSAGES, qmf="msgTotalDequeues", broker_j="totalDequeuedMessages"
    ),
    QueueStatistic(
        "left_bytes",
        "the size of what left",
        Unit.BYTES,
        qmf="byteTotalDequeues",
        broker_j="totalDequeuedBytes",
    ),
    QueueStatistic(
        "held_bytes",
        "the size of what came and has not left, as producers count it",
        Unit.BYTES,
        qmf="byteDepth",
    ),
    QueueStatistic("committed_in", "messages that transactions brought", Unit.MESSAGES, qmf="msgTxnEnqueues"),
    QueueStatistic("committed_in_bytes", "their size", Unit.BYTES, qmf="byteTxnEnqueues"),
    QueueStatistic("committed_out", "messages that transactions took", Unit.MESSAGES, qmf="msgTxnDequeues"),
    QueueStatistic("committed_out_bytes", "their size", Unit.BYTES, qmf="byteTxnDequeues"),
    QueueStatistic("durable_in", "durable ones that came", Unit.MESSAGES, qmf="msgPersistEnqueues"),
    QueueStatistic("durable_in_bytes", "their size", Unit.BYTES, qmf="bytePersistEnqueues"),
    QueueStatistic("durable_out", "durable ones that left", Unit.MESSAGES, qmf="msgPersistDequeues"),
    QueueStatistic("durable_out_bytes", "their size", Unit.BYTES, qmf="bytePersistDequeues"),
    QueueStatistic(
        "acquired",
        "how often a consumer got a message",
        Unit.TIMES,
        totalled=True,
        prometheus="queue_delivered_total",
        qmf="acquires",
        rabbitmq="message_stats.deliver_get",
    ),
    QueueStatistic(
        "released",
        "how often a message came back from a consumer",
        Unit.TIMES,
        prometheus="queue_redelivered_total",
        qmf="releases",
        rabbitmq="message_stats.redeliver",
    ),
    QueueStatistic(
        "refused",
        "messages that it did not take",
        Unit.MESSAGES,
        totalled=True,
        prometheus="queue_refused_total",
        qmf="discardsOverflow",
    ),
    QueueStatistic(
        "expired",
        "messages whose time was over",
        Unit.MESSAGES,
        totalled=True,
        qmf="discardsTtl",
        broker_j="totalExpiredMessages",
        artemis="messagesExpired",
    ),
    QueueStatistic("aged", "values that left because they were older than max_age_ms", Unit.MESSAGES),
    QueueStatistic(
        "aged_keys", "keys whose value is older than max_age_ms", Unit.KEYS, prometheus="queue_aged_keys"
    ),
    QueueStatistic("dropped", "messages that made room for newer ones", Unit.MESSAGES, qmf="discardsRing"),
    QueueStatistic(
        "conflated",
        "messages that a newer one of their key replaced, or came before",
        Unit.MESSAGES,
        totalled=True,
        prometheus="queue_conflated_updates_total",
        qmf="discardsLvq",
    ),
    QueueStatistic(
        "incomparable",
        "messages whose order_by value is missing or of another type than that of their key's value",
        Unit.MESSAGES,
    ),
    QueueStatistic("rejected", "messages that a consumer rejected", Unit.MESSAGES, qmf="discardsSubscriber"),
    QueueStatistic("purged", "messages that a purge removed", Unit.MESSAGES, qmf="discardsPurge"),
    QueueStatistic(
        "unchanged", "values that watching readers were not sent, because they had not changed", Unit.MESSAGES
    ),
    QueueStatistic(
        "left_out",
        "messages that the policies of watching readers could not use, or had no room for",
        Unit.MESSAGES,
    ),
    QueueStatistic(
        "saved_bytes",
        "by how much these, and changes in place of values, made shorter what readers were sent",
        Unit.BYTES,
    ),
    QueueStatistic("tombstones", "keys without a value that it remembers", Unit.KEYS),
    QueueStatistic("key_deleted", "values whose key was deleted, and messages that did so", Unit.MESSAGES),
    QueueStatistic(
        "lost_letters",
        "dead letters that no queue got: the alternate is not there, takes none, or they went in a circle",
        Unit.MESSAGES,
    ),
    QueueStatistic(
        "passed_over",
        "how often a consumer was not given a message that its protocol or its frames cannot take",
        Unit.TIMES,
    ),
    QueueStatistic(
        "rerouted", "messages that management moved to an exchange", Unit.MESSAGES, qmf="reroutes"
    ),
    QueueStatistic(
        "overtaken",
        "messages that a better one overtook while a consumer held them with others",
        Unit.MESSAGES,
        prometheus="queue_overtaken_total",
    ),
    QueueStatistic(
        "flow_stopped",
        "1 while its flow control stops producers, else 0",
        Unit.TRUTH,
        broker_j="queueFlowStopped",
    ),
    QueueStatistic("keys", "keys that have a value", Unit.KEYS, totalled=True, prometheus="queue_keys"),
    QueueStatistic(
        "keys_created",
        "how often a key got a value that had none",
        Unit.KEYS,
        prometheus="queue_keys_created_total",
    ),
    QueueStatistic(
        "keyless",
        "messages that came to a last-value queue without a key",
        Unit.MESSAGES,
        prometheus="queue_keyless_total",
    ),
    QueueStatistic(
        "browser_lag",
        "by how many sequences the slowest browser is behind; 0 where the order is another one",
        Unit.SEQUENCES,
        Over.HIGHEST,
        prometheus="queue_browser_lag_sequences_max",
    ),
    QueueStatistic(
        "oldest_ms",
        "when the oldest message that a consumer could get came; 0 is none",
        Unit.MOMENT,
        Over.LOWEST,
        prometheus="queue_oldest_message_age_seconds",
        broker_j="oldestMessageAge",
        artemis="firstMessageTimestamp",
    ),
    QueueStatistic(
        "redirect_peer",
        "the queue that takes what is published to it, while the two are redirected; empty is none",
        Unit.TEXT,
        Over.NONE,
    ),
    QueueStatistic(
        "faults", "faults of the broker in work on it, each of which ended a reader at most", Unit.TIMES
    ),
    QueueStatistic(
        "last_in_ms",
        "when a message came last; 0 is never",
        Unit.MOMENT,
        Over.HIGHEST,
        prometheus="queue_newest_update_age_seconds",
    ),
    QueueStatistic("last_out_ms", "when a message left last; 0 is never", Unit.MOMENT, Over.HIGHEST),
)
"""Of a queue, since the broker was started; what a store brought back counts as come."""

OF_NAME: Final = {each.name: each for each in QUEUE_STATISTICS}
"""The statistics by name."""
