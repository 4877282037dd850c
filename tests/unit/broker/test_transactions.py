"""What a transaction may hold back."""

import pytest
from canned_message import CannedMessage

from lastvalue.broker.broker import Broker
from lastvalue.broker.transactions import (
    MAX_BYTES,
    Transaction,
    TransactionError,
    TransactionTooLargeError,
)
from lastvalue.queues.spec import Limit, QueueSpec


def test_a_transaction_holds_back_so_many_bytes_of_messages() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    target = broker.queue_target("q")
    transaction = Transaction()
    large = CannedMessage(body=bytes(MAX_BYTES // 8))
    for _ in range(8):
        transaction.post(target, "", large, 0)
    with pytest.raises(TransactionTooLargeError):
        transaction.post(target, "", CannedMessage(body=b"x"), 0)
    assert len(transaction.publishes()) == 8


def test_what_is_committed_is_not_committed_again() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    transaction = Transaction()
    for body in (b"1", b"2"):
        transaction.post(broker.queue_target("q"), "", CannedMessage(body=body), 0)
        broker.commit(transaction, 0)
    assert broker.lookup("q").queue.depth == 2


def test_what_cannot_be_committed_is_rolled_back_and_another_transaction_begins() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", limit=Limit(messages=1)))
    transaction = Transaction()
    for body in (b"1", b"2"):
        transaction.post(broker.queue_target("q"), "", CannedMessage(body=body), 0)
    with pytest.raises(TransactionError):
        broker.commit(transaction, 0)
    assert transaction.publishes() == []
    transaction.post(broker.queue_target("q"), "", CannedMessage(body=b"3"), 0)
    broker.commit(transaction, 0)
    assert broker.lookup("q").queue.depth == 1
