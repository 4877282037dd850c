"""A peer of CORE over a socket, which says what it is told to."""

import socket
from itertools import count
from types import TracebackType
from typing import Any, Final, Self

from core_peer import message

from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import PacketType, write_packet
from lastvalue.codec.core.reader import CoreReader
from lastvalue.protocols.core.connection import MAGIC

VERSION: Final = packets.NEWEST_VERSION
SESSION: Final = 10
"""The channel of the first session."""
_NAMES: Final = count()


class RawCore:
    """One blocking connection."""

    def __init__(self, host: str, port: int) -> None:
        self.socket = socket.create_connection((host, port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._heard = bytearray()
        self.send(MAGIC)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        """Say bytes."""
        self.socket.sendall(data)

    def say(self, kind: PacketType, channel: int = SESSION, **values: Any) -> None:
        """Say a packet."""
        self.send(write_packet(kind, channel, VERSION, values))

    def session_request(self, channel: int = SESSION, **values: Any) -> bytes:
        """A packet that asks for a session."""
        asked: dict[str, Any] = {
            "name": f"session {next(_NAMES)}",
            "session_channel": channel,
            "version": VERSION,
            "min_large_message_size": 102_400,
            "auto_commit_sends": True,
            "auto_commit_acks": True,
            "window": -1,
        }
        return write_packet(packets.CREATE_SESSION_V2, 1, VERSION, {**asked, **values})

    def create_session(self, channel: int = SESSION, **values: Any) -> None:
        """Open a session that has started."""
        self.send(self.session_request(channel, **values))
        self.expect(packets.SESSION_CREATED)
        self.say(packets.START, channel)

    def publish(self, address: str, body: bytes, channel: int = SESSION, **more: Any) -> None:
        """Send a whole message."""
        self.say(packets.SEND, channel, message=message(body, address, **more), wants_response=False)

    def ask(self, kind: PacketType, answer: PacketType = packets.NULL_RESPONSE, **values: Any) -> None:
        """Say a packet, and wait for that answer."""
        if any(field.name == "wants_response" for field in kind.fields):
            values["wants_response"] = True
        self.say(kind, **values)
        self.expect(answer)

    def publish_confirmed(self, address: str, body: bytes, **more: Any) -> None:
        """Send a message of bytes, and wait until it is taken."""
        self.ask(packets.SEND, message=message(body, address, kind=4, **more), correlation=1)

    def read(self, queue: str, consumer: int = 1, *, browse: bool = False) -> None:
        """Have a consumer without limit, which acknowledges nothing."""
        self.say(packets.CREATE_CONSUMER, consumer=consumer, queue=queue, browse=browse, wants_response=True)
        self.expect(packets.QUEUE_QUERIED)
        self.say(packets.CREDIT, consumer=consumer, credits=-1)

    def begin_large(self, address: str, octets: bytes, channel: int = SESSION) -> None:
        """Begin a message that does not end."""
        self.say(packets.SEND_LARGE, channel, head=message(b"", address)[4:])
        self.say(packets.SEND_CONTINUATION, channel, body=octets, continues=True)

    def expect(self, kind: PacketType) -> None:
        """Read until a packet of this kind has come; an exception is a refusal."""
        while True:
            while len(self._heard) >= 4 and len(self._heard) >= 4 + int.from_bytes(self._heard[:4], "big"):
                size = 4 + int.from_bytes(self._heard[:4], "big")
                packet = bytes(self._heard[:size])
                del self._heard[:size]
                code = CoreReader(packet, 4).int8()
                if code == kind.code:
                    return
                assert code != packets.EXCEPTION.code, packet
            data = self.socket.recv(1 << 16)
            assert data, "the broker closed the connection"
            self._heard += data
