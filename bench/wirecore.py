"""Just enough CORE to load a broker, written apart from the code that is measured."""

import struct

from load import SENT_AT, UUID_START
from wire import PeerError
from wires import BODY, WINDOW, Answers, Block, Flow, Reader, Sender, Tally, Wire

CREATE_SESSION, SESSION_CREATED, START, STOP, CLOSE = 30, 31, 67, 68, 69
CREATE_CONSUMER, QUEUE_QUERIED, CREDIT, SEND, RECEIVE, ACKNOWLEDGE = 40, -14, 70, 71, 75, 41
NULL_RESPONSE, EXCEPTION = 21, 20
VERSION = 136
SESSION = 10
HEAD = 13
"""Length, type and channel."""

ANSWER_BYTES = 21
CLIENT_ID = "e2191016-e91e-11f1-8723-02fc00000001"
NONE, TRUE, FALSE = b"\0", b"\1", b"\0"


def packet(kind: int, fields: bytes = b"", channel: int = SESSION) -> bytes:
    return struct.pack(">ibq", len(fields) + HEAD - 4, kind, channel) + fields


def simple(text: str) -> bytes:
    octets = text.encode("utf-16-le")
    return struct.pack(">i", len(octets)) + octets


def string(text: str) -> bytes:
    """A text of fewer than nine characters."""
    return struct.pack(">i", len(text)) + text.encode("utf-16-be")


def head(queue: str, key: str, *, of_jms: bool) -> bytes:
    """Headers and properties."""
    properties = [simple("key") + b"\x0a" + simple(key)]
    user_id, sent_at = NONE, bytes(8)
    if of_jms:
        # [Artemis JMS] The client's id, and the type of the destination.
        properties.insert(0, simple("__AMQ_CID") + b"\x0a" + simple(CLIENT_ID))
        properties.append(simple("_AMQ_ROUTING_TYPE") + b"\x03\x01")
        # An id has 16 octets.
        user_id, sent_at = TRUE + UUID_START + key.encode()[-8:], SENT_AT[1:]
    start = bytes(8) + TRUE + simple(queue) + user_id + b"\x04" + FALSE + bytes(8) + sent_at + b"\x04"
    return start + TRUE + struct.pack(">i", len(properties)) + b"".join(properties)


def message(queue: str, key: str, *, answered: bool, of_jms: bool) -> bytes:
    """A message of bytes with the property `key`."""
    trailer = (TRUE if answered else FALSE) + struct.pack(">qi", -1, 0)
    return packet(
        SEND, struct.pack(">i", HEAD + len(BODY)) + BODY + head(queue, key, of_jms=of_jms) + trailer
    )


class Peer(Answers):
    """One blocking connection with one session that has started."""

    def __init__(self, port: int, *, acknowledges: bool = True) -> None:
        super().__init__(port, b"ARTEMIS")
        session = string("bench") + struct.pack(">qi", SESSION, VERSION) + NONE + NONE
        session += struct.pack(">i", 1 << 20) + FALSE + TRUE + TRUE + struct.pack(">i", -1)
        session += (FALSE if acknowledges else TRUE) + NONE
        self.socket.sendall(packet(CREATE_SESSION, session, 1))
        self.expect(SESSION_CREATED)
        self.socket.sendall(packet(START))

    def call(self, kind: int, fields: bytes = b"", answer: int = NULL_RESPONSE) -> None:
        """Ask something, and wait for the answer."""
        self.socket.sendall(packet(kind, fields))
        self.expect(answer)

    def close(self) -> None:
        self.call(CLOSE)
        self.socket.close()

    def expect(self, kind: int) -> None:
        """Wait for a packet of this type."""
        self.await_bytes(4)
        got = self.take(4 + int.from_bytes(self.pending[:4]))
        if struct.unpack_from(">b", got, 4)[0] != kind:
            raise PeerError(f"packet {kind} expected, got {got!r}")


class Core(Wire):
    """Published without answers or with them, consumed with one acknowledgement for many or beforehand."""

    name = "CORE"

    def sender(self, flow: Flow) -> Sender:
        return SenderCore(flow)

    def reader(self, flow: Flow) -> Reader:
        return ReaderCore(flow)


class SenderCore(Sender):
    def __init__(self, flow: Flow) -> None:
        self._peer = Peer(flow.port)
        self._block = Block(
            flow, lambda key: message(flow.queue, key, answered=flow.answered, of_jms=flow.of_jms)
        )
        self._answers = flow.answered
        self._sent = 0
        self._answered = 0

    def send(self, count: int) -> None:
        end = self._sent + count
        while self._sent < end:
            most = end - self._sent
            if self._answers:
                self._take_answers()
                most = min(most, self._answered + WINDOW - self._sent)
            data, number = self._block.take(most)
            self._peer.socket.sendall(data)
            self._sent += number
        if self._answers:
            while self._answered < end:
                self._take_answer()
        else:
            # Answered when all that was sent before has been taken.
            self._peer.call(STOP)

    def close(self) -> None:
        self._peer.close()

    def _take_answers(self) -> None:
        self._peer.receive()
        while len(self._peer.pending) >= ANSWER_BYTES or self._sent - self._answered >= WINDOW:
            self._take_answer()

    def _take_answer(self) -> None:
        self._peer.expect(NULL_RESPONSE)
        self._answered += 1


class ReaderCore(Reader):
    def __init__(self, flow: Flow) -> None:
        self._peer = Peer(flow.port, acknowledges=flow.answered)
        self._queue = flow.queue
        self._answers = flow.answered
        self._first = 0
        self._tally = Tally(self._unit, HEAD)

    def read(self, count: int) -> None:
        peer = self._peer
        consumer = struct.pack(">q", 1)
        wanted = consumer + simple(self._queue) + NONE + FALSE + TRUE + bytes(4)
        peer.call(CREATE_CONSUMER, wanted, QUEUE_QUERIED)
        peer.socket.sendall(packet(CREDIT, consumer + struct.pack(">i", -1)))
        answered = 0
        while self._tally.count < count:
            self._tally.receive(peer.socket)
            waiting = self._tally.count - answered
            if self._answers and waiting >= min(WINDOW // 2, count - answered):
                answered = self._tally.count
                # The messages of a queue are numbered.
                last = struct.pack(">q", self._first + answered - 1)
                peer.socket.sendall(packet(ACKNOWLEDGE, consumer + last + FALSE))
        peer.close()

    def _unit(self, data: bytearray, pos: int, end: int) -> tuple[int, bool]:
        """A packet, and whether it is a message."""
        if end - pos < HEAD:
            return 0, False
        size = 4 + int.from_bytes(data[pos : pos + 4])
        if size > end - pos:
            return 0, False
        kind = struct.unpack_from(">b", data, pos + 4)[0]
        if kind == EXCEPTION:
            raise PeerError(f"the broker refused: {bytes(data[pos : pos + size])!r}")
        if kind == RECEIVE and not self._first:
            number = pos + 4 + int.from_bytes(data[pos + HEAD : pos + HEAD + 4])
            self._first = int.from_bytes(data[number : number + 8])
        return size, kind == RECEIVE
