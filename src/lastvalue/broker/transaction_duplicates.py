"""Duplicates in a transaction, which roll back the whole of it."""

from typing import final

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import Message
from lastvalue.queues.ids import readable
from lastvalue.queues.queue import Queue


@mypyc_attr(native_class=False)
class DuplicateInTransactionError(BrokerError):
    """A transaction has a message whose id its queue has taken before."""

    condition = Condition.TRANSACTION_ROLLBACK

    def __init__(self, queue: str, duplicate_id: str) -> None:
        super().__init__(
            f"queue {queue!r} has taken a message with the id {duplicate_id!r} before: "
            "the transaction was rolled back"
        )
        self.queue = queue
        self.duplicate_id = duplicate_id


@final
class TransactionDuplicates:
    """Checks the messages of one transaction before any of them is enqueued."""

    __slots__ = ("_ids",)

    def __init__(self) -> None:
        self._ids: set[tuple[str, bytes]] = set()

    def check(self, queue: Queue, message: Message) -> None:
        """Check a message that the transaction will enqueue with `HostedQueue.take`.

        Raises:
            DuplicateInTransactionError: the queue has taken a message of this id, or the transaction has two.
            DuplicateIdError: its id is too long.
        """
        duplicates = queue.duplicates
        duplicate_id = duplicates.id_of(message)
        if not duplicate_id:
            return
        place = queue.spec.name, duplicate_id
        if duplicates.knows(duplicate_id) or place in self._ids:
            raise DuplicateInTransactionError(queue.spec.name, readable(duplicate_id))
        self._ids.add(place)
