"""The clients of a world: the real Python client, on machines of their own."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from history import Step
from ledger import CONFIRMED, REFUSED, UNKNOWN, Ledger
from simulated_network import Network
from simulated_world import Machine, World

from lastvalue.client import connect
from lastvalue.client.connection import Connection
from lastvalue.client.errors import ClientError
from lastvalue.client.message import Message
from lastvalue.client.receiver import Receiver
from lastvalue.client.reconnection import Reconnection
from lastvalue.client.watched_values import Change
from lastvalue.client.watcher import Watcher
from lastvalue.model.errors import LastvalueError, QueueNotFoundError

PRICES: Final = "prices"
WORK: Final = "work"
LEFT: Final = "left"
RIGHT: Final = "right"
AGED: Final = "aged"
FEW: Final = "few"
QUEUES: Final[dict[str, dict[str, Any]]] = {
    PRICES: {"durable": True, "lvq_key": "k", "tombstone_ms": 60_000},
    WORK: {"durable": True},
    LEFT: {"durable": True},
    RIGHT: {"durable": True},
    "ranked": {"durable": True, "priorities": 10},
    "sorted": {"durable": True, "sort_key": "s"},
    "grouped": {"durable": True, "group_key": "g", "group_mode": "default"},
    "delayed": {"durable": True},
    AGED: {"durable": True, "maximum_ttl_ms": 5_000},
    FEW: {"durable": True, "max_messages": 20, "when_full": "drop-oldest"},
}
BRIEF: Final[dict[str, Any]] = {"durable": True, "lvq_key": "k", "removal_log": 10}
"""Of a queue that is deleted and declared again and again."""
AGAIN: Final = Reconnection(first_wait_s=0.05, longest_wait_s=1.0)
CONNECT_S: Final = 3.0
IDLE_S: Final = 8.0


class Client:
    """A program with one connection, that does its steps one after the other.

    Attributes:
        doing: what it does now, or None.
    """

    def __init__(
        self,
        world: World,
        network: Network,
        ledger: Ledger,
        name: str,
        urls: list[str],
        lives: Callable[[], int],
    ) -> None:
        self.world = world
        self.ledger = ledger
        self.name = name
        self.machine = Machine(world, name)
        self.network = network
        self.lives = lives
        self.doing: str | None = None
        self._urls = urls
        self.connection: Connection | None = None
        self._steps: asyncio.Queue[Step] = asyncio.Queue()
        self.begin()

    def begin(self) -> None:
        """Start the program."""
        self.loop = self.machine.loop()
        self.loop.network = self.network
        self._steps = asyncio.Queue()
        self.connection = None
        self.loop.run(self._live())

    def give(self, step: Step) -> None:
        """Do this once the steps before are done."""
        self.loop.call_soon(self._steps.put_nowait, step)

    @property
    def is_idle(self) -> bool:
        """Whether it has done all steps."""
        return self.doing is None and self._steps.empty()

    async def _live(self) -> None:
        self.doing = "connect"
        await self.connect()
        while True:
            self.doing = None
            step = await self._steps.get()
            self.doing = str(step)
            try:
                await getattr(self, step.verb)(*step.args)
            except LastvalueError as fault:
                self.world.note(f"{self.name} {step.verb}: {type(fault).__name__}: {fault}", client_errors=1)

    async def connect(self) -> None:
        """Connect, however long that takes."""
        while True:
            self.connection = connect(
                self._urls,
                timeout_s=CONNECT_S,
                container_id=self.name,
                idle_timeout_s=IDLE_S,
                reconnect=AGAIN,
            )
            try:
                await self.connection.open()
                await self.opened(self.connection)
            except ClientError as fault:
                self.world.note(f"{self.name} cannot connect: {fault}")
                await self.connection.close()
                await self.pass_s(0.5)
            else:
                return

    async def pass_s(self, seconds: float) -> None:
        """Let time pass."""
        passed = self.loop.create_future()
        self.loop.call_later(seconds, passed.set_result, None)
        await passed

    async def opened(self, connection: Connection) -> None:
        """Do what each program does first."""
        for name, options in QUEUES.items():
            await connection.declare(name, **options)

    async def vanish(self, *_: object) -> None:
        """The program is killed, and started again."""
        self.world.note(f"{self.name} vanishes", vanished_clients=1)
        left = []
        while not self._steps.empty():
            left.append(self._steps.get_nowait())
        self.network.crash(self.machine, told=self.world.chance.random() < 0.5)
        self.machine.end()
        self.world.wire.call_later(0.2, self._come_back, left)
        # It has something to do until it is back.
        await self.loop.create_future()

    def _come_back(self, left: list[Step]) -> None:
        self.begin()
        for step in left:
            self.give(step)


def named(message: Message) -> str:
    """What a message is called: its body."""
    body = message.body
    return body.decode() if isinstance(body, bytes) else str(body)


def _ranked(name: str) -> Message:
    """A message that has a priority, a place, a group, and in some queues a delay and an end."""
    number = int(name.rpartition("-")[2])
    properties = {"s": f"{number * 7 % 10}", "g": str(number % 3)}
    annotations = {"x-opt-delivery-delay": number % 4 * 700} if number % 2 else {}
    return Message(
        name,
        properties,
        annotations,
        durable=True,
        priority=number % 10,
        ttl_ms=None if number % 5 else 60_000,
    )


class Publisher(Client):
    """Publishes numbers: the only one for its keys and its messages."""

    sent = 0

    @property
    def _connection(self) -> Connection:
        assert self.connection is not None
        return self.connection

    async def put(self, key: str, count: int) -> None:
        """Give a key several values, one behind the other."""
        changes = [self.ledger.change(key) for _ in range(count)]
        messages = [Message(each.value, {"k": key}, durable=True) for each in changes]
        try:
            sender = await self._connection.queue(PRICES).opened_sender(None)
            refused = {each.index for each in await sender.send_each(messages)}
        except LastvalueError:
            for change in changes:
                change.state = UNKNOWN
            raise
        for number, change in enumerate(changes):
            # It may have been taken before the connection was lost, and refused when it came again.
            change.state = UNKNOWN if number in refused else CONFIRMED

    async def delete(self, key: str) -> None:
        """Delete the value of a key."""
        change = self.ledger.change(key, delete=True)
        try:
            await self._connection.queue(PRICES).delete(key, timeout_s=60.0)
        except LastvalueError:
            change.state = UNKNOWN
            raise
        change.state = CONFIRMED

    async def send(self, count: int, queue: str = WORK) -> None:
        """Send several messages, which all count."""
        names = [self._next() for _ in range(count)]
        self.ledger.send(names, queue)
        plain = queue == WORK
        messages = [Message(each, durable=True) if plain else _ranked(each) for each in names]
        sender = await self._connection.queue(queue).opened_sender(None)
        refused = {each.index for each in await sender.send_each(messages)}
        for number, name in enumerate(names):
            self.ledger.work[name] = UNKNOWN if number in refused else CONFIRMED

    async def transact(self, count: int, end: str) -> None:
        """Send to two queues in one transaction."""
        names = [self._next() for _ in range(count)]
        self.ledger.pairs.update(dict.fromkeys(names, UNKNOWN))
        connection = self._connection
        try:
            async with connection.transaction(timeout_s=60.0) as transaction:
                for name in names:
                    for queue in (LEFT, RIGHT):
                        message = Message(name, durable=True)
                        await connection.queue(queue).send(message, transaction=transaction, timeout_s=60.0)
                if end == "roll back":
                    raise RolledBackError
        except RolledBackError:
            self.ledger.pairs.update(dict.fromkeys(names, REFUSED))
            self.world.counts["rollbacks"] += 1
            return
        self.world.counts["commits"] += 1
        self.ledger.pairs.update(dict.fromkeys(names, CONFIRMED))

    async def redeclare(self, *_: object) -> None:
        """Delete a queue with its messages, and declare it again."""
        try:
            await self._connection.delete("brief", timeout_s=60.0)
        except QueueNotFoundError:
            self.world.counts["missing queues"] += 1
        await self._connection.declare("brief", timeout_s=60.0, **BRIEF)
        messages = [Message(each, {"k": str(each % 3)}, durable=True) for each in range(5)]
        await self._connection.queue("brief").send_many(messages, timeout_s=60.0)
        self.world.counts["declared queues"] += 1

    def _next(self) -> str:
        self.sent += 1
        return f"{self.name}-{self.sent}"


class RolledBackError(Exception):
    """The application wants to roll back."""


class Consumer(Client):
    """Takes messages, and settles them in all ways."""

    async def take(self, most: int, outcome: str, queue: str = WORK) -> None:
        """Take so many messages, if they come in a second each."""
        assert self.connection is not None
        receiver: Receiver = self.connection.queue(queue).receive(credit=10, timeout_s=1.0)
        taken = 0
        try:
            while taken < most:
                for delivery in await receiver.batch(most - taken):
                    taken += 1
                    name = named(delivery.message)
                    if self.ledger.sent_to.get(name) != queue:
                        self.world.break_law(f"{self.name} got {name!r}, which nobody has sent")
                    if outcome in ("accept", "reject"):
                        # The broker may get the outcome even if this program does not live to know.
                        self.ledger.done.add(name)
                    getattr(delivery, outcome)()
                    self.world.counts[f"{outcome} deliveries"] += 1
        finally:
            receiver.close()


class Watching(Client):
    """Has a mapping of the values that is kept current, and checks each change of it."""

    watcher: Watcher | None = None

    def begin(self) -> None:
        self.seen: dict[str, tuple[int, int]] = {}
        self.watcher = None
        super().begin()

    async def opened(self, connection: Connection) -> None:
        # It declares nothing, so a broker that follows may serve it.
        while True:
            await self.begin_anew()
            try:
                await self.watcher_of().complete(20.0)
            except QueueNotFoundError:
                await self.pass_s(0.2)
            else:
                return

    def watcher_of(self) -> Watcher:
        assert self.watcher is not None
        return self.watcher

    async def begin_anew(self, *_: object) -> None:
        """Watch from the beginning."""
        assert self.connection is not None
        if self.watcher is not None:
            await self.watcher.__aexit__(None, None, None)
        self.watcher = self.connection.watch(PRICES, on_change=self._changed)
        await self.watcher.__aenter__()

    def _changed(self, change: Change) -> None:
        key, value = str(change.key), change.value
        if value is None:
            self.world.counts["removals"] += 1
            return
        number = value.body
        changes = self.ledger.changes.get(key, [])
        if not isinstance(number, int) or number > len(changes):
            self.world.break_law(f"{self.name} got {key}={number!r}, which nobody has sent")
            return
        before, life = self.seen.get(key, (0, 0))
        self.world.counts["changes"] += 1
        # A broker with files that is killed loses what it has shown and not confirmed.
        if number < before and life == self.lives() and not self.ledger.is_late(key, number):
            self.world.break_law(f"{self.name}: {key} went back from {before} to {number}")
        self.seen[key] = number, self.lives()

    async def browse(self, *_: object) -> None:
        """Read all that is there, once."""
        assert self.connection is not None
        async for message in self.connection.queue(PRICES).browse(timeout_s=20.0):
            if message.properties.get("k") is None:
                self.world.break_law(f"{self.name} browses a message without a key")
        names = [message.body async for message in self.connection.queue(LEFT).browse(timeout_s=20.0)]
        if len(set(names)) != len(names):
            self.world.break_law(f"{self.name} browses a message twice: {names}")

    async def hang(self, seconds: float) -> None:
        """Do nothing for a while, and read nothing."""
        for end in self.network.of(self.machine):
            end.pause_reading()
        await self.pass_s(seconds)
        for end in self.network.of(self.machine):
            end.resume_reading()
