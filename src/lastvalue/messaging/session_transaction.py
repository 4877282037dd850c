"""What a session does in transactions, one after the other."""

from typing import final

from lastvalue.client.transaction import Transaction
from lastvalue.messaging.open_connection import OpenConnection


@final
class SessionTransaction:
    """The transaction of a session that has one; it begins with the first thing that is done in it.

    Its methods are coroutines of the connection's loop.

    Attributes:
        transactional: whether the session has transactions.
    """

    def __init__(self, opened: OpenConnection, *, transactional: bool) -> None:
        self._opened = opened
        self._transaction: Transaction | None = None
        self.transactional = transactional

    async def transaction(self) -> Transaction | None:
        """The transaction that is open now, or None in a session without any."""
        if self.transactional and self._transaction is None:
            transaction = self._opened.transaction()
            await transaction.begin()
            self._transaction = transaction
        return self._transaction

    async def commit(self) -> None:
        """Have what was done take effect.

        Raises:
            TransactionRolledBackError: it cannot; nothing of it has.
        """
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            await transaction.commit()

    async def rollback(self) -> None:
        """Undo what was done."""
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            await transaction.rollback()
