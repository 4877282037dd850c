"""A stream of NATS JetStream: connecting, publishing at an expected sequence, reading, trimming."""

import asyncio
import errno
import json
import logging
import re
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
    StreamInfo,
)
from nats.js.errors import APIError, NotFoundError

from lastvalue.store.log_settings import LogSettings
from lastvalue.store.segments import StoreError

CONNECT_WITHIN_S: Final = 15.0
"""How long a broker that starts waits for the servers."""

ANSWER_WITHIN_S: Final = 30.0
"""How long it waits for a leader of the stream."""

ASK_S: Final = 2.0
MESSAGE_BYTES: Final = 512 << 10
"""The largest message that is sent where the servers allow it; larger batches are sent in parts."""

ELSEWHERE_S: Final = 2.0
"""After this time without a useful answer another server is asked: this one may be cut off from them."""

_FETCHED: Final = 256
_FETCH_S: Final = 2.0
FOLLOWER: Final = "follower-"
"""How the names of the consumers begin by which brokers follow a stream."""

_IDLE_S: Final = 0.5
_SILENT_S: Final = 2.0
_TICK_S: Final = 0.05
_FOLLOWS_AGAIN_S: Final = 0.2
_PING_S: Final = 1
_RECONNECT_S: Final = 0.2
_HEADER_ROOM: Final = 1024
_WRONG_SEQUENCE: Final = 10071
_NOT_DELETED: Final = (10043, 10057)
"""[NATS] The sequence is not found, as of a message between others that is deleted already; not deleted."""

_FULL: Final = (10047, 10077, 10078)
_OLDEST: Final = (2, 10)
T = TypeVar("T")


class LogUnavailableError(OSError):
    """The log's servers do not answer, or refuse."""

    def __init__(self, text: str, number: int = errno.EIO) -> None:
        super().__init__(number, text)


class UnsuitableStreamError(StoreError):
    """The stream, or its servers, would not keep what is confirmed."""


@dataclass(frozen=True, slots=True)
class LogServer:
    """A server that keeps the stream, as the one that leads it says.

    Attributes:
        name: of the server.
        leads: it leads the stream.
        current: it is there, and has all that is confirmed.
        behind: how many messages it has not got.
    """

    name: str
    leads: bool
    current: bool
    behind: int


@dataclass(frozen=True, slots=True)
class StreamState:
    """The first and the last sequence of a stream, its size, and the servers that keep it."""

    first: int
    last: int
    used_bytes: int
    limit_bytes: int
    servers: tuple[LogServer, ...]


@dataclass(frozen=True, slots=True)
class FollowerState:
    """What a follower of a stream tells of itself, and how many messages it has not been sent."""

    about: str
    behind: int


Answer = Callable[[int, int | None, LogUnavailableError | None], None]
"""Called with an attempt's token and the sequence of the stored message; or None, and why if known."""


class JetStream:
    """The stream of one store; used by the event loop that connected it.

    Args:
        settings: where it is.
        answered: called with each answer to `publish`.
    """

    def __init__(self, settings: LogSettings, answered: Answer) -> None:
        self._settings = settings
        self._name = settings.address.name
        self._subject = f"lastvalue.{self._name}"
        self._answered = answered
        self._client: Client = Client()
        self._inbox = ""
        self._silent_since_s: float | None = None

    @property
    def message_bytes(self) -> int:
        """The size of the largest message that is sent."""
        return min(MESSAGE_BYTES, self._client.max_payload - _HEADER_ROOM)

    @property
    def connected(self) -> bool:
        """Whether there is a connection to one of the servers."""
        return self._client.is_connected

    async def connect(self) -> None:
        """Connect to one of the servers.

        Raises:
            LogUnavailableError: none of them lets us in.
            UnsuitableStreamError: they are too old.
        """
        address = self._settings.address
        # Not 0: a server that refuses at once would be asked without a pause for anything else.
        options: dict[str, Any] = {"reconnect_time_wait": _RECONNECT_S}
        if address.user:
            options |= {"user": address.user, "password": address.password}
        elif address.password:
            options["token"] = address.password
        faults: list[str] = []

        async def failed(fault: Exception) -> None:
            faults[:] = [str(fault) or type(fault).__name__]

        connecting = self._client.connect(
            servers=address.urls,
            name="lastvalue",
            error_cb=failed,
            connect_timeout=2,
            max_reconnect_attempts=-1,
            ping_interval=_PING_S,
            max_outstanding_pings=3,
            **options,
        )
        # Its own logger repeats, for each attempt, what is logged here once.
        logging.getLogger("nats").setLevel(logging.CRITICAL)
        try:
            async with asyncio.timeout(CONNECT_WITHIN_S):
                await connecting
        except (TimeoutError, OSError, NatsError) as fault:
            await self.close()
            why = faults[0] if faults else str(fault) or "no answer"
            raise LogUnavailableError(f"no server of {address} lets the broker in: {why}") from None
        version = self._client.connected_server_version
        if (version.major, version.minor) < _OLDEST:
            await self.close()
            raise UnsuitableStreamError(
                f"the servers are NATS {version.major}.{version.minor}; a store needs 2.10 or later, because "
                "older ones do not sync when they are asked to, and may miss messages after a restart"
            )
        self._inbox = self._client.new_inbox()
        await self._client.subscribe(f"{self._inbox}.*", cb=self._take_answer)

    async def close(self) -> None:
        """Close the connection."""
        if not self._client.is_closed:
            # The servers may close it just now: then uvloop and asyncio each refuse to write its last bytes.
            with suppress(RuntimeError, OSError):
                await self._client.close()

    # ------------------------------------------------------------------ the stream

    async def open_stream(self) -> list[str]:
        """Make the stream, or check the one that is there; returns what an operator should know.

        Raises:
            UnsuitableStreamError: it would lose records.
            LogUnavailableError: the servers do not answer, or refuse.
        """
        wanted = StreamConfig(
            name=self._name,
            description="the journal of a lastvalue broker",
            subjects=[self._subject],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.NEW,
            storage=StorageType.FILE,
            num_replicas=self._settings.replicas,
            max_consumers=-1,
            max_msgs=-1,
            max_bytes=-1,
            max_age=0,
            max_msg_size=-1,
            max_msgs_per_subject=-1,
        )
        stream = self._client.jetstream()
        try:
            info = await self._ask(lambda: stream.stream_info(self._name))
        except _NoStreamError:
            info = await self._ask(lambda: stream.add_stream(wanted))
        self._check(info, wanted)
        have = info.config.num_replicas or 1
        if have < self._settings.replicas:
            return [f"the stream has {have} copies where {self._settings.replicas} are wanted"]
        return []

    def _check(self, info: StreamInfo, wanted: StreamConfig) -> None:
        have = info.config
        faults = [
            f"its {name} is {getattr(have, name)!r} and must be {value!r}"
            for name, value in (
                ("subjects", wanted.subjects),
                ("retention", wanted.retention),
                ("discard", wanted.discard),
                ("storage", wanted.storage),
            )
            if getattr(have, name) != value
        ]
        faults += [
            f"its {name} is {getattr(have, name)} and must be unlimited"
            for name in ("max_age", "max_msgs", "max_msgs_per_subject")
            if (getattr(have, name) or 0) > 0
        ]
        if have.mirror or have.sources:
            faults.append("it mirrors another stream")
        if faults:
            raise UnsuitableStreamError(
                f"the stream {self._name} cannot keep a store: {'; '.join(faults)}; "
                "name a stream that the broker may make"
            )

    async def exists(self) -> bool:
        """Whether the servers have the stream.

        Raises:
            LogUnavailableError: they do not answer.
        """
        try:
            await self._ask(lambda: self._client.jetstream().stream_info(self._name))
        except _NoStreamError:
            return False
        return True

    async def state(self) -> StreamState:
        """The state of the stream, as its leader knows it.

        Raises:
            LogUnavailableError: it does not answer.
        """
        info = await self._ask(lambda: self._client.jetstream().stream_info(self._name))
        limit_bytes = max(0, info.config.max_bytes or 0)
        servers = _servers_of(info)
        return StreamState(
            max(1, info.state.first_seq), info.state.last_seq, info.state.bytes, limit_bytes, servers
        )

    # ------------------------------------------------------------------ appending

    async def publish(self, token: int, expected: int, data: bytes) -> None:
        """Send a message that is to be stored behind this sequence; `answered` is called later, or never."""
        if not self._client.is_connected:
            return
        try:
            await self._client.publish(
                self._subject,
                data,
                reply=f"{self._inbox}.{token}",
                headers={"Nats-Expected-Last-Sequence": str(expected)},
            )
        except (NatsError, OSError) as fault:
            self._answered(token, None, LogUnavailableError(str(fault)))

    async def _take_answer(self, message: Msg) -> None:
        token = int(message.subject.rpartition(".")[2])
        if not message.data:
            self._answered(token, None, LogUnavailableError("the stream has no leader now"))
            return
        answer = json.loads(message.data)
        error = answer.get("error")
        if error is None:
            self._answered(token, answer["seq"], None)
        elif error.get("err_code") == _WRONG_SEQUENCE:
            self._answered(token, None, None)
        else:
            self._answered(token, None, _unavailable(error.get("err_code"), error.get("description", "")))

    # ------------------------------------------------------------------ reading

    async def message(self, position: int) -> bytes | None:
        """One message; None if it is not there.

        Raises:
            LogUnavailableError: the servers do not answer.
        """
        try:
            found = await self._ask(lambda: self._client.jetstream().get_msg(self._name, seq=position))
        except _NoStreamError:
            return None
        return found.data or b""

    async def read(self, first: int, last: int) -> AsyncIterator[tuple[int, bytes]]:
        """The messages from `first` on up to `last`, in order, each with its sequence.

        Raises:
            LogUnavailableError: the servers do not answer for long.
        """
        position, tries = first - 1, 0
        while position < last:
            try:
                async for found, data in self._read_some(position + 1, last):
                    await self._check_gap(position + 1, found - 1)
                    yield found, data
                    position, tries = found, 0
                position = last
            except (NatsError, LogUnavailableError, TimeoutError) as fault:
                tries += 1
                if tries * _FETCH_S > CONNECT_WITHIN_S:
                    raise LogUnavailableError(
                        f"the stream cannot be read: {str(fault) or 'no answer'}"
                    ) from None
                await asyncio.sleep(_FETCH_S / 4)

    async def _check_gap(self, first: int, last: int) -> None:
        """Check with the stream's leader that messages are deleted; the server that is read may be behind.

        Raises:
            LogUnavailableError: it is behind.
        """
        for position in sorted({first, last}) if first <= last else ():
            if await self.message(position) is not None:
                raise LogUnavailableError(f"a server has not got message {position} again")

    async def _read_some(self, first: int, last: int) -> AsyncIterator[tuple[int, bytes]]:
        context = self._client.jetstream()
        consumer = await self._ask(
            lambda: context.add_consumer(
                self._name,
                ConsumerConfig(
                    deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                    opt_start_seq=first,
                    ack_policy=AckPolicy.NONE,
                    inactive_threshold=60.0,
                ),
            )
        )
        reader = await context.pull_subscribe_bind(consumer=consumer.name, stream=self._name)
        try:
            position = first - 1
            while position < last:
                for message in await reader.fetch(_FETCHED, timeout=_FETCH_S):
                    position = message.metadata.sequence.stream
                    if position > last:
                        return
                    yield position, message.data
        finally:
            if self._client.is_connected:
                await reader.unsubscribe()

    async def follow(self, first: int, about: str) -> AsyncIterator[tuple[int, bytes] | None]:
        """The messages from `first` on as they are stored, each with its sequence; None now and then.

        It does not end, whatever becomes of the servers. `about` tells others who follows.
        """
        position = first - 1
        while True:
            try:
                async for arrived in self._follow_some(position + 1, about):
                    if arrived is not None:
                        await self._check_gap(position + 1, arrived[0] - 1)
                        position = arrived[0]
                    yield arrived
            except (NatsError, LogUnavailableError, TimeoutError):
                yield None
                await asyncio.sleep(_FOLLOWS_AGAIN_S)

    async def _follow_some(self, first: int, about: str) -> AsyncIterator[tuple[int, bytes] | None]:
        """Ends where the servers have not been heard for long, or have left something out."""
        arrived: asyncio.Queue[Msg] = asyncio.Queue()
        inbox = self._client.new_inbox()
        subscription = await self._client.subscribe(inbox, cb=arrived.put, pending_msgs_limit=-1)
        config = ConsumerConfig(
            name=f"{FOLLOWER}{inbox.rpartition('.')[2]}",
            description=about,
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=first,
            ack_policy=AckPolicy.NONE,
            deliver_subject=inbox,
            idle_heartbeat=_IDLE_S,
            flow_control=True,
            num_replicas=1,
        )
        try:
            await self._ask(lambda: self._client.jetstream().add_consumer(self._name, config))
            number, silent_s = 0, 0.0
            while silent_s < _SILENT_S:
                try:
                    message = await asyncio.wait_for(arrived.get(), _TICK_S)
                except TimeoutError:
                    silent_s += _TICK_S
                    yield None
                    continue
                silent_s = 0.0
                if message.headers and "Status" in message.headers:
                    # A heartbeat, or a question whether what was sent is read.
                    if message.reply:
                        await self._client.publish(message.reply)
                    continue
                number += 1
                if message.metadata.sequence.consumer != number:
                    return
                yield message.metadata.sequence.stream, message.data
        finally:
            if self._client.is_connected:
                await subscription.unsubscribe()

    async def followers(self) -> list[FollowerState]:
        """Who follows the stream.

        Raises:
            LogUnavailableError: the servers do not answer.
        """
        found = await self._ask(lambda: self._client.jetstream().consumers_info(self._name))
        return [
            FollowerState(each.config.description or "", each.num_pending or 0)
            for each in found
            if each.name.startswith(FOLLOWER) and each.push_bound
        ]

    # ------------------------------------------------------------------ trimming

    async def trim(self, before: int) -> None:
        """Delete the messages before this sequence.

        Raises:
            LogUnavailableError: the servers do not answer.
        """
        await self._ask(lambda: self._client.jetstream().purge_stream(self._name, seq=before))

    async def delete(self, position: int) -> None:
        """Delete one message, if it is there.

        Raises:
            LogUnavailableError: the servers do not answer.
        """
        try:
            await self._ask(lambda: self._client.jetstream().delete_msg(self._name, position))
        except _NoStreamError:
            return

    async def patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask again while the servers do not answer, such as while they choose who leads.

        Raises:
            LogUnavailableError: they do not answer for long.
        """
        loop = asyncio.get_running_loop()
        ends_s = loop.time() + ANSWER_WITHIN_S
        while True:
            try:
                return await ask()
            except LogUnavailableError:
                if loop.time() > ends_s:
                    raise
                await asyncio.sleep(ASK_S / 4)

    async def _ask(self, request: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(ASK_S):
                answer = await request()
        except NotFoundError:
            raise _NoStreamError(self._name) from None
        except APIError as fault:
            if fault.err_code in _NOT_DELETED:
                raise _NoStreamError(self._name) from None
            await self._try_elsewhere()
            raise _unavailable(fault.err_code, fault.description or str(fault)) from None
        except (NatsError, OSError, TimeoutError) as fault:
            await self._try_elsewhere()
            raise LogUnavailableError(str(fault) or "the log's servers do not answer") from None
        self._silent_since_s = None
        return answer

    async def _try_elsewhere(self) -> None:
        """Connect to another server after a while: this one may answer and not reach the others."""
        now_s = asyncio.get_running_loop().time()
        if self._silent_since_s is None:
            self._silent_since_s = now_s
        elif now_s - self._silent_since_s >= ELSEWHERE_S:
            self._silent_since_s = now_s
            await self._client.force_reconnect()

    # ------------------------------------------------------------------ when servers sync

    async def sync_doubts(self) -> list[str]:
        """Why the servers may answer before their disks have a batch; empty where they surely do not."""
        monitors = self._settings.monitors
        if monitors:
            return [doubt for each in monitors if (doubt := await asyncio.to_thread(_monitored, each))]
        return ["when they sync is not visible to clients; name their monitoring ports (--store-monitor)"]


class _NoStreamError(LogUnavailableError):
    """What was asked for is not there.

    Servers may say so of a stream that another broker has just made, and of which they do not know yet.
    """

    def __init__(self, stream: str) -> None:
        super().__init__(f"the log's servers have no stream {stream}")


def _servers_of(info: StreamInfo) -> tuple[LogServer, ...]:
    """The servers that keep a stream; one that is alone, and is no cluster, has no name."""
    cluster = info.cluster
    if cluster is None:
        return ()
    others = [
        LogServer(
            each.name or "",
            leads=False,
            current=bool(each.current) and not each.offline,
            behind=each.lag or 0,
        )
        for each in cluster.replicas or ()
    ]
    leader = [LogServer(cluster.leader, leads=True, current=True, behind=0)] if cluster.leader else []
    return tuple(sorted([*leader, *others], key=lambda each: each.name))


def _unavailable(number: int | None, text: str) -> LogUnavailableError:
    full = number in _FULL
    what = "is full" if full else "refuses"
    return LogUnavailableError(f"the log {what}: {text}", errno.ENOSPC if full else errno.EIO)


def _monitored(url: str) -> str:
    """What a server's monitoring port says against it."""
    if not re.match("https?://", url):
        return f"{url} is no URL of a monitoring port"
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/jsz?config=true", timeout=ASK_S) as answer:  # noqa: S310 - checked above
            config = json.load(answer).get("config") or {}
    except (OSError, ValueError) as fault:
        return f"{url} does not tell: {fault}"
    if config.get("sync_always"):
        return ""
    return f"the server at {url} does not have sync_interval: always"
