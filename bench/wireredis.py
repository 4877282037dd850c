"""Just enough of Redis's protocol (RESP 2) to load a server."""

import socket

from load import END_MARK
from wires import BODY, Answers, Block, Flow, WindowedSender


def command(*words: bytes) -> bytes:
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


PING, PONG = command(b"PING"), b"+PONG\r\n"
ANSWERS_OFF, ANSWERS_ON = command(b"CLIENT", b"REPLY", b"OFF"), command(b"CLIENT", b"REPLY", b"ON")


class RedisSender(WindowedSender):
    """Sets keys, in pipelines; or publishes to channels, each of one key.

    An answer comes for each command; whoever wants none turns them off.
    """

    def __init__(self, flow: Flow, *, publishes: bool) -> None:
        verb = b"PUBLISH" if publishes else b"SET"
        name = flow.queue.encode()
        block = Block(flow, lambda key: command(verb, b"%s.%s" % (name, key.encode()), BODY))
        super().__init__(Answers(flow.port, b""), block, answered=flow.answered)
        self._end = command(verb, name + b".the-end", END_MARK)
        self._answered_at_end = PING if flow.answered else ANSWERS_ON + PING
        if not flow.answered:
            self.peer.socket.sendall(ANSWERS_OFF)

    def confirms(self) -> int:
        whole = self.peer.pending.rfind(b"\r\n") + 2
        return self.peer.take(whole).count(b"\r\n") if whole > 1 else 0

    def _finish(self) -> None:
        self.peer.socket.sendall(self._end + self._answered_at_end)
        self.peer.await_end(PONG)
        if self._answered_at_end != PING:
            self.peer.socket.sendall(ANSWERS_OFF)

    def close(self) -> None:
        self.peer.socket.close()


def subscribe(flow: Flow) -> socket.socket:
    """A connection that has subscribed to all channels of the flow."""
    peer = Answers(flow.port, command(b"PSUBSCRIBE", flow.queue.encode() + b".*"))
    peer.await_end(b":1\r\n")
    return peer.socket
