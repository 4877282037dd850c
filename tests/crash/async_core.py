"""A client of CORE with one session, whose sends are a transaction."""

import asyncio
from types import TracebackType
from typing import Any, Final, Self

from core_peer import SESSION, VERSION, message

from lastvalue.client import RefusedError
from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import BY_CODE, PacketType, write_packet
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.protocols.core.connection import MAGIC

_TEXT: Final = 3


class AsyncCore:
    """Says one thing after the other, and waits for each answer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def __aenter__(self) -> Self:
        values = {"name": "crash", "session_channel": SESSION, "version": VERSION, "window": -1}
        values |= {"auto_commit_sends": False, "auto_commit_acks": False, "min_large_message_size": 102_400}
        self._writer.write(MAGIC + write_packet(packets.CREATE_SESSION_V2, 1, VERSION, values))
        try:
            await self._hear(packets.SESSION_CREATED)
        except BaseException:
            # The broker was killed, or time is up: nobody else closes it.
            self._writer.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    async def ask(self, kind: PacketType, answer: PacketType, **values: Any) -> None:
        """Say a packet, and wait for that answer."""
        self._writer.write(write_packet(kind, SESSION, VERSION, values))
        await self._hear(answer)

    async def send(self, text: str, address: str) -> None:
        """Send a durable text, and wait until it is taken into the transaction."""
        body = CoreWriter()
        body.nullable_simple_string(text)
        data = message(body.data(), address, kind=_TEXT, durable=True)
        values = {"message": data, "wants_response": True, "correlation": 1}
        await self.ask(packets.SEND, packets.NULL_RESPONSE, **values)

    async def _hear(self, wanted: PacketType) -> None:
        size = int.from_bytes(await self._reader.readexactly(4), "big")
        packet = await self._reader.readexactly(size)
        heard = BY_CODE[int.from_bytes(packet[:1], "big", signed=True)]
        if heard.name.startswith("DISCONNECT"):
            raise ConnectionResetError("the broker ends the connection")
        if heard is packets.EXCEPTION:
            raise RefusedError("CORE", "EXCEPTION", repr(packet))
        assert heard is wanted, (heard.name, packet)
