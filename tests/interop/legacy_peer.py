"""A client of AMQP 0-9-1 over a socket, which says what it is told to."""

import socket
import struct

from pamqp import base, commands, frame


class LegacyPeer:
    """One blocking connection with one channel."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self._heard = b""
        self.send(b"AMQP\x00\x00\x09\x01")
        self.expect(commands.Connection.Start)
        self.say(commands.Connection.StartOk({}, "ANONYMOUS", ""), 0)
        self.expect(commands.Connection.Tune)
        self.say(commands.Connection.TuneOk(0, 131072, 0), 0)
        self.call(commands.Connection.Open("/"), commands.Connection.OpenOk, 0)
        self.call(commands.Channel.Open(), commands.Channel.OpenOk)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def say(self, method: base.Frame, channel: int = 1) -> None:
        self.send(frame.marshal(method, channel))

    def call(self, method: base.Frame, answer: type[base.Frame], channel: int = 1) -> None:
        self.say(method, channel)
        self.expect(answer)

    def expect(self, kind: type[base.Frame]) -> None:
        while True:
            while len(self._heard) < 8 or len(self._heard) < 8 + struct.unpack(">xxxI", self._heard[:7])[0]:
                data = self.socket.recv(1 << 16)
                assert data, "the broker closed the connection"
                self._heard += data
            size, _, method = frame.unmarshal(self._heard)
            self._heard = self._heard[size:]
            if isinstance(method, kind):
                return
            assert not isinstance(method, commands.Connection.Close | commands.Channel.Close), (
                method.reply_text
            )
