"""The broker that is attacked, and what attacks share."""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Final, cast

from legacy_peer import LegacyPeer
from pamqp import body, commands, frame, header
from raw_core import RawCore
from raw_peer import RawPeer
from served_broker import HOST, ServedBroker

from lastvalue.client import ClientError, QueueNotFoundError, RefusedError, blocking
from lastvalue.codec.amqp10.performatives import Disposition, Transfer
from lastvalue.config.server_options import ServerOptions
from lastvalue.model.conditions import Condition

MIB: Final = 1 << 20
LARGEST_BYTES: Final = ServerOptions().max_message_size
PIECE_BYTES: Final = 60_000
"""Of a message, so that it fits into a frame of every protocol."""
PEER_FAULTS: Final = (OSError, AssertionError, ClientError)
"""What a broker's refusal looks like to the one that attacks."""


@dataclass
class World:
    """The broker under attack.

    Attributes:
        many: how many messages, links and queues a large attack has.
        ends_s: when the attack's time is over, by the monotonic clock.
        user: who may do everything, with a password.
        tls_port, ws_port, health_port: where else the broker listens.
        http_port: where its gateway listens.
    """

    broker: ServedBroker
    many: int
    user: tuple[str, str]
    tls_port: int
    ws_port: int
    health_port: int
    http_port: int
    ends_s: float = 0.0
    _filled: set[str] = field(default_factory=set)
    _declared: dict[str, None] = field(default_factory=dict)

    def begin(self, seconds: float) -> None:
        """Begin an attack of that length."""
        self.ends_s = time.monotonic() + seconds

    @property
    def piece_bytes(self) -> int:
        """How much is sent of a message that is never finished."""
        return 40 * self.many

    def wait(self) -> None:
        """Be silent until the attack's time is over."""
        with socket.socket() as nobody, suppress(TimeoutError):
            nobody.bind((HOST, 0))
            nobody.listen()
            nobody.settimeout(max(0.01, self.ends_s - time.monotonic()))
            nobody.accept()

    @property
    def over(self) -> bool:
        """Whether the attack's time is over."""
        return time.monotonic() >= self.ends_s

    @contextmanager
    def peer(self) -> Iterator[RawPeer]:
        """An open connection of AMQP 1.0."""
        with RawPeer(HOST, self.broker.port) as peer:
            peer.open()
            yield peer

    @contextmanager
    def legacy_peer(self) -> Iterator[LegacyPeer]:
        """An open connection of AMQP 0-9-1 with one channel."""
        with socket.create_connection((HOST, self.broker.port), timeout=60) as connected:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            yield LegacyPeer(connected)

    @contextmanager
    def core_peer(self, **session: Any) -> Iterator[RawCore]:
        """An open connection of CORE with one session."""
        with RawCore(HOST, self.broker.port) as peer:
            peer.create_session(**session)
            yield peer

    def queue(self, name: str, **options: Any) -> str:
        """A queue of that name, empty if it is new; `clear` deletes it."""
        with blocking.connect(self.broker.url, timeout_s=60) as connection:
            connection.declare(name, **options)
        # A queue is deleted before its history.
        self._declared.update(dict.fromkeys((options.get("history", name), name)))
        return name

    def leave(self, name: str) -> None:
        """An attack leaves a queue of that name, which `clear` deletes if there is one."""
        self._declared[name] = None

    def clear(self) -> None:
        """Delete what attacks have left, so that it is not in the memory of the next one."""
        with blocking.connect(self.broker.url, timeout_s=60) as connection:
            for name in reversed(self._declared):
                try:
                    with suppress(QueueNotFoundError):
                        connection.delete(name, timeout_s=60)
                except RefusedError as fault:
                    # Its lifetime is over, and it is being deleted in steps.
                    if fault.condition is not Condition.RESOURCE_LOCKED:
                        raise
        self._declared.clear()

    def full_queue(self, name: str, **properties: Any) -> str:
        """A queue with many messages."""
        self.queue(name)
        message = published(name, b"x", **properties)
        with self.legacy_peer() as peer:
            for _ in range(self.many // 100):
                peer.send(message * 100)
            peer.call(commands.Queue.Declare(queue=name, passive=True), commands.Queue.DeclareOk)
        return name

    def many_queues(self) -> None:
        """As many queues; they are declared once."""
        if "queues" not in self._filled:
            self._filled.add("queues")
            with self.legacy_peer() as peer:
                for number in range(self.many // 20):
                    peer.say(commands.Queue.Declare(queue=f"many-{number}", nowait=True))
                peer.call(commands.Queue.Declare(queue="many-0"), commands.Queue.DeclareOk)


def published(
    queue: str, payload: bytes, size: int | None = None, channel: int = 1, **properties: Any
) -> bytes:
    """A message on the wire of AMQP 0-9-1; with a larger size it is not finished."""
    head = header.ContentHeader(0, len(payload) if size is None else size)
    head.properties = commands.Basic.Properties(**properties)
    bodies = [body.ContentBody(payload[at : at + PIECE_BYTES]) for at in range(0, len(payload), PIECE_BYTES)]
    opening = frame.marshal(commands.Basic.Publish(routing_key=queue), channel) + frame.marshal(head, channel)
    return opening + b"".join(frame.marshal(each, channel) for each in bodies)


def discard(connected: socket.socket, stack: ExitStack) -> None:
    """Take what comes on a connection and forget it, as long as the stack lasts."""
    discard_all([connected], stack)


def discard_all(connections: list[socket.socket], stack: ExitStack) -> None:
    """Take what comes on these connections and forget it, as long as the stack lasts."""
    reader = threading.Thread(target=_read_all, args=(connections,), daemon=True)
    reader.start()
    stack.callback(reader.join)
    for each in connections:
        stack.callback(each.shutdown, socket.SHUT_RDWR)


def _read_all(connections: list[socket.socket]) -> None:
    with DefaultSelector() as selector:
        for each in connections:
            selector.register(each, EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                read = b""
                with suppress(OSError):
                    read = cast("socket.socket", key.fileobj).recv(1 << 20)
                if not read:
                    selector.unregister(key.fileobj)


def send_in_pieces(peer: RawPeer, handle: int, number: int, payload: bytes) -> None:
    """Send a message, and wait for its outcome."""
    pieces = [payload[at : at + PIECE_BYTES] for at in range(0, len(payload), PIECE_BYTES)]
    for place, piece in enumerate(pieces, 1):
        tag, more = struct.pack(">I", number), place < len(pieces)
        peer.say(Transfer(handle=handle, delivery_id=number, delivery_tag=tag, more=more), piece)
    peer.expect(Disposition)
