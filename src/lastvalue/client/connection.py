"""One connection to a broker: the client's front door."""

import asyncio
import os
import ssl
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Final, Self
from uuid import uuid4

from lastvalue.client.credentials import credentials
from lastvalue.client.driver import Driver, now
from lastvalue.client.errors import (
    ConnectFailedError,
    NotOpenError,
    RefusedError,
    TimedOutError,
    connect_fault,
)
from lastvalue.client.exchange_info import ExchangeInfo, exchange_info
from lastvalue.client.management import CLOCK, EXCHANGE, QUEUE, STORE, Management
from lastvalue.client.queue import Queue
from lastvalue.client.queue_info import QueueInfo, queue_info
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.transaction import DEFAULT_TRANSACTION_TIMEOUT_S, CoordinatorLink, Transaction
from lastvalue.client.url import DEFAULT_URL, BrokerUrl, parse_url
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.connection import Connection as Engine
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role

DEFAULT_TIMEOUT_S: Final = 10.0
_SNAPSHOT_LOOK_S: Final = 0.05


def connect(
    url: str = DEFAULT_URL,
    *,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    container_id: str | None = None,
    idle_timeout_s: float = 60.0,
    tls: ssl.SSLContext | None = None,
    token: str | None = None,
) -> "Connection":
    """A connection to open by `async with`, or by `await connection.open()`.

    Args:
        url: amqp://[user:password@]host[:port], or amqps:// for TLS
        timeout_s: how long opening may take.
        container_id: the name that the broker sees; unique by default.
        idle_timeout_s: a broker that is silent for so long counts as lost; 0 waits for ever.
        token: a JSON Web Token by which the broker knows the client, instead of a user.
        tls: whom to believe, and the client's own certificate; with amqps:// whom the machine believes.

    Raises:
        InvalidUrlError: the URL cannot be used.
    """
    broker = parse_url(url)
    options = ConnectionOptions(
        container_id=container_id or f"lastvalue-{os.getpid()}-{uuid4().hex[:8]}",
        hostname=broker.host,
        idle_timeout_ms=round(idle_timeout_s * 1000),
        credentials=credentials(broker, token=token, certified=tls is not None),
        properties={"product": "lastvalue"},
    )
    return Connection(broker, options, timeout_s, tls)


class Connection:
    """A connection to a broker; an async context manager.

    It belongs to the loop that opened it. Nothing reconnects: when it ends, all that wait on it raise
    ConnectionLostError.
    """

    def __init__(
        self,
        broker: BrokerUrl,
        options: ConnectionOptions,
        timeout_s: float,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._broker = broker
        self._tls = tls or (ssl.create_default_context() if broker.tls else None)
        self._options = options
        self._timeout_s = timeout_s
        self._opened: tuple[Driver, Management] | None = None
        self._queues: dict[str, Queue] = {}
        self._coordinator: CoordinatorLink | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Open it; once.

        Raises:
            ConnectFailedError: nobody answers there, or not in AMQP 1.0.
            AuthenticationError: the broker does not take the credentials.
            TimedOutError: it takes longer than `timeout_s`.
        """
        if self._opened is not None:
            raise NotOpenError("a connection opens once; connect again")
        broker = self._broker
        driver = Driver(Engine(Role.CLIENT, self._options, now()), broker.host, broker.port)
        self._opened = driver, Management(driver)
        try:
            async with within_timeout(self._timeout_s, f"connecting to {broker.host}:{broker.port}"):
                await asyncio.get_running_loop().create_connection(
                    lambda: driver, broker.host, broker.port, ssl=self._tls
                )
                await driver.until_open()
        except TimedOutError:
            # It is an OSError too.
            raise
        except OSError as error:
            raise ConnectFailedError(broker.host, broker.port, connect_fault(error)) from error
        finally:
            if driver.session is None:
                driver.abort()

    async def close(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """Close it, telling the broker; after `timeout_s` without. Closing twice does nothing."""
        if self._opened is not None:
            driver, _ = self._opened
            try:
                await asyncio.wait_for(driver.close(), timeout_s)
            except TimeoutError:
                driver.abort()

    def queue(self, name: str) -> Queue:
        """The queue of that name; asks nobody, so it need not exist."""
        driver, management = self._checked()
        if name not in self._queues:
            self._queues[name] = Queue(name, driver, management)
        return self._queues[name]

    def transaction(self, *, timeout_s: float | None = DEFAULT_TRANSACTION_TIMEOUT_S) -> Transaction:
        """A transaction, to enter by `async with`: its end commits, an exception rolls back.

        Messages sent and deliveries settled with it take effect together; several may be open at once.

        Args:
            timeout_s: how long its beginning and its end may take, each.
        """
        driver, _ = self._checked()
        if self._coordinator is None or not self._coordinator.is_open:
            self._coordinator = CoordinatorLink(driver)
        return Transaction(self._coordinator, timeout_s)

    async def declare(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, **options: object) -> Queue:
        """Create a queue, or find it declared with the same options, such as lvq_key="symbol".

        Raises:
            RefusedError: the options contradict each other, or it exists and differs.
        """
        await self._ask("CREATE", name, options, timeout_s=timeout_s)
        return self.queue(name)

    async def delete(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """Delete a queue and what it holds.

        Raises:
            QueueNotFoundError: there is none of that name.
        """
        await self._ask("DELETE", name, timeout_s=timeout_s)
        self._queues.pop(name, None)

    async def purge(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """Empty a queue of what nobody is working on; returns how many messages left.

        Raises:
            QueueNotFoundError: there is none of that name.
        """
        answer = await self._ask("PURGE", name, timeout_s=timeout_s)
        purged = answer.get("messages") if isinstance(answer, dict) else None
        return purged if isinstance(purged, int) else 0

    async def queues(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> list[QueueInfo]:
        """Every queue of the broker, in order of their names."""
        answer = await self._ask("QUERY", "", timeout_s=timeout_s)
        return [queue_info(each) for each in answer] if isinstance(answer, list) else []

    async def clock_ms(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """The broker's time, milliseconds since the epoch."""
        answer = await self._ask("READ", "", kind=CLOCK, timeout_s=timeout_s)
        return _time_in(answer)

    async def advance_clock(self, by_ms: int, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """Move the time of a broker that was started with a manual clock; the time it is then.

        Raises:
            RefusedError: the broker lives by the system's clock.
        """
        answer = await self._ask("ADVANCE", "", {"by_ms": by_ms}, kind=CLOCK, timeout_s=timeout_s)
        return _time_in(answer)

    async def snapshot(
        self,
        directory: str,
        *,
        progress: Callable[[int, int], None] | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> int:
        """Have the broker write a snapshot of its store while it runs; how many bytes that took.

        Everything that was confirmed before is in it.

        Args:
            directory: on the broker's machine, a path that begins with /; new or empty.
            progress: told how many bytes of how many are written.
            timeout_s: for each answer of the broker; writing takes as long as it does.

        Raises:
            RefusedError: the broker has no store, or the directory cannot be written.
        """
        told = await self._ask("SNAPSHOT", "", {"directory": directory}, kind=STORE, timeout_s=timeout_s)
        while isinstance(told, dict) and told.get("state") == "running":
            await asyncio.sleep(_SNAPSHOT_LOOK_S)
            told = await self._ask("READ", "", kind=STORE, timeout_s=timeout_s)
            if progress is not None and isinstance(told, dict):
                progress(int(told["written"]), int(told["bytes"]))
        if not isinstance(told, dict) or told.get("state") != "done":
            reason = str(told.get("reason")) if isinstance(told, dict) else "the broker does not tell why"
            raise RefusedError("no snapshot was written", Condition.INTERNAL_ERROR.amqp10, reason)
        return int(told["bytes"])

    # ------------------------------------------------------------------ exchanges

    async def declare_exchange(
        self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, **options: object
    ) -> None:
        """Create an exchange, or find it declared with the same options, such as type="topic".

        Raises:
            RefusedError: the options contradict each other, it exists and differs, or the name is reserved.
        """
        await self._ask("CREATE", name, options, kind=EXCHANGE, timeout_s=timeout_s)

    async def delete_exchange(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """Delete an exchange and its bindings; the queues stay.

        Raises:
            RefusedError: there is none of that name, it is the broker's own, or somebody's alternate.
        """
        await self._ask("DELETE", name, kind=EXCHANGE, timeout_s=timeout_s)

    async def exchanges(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> list[ExchangeInfo]:
        """Every exchange of the broker with its bindings, in order of their names."""
        answer = await self._ask("QUERY", "", kind=EXCHANGE, timeout_s=timeout_s)
        return [exchange_info(each) for each in answer] if isinstance(answer, list) else []

    async def bind(
        self,
        exchange: str,
        destination: str,
        key: str = "",
        arguments: Mapping[str, object] | None = None,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> None:
        """Have a queue, or an exchange, get what an exchange is sent; a binding of that key is replaced.

        Raises:
            RefusedError: one of them does not exist, or the exchange needs other arguments.
        """
        body = {"destination": destination, "key": key, "arguments": dict(arguments or {})}
        await self._ask("BIND", exchange, body, kind=EXCHANGE, timeout_s=timeout_s)

    async def unbind(
        self, exchange: str, destination: str, key: str = "", *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Take a binding away.

        Raises:
            RefusedError: there is no such binding.
        """
        body = {"destination": destination, "key": key}
        await self._ask("UNBIND", exchange, body, kind=EXCHANGE, timeout_s=timeout_s)

    async def _ask(
        self,
        operation: str,
        name: str,
        body: Mapping[str, object] | None = None,
        *,
        kind: str = QUEUE,
        timeout_s: float,
    ) -> object:
        _, management = self._checked()
        async with within_timeout(timeout_s, f"{operation} {name}".rstrip()):
            return await management.ask(operation, name, body, kind=kind)

    def _checked(self) -> tuple[Driver, Management]:
        if self._opened is None:
            raise NotOpenError("the connection is not open yet; use `async with connect(...)`")
        return self._opened


def _time_in(answer: object) -> int:
    now_ms = answer.get("now_ms") if isinstance(answer, dict) else None
    return now_ms if isinstance(now_ms, int) else 0
