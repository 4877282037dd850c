"""A transaction that was prepared, as the journal keeps it until it is committed or rolled back.

Of what waits in it only that is kept which outlives the process: durable messages, and deliveries of durable
messages from durable queues.
"""

import base64
from collections.abc import Mapping
from typing import Any

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.nodes import Node
from lastvalue.broker.owner import BROKER
from lastvalue.broker.reading import NullReceiver, Reading
from lastvalue.broker.transactions import Transaction, TransactionError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.conditions import Condition
from lastvalue.queues.claiming import claim
from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.queues.subscription import ANY, Mode, Outcome


def kept_of(transaction: Transaction) -> dict[str, Any]:
    """What the journal is to keep of a transaction; it may be nothing."""
    posted = [
        {
            "exchange": posting.node.name,
            "key": posting.key,
            "origin": posting.message.origin,
            "message": base64.b64encode(posting.message.encoded).decode(),
        }
        for posting in transaction.postings()
        if posting.message.durable
    ]
    settled = [
        {
            "queue": retirement.reading.hosted.queue.spec.name,
            "sequence": int(retirement.entry.sequence),
            "outcome": retirement.outcome.value,
        }
        for retirement in transaction.retirements()
        if retirement.entry.message.durable and retirement.reading.hosted.queue.spec.durable
    ]
    return {"posted": posted, "settled": settled}


def sequences_of(kept: Mapping[str, Any]) -> dict[str, set[int]]:
    """By queue, the sequences of the messages that a transaction holds."""
    found: dict[str, set[int]] = {}
    for each in kept["settled"]:
        found.setdefault(each["queue"], set()).add(each["sequence"])
    return found


def restored(kept: Mapping[str, Any], broker: Broker, now: i64) -> Transaction:
    """The transaction again: what it settled is held for it.

    Where an exchange that it publishes to is gone, it can only be rolled back.
    """
    transaction = Transaction()
    for each in kept["posted"]:
        exchange = broker.exchanges.get(each["exchange"])
        if exchange is None:
            text = f"exchange {each['exchange']!r} is gone"
            transaction.fault = TransactionError(Condition.RESOURCE_DELETED, text)
            continue
        message = read_message(base64.b64decode(each["message"]))
        message.origin = each["origin"]
        # Its owner was permitted when it was prepared.
        target = broker.target(Node(exchange.name, None, exchange), BROKER)
        transaction.post(target, each["key"], message, now)
    readings: dict[str, Reading] = {}
    held = _held(sequences_of(kept), broker, now)
    for each in kept["settled"]:
        entry = held.get((each["queue"], each["sequence"]))
        if entry is None:
            # A newer value of its key has taken its place.
            continue
        reading = readings.get(each["queue"])
        if reading is None:
            hosted = broker.lookup(each["queue"])
            reading = readings[each["queue"]] = Reading(hosted, Mode.CONSUME, NullReceiver(), ANY, now)
            reading.close(now)
        transaction.retire(reading, entry, Outcome(each["outcome"]), True)  # noqa: FBT003 - compiled, positional
    return transaction


def _held(wanted: dict[str, set[int]], broker: Broker, now: i64) -> dict[tuple[str, int], Entry]:
    """The entries of these sequences, none of which anybody else gets."""
    found: dict[tuple[str, int], Entry] = {}
    for name, sequences in wanted.items():
        if not broker.has_queue(name):
            continue
        queue = broker.lookup(name).queue
        for entry in queue.entries():
            if entry.sequence in sequences and (entry.state == ACQUIRED or claim(queue, entry, now)):
                found[name, int(entry.sequence)] = entry
    return found
