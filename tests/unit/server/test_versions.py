"""Which protocol a peer's first bytes choose."""

import asyncio

import pytest

from lastvalue.delivery.protocol_connection import ConnectionContext, ProtocolConnection
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.versions import Version, Versions

OLD = b"AMQP\x00\x00\x09\x01"
TEN = b"AMQP\x01\x01\x00\x0a"


def preferred(context: ConnectionContext, wire_now: int) -> ProtocolConnection:
    raise NotImplementedError


def old(context: ConnectionContext, wire_now: int) -> ProtocolConnection:
    raise NotImplementedError


def ten(context: ConnectionContext, wire_now: int) -> ProtocolConnection:
    raise NotImplementedError


def headless(context: ConnectionContext, wire_now: int) -> ProtocolConnection:
    raise NotImplementedError


HEADLESS = Version((), headless, lambda header: header.startswith(b"\x10"))
VERSIONS = Versions(preferred, [Version((OLD,), old), Version((TEN, b"AMQP\x01\x01\x00\x0b"), ten), HEADLESS])


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        (OLD, old),
        (TEN, ten),
        (b"AMQP\x01\x01\x00\x0b", ten),
        (b"AMQP\x00\x01\x00\x00", preferred),
        (b"AMQP\x03\x01\x00\x00", preferred),
        (b"GET / HT", preferred),
        (b"\x10\x0c\0\4MQTT", headless),
        (b"AMQP\x00\x00\x09\x09", None),
    ],
)
def test_a_header_chooses_its_protocol_and_amqp_10_answers_strangers(header: bytes, chosen: object) -> None:
    assert VERSIONS.opener(header) is chosen


@pytest.mark.parametrize(
    ("header", "answer"),
    [(b"AMQP\x00\x00\x09\x09", OLD), (b"AMQP\x01\x01\x08\x00", TEN), (b"AMQP\x00\x01\x00\x09", None)],
)
def test_a_strange_header_is_answered_with_one_of_its_major_version(
    header: bytes, answer: bytes | None
) -> None:
    assert VERSIONS.best(header) == answer


@pytest.mark.parametrize(
    ("header", "answer"),
    [(b"AMQP\x03\x01\x00\x00", TEN), (b"AMQP\x00\x01\x00\x00", TEN), (OLD, TEN), (b"GET / HT", TEN)],
)
def test_without_amqp_10_another_header_is_answered_with_one_that_is_offered(
    header: bytes, answer: bytes
) -> None:
    versions = Versions(None, [Version((TEN,), ten)])
    assert versions.opener(header) is None
    assert versions.best(header) == answer
    assert versions.opener(TEN) is ten


def test_where_no_protocol_has_a_header_a_stranger_is_answered_with_nothing() -> None:
    versions = Versions(None, [HEADLESS])
    assert versions.opener(OLD) is None
    assert versions.best(OLD) == b""


@pytest.mark.parametrize(
    ("protocols", "header", "answer"),
    [
        (("mqtt",), OLD, b""),
        (("amqp-1.0",), b"\x10\x0c\0\4MQTT", b"AMQP\x03\x01\x00\x00"),
        (("amqp-0-9-1",), b"AMQP\x00\x01\x00\x00", OLD),
        (("amqp-0-9-1",), TEN, OLD),
        (("amqp-0-10",), OLD, TEN),
        (("amqp-1.0",), OLD, b"AMQP\x03\x01\x00\x00"),
        (("amqp-1.0", "amqp-0-10"), b"AMQP\x01\x01\x00\x09", TEN),
    ],
)
async def test_the_header_of_a_protocol_that_is_off_is_answered_with_an_offered_one(
    protocols: tuple[str, ...], header: bytes, answer: bytes
) -> None:
    async with BrokerServer(ServerOptions(port=0, protocols=protocols)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(header)
        assert await asyncio.wait_for(reader.read(), 60) == answer
        writer.close()


@pytest.mark.parametrize("qmf", [True, False])
async def test_the_exchanges_of_qmf_exist_only_where_it_is_on(qmf: bool) -> None:
    async with BrokerServer(ServerOptions(port=0, qmf=qmf)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(TEN)
        assert await asyncio.wait_for(reader.readexactly(8), 60) == TEN
        assert (server.broker.exchanges.get("qmf.default.direct") is not None) is qmf
        writer.close()


async def test_a_header_may_come_in_pieces() -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"AMQP\x00")
        await asyncio.wait_for(writer.drain(), 60)
        writer.write(b"\x01\x00\x00")
        assert await asyncio.wait_for(reader.readexactly(8), 60) == b"AMQP\x00\x01\x00\x00"
        writer.close()


async def test_a_peer_that_has_said_nothing_is_dropped_at_the_shut_down() -> None:
    server = BrokerServer(ServerOptions(port=0))
    await server.start()
    silent, kept = await asyncio.open_connection("127.0.0.1", server.port)
    answered, other = await asyncio.open_connection("127.0.0.1", server.port)
    other.write(b"AMQP\x00\x01\x00\x00")
    await asyncio.wait_for(answered.readexactly(8), 60)
    assert server.connections == 2
    await asyncio.wait_for(server.stop(), 60)
    assert await silent.read() == b""
    kept.close()
    other.close()
