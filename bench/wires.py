"""What bench/protocols.py measures: one protocol's way to fill a queue and to empty it, and AMQP 1.0's.

A wire of another protocol is a module of its own beside `wire091`.
"""

import contextlib
import random
import socket
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from load import BATCH, SLOTS, Load, Publisher, key_of
from wire import (
    CLOSE,
    DISPOSITION,
    TRANSFER,
    TRUE,
    Peer,
    PeerError,
    described,
    frame,
    uint,
)

HOST = "127.0.0.1"
WINDOW = 2_000
"""Messages that may be unconfirmed or unacknowledged; half of them are one acknowledgement."""
CREDIT = 20_000
READ_BYTES = 1 << 18
BODY = b"x" * 100
MOST_NUMBER = 0xFFFF


@dataclass(frozen=True, slots=True)
class Flow:
    """Which messages go through which queue.

    Attributes:
        port: of the broker.
        queue: one that exists.
        keys: how many; they come in random order, or in turn where there is a message of each.
        in_turn: they do.
        answered: each message is confirmed, or acknowledged.
        of_jms: each message has what JMS clients write: an id, a time, and what it is.
    """

    port: int
    queue: str
    keys: int
    in_turn: bool
    answered: bool
    of_jms: bool = False


class Sender(ABC):
    """A connection that publishes."""

    @abstractmethod
    def send(self, count: int) -> None:
        """Publish so many messages; returns when the broker has taken, and where asked confirmed, all."""

    @abstractmethod
    def close(self) -> None:
        """Leave."""


class PacedSender(Sender):
    """One that publishes messages at its own pace as well."""

    @abstractmethod
    def send_one(self) -> None:
        """Publish a message; returns when it is written."""


class Reader(ABC):
    """A connection that consumes."""

    @abstractmethod
    def read(self, count: int) -> None:
        """Take so many messages and leave; returns when the broker knows that, and what was acknowledged."""


class Wire(ABC):
    """One protocol."""

    name: str

    @abstractmethod
    def sender(self, flow: Flow) -> Sender:
        """Somebody to fill the queue."""

    @abstractmethod
    def reader(self, flow: Flow) -> Reader:
        """Somebody to empty it."""


class Block:
    """Messages of a protocol side by side, for as many keys as the flow has; all have one size."""

    def __init__(self, flow: Flow, encode: Callable[[str], bytes]) -> None:
        if flow.in_turn:
            slots: list[int] = [slot % flow.keys for slot in range(SLOTS)]
        else:
            slots = random.Random(1).choices(range(flow.keys), k=SLOTS)
        encoded = [encode(key_of(key)) for key in range(flow.keys)]
        self.size = len(encoded[0])
        self._view = memoryview(b"".join(encoded[slot] for slot in slots))
        self._next = 0

    def number(self, place: int) -> None:
        """Give the messages numbers of two octets at this place, from 1."""
        data = bytearray(self._view)
        for slot in range(SLOTS):
            struct.pack_into(">H", data, slot * self.size + place, slot % MOST_NUMBER + 1)
        self._view = memoryview(bytes(data))

    def take(self, most: int) -> tuple[memoryview, int]:
        """The next messages, and how many they are."""
        number = min(most, BATCH, SLOTS - self._next)
        start = self._next * self.size
        self._next = (self._next + number) % SLOTS
        return self._view[start : start + number * self.size], number


Unit = Callable[[bytearray, int, int], tuple[int, bool]]
"""The size of what starts there and whether it is a delivery; 0 where it is not there as a whole."""


class Tally:
    """Counts deliveries without decoding them.

    Args:
        unit: tells the size of one.
        head: of so many bytes at its start all deliveries of one size have the same.
    """

    def __init__(self, unit: Unit, head: int) -> None:
        self.count = 0
        self._unit = unit
        self._head = head
        self._data = bytearray()

    def receive(self, peer: socket.socket) -> None:
        """Take in what has come; waits when nothing has."""
        received = peer.recv(READ_BYTES)
        if not received:
            raise PeerError("the broker closed the connection")
        self._data += received
        self._walk()

    def _walk(self) -> None:
        data, pos, end = self._data, 0, len(self._data)
        while pos < end:
            size, counts = self._unit(data, pos, end)
            if not size or pos + size > end:
                break
            alike = self._alike(pos, size, (end - pos) // size) if counts else 1
            self.count += alike if counts else 0
            pos += alike * size
        del self._data[:pos]

    def _alike(self, pos: int, size: int, whole: int) -> int:
        """How many deliveries of this very size follow each other, as far as is cheap to find out."""
        while whole > 1:
            end = pos + whole * size
            if all(
                self._data[pos + at : end : size] == self._data[pos + at : pos + at + 1] * whole
                for at in range(self._head)
            ):
                return whole
            whole //= 2
        return 1


class Answers:
    """One blocking connection, and what has come of the broker's answers.

    Attributes:
        pending: what has come and was not taken out.

    Args:
        port: of the broker.
        header: what a client sends first.
    """

    def __init__(self, port: int, header: bytes) -> None:
        self.socket = socket.create_connection((HOST, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(header)
        self.pending = b""

    def take(self, size: int) -> bytes:
        """Take out so many bytes; waits for them."""
        self.await_bytes(size)
        taken, self.pending = self.pending[:size], self.pending[size:]
        return taken

    def await_bytes(self, size: int) -> None:
        """Wait until so many bytes are there."""
        while len(self.pending) < size:
            data = self.socket.recv(READ_BYTES)
            if not data:
                raise PeerError("the broker closed the connection")
            self.pending += data

    def await_end(self, end: bytes) -> None:
        """Wait until what has come ends so, and forget it."""
        while not self.pending.endswith(end):
            self.await_bytes(len(self.pending) + 1)
        self.pending = b""

    def receive(self) -> None:
        """Take in what is there; waits for nothing."""
        with contextlib.suppress(BlockingIOError):
            self.pending += self.socket.recv(READ_BYTES, socket.MSG_DONTWAIT)


class WindowedSender(PacedSender):
    """Publishes blocks, of which so many messages may be unconfirmed as a window has.

    Args:
        peer: has connected.
        block: its messages.
        answered: each is confirmed.
    """

    def __init__(self, peer: Answers, block: Block, *, answered: bool) -> None:
        self.peer = peer
        self._block = block
        self._answered = answered

    def send(self, count: int) -> None:
        sent = confirmed = 0
        while sent < count:
            most = count - sent
            if self._answered:
                confirmed += self._confirms(wait=sent - confirmed >= WINDOW)
                most = min(most, WINDOW - (sent - confirmed))
            data, number = self._block.take(most)
            self.peer.socket.sendall(data)
            sent += number
        while self._answered and confirmed < count:
            confirmed += self._confirms(wait=True)
        self._finish()

    def send_one(self) -> None:
        self.peer.socket.sendall(self._block.take(1)[0])

    def _confirms(self, *, wait: bool) -> int:
        """How many have come; waits for some when none has."""
        if wait:
            self.peer.await_bytes(len(self.peer.pending) + 1)
        self.peer.receive()
        return self.confirms()

    @abstractmethod
    def confirms(self) -> int:
        """Take out the whole confirms that have come, and count them."""

    @abstractmethod
    def _finish(self) -> None:
        """Publish the end mark, and wait until the broker has taken all that was sent."""


def leave(peer: socket.socket, farewell: bytes) -> None:
    """Say so, and wait until the broker has heard it."""
    peer.sendall(farewell)
    # RabbitMQ resets the connection once it has answered.
    with contextlib.suppress(ConnectionResetError):
        while peer.recv(READ_BYTES):
            pass
    peer.close()


# ---------------------------------------------------------------------- AMQP 1.0

_ACCEPTED = described(0x24)


class Amqp10(Wire):
    """The reference: the load generator of the other benchmarks, and a reader that counts."""

    name = "AMQP 1.0"

    def sender(self, flow: Flow) -> Sender:
        return Sender10(flow)

    def reader(self, flow: Flow) -> Reader:
        return Reader10(flow)


class Sender10(PacedSender):
    """Messages are presettled, or unsettled."""

    def __init__(self, flow: Flow) -> None:
        load = Load(
            flow.queue,
            keys=flow.keys,
            body_bytes=len(BODY),
            unsettled=flow.answered,
            in_turn=flow.in_turn,
            of_jms=flow.of_jms,
        )
        self._publisher = Publisher(HOST, flow.port, load)

    def send(self, count: int) -> None:
        # The last one is unsettled in any case, and has a key of its own.
        self._publisher.publish(count - 1)
        self._publisher.finish()

    def send_one(self) -> None:
        self._publisher.publish(1)

    def close(self) -> None:
        self._publisher.close()


class Reader10(Reader):
    """Deliveries are settled by the broker, or by one disposition for many."""

    def __init__(self, flow: Flow) -> None:
        self._answers = flow.answered
        self._peer = Peer(HOST, flow.port, "reader")
        self._peer.attach_receiver(flow.queue, browse=False, settled=not flow.answered)
        self._tally = Tally(_unit10, head=11)

    def read(self, count: int) -> None:
        credit = WINDOW if self._answers else CREDIT
        self._peer.grant(0, credit, 0)
        answered = 0
        while self._tally.count < count:
            self._tally.receive(self._peer.socket)
            if self._tally.count - answered >= min(credit // 2, count - answered):
                if self._answers:
                    self._accept(answered, self._tally.count - 1)
                answered = self._tally.count
                self._peer.grant(answered, credit, answered)
        leave(self._peer.socket, frame(described(CLOSE)))

    def _accept(self, first: int, last: int) -> None:
        disposition = described(DISPOSITION, TRUE, uint(first), uint(last), TRUE, _ACCEPTED)
        self._peer.socket.sendall(frame(disposition))


def _unit10(data: bytearray, pos: int, end: int) -> tuple[int, bool]:
    if end - pos < 11:
        # An empty frame has 8 bytes.
        return (8, False) if data[pos : pos + 4] == b"\0\0\0\x08" and end - pos >= 8 else (0, False)
    if data[pos + 10] == CLOSE:
        raise PeerError("the broker closed the connection")
    return int.from_bytes(data[pos : pos + 4]), data[pos + 10] == TRANSFER
