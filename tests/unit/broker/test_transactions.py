"""What a transaction may hold back."""

import pytest
from canned_message import CannedMessage

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_memory import ENTRY_BYTES
from lastvalue.broker.transactions import Transaction, TransactionError
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget, MemoryLimitError
from lastvalue.queues.spec import Limit, QueueSpec


def test_a_transaction_takes_the_memory_of_its_messages_until_it_ends() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    target = broker.queue_target("q")
    budget = MemoryBudget()
    transaction = Transaction(MemoryAccount(budget))
    message = CannedMessage(body=bytes(10_000))
    each = len(message.encoded) + ENTRY_BYTES
    budget.limit_bytes = 3 * each
    for _ in range(3):
        transaction.post(target, "", message, 0)
    with pytest.raises(MemoryLimitError):
        transaction.post(target, "", CannedMessage(body=b"x"), 0)
    assert (len(transaction.publishes()), budget.used_bytes) == (3, 3 * each)
    broker.commit(transaction, 0)
    assert budget.used_bytes == 0
    transaction.post(target, "", message, 0)
    transaction.roll_back(0)
    assert budget.used_bytes == 0


def test_what_is_committed_is_not_committed_again() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    transaction = Transaction(MemoryAccount())
    for body in (b"1", b"2"):
        transaction.post(broker.queue_target("q"), "", CannedMessage(body=body), 0)
        broker.commit(transaction, 0)
    assert broker.lookup("q").queue.depth == 2


def test_what_cannot_be_committed_is_rolled_back_and_another_transaction_begins() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", limit=Limit(messages=1)))
    transaction = Transaction(MemoryAccount())
    for body in (b"1", b"2"):
        transaction.post(broker.queue_target("q"), "", CannedMessage(body=body), 0)
    with pytest.raises(TransactionError):
        broker.commit(transaction, 0)
    assert transaction.publishes() == []
    transaction.post(broker.queue_target("q"), "", CannedMessage(body=b"3"), 0)
    broker.commit(transaction, 0)
    assert broker.lookup("q").queue.depth == 1
