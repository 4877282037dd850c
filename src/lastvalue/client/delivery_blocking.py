"""Deliveries, receivers and transactions of the client's blocking form."""

import contextlib
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Self

from lastvalue.client.browser_blocking import Reader
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.receiver import Delivery as AsyncDelivery
from lastvalue.client.receiver import Receiver as AsyncReceiver
from lastvalue.client.transaction import Transaction as AsyncTransaction
from lastvalue.model.errors import LastvalueError


class Delivery:
    """A message acquired from a queue, which the application settles once; settling it again does nothing.

    The outcome is sent soon after. If the link has ended meanwhile, the message is back on the queue.
    """

    def __init__(self, delivery: AsyncDelivery, thread: LoopThread) -> None:
        self.message = delivery.message
        self._delivery = delivery
        self._thread = thread

    def accept(self, *, transaction: "Transaction | None" = None) -> None:
        """Accept the message: it leaves the queue, in a transaction at its commit."""
        self._settle(partial(self._delivery.accept, transaction=inner_transaction(transaction)), transaction)

    def release(self) -> None:
        """Release the message: it returns to its place."""
        self._settle(self._delivery.release)

    def reject(self, reason: str = "", *, transaction: "Transaction | None" = None) -> None:
        """Reject the message: it leaves the queue as a dead letter, in a transaction at its commit."""
        self._settle(
            partial(self._delivery.reject, reason, transaction=inner_transaction(transaction)), transaction
        )

    def modify(self, *, failed: bool = True, undeliverable_here: bool = False) -> None:
        """Release the message; its delivery count grows if the delivery failed."""
        self._settle(partial(self._delivery.modify, failed=failed, undeliverable_here=undeliverable_here))

    def _settle(self, settle: Callable[[], None], transaction: "Transaction | None" = None) -> None:
        if transaction is None:
            self._thread.call(partial(_settle_or_leave, settle))
        else:
            # Without the link the outcome is lost, and the commit would be incomplete.
            self._thread.run_function(settle)


class Receiver(Reader[Delivery]):
    """A queue's messages as deliveries that the application settles; an iterator and a context manager."""

    def __init__(self, receiver: AsyncReceiver, thread: LoopThread, credit: int) -> None:
        async def batch(most: int) -> list[Delivery]:
            return [Delivery(each, thread) for each in await receiver.batch(most)]

        super().__init__(receiver.queue, batch, receiver.close, thread, credit)


class Transaction:
    """Messages and settlements that take effect together at the commit; a context manager.

    The end of the block commits, an exception rolls back.
    """

    def __init__(self, transaction: AsyncTransaction, thread: LoopThread) -> None:
        self.inner = transaction
        self._thread = thread

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.run(self.inner.__aexit__(kind, error, trace))

    def begin(self) -> None:
        """Begin the transaction at the broker; see `client.Transaction.begin`."""
        self._thread.run(self.inner.begin())

    def commit(self) -> None:
        """Commit everything that was sent and settled in it; see `client.Transaction.commit`."""
        self._thread.run(self.inner.commit())

    def rollback(self) -> None:
        """Roll it back; see `client.Transaction.rollback`."""
        self._thread.run(self.inner.rollback())


def inner_transaction(transaction: "Transaction | None") -> AsyncTransaction | None:
    """The transaction of the asyncio client; None of none."""
    return None if transaction is None else transaction.inner


def _settle_or_leave(settle: Callable[[], None]) -> None:
    # The next call for a message raises the same error.
    with contextlib.suppress(LastvalueError):
        settle()
