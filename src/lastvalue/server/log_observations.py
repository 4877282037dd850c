"""Logs what the broker, which is pure, has noticed: audit, slow consumers, blocked queues, aged keys."""

from lastvalue.broker.queue_warnings import LOST_LETTERS, OVERTAKEN, UNORDERED, QueueWarning
from lastvalue.broker.rights.audit import AuditRecord
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.statistics.aged_keys import AgedQueue
from lastvalue.broker.statistics.blocked_queues import BlockedQueue
from lastvalue.delivery.slow_consumers import SlowConsumer
from lastvalue.server.log_events import (
    AUDIT_DENIED,
    AUDIT_DONE,
    CONSUMER_OVERTAKEN,
    CONSUMER_PASSED_OVER,
    CONSUMER_RESUMED,
    CONSUMER_SLOW,
    QUEUE_AGED,
    QUEUE_BLOCKED,
    QUEUE_FRESH,
    QUEUE_LOST_LETTERS,
    QUEUE_UNBLOCKED,
    QUEUE_UNORDERED,
)


def log_audit(record: AuditRecord) -> None:
    """Log what a caller did, or was refused."""
    verb = record.verb.spelling
    if record.right:
        AUDIT_DENIED.log(**_asker(record.owner), verb=verb, name=record.name, right=record.right)
        return
    AUDIT_DONE.log(
        **_asker(record.owner),
        verb=verb,
        name=record.name,
        destination=record.destination or None,
        detail=record.detail or None,
    )


def log_slow_consumer(slow: SlowConsumer) -> None:
    """Log a consumer whose peer takes too long, or one that continues."""
    owner = slow.owner
    whose = {
        "queue": slow.queue,
        "connection": owner.peer.connection or owner.connection,
        "peer": owner.peer.address or None,
        "user": owner.principal,
        "container": owner.container,
    }
    if slow.ended:
        CONSUMER_RESUMED.log(**whose, slow_ms=slow.waited_ms)
    else:
        CONSUMER_SLOW.log(**whose, waits_for=slow.cause.value, waited_ms=slow.waited_ms)


def log_queue_warning(warning: QueueWarning) -> None:
    """Log what has happened to a queue for the first time."""
    if warning.kind == OVERTAKEN:
        CONSUMER_OVERTAKEN.log(queue=warning.queue)
    elif warning.kind == LOST_LETTERS:
        QUEUE_LOST_LETTERS.log(queue=warning.queue, cause=warning.detail)
    elif warning.kind == UNORDERED:
        QUEUE_UNORDERED.log(queue=warning.queue, producer=warning.detail or None)
    else:
        CONSUMER_PASSED_OVER.log(queue=warning.queue, cause=warning.detail)


def log_blocked_queue(blocked: BlockedQueue) -> None:
    """Log a queue whose producers wait, or continue."""
    if blocked.ended:
        QUEUE_UNBLOCKED.log(queue=blocked.name, blocked_ms=blocked.blocked_ms)
    else:
        QUEUE_BLOCKED.log(
            queue=blocked.name,
            blocked_ms=blocked.blocked_ms,
            messages=blocked.messages,
            bytes=blocked.size_bytes,
            producers=blocked.producers,
        )


def _asker(owner: Owner) -> dict[str, str | None]:
    return {**_who(owner), "on_behalf_of": owner.on_behalf_of or None}


def log_aged_queue(aged: AgedQueue) -> None:
    """Log a queue whose keys have aged, or one that has no aged keys any more."""
    if aged.keys == 0:
        QUEUE_FRESH.log(queue=aged.name)
    else:
        QUEUE_AGED.log(
            queue=aged.name,
            keys=aged.keys,
            aged_keys=aged.total,
            key=aged.example,
            max_age_ms=aged.maximum_age_ms,
            removed=aged.removes,
        )


def _who(owner: Owner) -> dict[str, str | None]:
    peer = owner.peer
    return {
        "peer": peer.address or None,
        "user": owner.principal,
        "protocol": peer.protocol or None,
        "client": peer.client or None,
    }
