"""lastvalue.http.broker_connections."""

import pytest
from waiting import until

from lastvalue.broker.broker import Broker
from lastvalue.broker.turn_time import IsSpent
from lastvalue.client import Connection, Message
from lastvalue.client.errors import AuthenticationError, ConnectFailedError
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.http import broker_connections
from lastvalue.http.broker_connections import WINDOW, BrokerConnections
from lastvalue.http.caller import ANONYMOUS, Caller
from lastvalue.http.found_page import find_page
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.problems import Problem
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import EntryRun
from lastvalue.server.broker_server import BrokerServer


async def test_a_caller_s_requests_share_a_connection(server: BrokerServer, url: str) -> None:
    connections = BrokerConnections(GatewaySettings(url=url))
    async with connections.use(ANONYMOUS) as one, connections.use(ANONYMOUS) as other:
        assert one is other
    async with connections.use(ANONYMOUS) as again:
        assert again is one
    assert server.connections == 1
    await connections.close()
    await until(lambda: server.connections == 0)


async def test_a_connection_that_was_lost_is_made_again(server: BrokerServer, url: str) -> None:
    connections = BrokerConnections(GatewaySettings(url=url))
    async with connections.use(ANONYMOUS) as first:
        await first.close()
    async with connections.use(ANONYMOUS) as second:
        assert second.is_open
        assert server.connections == 1
    await connections.close()


async def test_a_large_page_is_served_in_small_pieces_between_which_others_have_their_turn(
    url: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = await connection.declare("many", lvq_key="key")
    await queue.send_many([Message(number, {"key": str(number)}) for number in range(1000)])
    pieces: list[int] = [0]
    pump, deliver, deliver_more = Broker.pump, LinkConsumer.deliver, LinkConsumer.deliver_more

    def counted_pump(self: Broker, now: int, is_spent: IsSpent | None) -> None:
        pieces.append(0)
        pump(self, now, is_spent)

    def counted(self: LinkConsumer, entry: Entry, now: int) -> None:
        pieces[-1] += 1
        deliver(self, entry, now)

    def counted_more(self: LinkConsumer, run: EntryRun, now: int) -> None:
        pieces[-1] += len(run.entries)
        deliver_more(self, run, now)

    monkeypatch.setattr(Broker, "pump", counted_pump)
    monkeypatch.setattr(LinkConsumer, "deliver", counted)
    monkeypatch.setattr(LinkConsumer, "deliver_more", counted_more)
    connections = BrokerConnections(GatewaySettings(url=url))
    async with connections.use(ANONYMOUS) as broker:
        many = broker.queue("many")
        page = await find_page(many, await many.info(), None, 1000, None)
    await connections.close()
    assert len(page.messages) == 1000
    assert max(pieces) <= WINDOW


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
