"""A client of CORE that says what it is told to, through a socket, and can leave at any moment."""

import socket
from types import TracebackType
from typing import Any, Final, Self

from core_peer import head

from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import BY_CODE, PacketType, read_packet, write_packet
from lastvalue.codec.core.reader import CoreReader
from lastvalue.protocols.core.connection import MAGIC

SESSION: Final = 10
VERSION: Final = 136
SECONDS: Final = 60


class RawCore:
    """One connection with one session that has started, inside its `with` block.

    Args:
        port: of the broker on this machine.
        session: its name.
        more: fields of the session's request, such as `window`.
    """

    def __init__(self, port: int, session: str, **more: Any) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self._stream = self._socket.makefile("rb")
        self._socket.sendall(MAGIC)
        values = {"name": session, "session_channel": SESSION, "version": VERSION, "window": -1}
        values |= {"min_large_message_size": 102_400, "auto_commit_sends": True, "auto_commit_acks": True}
        self.say(packets.CREATE_SESSION_V2, 1, **{**values, **more})
        assert self.hear() is packets.SESSION_CREATED
        self.say(packets.START)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()
        self._socket.close()

    def say(self, kind: PacketType, channel: int = SESSION, **values: Any) -> None:
        """Say a packet."""
        self._socket.sendall(write_packet(kind, channel, VERSION, values))

    def hear(self) -> PacketType:
        """The type of the next packet."""
        return BY_CODE[int(CoreReader(self._next(), 0).int8())]

    def take(self, kind: PacketType) -> bytes:
        """The octets of the next packet, which must be of this type."""
        packet = self._next()
        heard = BY_CODE[int(CoreReader(packet, 0).int8())]
        assert heard is kind, (heard.name, packet)
        return packet

    def ask(self, kind: PacketType, answer: PacketType = packets.NULL_RESPONSE, **values: Any) -> None:
        """Say a packet, and hear that answer."""
        if any(field.name == "wants_response" for field in kind.fields):
            values["wants_response"] = True
        self.say(kind, **values)
        read_packet(answer, CoreReader(self.take(answer), 9), VERSION)

    def send(self, body: bytes, address: str, **more: Any) -> None:
        """Send a message of bytes, and wait until it is taken."""
        data = (len(body) + 13).to_bytes(4, "big") + body + head(address, kind=4, **more)
        self.ask(packets.SEND, message=data, correlation=1)

    def _next(self) -> bytes:
        size = int.from_bytes(self._stream.read(4), "big")
        packet = self._stream.read(size)
        assert len(packet) == size > 0, "the broker closed the connection"
        return packet
