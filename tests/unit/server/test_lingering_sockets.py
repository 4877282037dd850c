"""How the broker closes a socket: the peer gets all that was said, whatever it still sends."""

import asyncio
from collections.abc import Callable

import pytest
from pamqp import commands, frame
from waiting import until

from lastvalue.codec.amqp091.dialects import HEADER_091
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.server.broker_server import BrokerServer, ServerOptions

MUCH = bytes(4 << 20)


def closing_1_0() -> tuple[bytes, bytes]:
    """What opens and closes a connection, and how the answer ends."""
    engine = Connection(Role.CLIENT, ConnectionOptions("c"), 0)
    engine.open()
    engine.close()
    return engine.data_to_send(), b"\x00S\x18E"


def closing_0_9_1() -> tuple[bytes, bytes]:
    methods = (
        commands.Connection.StartOk({}, "PLAIN", "\0me\0secret"),
        commands.Connection.TuneOk(0, 131072, 0),
        commands.Connection.Open("/"),
        commands.Connection.Close(200, "", 0, 0),
    )
    said = HEADER_091 + b"".join(frame.marshal(each, 0) for each in methods)
    return said, frame.marshal(commands.Connection.CloseOk(), 0)


@pytest.mark.parametrize("closing", [closing_1_0, closing_0_9_1])
async def test_a_peer_that_sends_on_behind_its_close_gets_the_answer(
    closing: Callable[[], tuple[bytes, bytes]],
) -> None:
    said, answer = closing()
    async with BrokerServer(ServerOptions(port=0)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(said + MUCH)
        await writer.drain()
        assert (await reader.read()).endswith(answer)
        writer.close()
        await until(lambda: server.connections == 0)


@pytest.mark.parametrize("closing", [closing_1_0, closing_0_9_1])
async def test_what_a_peer_held_is_released_with_its_close(
    closing: Callable[[], tuple[bytes, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastvalue.server.connection.LINGER_S", 60)
    async with BrokerServer(ServerOptions(port=0)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(closing()[0])
        await reader.read()
        await until(lambda: server.broker.connections.count == 0)
        assert server.connections == 1
        writer.close()
        await until(lambda: server.connections == 0)


async def test_a_socket_that_its_peer_keeps_is_dropped() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(closing_1_0()[0])
        await reader.read()
        await until(lambda: server.connections == 0)
        writer.close()


class ResetTransport(asyncio.Transport):
    """Of a socket whose peer has reset the connection, which the loop has not read yet."""

    aborted = False

    def is_closing(self) -> bool:
        return False

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        raise OSError(107, "Transport endpoint is not connected")

    def abort(self) -> None:
        self.aborted = True


async def test_a_connection_that_its_peer_has_reset_ends_and_disturbs_no_turn() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        await until(lambda: server.connections == 1)
        (connection,) = server._connections
        transport = ResetTransport()
        connection._end(transport)
        assert transport.aborted
        writer.close()
        await until(lambda: server.connections == 0)
