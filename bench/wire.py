"""Just enough AMQP 1.0 to load a broker, written apart from the code that is measured.

Standard library only, so that the same generator drives any build of lastvalue, and other brokers too.
"""

import contextlib
import socket
import ssl
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SASL_MECHANISMS, SASL_INIT, SASL_OUTCOME = 0x40, 0x41, 0x44
OPEN, BEGIN, ATTACH, FLOW, TRANSFER, DISPOSITION, DETACH, END, CLOSE = range(0x10, 0x19)
SOURCE, TARGET = 0x28, 0x29

NULL, TRUE, FALSE, ZERO = b"\x40", b"\x41", b"\x42", b"\x43"
WINDOW = 0x7FFF_FFFF
READ_BYTES = 1 << 18


def uint(number: int) -> bytes:
    return b"\x70" + struct.pack(">I", number)


def ubyte(number: int) -> bytes:
    return bytes((0x50, number))


def text(value: str) -> bytes:
    return _sized(0xA1, value.encode())


def symbol(value: str) -> bytes:
    return _sized(0xA3, value.encode())


def binary(value: bytes) -> bytes:
    return _sized(0xA0, value)


def _sized(code: int, data: bytes) -> bytes:
    if len(data) < 256:
        return bytes((code, len(data))) + data
    return bytes((code + 0x10,)) + struct.pack(">I", len(data)) + data


def compound(code: int, items: list[bytes]) -> bytes:
    """A list (0xc0) or map (0xc1), in its short form where it fits."""
    body = b"".join(items)
    if len(body) < 255:
        return bytes((code, len(body) + 1, len(items))) + body
    return bytes((code + 0x10,)) + struct.pack(">II", len(body) + 4, len(items)) + body


def described(descriptor: int, *fields: bytes) -> bytes:
    return bytes((0, 0x53, descriptor)) + compound(0xC0, list(fields))


def frame(body: bytes, kind: int = 0) -> bytes:
    return struct.pack(">IBBH", 8 + len(body), 2, kind, 0) + body


@dataclass(frozen=True, slots=True)
class Performative:
    """One received frame: what it is, its fields in order, and what follows them."""

    descriptor: int
    fields: list[Any]
    payload: bytes

    def field(self, index: int, default: Any = None) -> Any:
        """A field that may be left out at the end of the list or null."""
        value = self.fields[index] if index < len(self.fields) else None
        return default if value is None else value


class PeerError(Exception):
    """The broker closed, or answered with something that this generator cannot use."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Who enters, and how: with PLAIN where there is a user, over TLS where there are authorities."""

    user: str = ""
    password: str = ""
    authorities: str = ""

    def first_words(self) -> bytes:
        if not self.user:
            return described(SASL_INIT, symbol("ANONYMOUS"))
        response = f"\0{self.user}\0{self.password}".encode()
        return described(SASL_INIT, symbol("PLAIN"), binary(response))

    def connect(self, host: str, port: int) -> socket.socket:
        bare = socket.create_connection((host, port))
        bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self.authorities:
            return bare
        return ssl.create_default_context(cafile=self.authorities).wrap_socket(bare, server_hostname=host)


NOBODY = Entry()


class Peer:
    """One blocking connection with one session; the caller attaches one link to it."""

    def __init__(self, host: str, port: int, name: str, entry: Entry = NOBODY) -> None:
        self.socket = entry.connect(host, port)
        self._pending = b""
        self.socket.sendall(b"AMQP\x03\x01\x00\x00")
        self.socket.sendall(frame(entry.first_words(), kind=1))
        self._read_header(b"AMQP\x03\x01\x00\x00")
        self.expect(SASL_MECHANISMS)
        if self.expect(SASL_OUTCOME).field(0) != 0:
            raise PeerError(f"the broker refuses {entry.user or 'ANONYMOUS'}")
        opening = described(OPEN, text(name), text(host), uint(READ_BYTES))
        beginning = described(BEGIN, NULL, ZERO, uint(WINDOW), uint(WINDOW))
        self.socket.sendall(b"AMQP\x00\x01\x00\x00" + frame(opening) + frame(beginning))
        self._read_header(b"AMQP\x00\x01\x00\x00")
        self.expect(OPEN)
        # The broker's first window; each flow renews it.
        self.remote_window = int(self.expect(BEGIN).field(2))

    def attach_sender(self, queue: str) -> None:
        mixed = ubyte(2)
        self._attach(FALSE, mixed, described(SOURCE), described(TARGET, text(queue)), ZERO)

    def attach_receiver(self, queue: str, *, browse: bool, settled: bool) -> None:
        nothing = [NULL] * 5
        source = described(SOURCE, text(queue), *nothing, symbol("copy" if browse else "move"))
        self._attach(TRUE, ubyte(1 if settled else 0), source, described(TARGET), NULL)

    def _attach(self, role: bytes, settling: bytes, source: bytes, target: bytes, count: bytes) -> None:
        fields = (text("load"), ZERO, role, settling, ubyte(0), source, target, NULL, NULL, count)
        self.socket.sendall(frame(described(ATTACH, *fields)))
        answer = self.expect(ATTACH)
        if answer.field(5 if role == TRUE else 6) is None:
            raise PeerError(f"the broker refuses the link: {self.expect(DETACH).fields}")

    def grant(self, delivery_count: int, credit: int, next_incoming: int) -> None:
        """Let the broker send `credit` messages more."""
        session = (uint(next_incoming), uint(WINDOW), ZERO, uint(WINDOW))
        self.socket.sendall(frame(described(FLOW, *session, ZERO, uint(delivery_count), uint(credit))))

    def close(self) -> None:
        self.socket.sendall(frame(described(CLOSE)))
        self.socket.close()

    def expect(self, descriptor: int) -> Performative:
        """The next frame, which has to be of this kind."""
        received = self.next_frame()
        if received.descriptor != descriptor:
            raise PeerError(f"{descriptor:#x} expected, got {received}")
        return received

    def next_frame(self) -> Performative:
        """The next frame that is not empty; waits for it."""
        while True:
            if len(self._pending) >= 4:
                size = int.from_bytes(self._pending[:4])
                if len(self._pending) >= size:
                    data, self._pending = self._pending[:size], self._pending[size:]
                    if size > 8:
                        return _performative(data)
                    continue
            self._receive()

    def waiting_frames(self) -> Iterator[Performative]:
        """The frames that are here already; waits for none."""
        self.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError, ssl.SSLWantReadError):
            self._pending += self.socket.recv(READ_BYTES)
        self.socket.setblocking(True)
        while len(self._pending) >= 4 and len(self._pending) >= int.from_bytes(self._pending[:4]):
            yield self.next_frame()

    def _receive(self) -> None:
        data = self.socket.recv(READ_BYTES)
        if not data:
            raise PeerError("the broker closed the connection")
        self._pending += data

    def _read_header(self, header: bytes) -> None:
        while len(self._pending) < 8:
            self._receive()
        if self._pending[:8] != header:
            raise PeerError(f"header {header!r} expected, got {self._pending[:8]!r}")
        self._pending = self._pending[8:]


def _performative(data: bytes) -> Performative:
    start = data[4] * 4
    (descriptor, fields), end = _value(data, start)
    if descriptor == CLOSE:
        raise PeerError(f"the broker closed: {fields}")
    return Performative(descriptor, fields, data[end:])


_FIXED = {
    0x50: "B", 0x51: "b", 0x52: "B", 0x53: "B", 0x54: "b", 0x55: "b", 0x56: "?", 0x60: "H", 0x61: "h",
    0x70: "I", 0x71: "i", 0x72: "f", 0x73: "I", 0x80: "Q", 0x81: "q", 0x82: "d", 0x83: "q",
}  # fmt: skip
_LITERAL: dict[int, Any] = {0x40: None, 0x41: True, 0x42: False, 0x43: 0, 0x44: 0, 0x45: []}


def _value(data: bytes, pos: int) -> tuple[Any, int]:
    code = data[pos]
    pos += 1
    if code == 0:
        descriptor, pos = _value(data, pos)
        value, pos = _value(data, pos)
        return (descriptor, value), pos
    if code in _LITERAL:
        return _LITERAL[code], pos
    if code in _FIXED:
        packing = struct.Struct(">" + _FIXED[code])
        return packing.unpack_from(data, pos)[0], pos + packing.size
    width = 4 if code & 0x10 else 1
    size = int.from_bytes(data[pos : pos + width])
    pos += width
    end = pos + size
    if code >> 4 in (0xC, 0xD):
        return _items(data, pos + width, int.from_bytes(data[pos : pos + width])), end
    return data[pos:end], end  # text, symbol, binary, array: as they stand


def _items(data: bytes, pos: int, count: int) -> list[Any]:
    items = []
    for _ in range(count):
        value, pos = _value(data, pos)
        items.append(value)
    return items
