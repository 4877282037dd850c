"""lastvalue.http.sessions."""

import asyncio
import gc
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import CoroutineType, FrameType, FunctionType, ModuleType

import pytest
from waiting import until

from lastvalue.client.errors import AuthenticationError, ClientError
from lastvalue.http import sessions as module
from lastvalue.http.broker_connections import BrokerConnections
from lastvalue.http.caller import Caller
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.problems import Problem
from lastvalue.http.session_file import SessionFile
from lastvalue.http.sessions import Sessions, is_same_token
from lastvalue.model.admission import SESSIONS_OF_USER
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users

PASSWORD = "correct horse battery"
ANN = Caller("ann", PASSWORD)
NOT_HELD = (type, ModuleType, CoroutineType, FrameType, asyncio.Task, asyncio.AbstractEventLoop)


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[BrokerServer]:
    users = Users(tmp_path / "users.toml")
    users.put("ann", PASSWORD, ("all *",))
    options = ServerOptions(port=0, users_file=tmp_path / "users.toml", anonymous=False)
    async with BrokerServer(options) as server:
        yield server


@pytest.fixture
async def connections(broker: BrokerServer) -> AsyncIterator[BrokerConnections]:
    connections = BrokerConnections(GatewaySettings(url=f"amqp://127.0.0.1:{broker.port}"))
    yield connections
    await connections.close()


async def test_a_session_has_a_connection_of_its_user_until_it_ends(
    broker: BrokerServer, connections: BrokerConnections
) -> None:
    sessions = Sessions(connections)
    secret, session = await sessions.begin(ANN)
    assert sessions.find(secret) is session
    async with connections.use(session.caller) as connection:
        await connection.declare("prices")
    await sessions.end(session)
    await until(lambda: broker.connections == 0)
    with pytest.raises(Problem, match="log in again"):
        sessions.find(secret)


def texts_held_by(root: object) -> set[str]:
    """All texts that an object keeps, however indirectly; not through code, nor through what runs."""
    seen: set[int] = set()
    texts: set[str] = set()
    waiting = [root]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, NOT_HELD):
            continue
        seen.add(id(each))
        if isinstance(each, str):
            texts.add(each)
        waiting += each.__closure__ or () if isinstance(each, FunctionType) else gc.get_referents(each)
    return texts


async def test_a_session_keeps_neither_its_password_nor_its_secret(connections: BrokerConnections) -> None:
    sessions = Sessions(connections)
    secret, session = await sessions.begin(ANN)
    held = texts_held_by([sessions, connections])
    assert session.csrf_token in held
    assert [text for text in held if PASSWORD in text or secret in text] == []
    await sessions.end(session)


async def test_wrong_credentials_begin_nothing(connections: BrokerConnections) -> None:
    sessions = Sessions(connections)
    with pytest.raises(AuthenticationError):
        await sessions.begin(Caller("ann", "wrong"))
    with pytest.raises(Problem):
        sessions.find("")


async def test_a_session_whose_connection_is_lost_continues_by_its_secret_alone(
    broker: BrokerServer, connections: BrokerConnections
) -> None:
    sessions = Sessions(connections)
    secret, session = await sessions.begin(ANN)
    await broker.stop()
    await until(lambda: not connections.is_open(session.caller))
    with pytest.raises(Problem, match="log in again"):
        async with connections.use(session.caller):
            pass
    with pytest.raises(ClientError):
        async with connections.use(sessions.caller_of(session, secret)):
            pass
    async with BrokerServer(replace(broker.options, port=broker.port)):
        async with connections.use(sessions.caller_of(sessions.find(secret), secret)) as connection:
            await connection.declare("prices")
        assert sessions.caller_of(session, secret).credentials is None
        held = texts_held_by([sessions, connections])
        assert [text for text in held if PASSWORD in text or secret in text] == []
        sessions.close()
        await connections.close()


async def test_a_session_whose_password_was_changed_meanwhile_has_ended(
    broker: BrokerServer, connections: BrokerConnections, tmp_path: Path
) -> None:
    sessions = Sessions(connections)
    secret, session = await sessions.begin(ANN)
    Users(tmp_path / "users.toml").put("ann", "another", None)
    await connections.close()
    caller = sessions.caller_of(session, secret)
    with pytest.raises(Problem, match="log in again"):
        async with connections.use(caller):
            pass
    with pytest.raises(Problem, match="log in again"):
        sessions.find(secret)
    sessions.close()


async def test_the_next_process_continues_sessions_of_the_file_until_they_end(
    connections: BrokerConnections, tmp_path: Path
) -> None:
    file = SessionFile(str(tmp_path / "sessions"))
    before = Sessions(connections, file)
    secret, session = await before.begin(ANN)
    other, ended = await before.begin(ANN)
    await before.end(ended)
    before.close()
    await connections.close()
    text = (tmp_path / "sessions").read_text()
    assert (PASSWORD in text, secret in text) == (False, False)
    assert (tmp_path / "sessions").stat().st_mode & 0o777 == 0o600
    after = Sessions(connections, file)
    found = after.find(secret)
    assert (found.csrf_token, found.caller.user) == (session.csrf_token, "ann")
    async with connections.use(after.caller_of(found, secret)) as connection:
        await connection.declare("prices")
    with pytest.raises(Problem):
        after.find(other)
    await after.end(found)
    with pytest.raises(Problem):
        Sessions(connections, file).find(secret)


async def test_a_session_ends_when_nobody_uses_it(
    broker: BrokerServer, connections: BrokerConnections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE_S", 0.0)
    sessions = Sessions(connections)
    secret, _ = await sessions.begin(ANN)
    with pytest.raises(Problem):
        sessions.find(secret)
    await until(lambda: broker.connections == 0)


async def test_a_session_that_is_used_ends_with_its_lifetime_only(
    broker: BrokerServer, connections: BrokerConnections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE_S", 0.0)
    sessions = Sessions(connections)
    _, session = await sessions.begin(ANN)
    looked = session.timer
    async with connections.use(session.caller):
        await until(lambda: session.timer is not looked)
        assert broker.connections == 1
        session.ends_s = 0.0
        await until(lambda: broker.connections == 0)


async def test_a_user_s_unused_sessions_make_room_for_new_ones(
    connections: BrokerConnections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SESSIONS_OF_USER", replace(SESSIONS_OF_USER, most=2))
    sessions = Sessions(connections)
    secrets = [(await sessions.begin(ANN))[0] for _ in range(3)]
    with pytest.raises(Problem):
        sessions.find(secrets[0])
    for secret in secrets[1:]:
        sessions.find(secret)
    sessions.close()


async def test_a_token_is_compared_whole(connections: BrokerConnections) -> None:
    _, session = await Sessions(connections).begin(ANN)
    assert is_same_token(session.csrf_token, session)
    for other in (None, "", session.csrf_token[:-1], "é"):
        assert not is_same_token(other, session)
