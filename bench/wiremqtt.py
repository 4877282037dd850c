"""Just enough of MQTT 3.1.1 to load a server."""

import socket
import struct
from dataclasses import replace

from load import END_MARK
from wire import PeerError
from wires import BODY, Answers, Block, Flow, WindowedSender

CONNECT, PUBLISH, SUBSCRIBE = 0x10, 0x30, 0x82
PING, PONG, DISCONNECT = b"\xc0\0", b"\xd0\0", b"\xe0\0"
RETAIN, AT_LEAST_ONCE = 1, 2
CONNACK_BYTES, PUBACK_BYTES, SUBACK_BYTES = 4, 4, 5


def packet(kind: int, content: bytes) -> bytes:
    size, length = len(content), bytearray()
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes((kind,)) + bytes(length) + bytes((size,)) + content


def text(value: bytes) -> bytes:
    return struct.pack(">H", len(value)) + value


def publish(flow: Flow, key: bytes, body: bytes, *, retained: bool, number: int = 1) -> bytes:
    """One message; one that waits for an answer has this packet identifier."""
    flags = (RETAIN if retained else 0) | (AT_LEAST_ONCE if flow.answered else 0)
    identifier = struct.pack(">H", number) if flow.answered else b""
    return packet(PUBLISH | flags, text(b"%s/%s" % (flow.queue.encode(), key)) + identifier + body)


def connect(flow: Flow) -> Answers:
    """A connection with a clean session and no keep-alive."""
    peer = Answers(flow.port, packet(CONNECT, text(b"MQTT") + b"\x04\x02\0\0" + text(b"")))
    if peer.take(CONNACK_BYTES)[3]:
        raise PeerError("the server refuses the connection")
    return peer


class MqttSender(WindowedSender):
    """Publishes to topics, each of one key."""

    def __init__(self, flow: Flow, *, retained: bool) -> None:
        block = Block(flow, lambda key: publish(flow, key.encode(), BODY, retained=retained))
        if flow.answered:
            # As of every client, one after the other; no more than a window of them is on the way.
            block.number(block.size - len(BODY) - 2)
        super().__init__(connect(flow), block, answered=flow.answered)
        self._end = publish(replace(flow, answered=False), b"the-end", END_MARK, retained=False)

    def confirms(self) -> int:
        whole = len(self.peer.pending) // PUBACK_BYTES
        self.peer.take(whole * PUBACK_BYTES)
        return whole

    def _finish(self) -> None:
        self.peer.socket.sendall(self._end + PING)
        self.peer.await_end(PONG)

    def close(self) -> None:
        self.peer.socket.sendall(DISCONNECT)
        self.peer.socket.close()


def subscribe(flow: Flow) -> socket.socket:
    """A connection that has subscribed to all topics of the flow."""
    peer = connect(flow)
    peer.socket.sendall(packet(SUBSCRIBE, b"\0\x01" + text(flow.queue.encode() + b"/#") + b"\0"))
    peer.take(SUBACK_BYTES)
    return peer.socket
