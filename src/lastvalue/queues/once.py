"""Taking a producer's message once."""

from mypy_extensions import i64

from lastvalue.model.message import Message
from lastvalue.queues.queue import Queue


def enqueue_once(queue: Queue, message: Message, now: i64) -> bool:
    """Give a queue a message as `enqueue` does; one whose id it knows goes nowhere, as a duplicate.

    What is refused is not remembered.

    Raises:
        DelayRefusedError: see `enqueue`.
        DuplicateIdError: its id is too long.
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
