"""Enqueueing with duplicate detection."""

from mypy_extensions import i64

from lastvalue.model.message import Message
from lastvalue.queues.queue import Queue


def enqueue_once(queue: Queue, message: Message, now: i64) -> bool:
    """Enqueue a message; one whose id the queue remembers is dismissed as a duplicate.

    The id of a refused message is not remembered.

    Raises:
        DelayRefusedError: see `enqueue`.
        DuplicateIdError: the message's id is too long.
    """
    duplicates = queue.duplicates
    duplicate_id = duplicates.id_of(message)
    if duplicate_id and duplicates.knows(duplicate_id):
        duplicates.dismiss(message, now)
        return True
    taken = queue.enqueue(message, now)
    if duplicate_id and taken:
        duplicates.remember(duplicate_id, queue.sequence, message.durable)
    return taken
