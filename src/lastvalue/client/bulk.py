"""Browsing in bulk: the encoded messages of a queue, thousands at a time, over a blocking socket.

    with browse_in_bulk("amqp://127.0.0.1:5672", "prices", Wanted(after=200, until=900_000)) as browser:
        for messages in browser:
            messages.payloads()

For readers that decode messages by themselves, such as Spark's Python workers. It needs no event loop and
creates no object for a message.
"""

import contextlib
import os
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self
from uuid import uuid4

from lastvalue import __version__
from lastvalue.client.credentials import credentials
from lastvalue.client.errors import (
    AuthenticationError,
    ClientError,
    ConnectFailedError,
    ConnectionLostError,
    TimedOutError,
    again,
    connect_error,
)
from lastvalue.client.inbox import ENTRY_ANNOTATIONS
from lastvalue.client.lifetime import detachment, refusal
from lastvalue.client.url import BrokerUrl, parse_url
from lastvalue.client.wanted import EVERYTHING, Wanted
from lastvalue.codec.amqp10.frames import FRAME_HEADER_SIZE
from lastvalue.codec.amqp10.performatives import SENDER_SETTLED, AmqpError, Source, Target
from lastvalue.codec.amqp10.shortcuts.transfers import HeadPattern, TransferWriter
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp10.connection import Connection, ConnectionClosed, ConnectionOpened
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import Delivery, Drained, ReceiverLink
from lastvalue.protocols.amqp10.session import LinkAttached, LinkDetached, SessionBegun, SessionEnded
from lastvalue.protocols.amqp10.wire import Event

READ_SIZE_BYTES: Final = 1024 * 1024
MOST_CREDIT: Final = 2**31 - 1
_WINDOW_FRAMES: Final = 65536


def browse_in_bulk(
    url: str,
    queue: str,
    wanted: Wanted = EVERYTHING,
    *,
    most: int = MOST_CREDIT - 1,
    timeout_s: float = 60.0,
    tls: ssl.SSLContext | None = None,
) -> "BulkBrowser":
    """A browser of the messages that are on the queue now and match the filter; it ends after the last one.

    Args:
        url: amqp://[user:password@]host[:port], or amqps:// for TLS
        queue: the queue's name.
        wanted: which of its messages.
        most: the largest number of messages.
        timeout_s: seconds that connecting, and each wait for messages, may take.
        tls: the trusted authorities; without it, amqps:// trusts those of the machine.

    Raises:
        InvalidUrlError: the URL cannot be used.
        ConnectFailedError: no AMQP 1.0 broker answers there.
        AuthenticationError: the broker refuses the credentials.
        QueueNotFoundError, RefusedError: the queue does not exist, or the user may not read it.
        TimedOutError: it took longer than `timeout_s`.
    """
    broker = parse_url(url)
    browser = BulkBrowser(broker, queue, timeout_s, tls)
    try:
        browser.open(wanted, min(most, MOST_CREDIT - 1))
    except BaseException:
        browser.close()
        raise
    return browser


@dataclass(frozen=True, slots=True)
class Messages:
    """Some encoded messages, in the order in which they came.

    Attributes:
        data: bytes that include the messages.
        bounds: the start and end of each message in `data`, one pair after the other.
    """

    data: bytes
    bounds: list[int]

    def __len__(self) -> int:
        """The number of messages."""
        return len(self.bounds) // 2

    def payloads(self) -> list[bytes]:
        """The bytes of each message."""
        bounds = iter(self.bounds)
        return [self.data[start:end] for start, end in zip(bounds, bounds, strict=True)]


class BulkBrowser:
    """An iterator of messages, thousands at a time; a context manager. `browse_in_bulk` makes one."""

    def __init__(
        self, broker: BrokerUrl, queue: str, timeout_s: float, tls: ssl.SSLContext | None = None
    ) -> None:
        self.queue = queue
        self._broker = broker
        self._timeout_s = timeout_s
        self._failure: LastvalueError | None = None
        self._link: ReceiverLink | None = None
        self._opened = False
        self._attached = False
        self._ended = False
        self._arrived: list[Messages] = []
        self._kept = 0
        self._pattern: HeadPattern | None = None
        self._buffer = bytearray(READ_SIZE_BYTES)
        self._view = memoryview(self._buffer)
        options = ConnectionOptions(
            container_id=f"lastvalue-{os.getpid()}-{uuid4().hex[:8]}",
            hostname=broker.host,
            incoming_window=_WINDOW_FRAMES,
            credentials=credentials(broker, certified=tls is not None),
            properties={"product": "lastvalue", "version": __version__},
        )
        self._engine = Connection(Role.CLIENT, options, _now())
        context = tls or broker.tls_context()
        try:
            self._socket = _connected(broker, timeout_s, context)
        except OSError as error:
            raise connect_error(broker.host, broker.port, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Messages]:
        """Batches of messages, each as soon as it has come.

        Raises:
            ConnectionLostError: the connection ended before the last message.
            DetachedError: the broker ended the link, for example because the queue was deleted.
        """
        while True:
            arrived, self._arrived = self._arrived, []
            if arrived:
                yield from arrived
            elif self._ended:
                return
            else:
                self._turn()

    def open(self, wanted: Wanted, most: int) -> None:
        """Connect, attach, and give credit for the messages."""
        engine = self._engine
        engine.open()
        self._send()
        while not self._opened:
            self._turn()
        session = next(iter(engine.sessions.values()))
        link = session.attach_receiver(
            self.queue,
            Source(address=self.queue, distribution_mode="copy", filter=wanted.filters()),
            Target(),
            settle_mode=SENDER_SETTLED,
            desired_capabilities=(ENTRY_ANNOTATIONS,),
            properties=wanted.properties(),
        )
        self._link = link
        # One more credit than there can be messages: the answer to the drain marks the end.
        link.add_credit(most + 1)
        link.request_drain()
        self._send()
        while not self._attached:
            self._turn()
        if link.remote is not None:
            self._pattern = TransferWriter(session.remote_channel, link.remote.handle).pattern(settled=True)
            self._keep(engine.give_back())

    def close(self) -> None:
        """Close the connection with a close frame. Closing twice does nothing."""
        if self._socket.fileno() < 0:
            return
        if self._failure is None:
            self._engine.close()
            # If the connection is lost, the close frame cannot be sent.
            with contextlib.suppress(ClientError):
                self._send()
        self._socket.close()

    # ---- Receiving

    def _turn(self) -> None:
        """Wait for bytes and process them."""
        try:
            size = self._socket.recv_into(self._view[self._kept :])
        except TimeoutError:
            raise TimedOutError(f"the next messages of {self.queue!r}", self._timeout_s) from None
        except OSError as error:
            self._fail(f"the connection broke: {error}", None)
        else:
            if size == 0:
                self._engine.receive_eof(_now())
            else:
                self._receive(bytes(self._view[: self._kept + size]))
        self._dispatch()
        if self._failure is not None:
            raise again(self._failure)
        self._send()

    def _receive(self, data: bytes) -> None:
        """Take the usual transfer frames directly, and pass every other frame to the engine."""
        engine, link, pattern = self._engine, self._link, self._pattern
        now = _now()
        if link is None or pattern is None:
            engine.receive(data, now)
            return
        # A frame from the peer restarts the engine's idle timeout.
        engine.receive(b"", now)
        pos = 0
        while not engine.finished:
            bounds: list[int] = []
            pos = link.take_frames(data, pos, pattern, bounds)
            if bounds:
                self._arrived.append(Messages(data, bounds))
            size = int.from_bytes(data[pos : pos + 4], "big")
            left = len(data) - pos
            if left < FRAME_HEADER_SIZE or left < size <= engine.options.max_frame_size:
                break
            # The engine refuses a frame that is too large or malformed.
            end = pos + max(size, FRAME_HEADER_SIZE)
            engine.receive(data[pos:end], now)
            self._dispatch()
            pos = end
        self._keep(data[pos:])

    def _keep(self, part: bytes) -> None:
        """Keep a part of a frame until the rest of it comes."""
        self._view[: len(part)] = part
        self._kept = len(part)

    def _dispatch(self) -> None:
        while happened := self._engine.events():
            for event in happened:
                if isinstance(event, Delivery):
                    self._arrived += [Messages(each.payload, [0, len(each.payload)]) for each in event.each()]
                else:
                    self._take(event)

    def _take(self, event: Event) -> None:
        match event:
            case ConnectionOpened():
                self._engine.begin()
            case SessionBegun():
                self._opened = True
            case LinkAttached():
                self._attached = True
            case LinkDetached():
                make_error = detachment if self._attached else refusal
                self._failure = self._failure or make_error(self.queue, event.error)
            case Drained():
                self._ended = True
            case SessionEnded():
                self._fail("the broker ended the session", event.error)
            case ConnectionClosed():
                self._fail("the broker closed the connection", event.error)
            case _:
                pass

    def _fail(self, text: str, error: AmqpError | None) -> None:
        if self._failure is not None:
            return
        host, port = self._broker.host, self._broker.port
        if error is not None:
            text = f"{text}: {error.description or error.condition}"
        if self._opened:
            self._failure = ConnectionLostError(text)
        elif error is not None and error.condition == Condition.UNAUTHORIZED_ACCESS.amqp10:
            self._failure = AuthenticationError(host, port, error.description or "wrong user or password")
        else:
            self._failure = ConnectFailedError(host, port, text)

    def _send(self) -> None:
        while data := self._engine.data_to_send():
            try:
                self._socket.sendall(data)
            except OSError as error:
                raise ConnectionLostError(f"the connection broke: {error}") from error


def _connected(broker: BrokerUrl, timeout_s: float, tls: ssl.SSLContext | None) -> socket.socket:
    plain = socket.create_connection((broker.host, broker.port), timeout_s)
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return plain if tls is None else tls.wrap_socket(plain, server_hostname=broker.host)
    except BaseException:
        plain.close()
        raise


def _now() -> int:
    return time.time_ns() // 1_000_000
