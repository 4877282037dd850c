"""Duplicates in a transaction."""

import pytest
from canned_message import CannedMessage

from lastvalue.broker.transaction_duplicates import DuplicateInTransactionError, TransactionDuplicates
from lastvalue.queues.ids import explicit_id
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec


def marked(duplicate_id: bytes) -> CannedMessage:
    message = CannedMessage()
    message.duplicate_id = explicit_id(duplicate_id)
    return message


def test_new_ids_and_messages_without_one_pass() -> None:
    repeats, queue = TransactionDuplicates(), Queue(QueueSpec("q"))
    for message in (marked(b"1"), marked(b"2"), marked(b""), marked(b"")):
        repeats.check(queue, message)


def test_an_id_that_the_queue_knows_is_told_with_the_queue() -> None:
    queue = Queue(QueueSpec("q"))
    assert enqueue_once(queue, marked(b"1"), 0)
    with pytest.raises(DuplicateInTransactionError, match="queue 'q' has taken a message with the id '1'"):
        TransactionDuplicates().check(queue, marked(b"1"))


def test_one_id_twice_in_a_transaction_is_a_duplicate() -> None:
    repeats, queue = TransactionDuplicates(), Queue(QueueSpec("q"))
    repeats.check(queue, marked(b"1"))
    with pytest.raises(DuplicateInTransactionError):
        repeats.check(queue, marked(b"1"))


def test_one_id_on_two_queues_is_none() -> None:
    repeats = TransactionDuplicates()
    repeats.check(Queue(QueueSpec("a")), marked(b"1"))
    repeats.check(Queue(QueueSpec("b")), marked(b"1"))
