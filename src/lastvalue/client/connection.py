"""A connection to a broker, the client's entry point."""

import asyncio
import os
import random
import ssl
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self
from uuid import uuid4

from lastvalue import __version__
from lastvalue.client.credentials import credentials
from lastvalue.client.driver import Driver
from lastvalue.client.endpoints import Endpoint, Endpoints
from lastvalue.client.errors import (
    AuthenticationError,
    ConnectionLostError,
    InvalidUrlError,
    NotOpenError,
    RefusedError,
)
from lastvalue.client.exchange_info import ExchangeInfo, exchange_info
from lastvalue.client.leaders import PARTITION, Leaders, leaders_in
from lastvalue.client.management import (
    BROKER,
    CLOCK,
    CONNECTION,
    CONSUMER,
    EXCHANGE,
    QUEUE,
    STORE,
    Management,
)
from lastvalue.client.page import EVERY_NAME, QUEUES_AT_ONCE, Page
from lastvalue.client.partitioned_queue import PartitionedQueue
from lastvalue.client.queue import Queue
from lastvalue.client.queue_info import QueueInfo, queue_info
from lastvalue.client.reconnection import SETTLED_FOR_S, Reconnection
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.transaction import DEFAULT_TRANSACTION_TIMEOUT_S, CoordinatorLink, Transaction
from lastvalue.client.url import DEFAULT_URL, parse_url
from lastvalue.client.wanted import Wanted, WatchOptions
from lastvalue.client.watched_values import Change
from lastvalue.client.watcher import Watcher
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.lease import LEASE
from lastvalue.protocols.amqp10.options import ConnectionOptions

if TYPE_CHECKING:
    from lastvalue.client.tracing import Tracing

DEFAULT_TIMEOUT_S: Final = 10.0
DEFAULT_WINDOW: Final = 4096
"""Frames of a session."""

_SNAPSHOT_LOOK_S: Final = 0.05
_CHANCE: Final = random.SystemRandom()
"""Spreads the attempts of many clients."""


def connect(  # noqa: PLR0913 - each is an option of the connection
    url: str | Sequence[str] = DEFAULT_URL,
    *,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    container_id: str | None = None,
    idle_timeout_s: float = 60.0,
    tls: ssl.SSLContext | None = None,
    token: str | None = None,
    reconnect: bool | Reconnection = True,
    product: str = "lastvalue",
    window: int = DEFAULT_WINDOW,
) -> "Connection":
    """A connection that is not open yet; open it with `async with`, or with `await connection.open()`.

    Args:
        url: amqp://[user:password@]host[:port], or amqps:// for TLS; of several brokers, which are tried in
            this order, a list.
        timeout_s: seconds that opening may take, at each broker.
        container_id: the container's name in AMQP; unique by default.
        idle_timeout_s: seconds of silence after which the connection counts as lost; 0 waits for ever.
        token: a JSON Web Token that authenticates the client, instead of user and password.
        window: how many frames the broker may send before it hears that half of them have come. A small one
            divides the work that a reader of very much is for the broker, which serves others in between.
        product: the name of the program, which the broker's log and audit show as its client.
        tls: the trusted authorities and the client's own certificate; without it, amqps:// trusts the
            authorities of the machine.
        reconnect: make a lost connection again, and let its readers and senders continue; False:
            it ends then.

    Raises:
        InvalidUrlError: a URL cannot be used, or there is none.
    """
    try:
        urls = [url] if isinstance(url, str) else list(url)
    except TypeError:
        raise InvalidUrlError(repr(url), "expected a text, or a list of texts") from None
    if not urls:
        raise InvalidUrlError("", "the list of brokers is empty")
    container = container_id or f"lastvalue-{os.getpid()}-{uuid4().hex[:8]}"
    endpoints = []
    for broker in map(parse_url, urls):
        options = ConnectionOptions(
            container_id=container,
            hostname=broker.host,
            idle_timeout_ms=round(idle_timeout_s * 1000),
            incoming_window=window,
            credentials=credentials(broker, token=token, certified=tls is not None),
            desired_capabilities=(LEASE,),
            properties={"product": product, "version": __version__},
        )
        endpoints.append(Endpoint(broker, options, tls or broker.tls_context()))
    again = reconnect if isinstance(reconnect, Reconnection) else Reconnection() if reconnect else None
    return Connection(Endpoints(endpoints, timeout_s), again)


class Connection:
    """A connection to a broker; an async context manager.

    It belongs to the event loop that opened it. Where it is lost it is made again: its browsers, receivers
    and senders continue, and other calls wait. Without reconnection all calls that wait on it raise
    ConnectionLostError then.

    Args:
        endpoints: the brokers.
        reconnection: how it is made again; None: it is not.
    """

    def __init__(self, endpoints: Endpoints, reconnection: Reconnection | None) -> None:
        self._endpoints = endpoints
        self._tracing: Tracing | None = None
        self._reconnection = reconnection
        self._reopening: asyncio.Task[None] | None = None
        self._failed = 0
        self._back_since_s = 0.0
        self._opened: tuple[Driver, Management] | None = None
        self._queues: dict[str, Queue] = {}
        self._others: dict[tuple[str, ...], Connection] = {}
        self._coordinator: CoordinatorLink | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def trace(self, tracing: "Tracing | None") -> None:
        """Make OpenTelemetry's spans of what senders and readers send and receive that begin from now on."""
        self._tracing = tracing
        if self._opened is not None:
            self._opened[0].tracing = tracing

    async def open(self) -> None:
        """Open the connection; a connection opens once.

        Raises:
            ConnectFailedError: no AMQP 1.0 broker answers there.
            AuthenticationError: the broker refuses the credentials.
            ConnectTimedOutError: it takes longer than `timeout_s`.
            NotOpenError: it was opened before.
        """
        if self._opened is not None:
            raise NotOpenError("a connection opens once; connect again")
        driver = Driver(None if self._reconnection is None else self._lost)
        driver.redirects_only = self._reconnection is not None and self._reconnection.redirects_only
        driver.tracing = self._tracing
        self._opened = driver, Management(driver)
        try:
            failure = await self._endpoints.connect(driver)
        except BaseException:
            self._give_up(driver)
            raise
        if failure is not None:
            self._give_up(driver)
            try:
                raise failure
            finally:
                # It refers to this frame.
                del failure
        if self._reconnection is None:
            self._endpoints.forget_credentials()
        self._back_since_s = time.monotonic()

    def _give_up(self, driver: Driver) -> None:
        """The connection could not be opened."""
        driver.abort()
        self._endpoints.forget_credentials()

    def _lost(self, error: ConnectionLostError) -> None:
        """The connection is lost: make it again, unless that is under way and has only just succeeded."""
        if self._reopening is None or self._reopening.done():
            self._reopening = asyncio.create_task(self._reopen(error))

    async def _reopen(self, error: ConnectionLostError) -> None:
        driver, _ = self._checked()
        reconnection = self._reconnection or Reconnection()
        lost_s = time.monotonic()
        if lost_s - self._back_since_s > SETTLED_FOR_S:
            self._failed = 0
        if reconnection.on_change is not None:
            reconnection.on_change(error)
        while driver.session is None:
            wait_s = reconnection.wait_s(self._failed, _CHANCE.random())
            await asyncio.sleep(self._endpoints.wait_s(self._failed, wait_s))
            self._failed += 1
            failure = await self._endpoints.connect(driver)
            given_up = reconnection.give_up_s is not None and (
                time.monotonic() - lost_s >= reconnection.give_up_s
            )
            if failure is not None and (given_up or isinstance(failure, AuthenticationError)):
                error.add_note(f"it could not be made again: {failure}")
                driver.give_up(failure if isinstance(failure, AuthenticationError) else error)
                return
        self._back_since_s = time.monotonic()
        if reconnection.on_change is not None:
            reconnection.on_change(None)

    @property
    def is_open(self) -> bool:
        """Whether it is connected; not so while a lost connection is made again."""
        return (
            self._opened is not None and self._opened[0].session is not None and not self._opened[0].failure
        )

    async def close(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """Close the connection; waits at most `timeout_s` for the broker. Closing twice does nothing."""
        for other in self._others.values():
            await other.close(timeout_s=timeout_s)
        if self._opened is not None:
            driver, _ = self._opened
            reopening, self._reopening = self._reopening, None
            if reopening is not None:
                reopening.cancel()
                await asyncio.gather(reopening, return_exceptions=True)
            self._endpoints.forget_credentials()
            try:
                # `wait_for` loses a cancellation that comes as the driver ends.
                async with asyncio.timeout(timeout_s):
                    await driver.close()
            except TimeoutError:
                driver.abort()

    def queue(self, name: str) -> Queue:
        """The queue of that name; this sends nothing, so the queue need not exist."""
        driver, management = self._checked()
        if name not in self._queues:
            self._queues[name] = Queue(name, driver, management)
        return self._queues[name]

    async def partitioned(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> PartitionedQueue:
        """The queue of that name at all the brokers that have it, by their configuration.

        It asks the broker once, and connects to the others as the same user; they are closed with this
        connection. A queue that is not partitioned is this broker's.

        Raises:
            NotOpenError: the connection does not reconnect, so it has no password any more.
            ConnectFailedError, AuthenticationError: of another broker.
            QueueNotFoundError: a broker that has keys of the queue has not declared it.
        """
        brokers = (await self.leaders(name, timeout_s=timeout_s)).addresses
        queues = [(await self._other(each)).queue(name) for each in brokers] or [self.queue(name)]
        key = ""
        if len(queues) > 1:
            key = str((await queues[0].info(timeout_s=timeout_s)).options.get("lvq_key", ""))
        return PartitionedQueue(name, queues, key)

    async def leaders(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> Leaders:
        """The brokers that have the queue of that name, or some of its keys, by their configuration.

        Raises:
            RefusedError: the user has no right on the name, or the broker's version knows no partitions.
        """
        return leaders_in(await self._ask("READ", name, kind=PARTITION, timeout_s=timeout_s))

    async def _other(self, addresses: Sequence[str]) -> "Connection":
        """The connection to another broker, which has these addresses with its followers."""
        if self._reconnection is None:
            raise NotOpenError(
                "the queue is at other brokers, and this connection keeps no password; use reconnect=True"
            )
        place = tuple(addresses)
        if place not in self._others:
            other = Connection(self._endpoints.others(addresses), self._reconnection)
            other.trace(self._tracing)
            await other.open()
            self._others[place] = other
        return self._others[place]

    def watch(
        self,
        queue: str,
        *,
        selector: str | None = None,
        options: WatchOptions | None = None,
        on_change: Callable[[Change], None] | None = None,
    ) -> Watcher:
        """A mapping of a last-value queue's keys to their values that is kept current; see `Watcher`.

        Args:
            queue: the queue's name.
            selector: only values that it selects.
            options: which keys, the pace, and more; `removals`, `snapshot` and `token` are the watcher's.
                With a `policy` a lost connection loses what was not sent.
            on_change: called with each change, in the loop; it must not raise.
        """
        asked = options or WatchOptions()
        asked = replace(asked, removals=asked.policy is None, snapshot=True)
        return Watcher(self.queue(queue), Wanted(selector=selector, watch=asked), on_change)

    def transaction(self, *, timeout_s: float | None = DEFAULT_TRANSACTION_TIMEOUT_S) -> Transaction:
        """A transaction for `async with`: the end of the block commits, an exception rolls back.

        Messages sent and deliveries settled in it take effect together; several may be open at once.

        Args:
            timeout_s: seconds that its beginning, and its end, may each take.
        """
        driver, _ = self._checked()
        if self._coordinator is None or not self._coordinator.is_open:
            self._coordinator = CoordinatorLink(driver)
        return Transaction(self._coordinator, timeout_s)

    async def declare(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, **options: object) -> Queue:
        """Declare a queue, unless it exists with the same options, such as lvq_key="symbol".

        Raises:
            RefusedError: the options contradict each other, or the queue exists with other options.
        """
        await self._ask("CREATE", name, options, timeout_s=timeout_s)
        return self.queue(name)

    async def delete(
        self,
        name: str,
        *,
        if_unused: bool = False,
        if_empty: bool = False,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> None:
        """Delete a queue and its messages.

        Raises:
            QueueNotFoundError: no queue has that name.
            RefusedError: it has readers and `if_unused` is true, or messages and `if_empty` is true.
        """
        body = {"if_unused": if_unused, "if_empty": if_empty}
        await self._ask("DELETE", name, body, timeout_s=timeout_s)
        self._queues.pop(name, None)

    async def purge(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """Remove the available messages of a queue; returns how many.

        Raises:
            QueueNotFoundError: no queue has that name.
        """
        answer = await self._ask("PURGE", name, timeout_s=timeout_s)
        purged = answer.get("messages") if isinstance(answer, dict) else None
        return purged if isinstance(purged, int) else 0

    async def queues(
        self, *, page: Page = EVERY_NAME, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> list[QueueInfo]:
        """The queues of the broker that the user may see, in order of their names; all, or a page of them.

        All are asked for in parts, so that no answer holds up the broker; `timeout_s` is for each of them.
        """
        if page.count is not None or page.sort or page.offset:
            return await self._queues_of(page, timeout_s)
        found: list[QueueInfo] = []
        while True:
            part = await self._queues_of(replace(page, count=QUEUES_AT_ONCE), timeout_s)
            found += part
            if len(part) < QUEUES_AT_ONCE:
                return found
            page = replace(page, after=part[-1].name)

    async def _queues_of(self, page: Page, timeout_s: float) -> list[QueueInfo]:
        answer = await self._ask("QUERY", "", page.body(), timeout_s=timeout_s)
        return [queue_info(each) for each in answer] if isinstance(answer, list) else []

    async def queue_sums(
        self, names: Iterable[str], *, page: Page = EVERY_NAME, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> dict[str, int]:
        """How many queues the user may see, as `queues`, and the sums of these statistics of theirs.

        Args:
            names: of the statistics.
            page: of which queues; its order and its part of the list do not matter.
            timeout_s: seconds that the answer may take.
        """
        body = {"sums": list(names), **page.body()}
        answer = await self._ask("QUERY", "", body, timeout_s=timeout_s)
        return dict(answer[0]) if isinstance(answer, list) and answer else {}

    async def statistics(self, kind: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> list[dict[str, object]]:
        """The statistics of each connection, session, link, consumer or producer that the user may see.

        Args:
            kind: one of these words.
            timeout_s: seconds that the answer may take.
        """
        answer = await self._ask("QUERY", "", kind=kind, timeout_s=timeout_s)
        return [dict(each) for each in answer] if isinstance(answer, list) else []

    async def broker_statistics(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> dict[str, object]:
        """The statistics of the broker and of its process, by name.

        Raises:
            RefusedError: the user may not see them.
        """
        answer = await self._ask("READ", "", kind=BROKER, timeout_s=timeout_s)
        return dict(answer) if isinstance(answer, dict) else {}

    async def close_connection(self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        """Let the broker close a connection, by the name that its statistics have.

        Raises:
            RefusedError: there is none of that name, or it is another user's and this one may not close it.
        """
        await self._ask("DELETE", name, kind=CONNECTION, timeout_s=timeout_s)

    async def close_consumer(
        self, name: str, *, session: str, connection: str, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Let the broker end a consumer, by the names that its statistics have; its connection stays.

        What it holds is available again. Its peer hears of it if its protocol can say that, and may
        subscribe again.

        Raises:
            RefusedError: there is none, or it is another user's and this one may not close it.
        """
        body = {"session": session, "connection": connection}
        await self._ask("DELETE", name, body, kind=CONSUMER, timeout_s=timeout_s)

    async def clock_ms(self, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """The broker's time, milliseconds since the epoch."""
        answer = await self._ask("READ", "", kind=CLOCK, timeout_s=timeout_s)
        return _time_in(answer)

    async def advance_clock(self, by_ms: int, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> int:
        """Advance a broker's manual clock; returns the new time, milliseconds since the epoch.

        Raises:
            RefusedError: the broker uses the system's clock.
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
        """Let the broker write a snapshot of its store while it runs; returns the snapshot's size in bytes.

        It includes everything that was confirmed before.

        Args:
            directory: an absolute path on the broker's machine, a directory that is new or empty; or a URL of
                object storage, as in s3://bucket/prefix/name, with a new name.
            progress: called with the number of bytes written and the number of all bytes.
            timeout_s: seconds that each answer of the broker may take; writing has no time limit.

        Raises:
            RefusedError: the broker has no store, or the directory cannot be written.
        """
        state = await self._ask("SNAPSHOT", "", {"directory": directory}, kind=STORE, timeout_s=timeout_s)
        while isinstance(state, dict) and state.get("state") == "running":
            await asyncio.sleep(_SNAPSHOT_LOOK_S)
            state = await self._ask("READ", "", kind=STORE, timeout_s=timeout_s)
            if progress is not None and isinstance(state, dict):
                progress(int(state["written"]), int(state["bytes"]))
        if not isinstance(state, dict) or state.get("state") != "done":
            reason = str(state.get("reason")) if isinstance(state, dict) else "the broker gave no reason"
            raise RefusedError("the snapshot was not written", Condition.INTERNAL_ERROR.amqp10, reason)
        return int(state["bytes"])

    # ------------------------------------------------------------------ exchanges

    async def declare_exchange(
        self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, **options: object
    ) -> None:
        """Declare an exchange, unless it exists with the same options, such as type="topic".

        Raises:
            RefusedError: the options contradict each other, the exchange exists with others, or its name is
                reserved.
        """
        await self._ask("CREATE", name, options, kind=EXCHANGE, timeout_s=timeout_s)

    async def delete_exchange(
        self, name: str, *, if_unused: bool = False, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Delete an exchange and its bindings; the queues stay.

        Raises:
            RefusedError: it does not exist, is one of the broker's own, or is the alternate of another node;
                or it has bindings and `if_unused` is true.
        """
        await self._ask("DELETE", name, {"if_unused": if_unused}, kind=EXCHANGE, timeout_s=timeout_s)

    async def exchanges(
        self, *, page: Page = EVERY_NAME, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> list[ExchangeInfo]:
        """The exchanges that the user may see, with their bindings, in order of their names; or a page."""
        answer = await self._ask("QUERY", "", page.body(), kind=EXCHANGE, timeout_s=timeout_s)
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
        """Bind a queue or an exchange to an exchange; replaces a binding of the same destination and key.

        Raises:
            RefusedError: a node does not exist, or the exchange needs other arguments.
        """
        body = {"destination": destination, "key": key, "arguments": dict(arguments or {})}
        await self._ask("BIND", exchange, body, kind=EXCHANGE, timeout_s=timeout_s)

    async def unbind(
        self, exchange: str, destination: str, key: str = "", *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Remove a binding.

        Raises:
            RefusedError: the binding does not exist.
        """
        body = {"destination": destination, "key": key}
        await self._ask("UNBIND", exchange, body, kind=EXCHANGE, timeout_s=timeout_s)

    async def manage(
        self,
        operation: str,
        name: str = "",
        body: Mapping[str, object] | None = None,
        *,
        kind: str = QUEUE,
        timeout_s: float = DEFAULT_TIMEOUT_S,
    ) -> object:
        """Send any request to the management node, such as UPDATE of an exchange; returns the answer's body.

        Raises:
            RefusedError: the broker refused it.
        """
        return await self._ask(operation, name, body, kind=kind, timeout_s=timeout_s)

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
