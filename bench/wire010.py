"""Just enough AMQP 0-10 to load a broker, written apart from the code that is measured."""

import struct

from wire import PeerError
from wires import BODY, CREDIT, WINDOW, Answers, Block, Flow, Reader, Sender, Tally, Wire

HEADER = b"AMQP\x01\x01\x00\x0a"
CONTROL, COMMAND, HEADER_SEGMENT, BODY_SEGMENT = range(4)
FIRST, LAST, WHOLE = 8, 4, 3
FRAME_HEADER_BYTES = 12
MAX_FRAME = 65535
UNLIMITED = b"\xff\xff\xff\xff"

START_OK, TUNE, TUNE_OK, OPEN, OPEN_OK, CLOSE, CLOSE_OK = (
    b"\x01\x02", b"\x01\x05", b"\x01\x06", b"\x01\x07", b"\x01\x08", b"\x01\x0b", b"\x01\x0c",
)  # fmt: skip
ATTACH, ATTACHED, POINT, COMPLETED = b"\x02\x01", b"\x02\x02", b"\x02\x07", b"\x02\x0a"
EXCEPTION, TRANSFER, ACCEPT, SUBSCRIBE, SET_FLOW_MODE, GRANT = (
    b"\x03\x03", b"\x04\x01", b"\x04\x02", b"\x04\x07", b"\x04\x09", b"\x04\x0a",
)  # fmt: skip
NAME = b"d"


def frame(kind: int, payload: bytes, place: int = FIRST | LAST) -> bytes:
    size = FRAME_HEADER_BYTES + len(payload)
    return struct.pack(">BBHBBHI", place | WHOLE, kind, size, 0, 0 if kind == CONTROL else 1, 0, 0) + payload


def fields(flags: int, *values: bytes) -> bytes:
    """Fields by their bits, the first one's the lowest."""
    return struct.pack("<H", flags) + b"".join(values)


def control(code: bytes, flags: int = 0, *values: bytes) -> bytes:
    return frame(CONTROL, code + fields(flags, *values))


def command(code: bytes, flags: int, *values: bytes, place: int = FIRST | LAST) -> bytes:
    return frame(COMMAND, code + b"\x01\x00" + fields(flags, *values), place)


def sized(code: bytes, content: bytes) -> bytes:
    """A struct with its size and code."""
    return struct.pack(">I", len(content) + 2) + code + content


def str8(text: str) -> bytes:
    return bytes((len(text),)) + text.encode()


def str16(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()


def span(first: int, last: int) -> bytes:
    """A set of command ids that is one run."""
    return struct.pack(">HII", 8, first, last)


def message(queue: str, key: str, *, explicit: bool) -> bytes:
    """A transfer to the default exchange with the application header `key`: its three frames."""
    delivery = sized(b"\x04\x01", fields(0x0200, str8(queue)))
    entries = struct.pack(">I", 1) + str8("key") + b"\x95" + str16(key)
    headers = struct.pack(">I", len(entries)) + entries
    properties = sized(b"\x04\x03", fields(0x0101, struct.pack(">Q", len(BODY)), headers))
    return (
        command(TRANSFER, 3, str8(""), bytes((0 if explicit else 1,)), place=FIRST)
        + frame(HEADER_SEGMENT, delivery + properties, 0)
        + frame(BODY_SEGMENT, BODY, LAST)
    )


class Peer(Answers):
    """One blocking connection with one session."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__(port, HEADER)
        self.take(len(HEADER))
        self.socket.sendall(control(START_OK, 14, str8("ANONYMOUS"), bytes(4), str8("en_US")))
        self._expect(TUNE)
        self.socket.sendall(control(TUNE_OK, 3, struct.pack(">HH", 1, MAX_FRAME)))
        self.socket.sendall(control(OPEN, 1, str8("/")))
        self._expect(OPEN_OK)
        self.socket.sendall(control(ATTACH, 1, str16(name)))
        self._expect(ATTACHED)
        self.socket.sendall(control(POINT, 3, bytes(12)))

    def close(self) -> None:
        self.socket.sendall(control(CLOSE, 1, struct.pack(">H", 200)))
        self._expect(CLOSE_OK)
        self.socket.close()

    def _expect(self, code: bytes) -> None:
        while self.next_frame()[1:] != (CONTROL, code):
            pass

    def next_frame(self) -> tuple[bytes, int, bytes]:
        """What the next frame holds, its kind and code; waits for it."""
        self.await_bytes(FRAME_HEADER_BYTES)
        taken = self.take(self._size())
        check(taken, 0, len(taken))
        return taken[FRAME_HEADER_BYTES:], taken[1], taken[12:14]

    def _size(self) -> int:
        return int.from_bytes(self.pending[2:4])

    @property
    def has_frame(self) -> bool:
        """Whether a frame is there."""
        return len(self.pending) >= FRAME_HEADER_BYTES and len(self.pending) >= self._size()


class Amqp010(Wire):
    """Published as fast as is read, or as completed; consumed without accepting, or accepted by the range."""

    name = "AMQP 0-10"

    def sender(self, flow: Flow) -> Sender:
        return Sender010(flow)

    def reader(self, flow: Flow) -> Reader:
        return Reader010(flow)


class Sender010(Sender):
    def __init__(self, flow: Flow) -> None:
        self._peer = Peer(flow.port, "sender")
        self._block = Block(flow, lambda key: message(flow.queue, key, explicit=flow.answered))
        self._waits = flow.answered
        self._sent = 0
        self._completed = 0

    def send(self, count: int) -> None:
        end = self._sent + count
        while self._sent < end:
            most = end - self._sent
            self._peer.receive()
            while self._peer.has_frame or (self._waits and self._sent - self._completed >= WINDOW):
                self._take_completed()
            if self._waits:
                most = min(most, self._completed + WINDOW - self._sent)
            data, number = self._block.take(most)
            self._peer.socket.sendall(data)
            self._sent += number
        while self._completed < end:
            self._take_completed()

    def close(self) -> None:
        self._peer.close()

    def _take_completed(self) -> None:
        payload, kind, code = self._peer.next_frame()
        if (kind, code) == (CONTROL, COMPLETED):
            # One run, from the first command on.
            self._completed = int.from_bytes(payload[10:14]) + 1


class Reader010(Reader):
    def __init__(self, flow: Flow) -> None:
        self._answers = flow.answered
        self._peer = Peer(flow.port, "reader")
        self._tally = Tally(_unit, FRAME_HEADER_BYTES + 2)
        modes = bytes((0 if flow.answered else 1, 0))
        asked = command(SUBSCRIBE, 15, str8(flow.queue), bytes((len(NAME),)) + NAME, modes)
        asked += command(SET_FLOW_MODE, 3, bytes((len(NAME),)) + NAME, b"\0")
        self._peer.socket.sendall(asked + self._grant(b"\x01", UNLIMITED))

    def read(self, count: int) -> None:
        credit = WINDOW if self._answers else CREDIT
        self._peer.socket.sendall(self._grant(b"\0", struct.pack(">I", credit)))
        answered = 0
        while self._tally.count < count:
            self._tally.receive(self._peer.socket)
            waiting = self._tally.count - answered
            if waiting >= min(credit // 2, count - answered):
                last = self._tally.count - 1
                told = control(COMPLETED, 1, span(answered, last))
                if self._answers:
                    told += command(ACCEPT, 1, span(answered, last))
                answered = self._tally.count
                self._peer.socket.sendall(told + self._grant(b"\0", struct.pack(">I", waiting)))
        self._peer.close()

    def _grant(self, unit: bytes, value: bytes) -> bytes:
        return command(GRANT, 7, bytes((len(NAME),)) + NAME, unit, value)


def check(data: bytes | bytearray, pos: int, size: int) -> None:
    """Leave where the broker does."""
    if (data[pos + 1], bytes(data[pos + 12 : pos + 14])) in ((CONTROL, CLOSE), (COMMAND, EXCEPTION)):
        raise PeerError(f"the broker refuses: {bytes(data[pos : pos + size])!r}")


def _unit(data: bytearray, pos: int, end: int) -> tuple[int, bool]:
    """A delivery's three frames together, or any other frame."""
    size = _frame_size(data, pos, end)
    if not size:
        return 0, False
    if data[pos + 1] != COMMAND or data[pos + 12 : pos + 14] != TRANSFER:
        check(data, pos, size)
        return size, False
    header = _frame_size(data, pos + size, end)
    body = _frame_size(data, pos + size + header, end) if header else 0
    return (size + header + body, True) if body else (0, True)


def _frame_size(data: bytearray, pos: int, end: int) -> int:
    if end - pos < FRAME_HEADER_BYTES:
        return 0
    size = data[pos + 2] << 8 | data[pos + 3]
    return size if size <= end - pos else 0
