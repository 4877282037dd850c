import socket
from collections.abc import Iterator

import pytest

from lastvalue.client import connect
from lastvalue.config.server_options import ServerOptions
from lastvalue.server import listeners
from lastvalue.server.broker_server import BrokerServer
from lastvalue.server.keepalive import set_keepalive

linux = pytest.mark.skipif(
    not hasattr(socket, "TCP_KEEPIDLE"), reason="the system names its options otherwise"
)


@pytest.fixture
def peer() -> Iterator[socket.socket]:
    with socket.socket() as peer:
        yield peer


def tcp(peer: socket.socket, *options: int) -> list[int]:
    return [peer.getsockopt(socket.IPPROTO_TCP, option) for option in options]


@linux
@pytest.mark.parametrize(
    ("idle_timeout_ms", "idle_s", "interval_s"),
    [(120_000, 60, 15), (1000, 1, 1), (2**31 - 1, 32767, 32767)],
)
def test_four_probes_fill_the_second_half_of_the_idle_timeout(
    peer: socket.socket, idle_timeout_ms: int, idle_s: int, interval_s: int
) -> None:
    set_keepalive(peer, idle_timeout_ms)
    assert peer.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert tcp(peer, socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT) == [idle_s, interval_s, 4]


def test_without_an_idle_timeout_the_system_does_not_ask(peer: socket.socket) -> None:
    set_keepalive(peer, 0)
    assert peer.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 0


def test_a_socket_of_another_family_is_left_alone() -> None:
    first, second = socket.socketpair()
    with first, second:
        set_keepalive(first, 1000)
        assert first.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 0


@linux
async def test_an_accepted_connection_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(listeners, "set_keepalive", lambda _, after_ms: asked.append(after_ms))
    async with (
        BrokerServer(ServerOptions(port=0, idle_timeout_ms=7000)) as server,
        connect(f"amqp://127.0.0.1:{server.port}"),
    ):
        pass
    assert asked == [7000]
