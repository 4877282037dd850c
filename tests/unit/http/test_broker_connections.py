"""lastvalue.http.broker_connections."""

import pytest

from lastvalue.client.errors import AuthenticationError, ConnectFailedError
from lastvalue.http import broker_connections
from lastvalue.http.broker_connections import BrokerConnections
from lastvalue.http.caller import ANONYMOUS, Caller
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.problems import Problem
from lastvalue.server.broker_server import BrokerServer


async def test_a_caller_s_requests_share_a_connection(server: BrokerServer, url: str) -> None:
    connections = BrokerConnections(GatewaySettings(url=url))
    async with connections.use(ANONYMOUS) as one, connections.use(ANONYMOUS) as other:
        assert one is other
    async with connections.use(ANONYMOUS) as again:
        assert again is one
    assert server.connections == 1
    await connections.close()
    assert server.connections == 0


async def test_a_connection_that_was_lost_is_made_again(server: BrokerServer, url: str) -> None:
    connections = BrokerConnections(GatewaySettings(url=url))
    async with connections.use(ANONYMOUS) as first:
        await first.close()
    async with connections.use(ANONYMOUS) as second:
        assert second.is_open
        assert server.connections == 1
    await connections.close()


async def test_a_broker_that_comes_later_is_found() -> None:
    connections = BrokerConnections(GatewaySettings(url="amqp://127.0.0.1:1"))
    for _ in range(2):
        with pytest.raises(ConnectFailedError):
            async with connections.use(ANONYMOUS):
                pass


async def test_connections_that_nobody_uses_make_room_for_other_callers(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_connections, "MOST_CALLERS", 1)
    connections = BrokerConnections(GatewaySettings(url=url))
    stranger = Caller("ann", "a")
    async with connections.use(ANONYMOUS) as connection:
        with pytest.raises(Problem, match="too many callers"):
            async with connections.use(stranger):
                pass
    monkeypatch.setattr(broker_connections, "IDLE_S", 0.0)
    with pytest.raises(AuthenticationError):
        async with connections.use(stranger):
            pass
    assert not connection.is_open
    await connections.close()
