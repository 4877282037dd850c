"""What clients do to a broker that is killed, what they know of it, and what must be there afterwards."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from async_core import AsyncCore

from lastvalue.client import Connection, Delivery, Message, connect
from lastvalue.client.errors import ConnectionLostError
from lastvalue.codec.core import packets

KEYS: Final = 20
RING: Final = 50
TOKENS: Final = 24
ROLLED_BACK: Final = 1_000_000_000
OVER_CORE: Final = "orders over CORE"
AT_ONCE: Final = 3
"""Messages of a transaction over CORE."""


def number_in(message: Message) -> int:
    """The number that a message's producer gave it."""
    assert isinstance(message.body, int | str | bytes)
    return int(message.body)


def _group(number: int) -> str:
    return f"group {number % 5}"


@dataclass(frozen=True)
class Kind:
    """A type of queue that gives everything to a consumer.

    Attributes:
        line: where a number stands in the queue's order.
        extra: what a message has besides its number.
    """

    options: dict[str, Any]
    line: Callable[[int], tuple[object, ...]]
    extra: Callable[[int], dict[str, Any]] = lambda _: {}


CONSUMED: Final = {
    "orders": Kind({}, lambda number: (number,)),
    "urgent": Kind(
        {"type": "priority"},
        lambda number: (-(number % 10), number),
        lambda number: {"priority": number % 10},
    ),
    "ranked": Kind(
        {"type": "sorted", "sort_key": "rank"},
        lambda number: (str(number % 7), number),
        lambda number: {"properties": {"rank": str(number % 7)}},
    ),
    OVER_CORE: Kind({}, lambda number: (number,)),
    "grouped": Kind(
        {"group_mode": "default"}, lambda number: (number,), lambda number: {"group_id": _group(number)}
    ),
}
VALUES: Final[dict[str, dict[str, Any]]] = {
    "prices": {"lvq_key": "key", "tombstone_ms": 600_000},
    "board": {"lvq_key": "key", "non_destructive": True},
}
RINGS: Final[dict[str, dict[str, Any]]] = {
    "recent": {"max_messages": RING, "when_full": "drop-oldest", "non_destructive": True}
}


@dataclass
class Known:
    """What the clients know of one queue.

    Attributes:
        sent: the last number that was sent; each is sent once.
        confirmed: what the broker has confirmed.
        accepted: what a consumer has accepted; the broker may not have heard of it.
        settled: of these, what the broker has certainly recorded.
        values: the newest confirmed number of each key.
    """

    sent: int = 0
    confirmed: set[int] = field(default_factory=set)
    accepted: set[int] = field(default_factory=set)
    settled: set[int] = field(default_factory=set)
    values: dict[str, int] = field(default_factory=dict)


@dataclass
class Witness:
    """What the clients know, over all lives of the broker."""

    queues: dict[str, Known] = field(
        default_factory=lambda: {name: Known() for name in (*CONSUMED, *VALUES, *RINGS)}
    )
    declared: bool = False
    commits: int = 0
    rollbacks: int = 0
    faults: list[str] = field(default_factory=list)


async def declare(connection: Connection, witness: Witness) -> None:
    """Make every queue, and send the tokens in one transaction, where that was not done in another life."""
    if witness.declared:
        return
    for name, kind in CONSUMED.items():
        await connection.declare(name, durable=True, **kind.options)
    for name, options in (VALUES | RINGS).items():
        await connection.declare(name, durable=True, **options)
    for name in ("left", "right"):
        await connection.declare(name, durable=True)
    if not await tokens(connection):
        async with connection.transaction() as transaction:
            for token in range(TOKENS):
                await connection.queue("left").send(Message(token, durable=True), transaction=transaction)
    witness.declared = True


async def tokens(connection: Connection) -> list[int]:
    """The numbers on the two queues between which transactions move them."""
    return [number for name in ("left", "right") for number in await present(connection, name)]


async def present(connection: Connection, name: str) -> list[int]:
    """The numbers on a queue, in its order."""
    return [number_in(message) async for message in connection.queue(name).browse(follow=False)]


# ---- what they do, until the broker dies


async def work(url: str, witness: Witness, chance: random.Random) -> None:
    """Everything at once."""
    async with (
        connect(url, reconnect=False) as publishing,
        connect(url, reconnect=False) as consuming,
        connect(url, reconnect=False) as moving,
        asyncio.TaskGroup() as tasks,
    ):
        for name, kind in CONSUMED.items():
            known = witness.queues[name]
            if name == OVER_CORE:
                tasks.create_task(_publish_over_core(url, known))
            else:
                tasks.create_task(_publish(publishing, name, kind, known))
            tasks.create_task(_consume(consuming, name, witness))
        for name in VALUES:
            tasks.create_task(_publish_values(publishing, name, witness.queues[name]))
        for name in RINGS:
            tasks.create_task(_publish(publishing, name, Kind({}, lambda _: ()), witness.queues[name]))
        tasks.create_task(_move(moving, "left", "right", witness, chance))
        tasks.create_task(_move(moving, "right", "left", witness, chance))


async def _publish(connection: Connection, name: str, kind: Kind, known: Known) -> None:
    queue = connection.queue(name)
    while True:
        number = known.sent = known.sent + 1
        await queue.send(Message(number, durable=True, **kind.extra(number)))
        known.confirmed.add(number)


async def _publish_over_core(url: str, known: Known) -> None:
    """Publish in transactions, as Artemis's clients do."""
    host, _, port = url.removeprefix("amqp://").rpartition(":")
    try:
        async with AsyncCore(*await asyncio.open_connection(host, int(port))) as peer:
            while True:
                first = known.sent + 1
                known.sent += AT_ONCE
                for number in range(first, first + AT_ONCE):
                    await peer.send(str(number), OVER_CORE)
                await peer.ask(packets.COMMIT, packets.NULL_RESPONSE)
                known.confirmed.update(range(first, first + AT_ONCE))
    except (OSError, asyncio.IncompleteReadError) as fault:
        raise ConnectionLostError(str(fault)) from fault


async def _publish_values(connection: Connection, name: str, known: Known) -> None:
    queue = connection.queue(name)
    while True:
        number = known.sent = known.sent + 1
        key = f"K{number * 7 % KEYS}"
        await queue.send(Message(number, properties={"key": key}, durable=True))
        known.values[key] = number


async def _consume(connection: Connection, name: str, witness: Witness) -> None:
    """Accept most, release some; what is accepted in a transaction is settled for certain."""
    known = witness.queues[name]
    async for delivery in connection.queue(name).receive(credit=20):
        number = number_in(delivery.message)
        if number in known.settled:
            witness.faults.append(f"{name}: {number} was settled, and came again")
        if number % 3 == 0 and delivery.message.delivery_count == 0:
            delivery.modify(failed=True)
        elif number % 5 == 0:
            known.accepted.add(number)
            async with connection.transaction() as transaction:
                delivery.accept(transaction=transaction)
            known.settled.add(number)
        else:
            known.accepted.add(number)
            delivery.accept()


async def _move(
    connection: Connection, source: str, target: str, witness: Witness, chance: random.Random
) -> None:
    """Move tokens in transactions, of which some are rolled back."""
    async for delivery in connection.queue(source).receive(credit=2):
        await _move_one(connection, delivery, target, witness, rolled_back=chance.random() < 0.3)


async def _move_one(
    connection: Connection, delivery: Delivery, target: str, witness: Witness, *, rolled_back: bool
) -> None:
    token = number_in(delivery.message)
    queue = connection.queue(target)
    transaction = connection.transaction()
    await transaction.begin()
    if rolled_back:
        await queue.send(Message(ROLLED_BACK + token, durable=True), transaction=transaction)
        await transaction.rollback()
        delivery.release()
        witness.rollbacks += 1
    else:
        await queue.send(Message(token, durable=True), transaction=transaction)
        delivery.accept(transaction=transaction)
        await transaction.commit()
        witness.commits += 1


# ---- what must be there


async def look(connection: Connection, witness: Witness) -> None:
    """Hold what is there against what the clients know."""
    assert witness.faults == []
    if not witness.declared:
        return
    assert sorted(await tokens(connection)) == list(range(TOKENS))
    for name, kind in CONSUMED.items():
        known = witness.queues[name]
        there = await present(connection, name)
        assert there == sorted(set(there), key=kind.line), name
        assert not set(there) - set(range(1, known.sent + 1)), name
        assert known.confirmed - set(there) - known.accepted == set(), name
        assert known.settled & set(there) == set(), name
    for name in VALUES:
        messages = [message async for message in connection.queue(name).browse(follow=False)]
        held = {str(message.properties["key"]): number_in(message) for message in messages}
        assert len(held) == len(messages), name
        expected = witness.queues[name].values
        assert {key: value for key, value in expected.items() if held.get(key, 0) < value} == {}, name
    for name in RINGS:
        known = witness.queues[name]
        there = await present(connection, name)
        assert there == sorted(set(there)), name
        assert len(there) <= RING, name
        oldest = there[0] if len(there) == RING else 0
        assert {number for number in known.confirmed - set(there) if number > oldest} == set(), name
