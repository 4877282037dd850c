"""Just enough AMQP 0-9-1 to load a broker, written apart from the code that is measured."""

import struct

from wire import PeerError
from wires import BODY, WINDOW, Answers, Block, Flow, Reader, Sender, Tally, Wire, leave

METHOD, HEADER, BODY_FRAME = 1, 2, 3
END = b"\xce"
START_OK, TUNE_OK, OPEN, CLOSE = (10, 11), (10, 31), (10, 40), (10, 50)
CHANNEL_OPEN, CHANNEL_CLOSE = (20, 10), (20, 40)
QOS, QOS_OK, CONSUME, PUBLISH, DELIVER, ACK = (60, 10), (60, 11), (60, 20), (60, 40), (60, 60), (60, 80)
CONFIRM_SELECT = (85, 10)
HEADERS_FLAG = 1 << 13
HEAD = 11
"""Type, channel, size, class and method."""

NO_ACK = 2
CONFIRM_BYTES = 8 + 13


def frame(kind: int, channel: int, payload: bytes) -> bytes:
    return struct.pack(">BHI", kind, channel, len(payload)) + payload + END


def method(ids: tuple[int, int], payload: bytes = b"", channel: int = 1) -> bytes:
    return frame(METHOD, channel, struct.pack(">HH", *ids) + payload)


def short(text: str) -> bytes:
    return bytes((len(text),)) + text.encode()


def long(octets: bytes) -> bytes:
    return struct.pack(">I", len(octets)) + octets


def message(queue: str, key: str, *, exchange: str = "", body: bytes = BODY) -> bytes:
    """A publish with the header `key`: its three frames."""
    headers = long(short("key") + b"S" + long(key.encode()))
    content = struct.pack(">HHQH", PUBLISH[0], 0, len(body), HEADERS_FLAG) + headers
    publish = method(PUBLISH, b"\0\0" + short(exchange) + short(queue) + b"\0")
    return publish + frame(HEADER, 1, content) + frame(BODY_FRAME, 1, body)


class Peer(Answers):
    """One blocking connection with one channel."""

    def __init__(self, port: int) -> None:
        super().__init__(port, b"AMQP\x00\x00\x09\x01")
        self._expect((10, 10))
        proof = long(b"") + short("PLAIN") + long(b"\0guest\0guest") + short("en_US")
        self.socket.sendall(method(START_OK, proof, 0))
        self._expect((10, 30))
        self.socket.sendall(method(TUNE_OK, struct.pack(">HIH", 1, 1 << 17, 0), 0))
        self.call(OPEN, short("/") + short("") + b"\0", channel=0)
        self.call(CHANNEL_OPEN, short(""))

    def call(self, ids: tuple[int, int], payload: bytes = b"", channel: int = 1) -> None:
        """Ask something, and wait for the answer, which has the next number."""
        self.socket.sendall(method(ids, payload, channel))
        self._expect((ids[0], ids[1] + 1))

    def close(self) -> None:
        leave(self.socket, method(CLOSE, struct.pack(">H", 200) + short("") + b"\0\0\0\0", 0))

    def _expect(self, ids: tuple[int, int]) -> None:
        got = self.next_method()
        if got[:4] != struct.pack(">HH", *ids):
            raise PeerError(f"method {ids} expected, got {got!r}")

    def next_method(self) -> bytes:
        """The payload of the next frame; waits for it."""
        self.await_bytes(7)
        return self.take(8 + int.from_bytes(self.pending[3:7]))[7:-1]


class Amqp091(Wire):
    """Published without confirms or with them, consumed without acknowledgements or with one for many."""

    name = "AMQP 0-9-1"

    def sender(self, flow: Flow) -> Sender:
        return Sender091(flow)

    def reader(self, flow: Flow) -> Reader:
        return Reader091(flow)


class Sender091(Sender):
    def __init__(self, flow: Flow) -> None:
        self._peer = Peer(flow.port)
        self._block = Block(flow, lambda key: message(flow.queue, key))
        self._confirms = flow.answered
        self._sent = 0
        self._confirmed = 0
        if flow.answered:
            self._peer.call(CONFIRM_SELECT, b"\0")

    def send(self, count: int) -> None:
        end = self._sent + count
        while self._sent < end:
            most = end - self._sent
            if self._confirms:
                self._take_confirms()
                most = min(most, self._confirmed + WINDOW - self._sent)
            data, number = self._block.take(most)
            self._peer.socket.sendall(data)
            self._sent += number
        if self._confirms:
            while self._confirmed < end:
                self._take_confirm()
        else:
            # Answered when all that was sent before has been taken.
            self._peer.call(QOS, struct.pack(">IHB", 0, 0, 0))

    def close(self) -> None:
        self._peer.close()

    def _take_confirms(self) -> None:
        self._peer.receive()
        while len(self._peer.pending) >= CONFIRM_BYTES or self._sent - self._confirmed >= WINDOW:
            self._take_confirm()

    def _take_confirm(self) -> None:
        confirm = self._peer.next_method()
        if confirm[:4] != struct.pack(">HH", *ACK):
            raise PeerError(f"a confirm expected, got {confirm!r}")
        self._confirmed = int.from_bytes(confirm[4:12])


class Reader091(Reader):
    def __init__(self, flow: Flow) -> None:
        self._peer = Peer(flow.port)
        self._queue = flow.queue
        self._answers = flow.answered
        self._tally = Tally(_unit, HEAD)
        if flow.answered:
            self._peer.call(QOS, struct.pack(">IHB", 0, WINDOW, 0))

    def read(self, count: int) -> None:
        flags = 0 if self._answers else NO_ACK
        consume = b"\0\0" + short(self._queue) + short("reader") + bytes((flags,)) + long(b"")
        self._peer.socket.sendall(method(CONSUME, consume))
        answered = 0
        while self._tally.count < count:
            self._tally.receive(self._peer.socket)
            waiting = self._tally.count - answered
            if self._answers and waiting >= min(WINDOW // 2, count - answered):
                answered = self._tally.count
                self._peer.socket.sendall(method(ACK, struct.pack(">QB", answered, 1)))
        self._peer.close()


def _unit(data: bytearray, pos: int, end: int) -> tuple[int, bool]:
    """A delivery's frames together, or any other frame."""
    size = _frame_size(data, pos, end)
    if not size or data[pos] != METHOD:
        return size, False
    ids = struct.unpack_from(">HH", data, pos + 7)
    if ids in (CHANNEL_CLOSE, CLOSE):
        raise PeerError(f"the broker closed: {bytes(data[pos : pos + size])!r}")
    if ids != DELIVER:
        return size, False
    header = _frame_size(data, pos + size, end)
    if not header:
        return 0, True
    body = int.from_bytes(data[pos + size + 11 : pos + size + 19])
    # A body of this size is one frame.
    return size + header + 8 + body, True


def _frame_size(data: bytearray, pos: int, end: int) -> int:
    if end - pos < 7:
        return 0
    size = 8 + int.from_bytes(data[pos + 3 : pos + 7])
    return size if size <= end - pos else 0
