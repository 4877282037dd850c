"""What a transaction may hold back."""

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made, message
from canned_message import CannedMessage

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.transactions import Transaction, TransactionError
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget, MemoryLimitError
from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.spec import Limit, QueueSpec
from lastvalue.queues.subscription import ANY, Mode, Outcome


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


def replacing(outcome: Outcome) -> tuple[Broker, Transaction]:
    """A full queue, and a transaction that settles its message and publishes another one."""
    broker = made(QueueSpec("q", limit=Limit(messages=1)))
    enqueue(broker, "q", "old")
    receiver = LimitedReceiver(1)
    reader = broker.read(broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    broker.pump(START_MS)
    transaction = Transaction(MemoryAccount())
    transaction.retire(reader, receiver.got[0], outcome, True)
    transaction.post(broker.queue_target("q"), "", message("new"), START_MS)
    return broker, transaction


@pytest.mark.parametrize("outcome", [Outcome.ACCEPTED, Outcome.REJECTED])
def test_what_leaves_the_queue_makes_room_at_the_commit(outcome: Outcome) -> None:
    broker, transaction = replacing(outcome)
    broker.commit(transaction, START_MS)
    assert broker.lookup("q").queue.depth == 1


@pytest.mark.parametrize("outcome", [Outcome.RELEASED, Outcome.MODIFIED_FAILED])
def test_what_stays_on_the_queue_makes_no_room_at_the_commit(outcome: Outcome) -> None:
    broker, transaction = replacing(outcome)
    with pytest.raises(TransactionError, match="has no room for the 1 messages"):
        broker.commit(transaction, START_MS)
    assert broker.lookup("q").queue.depth == 1
