"""Prepared transactions, as the journal stores them until they are committed or rolled back.

Only durable messages and deliveries of durable messages from durable queues are stored.
"""

import base64
from collections.abc import Mapping
from typing import Any

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.transactions import Transaction, TransactionError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.conditions import Condition
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.queues.claims import claim
from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.queues.subscription import ANY, Mode, Outcome


def stored_transaction(transaction: Transaction) -> dict[str, Any]:
    """The part of a transaction that the journal stores; it may be empty."""
    posted = [
        {
            "exchange": publish.node.name,
            "key": publish.key,
            "origin": publish.message.origin,
            "message": base64.b64encode(publish.message.encoded).decode(),
        }
        for publish in transaction.publishes()
        if publish.message.durable
    ]
    settled = [
        {
            "queue": settlement.reader.hosted.queue.spec.name,
            "sequence": int(settlement.entry.sequence),
            "outcome": settlement.outcome.value,
        }
        for settlement in transaction.settlements()
        if settlement.entry.message.durable and settlement.reader.hosted.queue.spec.durable
    ]
    return {"posted": posted, "settled": settled}


def transaction_sequences(kept: Mapping[str, Any]) -> dict[str, set[int]]:
    """The sequences of the messages that a stored transaction holds, by queue."""
    sequences: dict[str, set[int]] = {}
    for each in kept["settled"]:
        sequences.setdefault(each["queue"], set()).add(each["sequence"])
    return sequences


def restored_transaction(
    kept: Mapping[str, Any], broker: Broker, memory: MemoryAccount, now: i64
) -> Transaction:
    """The transaction that was stored; it holds the entries that it settled. `memory` is its account.

    If an exchange that it publishes to no longer exists, it can only be rolled back.
    """
    transaction = Transaction(memory)
    transaction.restored = True
    for each in kept["posted"]:
        exchange = broker.exchanges.get(each["exchange"])
        if exchange is None:
            text = f"exchange {each['exchange']!r} no longer exists"
            transaction.fault = TransactionError(Condition.RESOURCE_DELETED, text)
            continue
        message = read_message(base64.b64decode(each["message"]))
        message.origin = each["origin"]
        # Its owner had the rights when it was prepared.
        target = broker.target(Node(exchange.name, None, exchange), BROKER)
        transaction.post(target, each["key"], message, now)
    readers: dict[str, QueueReader] = {}
    held = _held(transaction_sequences(kept), broker, now)
    for each in kept["settled"]:
        entry = held.get((each["queue"], each["sequence"]))
        if entry is None:
            # A newer value of its key has replaced it.
            continue
        reader = readers.get(each["queue"])
        if reader is None:
            hosted = broker.lookup(each["queue"])
            reader = readers[each["queue"]] = QueueReader(hosted, Mode.CONSUME, NullReceiver(), ANY, now)
            reader.close(now)
        transaction.retire(reader, entry, Outcome(each["outcome"]), True)
    return transaction


def _held(wanted: dict[str, set[int]], broker: Broker, now: i64) -> dict[tuple[str, int], Entry]:
    """Acquire the entries of these sequences, so that no other reader gets them."""
    entries: dict[tuple[str, int], Entry] = {}
    for name, sequences in wanted.items():
        if not broker.has_queue(name):
            continue
        queue = broker.lookup(name).queue
        for entry in queue.entries():
            if entry.sequence in sequences and (entry.state == ACQUIRED or claim(queue, entry, now)):
                entries[name, int(entry.sequence)] = entry
    return entries
