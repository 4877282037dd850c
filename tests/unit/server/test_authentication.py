"""Who is let in, over what, and what they may do then: a real server and real sockets."""

import asyncio
import logging
import ssl
import threading
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pika
import pytest
import trustme
from logged_events import fields, names
from login_records import LoginRecord
from raw_core import RawCore

from lastvalue.client import (
    AuthenticationError,
    ConnectFailedError,
    Connection,
    ConnectionLostError,
    Message,
    QueueNotFoundError,
    RefusedError,
    connect,
)
from lastvalue.client.endpoints import Endpoint, Endpoints
from lastvalue.client.scram import scram
from lastvalue.client.url import BrokerUrl, parse_url
from lastvalue.codec.amqp010.command_layouts import CONNECTION_START_OK
from lastvalue.codec.amqp010.encoder import encode_fields
from lastvalue.codec.amqp010.frames import (
    CONTROL,
    FIRST_SEGMENT,
    LAST_SEGMENT,
    MIN_MAX_FRAME_SIZE,
    PROTOCOL_HEADER,
    encode_segment,
)
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.core import packets
from lastvalue.config.tls_listener import TlsError
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.sasl import Credentials
from lastvalue.server.authentication import AuthenticationPolicy
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.login import Peer
from lastvalue.server.users import Users


@pytest.fixture
def users_file(tmp_path: Path) -> Path:
    path = tmp_path / "users.toml"
    users = Users(path)
    users.put("admin", "all", None)
    users.put("reader", "look", ("browse prices", "read orders"))
    users.put("writer", "send", ("write prices", "write relay.*"))
    return path


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


Believing = Callable[..., ssl.SSLContext]


@pytest.fixture
def believing(authority: trustme.CA) -> Believing:
    """A client's context that believes the authority; with a name, one that shows a certificate."""

    def context(name: str | None = None) -> ssl.SSLContext:
        made = ssl.create_default_context()
        authority.configure_trust(made)
        if name is not None:
            authority.issue_cert(f"{name}@example.org", common_name=name).configure_cert(made)
        return made

    return context


def written(authority: trustme.CA, directory: Path) -> dict[str, Any]:
    """A server's certificate in files, as options of the server."""
    certificate = authority.issue_cert("localhost", "127.0.0.1")
    path, client_ca = directory / "server.pem", directory / "ca.pem"
    certificate.private_key_and_cert_chain_pem.write_to_path(path)
    authority.cert_pem.write_to_path(client_ca)
    return {"tls_certificate": path, "tls_client_ca": client_ca}


def url(server: BrokerServer, who: str = "", *, tls: bool = False) -> str:
    at = f"{who}@" if who else ""
    return f"amqps://{at}localhost:{server.tls_port}" if tls else f"amqp://{at}127.0.0.1:{server.port}"


# ---- Mechanisms


@pytest.mark.parametrize(
    ("peer", "offered"),
    [
        (Peer(secret=True), ("SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN")),
        (Peer(secret=False), ("SCRAM-SHA-512", "SCRAM-SHA-256")),
        (Peer(secret=True, certificate="x"), ("EXTERNAL", "SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN")),
    ],
)
def test_plain_is_offered_only_where_nobody_listens(
    users_file: Path, peer: Peer, offered: tuple[str, ...]
) -> None:
    authentication = AuthenticationPolicy(Users(users_file), anonymous=False, passwords={})
    assert authentication.login(peer, LoginRecord()).make_authenticator().mechanisms == offered


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN"])
async def test_a_password_lets_in_by_every_mechanism(users_file: Path, mechanism: str) -> None:
    async with BrokerServer(ServerOptions(port=0, users_file=users_file, anonymous=False)) as server:
        for password, fits in (("all", True), ("wrong", False)):
            broker = parse_url(url(server, f"admin:{password}"))
            credentials = _only(mechanism, broker.user or "", broker.password)
            connection = _connection(broker, credentials)
            if fits:
                async with connection:
                    await connection.queues()
            else:
                with pytest.raises(AuthenticationError):
                    await connection.open()


def _connection(broker: BrokerUrl, credentials: Credentials) -> Connection:
    endpoint = Endpoint(broker, ConnectionOptions("test", credentials=credentials), None)
    return Connection(Endpoints([endpoint], 60), None)


def _only(mechanism: str, user: str, password: str) -> Credentials:
    others = {name: begin for name, begin in scram(user, password).items() if name == mechanism}
    return Credentials(user, password, others)


async def test_nobody_is_let_in_without_a_name_or_with_an_unknown_one(users_file: Path) -> None:
    async with BrokerServer(ServerOptions(port=0, users_file=users_file, anonymous=False)) as server:
        with pytest.raises(ConnectFailedError):
            await connect(url(server)).open()
        with pytest.raises(AuthenticationError):
            await connect(url(server, "nobody:all")).open()


async def test_a_new_password_counts_at_once(users_file: Path) -> None:
    async with BrokerServer(ServerOptions(port=0, users_file=users_file, anonymous=False)) as server:
        users = Users(users_file)
        users.load()
        users.put("admin", "another", None)
        with pytest.raises(AuthenticationError):
            await connect(url(server, "admin:all")).open()
        async with connect(url(server, "admin:another")):
            pass
        await asyncio.to_thread(users_file.write_text, "[users")
        async with connect(url(server, "admin:another")):
            pass


async def test_others_work_while_passwords_are_checked(
    users_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    real = Users.check

    def slow(users: Users, name: str, password: str) -> bool:
        gate.wait(240)
        return real(users, name, password)

    monkeypatch.setattr(Users, "check", slow)
    # Twenty logins and others' work take longer on a busy machine than a peer has.
    options = ServerOptions(port=0, users_file=users_file, open_timeout_ms=0)
    async with (
        asyncio.timeout(240),
        BrokerServer(options) as server,
        connect(url(server, "admin:all")) as other,
    ):
        broker = parse_url(url(server, "admin:all"))
        connections = [_connection(broker, _only("PLAIN", "admin", "all")) for _ in range(20)]
        opening = [asyncio.create_task(each.open()) for each in connections]
        await (await other.declare("q")).send(Message(1))
        assert not any(each.done() for each in opening)
        gate.set()
        await asyncio.gather(*opening)
        for each in connections:
            await each.close()


async def test_a_removed_user_and_a_changed_password_end_their_connections(users_file: Path) -> None:
    async with BrokerServer(ServerOptions(port=0, users_file=users_file)) as server, asyncio.timeout(60):
        users = Users(users_file)
        users.load()
        async with (
            connect(url(server, "admin:all"), reconnect=False) as admin,
            connect(url(server, "reader:look"), reconnect=False) as reader,
            connect(url(server, "writer:send")) as writer,
        ):
            prices = await admin.declare("prices")
            await admin.declare("orders")
            users.remove("reader")
            with pytest.raises(ConnectionLostError, match="the user 'reader' has been removed"):
                _ = [each async for each in reader.queue("orders").receive(limit=1)]
            users.put("writer", None, ("write other",))
            users.put("admin", "another", None)
            with pytest.raises(ConnectionLostError, match="the password of user 'admin' has changed"):
                _ = [each async for each in prices.receive(limit=1)]
            # Another right alone ends no connection.
            assert await writer.queues() == []


async def test_guesses_are_refused_and_the_right_password_from_a_known_address_is_not(
    users_file: Path,
) -> None:
    options = ServerOptions(port=0, users_file=users_file, wrong_passwords_per_user=2)
    async with BrokerServer(options) as server:
        for mechanism in ("PLAIN", "SCRAM-SHA-256"):
            user = {"PLAIN": "admin", "SCRAM-SHA-256": "reader"}[mechanism]
            for password in ("wrong", "wrong", {"admin": "all", "reader": "look"}[user]):
                broker = parse_url(url(server))
                with pytest.raises(AuthenticationError):
                    await _connection(broker, _only(mechanism, user, password)).open()
        async with connect(url(server, "writer:send")):
            pass


# ---- TLS


async def test_tls_lets_clients_know_the_broker(
    authority: trustme.CA, believing: Believing, tmp_path: Path
) -> None:
    options = ServerOptions(port=0, tls_port=0, **written(authority, tmp_path))
    async with BrokerServer(options) as server:
        async with connect(url(server, tls=True), tls=believing()) as connection:
            queue = await connection.declare("q")
            await queue.send_many([Message(b"x" * 100_000)] * 20)
            assert [message.body async for message in queue.browse()] == [b"x" * 100_000] * 20
        with pytest.raises(ConnectFailedError, match="certificate"):
            await connect(url(server, tls=True)).open()


async def test_a_client_certificate_is_a_name(
    authority: trustme.CA, believing: Believing, tmp_path: Path, users_file: Path
) -> None:
    options = ServerOptions(
        port=0, tls_port=0, users_file=users_file, anonymous=False, **written(authority, tmp_path)
    )
    async with BrokerServer(options) as server:
        async with connect(url(server, tls=True), tls=believing("admin")) as connection:
            await connection.declare("q")
        async with connect(url(server, tls=True), tls=believing("reader")) as connection:
            with pytest.raises(RefusedError, match="'reader' may not configure"):
                await connection.declare("other")


async def test_a_certificate_is_replaced_while_the_broker_runs(
    authority: trustme.CA, believing: Believing, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tls = written(trustme.CA(), tmp_path)
    async with BrokerServer(ServerOptions(port=0, tls_port=0, **tls)) as server:
        with pytest.raises(ConnectFailedError):
            await connect(url(server, tls=True), tls=believing()).open()
        written(authority, tmp_path)
        async with connect(url(server, tls=True), tls=believing()):
            pass
        await asyncio.to_thread(tls["tls_certificate"].write_text, "nonsense")
        with caplog.at_level(logging.ERROR):
            async with connect(url(server, tls=True), tls=believing()):
                pass
    assert "tls.certificate_unusable" in names(caplog)


async def test_other_files_are_used_for_new_handshakes_and_open_connections_stay(
    authority: trustme.CA, believing: Believing, tmp_path: Path
) -> None:
    (tmp_path / "new").mkdir()
    options = ServerOptions(port=0, tls_port=0, **written(authority, tmp_path))
    stranger = trustme.CA()
    other = replace(options, **written(stranger, tmp_path / "new"))
    async with BrokerServer(options) as server, connect(url(server, tls=True), tls=believing()) as first:
        with pytest.raises(TlsError):
            server.settings.change(replace(options, tls_certificate=tmp_path / "missing.pem"))
        assert server.options == options
        server.settings.change(other)
        with pytest.raises(ConnectFailedError):
            await connect(url(server, tls=True), tls=believing()).open()
        trusting = ssl.create_default_context()
        stranger.configure_trust(trusting)
        async with connect(url(server, tls=True), tls=trusting):
            assert await first.queues() == []


async def test_changed_passwords_count_from_now_on_and_end_the_connections_of_the_old_ones() -> None:
    options = ServerOptions(port=0, users={"ann": "old", "bob": "same"})
    async with (
        BrokerServer(options) as server,
        connect(url(server, "ann:old"), reconnect=False) as ann,
        connect(url(server, "bob:same")) as bob,
    ):
        server.settings.change(replace(options, users={"ann": "new", "bob": "same"}))
        with pytest.raises(ConnectionLostError, match="'ann' has been removed, or the password has changed"):
            await ann.queues()
        assert await bob.queues() == []
        with pytest.raises(AuthenticationError):
            await connect(url(server, "ann:old")).open()
        async with connect(url(server, "ann:new")):
            pass


# ---- Permissions


async def test_users_do_what_they_may_and_nothing_else(
    users_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with BrokerServer(ServerOptions(port=0, users_file=users_file, anonymous=False)) as server:
        async with connect(url(server, "admin:all"), reconnect=False) as admin:
            for name in ("prices", "orders", "hidden"):
                await admin.declare(name)
            await admin.queue("orders").send(Message(1))
        async with connect(url(server, "writer:send")) as writer:
            await writer.queue("prices").send(Message(2))
            for refused in (
                writer.queue("orders").send(Message(3)),
                writer.declare("mine"),
                writer.delete("prices"),
                writer.purge("prices"),
                writer.queue("hidden").info(),
            ):
                with pytest.raises(RefusedError, match="'writer' may not"):
                    await refused
            with pytest.raises(RefusedError, match="may not browse"):
                _ = [each async for each in writer.queue("prices").browse()]
        async with connect(url(server, "reader:look"), reconnect=False) as reader:
            assert [message.body async for message in reader.queue("prices").browse()] == [2]
            with pytest.raises(RefusedError, match="may not read 'prices'"):
                _ = [each async for each in reader.queue("prices").receive(limit=1)]
            async for delivery in reader.queue("orders").receive(limit=1):
                delivery.accept()
            with pytest.raises(RefusedError):
                await reader.queue("orders").send(Message(3))
            assert [queue.name for queue in await reader.queues()] == ["orders", "prices"]
            with pytest.raises((RefusedError, QueueNotFoundError)):
                await reader.queue("nosuch").send(Message(1))
    denied = {(each["user"], each["right"], each["name"]) for each in fields(caplog, "audit.denied")}
    assert ("writer", "write", "orders") in denied


async def refused_0_9_1(port: int) -> str:
    """Why a client of AMQP 0-9-1 that gives a wrong password is refused."""

    def log_in() -> str:
        where = pika.ConnectionParameters("127.0.0.1", port, credentials=pika.PlainCredentials("ann", "no"))
        with pytest.raises(pika.exceptions.AMQPError) as refused:
            pika.BlockingConnection(where)
        return repr(refused.value)

    return await asyncio.to_thread(log_in)


async def refused_core(port: int) -> str:
    """The same of CORE."""

    def log_in() -> str:
        with RawCore("127.0.0.1", port) as peer:
            peer.send(peer.session_request(username="ann", password="no"))
            with pytest.raises(AssertionError) as refused:
                peer.expect(packets.SESSION_CREATED)
        return str(refused.value)

    return await asyncio.to_thread(log_in)


async def refused_0_10(port: int) -> str:
    """The same of AMQP 0-10."""
    said: dict[str, object] = {
        "client_properties": {}, "mechanism": "PLAIN", "response": b"\0ann\0no", "locale": "en_US"
    }  # fmt: skip
    start_ok = CONNECTION_START_OK.code.to_bytes(2, "big") + encode_fields(Record(CONNECTION_START_OK, said))
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        PROTOCOL_HEADER
        + encode_segment(FIRST_SEGMENT | LAST_SEGMENT, CONTROL, 0, start_ok, MIN_MAX_FRAME_SIZE)
    )
    said_by_broker = b""
    while not any(end in said_by_broker for end in (b"failed", b"a minute")):
        said_by_broker += await reader.read(1 << 12)
        assert not reader.at_eof(), said_by_broker
    writer.close()
    await writer.wait_closed()
    return said_by_broker.decode("latin-1")


async def refused_1_0(port: int) -> str:
    with pytest.raises(AuthenticationError) as refused:
        await connect(f"amqp://ann:no@127.0.0.1:{port}").open()
    return str(refused.value)


@pytest.mark.parametrize("refused", [refused_1_0, refused_0_10, refused_0_9_1, refused_core])
@pytest.mark.parametrize("file", [True, False])
async def test_too_many_wrong_passwords_are_told_to_the_client(
    refused: Callable[[int], Coroutine[Any, Any, str]], users_file: Path, *, file: bool
) -> None:
    Users(users_file).put("ann", "right", None)
    who: Any = {"users_file": users_file} if file else {"users": {"ann": "right"}}
    async with BrokerServer(ServerOptions(port=0, wrong_passwords_per_user=1, **who)) as server:
        assert "too many" not in await refused(server.port)
        assert "too many wrong passwords; try again in a minute" in await refused(server.port)


async def test_forms_of_one_password_are_one_password() -> None:
    async with BrokerServer(ServerOptions(port=0, users={"ann": "I\u00adX"})) as server:
        for form in ("IX", "%E2%85%A8"):
            async with connect(f"amqp://ann:{form}@127.0.0.1:{server.port}"):
                pass
