"""Just enough of NATS's protocol to load a server, with JetStream where values are kept."""

import json
import socket
from dataclasses import replace

from load import END_MARK
from wire import PeerError
from wires import BODY, Answers, Block, Flow, WindowedSender

PING, PONG = b"PING\r\n", b"PONG\r\n"
CONNECT = b'CONNECT {"verbose":false,"pedantic":false}\r\n' + PING
END_OF_JSON = b"}\r\n"
INBOX = b"_INBOX.bench"


class NatsSender(WindowedSender):
    """Publishes to subjects, each of one key; a stream that keeps them confirms where that is asked."""

    def __init__(self, flow: Flow) -> None:
        block = Block(flow, lambda key: publish(flow, key.encode(), BODY))
        super().__init__(connect(flow), block, answered=flow.answered)
        self._end = publish(replace(flow, answered=False), b"the-end", END_MARK)
        if flow.answered:
            self.peer.socket.sendall(b"SUB %s 1\r\n" % INBOX)

    def confirms(self) -> int:
        whole = self.peer.pending.rfind(END_OF_JSON) + len(END_OF_JSON)
        if whole < len(END_OF_JSON):
            return 0
        confirms = self.peer.take(whole)
        if b'"error"' in confirms:
            raise PeerError(f"the server refuses: {confirms[:300]!r}")
        return confirms.count(END_OF_JSON)

    def _finish(self) -> None:
        self.peer.socket.sendall(self._end + PING)
        self.peer.await_end(PONG)

    def close(self) -> None:
        self.peer.socket.close()


def publish(flow: Flow, key: bytes, body: bytes) -> bytes:
    reply = INBOX + b" " if flow.answered else b""
    return b"PUB %s.%s %s%d\r\n%s\r\n" % (flow.queue.encode(), key, reply, len(body), body)


def connect(flow: Flow) -> Answers:
    """A connection that is open."""
    peer = Answers(flow.port, CONNECT)
    peer.await_end(PONG)
    return peer


def make_stream(flow: Flow) -> None:
    """A stream in memory that keeps the newest message of each subject."""
    stream = {
        "name": flow.queue,
        "subjects": [f"{flow.queue}.*"],
        "storage": "memory",
        "max_msgs_per_subject": 1,
        "retention": "limits",
        "discard": "old",
    }
    request = json.dumps(stream).encode()
    peer = connect(flow)
    subject = b"$JS.API.STREAM.CREATE." + flow.queue.encode()
    call = b"PUB %s %s %d\r\n%s\r\n" % (subject, INBOX, len(request), request)
    peer.socket.sendall(b"SUB %s 1\r\n" % INBOX + call)
    while END_OF_JSON not in peer.pending:
        peer.await_bytes(len(peer.pending) + 1)
    if b'"error"' in peer.pending:
        raise PeerError(f"the server makes no stream: {peer.pending[:300]!r}")
    peer.socket.close()


def subscribe(flow: Flow) -> socket.socket:
    """A connection that has subscribed to all subjects of the flow."""
    peer = connect(flow)
    peer.socket.sendall(b"SUB %s.* 1\r\n" % flow.queue.encode() + PING)
    peer.await_end(PONG)
    return peer.socket
