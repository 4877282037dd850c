"""Deliveries, receivers and transactions of the client's blocking form."""

from functools import partial
from types import TracebackType
from typing import Self

from lastvalue.client.browser_blocking import Reader
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.receiver import Delivery as AsyncDelivery
from lastvalue.client.receiver import Receiver as AsyncReceiver
from lastvalue.client.transaction import Transaction as AsyncTransaction


class Delivery:
    """A message acquired from a queue, which the application settles once; settling it again does nothing.

    The outcome is sent soon after. If the link has ended meanwhile, the message is back on the queue.
    """

    __slots__ = ("_delivery", "_loop_thread", "message")

    def __init__(self, delivery: AsyncDelivery, thread: LoopThread) -> None:
        self.message = delivery.message
        self._delivery = delivery
        self._loop_thread = thread

    def accept(self, *, transaction: "Transaction | None" = None) -> None:
        """Accept the message: it leaves the queue, in a transaction at its commit."""
        if transaction is None:
            self._loop_thread.call(self._delivery.accept)
        else:
            # Without the link the outcome is lost, and the commit would be incomplete.
            self._loop_thread.run_function(partial(self._delivery.accept, transaction=transaction.inner))

    def release(self) -> None:
        """Release the message: it returns to its place."""
        self._loop_thread.call(self._delivery.release)

    def reject(self, reason: str = "", *, transaction: "Transaction | None" = None) -> None:
        """Reject the message: it leaves the queue as a dead letter, in a transaction at its commit."""
        reject = partial(self._delivery.reject, reason, transaction=inner_transaction(transaction))
        if transaction is None:
            self._loop_thread.call(reject)
        else:
            self._loop_thread.run_function(reject)

    def modify(self, *, failed: bool = True, undeliverable_here: bool = False) -> None:
        """Release the message; its delivery count grows if the delivery failed."""
        self._loop_thread.call(
            partial(self._delivery.modify, failed=failed, undeliverable_here=undeliverable_here)
        )


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
        self._loop_thread = thread

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop_thread.run(self.inner.__aexit__(kind, error, trace))

    def begin(self) -> None:
        """Begin the transaction at the broker; see `client.Transaction.begin`."""
        self._loop_thread.run(self.inner.begin())

    def commit(self) -> None:
        """Commit everything that was sent and settled in it; see `client.Transaction.commit`."""
        self._loop_thread.run(self.inner.commit())

    def rollback(self) -> None:
        """Roll it back; see `client.Transaction.rollback`."""
        self._loop_thread.run(self.inner.rollback())


def inner_transaction(transaction: "Transaction | None") -> AsyncTransaction | None:
    """The transaction of the asyncio client; None of none."""
    return None if transaction is None else transaction.inner
