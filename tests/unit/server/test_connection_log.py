"""lastvalue.server.connection_log: what the log has of connections."""

import asyncio
import logging
from pathlib import Path

import pika
import pytest
import trustme
from logged_events import fields, logged, names
from waiting import until

from lastvalue.client import connect
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.engine import GONE
from lastvalue.protocols.sasl import WRONG
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.connection_log import (
    HTTP_ON_AMQP_PORT,
    NOT_AMQP,
    ORDERLY,
    TLS_ON_PLAIN_PORT,
    PeerAddress,
    foreign_bytes,
)
from lastvalue.server.tls_handshakes import NO_TLS
from lastvalue.server.users import Users

TLS_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
HTTP = b"GET / HTTP/1.1\r\nHost: localhost:5672\r\n\r\n"


@pytest.fixture(autouse=True)
def everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "lastvalue.connection")
    caplog.set_level(logging.DEBUG, "lastvalue.audit")


def test_an_address_is_shown_with_its_port() -> None:
    assert str(PeerAddress("10.0.0.1", 5)) == "10.0.0.1:5"
    assert str(PeerAddress("::1", 5)) == "[::1]:5"


@pytest.mark.parametrize(
    ("first", "what"),
    [
        (TLS_HELLO, TLS_ON_PLAIN_PORT),
        (HTTP, HTTP_ON_AMQP_PORT),
        (b"\xff\xfb\x01", NOT_AMQP),
        (b"AMQP\x00\x01\x00\x00", ""),
        (b"AM", ""),
        (b"", ""),
        (None, ""),
    ],
)
def test_first_bytes_that_are_not_amqp_are_named(first: bytes | None, what: str) -> None:
    assert foreign_bytes(first) == what


async def come(server: BrokerServer, data: bytes) -> str:
    """Send bytes and wait for the end; the peer's address."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    host, port = writer.get_extra_info("sockname")
    if data:
        writer.write(data)
        await asyncio.wait_for(reader.read(), 120)
    writer.close()
    await until(lambda: not server.connections)
    return f"{host}:{port}"


@pytest.mark.parametrize(
    ("data", "cause"),
    [(TLS_HELLO, TLS_ON_PLAIN_PORT), (HTTP, HTTP_ON_AMQP_PORT), (b"\r\n\r\nhello\r\n", NOT_AMQP)],
)
@pytest.mark.parametrize("protocols", [(), ("amqp-0-9-1",)])
async def test_what_is_not_amqp_is_refused_with_what_it_is(
    data: bytes, cause: str, protocols: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    async with BrokerServer(ServerOptions(port=0, protocols=protocols)) as server:
        peer = await come(server, data)
    assert fields(caplog, "connection.refused") == [{"peer": peer, "cause": cause}]


async def test_a_peer_that_says_nothing_is_a_matter_for_the_level_debug(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        peer = await come(server, b"")
    assert logged(caplog) == [("connection.silent", {"peer": peer})]


async def test_a_peer_that_goes_before_it_says_who_it_is_was_not_refused(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"AMQP\x03\x01\x00\x00")
        await reader.readexactly(8)
        writer.close()
        await until(lambda: not server.connections)
    assert [event for event, _ in logged(caplog)] == ["connection.silent"]


async def test_a_peer_that_takes_too_long_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    async with BrokerServer(ServerOptions(port=0, open_timeout_ms=1)) as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        await until(lambda: not server.connections)
        writer.close()
    [refused] = fields(caplog, "connection.refused")
    assert refused["cause"] == "nothing came in time"


async def test_a_connection_is_logged_at_both_ends_with_its_client(caplog: pytest.LogCaptureFixture) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        async with connect(f"amqp://127.0.0.1:{server.port}") as connection:
            await connection.declare("q")
        await until(lambda: not server.connections)
    assert names(caplog) == ["connection.opened", "audit.login", "audit.done", "connection.closed"]
    [opened], [login], [closed] = (
        fields(caplog, name) for name in ("connection.opened", "audit.login", "connection.closed")
    )
    assert login == opened
    assert opened["user"] == closed["user"] == "anonymous"
    assert opened["connection"] == closed["connection"]
    assert opened["peer"].startswith("127.0.0.1:")
    assert opened["protocol"] == "AMQP 1.0"
    assert opened["client"].startswith("lastvalue")
    assert closed["cause"] == ORDERLY
    assert closed["bytes_in"] > 100


@pytest.mark.parametrize("user", ["ann", "nobody"])
@pytest.mark.parametrize("protocol", ["1.0 SCRAM", "0-9-1 PLAIN"])
async def test_a_wrong_password_and_an_unknown_user_are_refused_alike(
    user: str, protocol: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "right", None)
    async with BrokerServer(ServerOptions(port=0, users_file=users.path)) as server:
        if protocol == "1.0 SCRAM":
            with pytest.raises(LastvalueError):
                await connect(f"amqp://{user}:wrong@127.0.0.1:{server.port}").open()
        else:
            where = pika.URLParameters(f"amqp://{user}:wrong@127.0.0.1:{server.port}/%2F")
            with pytest.raises(pika.exceptions.AMQPError):
                await asyncio.to_thread(pika.BlockingConnection, where)
        await until(lambda: not server.connections)
    [refused] = fields(caplog, "connection.refused")
    assert (refused["user"], refused["cause"]) == (user, WRONG)
    assert fields(caplog, "audit.login_failed") == [refused]
    assert "audit.login" not in names(caplog)
    assert "wrong@" not in caplog.text


async def test_one_connection_more_than_a_user_may_have_is_refused_with_that(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with BrokerServer(ServerOptions(port=0, max_connections_per_user=1)) as server:
        async with connect(f"amqp://127.0.0.1:{server.port}"):
            with pytest.raises(LastvalueError):
                await connect(f"amqp://127.0.0.1:{server.port}").open()
        await until(lambda: not server.connections)
    [refused] = fields(caplog, "connection.refused")
    assert refused["user"] == "anonymous"
    assert "may have no more" in refused["cause"]


async def test_the_end_of_the_broker_and_a_lost_peer_are_causes(caplog: pytest.LogCaptureFixture) -> None:
    async with BrokerServer(ServerOptions(port=0)) as server:
        gone = connect(f"amqp://127.0.0.1:{server.port}")
        await gone.open()
        await until(lambda: "connection.opened" in names(caplog))
        [handle] = server._connections
        handle.abort()
        await until(lambda: not server.connections)
        await gone.close()
        stays = connect(f"amqp://127.0.0.1:{server.port}")
        await stays.open()
    await stays.close()
    causes = [each["cause"] for each in fields(caplog, "connection.closed")]
    assert causes == [GONE, "the broker is shutting down"]


async def test_plain_amqp_on_the_port_for_tls_is_refused_with_that(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    authority = trustme.CA()
    certificate = tmp_path / "server.pem"
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(certificate))
    async with BrokerServer(ServerOptions(port=0, tls_port=0, tls_certificate=certificate)) as server:
        for data in (b"AMQP\x00\x01\x00\x00", b""):
            _, writer = await asyncio.open_connection("127.0.0.1", server.tls_port)
            writer.write(data)
            await writer.drain()
            writer.close()
            await until(lambda: not server.connections)
    (first, refused), (second, _) = logged(caplog)
    assert (first, refused["cause"], second) == ("connection.refused", NO_TLS, "connection.silent")
