"""What a transaction may hold back."""

import pytest
from canned_message import CannedMessage

from lastvalue.broker.broker import Broker
from lastvalue.broker.transactions import MAX_BYTES, Transaction, TransactionTooLargeError
from lastvalue.queues.spec import QueueSpec


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
    assert len(transaction.postings()) == 8
