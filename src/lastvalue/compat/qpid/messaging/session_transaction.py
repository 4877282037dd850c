"""The transactions of a session, one after the other."""

from typing import final

from lastvalue.client.transaction import Transaction
from lastvalue.compat.qpid.messaging.open_connection import OpenConnection


@final
class SessionTransaction:
    """The transaction of a transactional session; it begins at the first use.

    Its methods are coroutines of the connection's loop.

    Attributes:
        transactional: whether the session has transactions.
    """

    def __init__(self, opened: OpenConnection, *, transactional: bool) -> None:
        self._opened = opened
        self._transaction: Transaction | None = None
        self.transactional = transactional

    async def transaction(self) -> Transaction | None:
        """The open transaction, or None if the session is not transactional."""
        if self.transactional and self._transaction is None:
            transaction = self._opened.transaction()
            await transaction.begin()
            self._transaction = transaction
        return self._transaction

    async def commit(self) -> None:
        """Commit the open transaction.

        Raises:
            TransactionRolledBackError: the broker could not commit it and rolled it back.
        """
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            await transaction.commit()

    async def rollback(self) -> None:
        """Roll back the open transaction."""
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            await transaction.rollback()
