"""lastvalue.server.listeners."""

import asyncio
import socket

import pytest
from waiting import until

from lastvalue.broker.broker import Broker
from lastvalue.config.server_options import ServerOptions
from lastvalue.config.tls_listener import TlsError
from lastvalue.server.authentication import policy_of
from lastvalue.server.clock import Clock
from lastvalue.server.limits import Limits, watermarks_of
from lastvalue.server.listeners import Listeners
from lastvalue.server.live_settings import LiveSettings
from lastvalue.server.offered_versions import amqp10_version
from lastvalue.server.open_connections import OpenConnections
from lastvalue.server.runtime import Runtime
from lastvalue.server.versions import Versions
from lastvalue.store.memory import MemoryJournal

AMQP_HEADER = b"AMQP\0\1\0\0"


def listeners_of(settings: LiveSettings, connections: OpenConnections) -> Listeners:
    listeners = Listeners(
        settings,
        policy_of(settings.options, None),
        lambda options: Versions(amqp10_version(options)),
        lambda options: {"amqp": amqp10_version(options)},
        connections,
    )
    settings.takers.append(listeners.take_settings)
    return listeners


def runtime() -> Runtime:
    broker, journal = Broker(), MemoryJournal()
    return Runtime(broker, journal, Clock(), Limits(broker, journal, watermarks_of(ServerOptions())))


async def test_a_peer_becomes_a_connection_from_the_start_on_and_not_before() -> None:
    connections = OpenConnections()
    listeners = listeners_of(LiveSettings(ServerOptions(port=0, core_port=0)), connections)
    listeners.open()
    assert listeners.ports == {}
    listeners.start(runtime())
    assert sorted(listeners.ports) == ["amqp", "tcp"]
    reader, writer = await asyncio.open_connection("127.0.0.1", listeners.ports["amqp"])
    writer.write(AMQP_HEADER)
    assert await reader.readexactly(len(AMQP_HEADER)) == AMQP_HEADER
    assert len(connections) == 1
    writer.close()
    await until(lambda: len(connections) == 0)
    listeners.close()
    await listeners.settle()


async def test_who_comes_when_it_is_closed_is_refused() -> None:
    listeners = listeners_of(LiveSettings(ServerOptions(port=0)), OpenConnections())
    listeners.open()
    listeners.start(runtime())
    listeners.close()
    listeners.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", listeners.ports["amqp"])


async def test_without_a_start_the_ports_are_free_after_a_close() -> None:
    listeners = listeners_of(LiveSettings(ServerOptions(port=0)), OpenConnections())
    listeners.open()
    (port,) = [listening.getsockname()[1] for listening in listeners._sockets.values()]
    listeners.close()
    with socket.create_server(("127.0.0.1", port)):
        pass


async def test_if_one_port_is_taken_none_is_listened_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.create_server(("127.0.0.1", 0)) as free:
        port, taken_port = free.getsockname()[1], taken.getsockname()[1]
        free.close()
        options = ServerOptions(port=port, core_port=taken_port)
        with pytest.raises(OSError, match="in use"):
            listeners_of(LiveSettings(options), OpenConnections()).open()
        with socket.create_server(("127.0.0.1", port)):
            pass


async def test_a_changed_limit_of_messages_counts_for_peers_that_come_later() -> None:
    offered: list[int] = []
    settings = LiveSettings(ServerOptions(port=0, max_message_size=1))

    def versions(options: ServerOptions) -> Versions:
        offered.append(options.max_message_size)
        return Versions(amqp10_version(options))

    listeners = Listeners(
        settings, policy_of(settings.options, None), versions, lambda _: {}, OpenConnections()
    )
    listeners.open()
    listeners.start(runtime())
    listeners.take_settings(settings.options, ServerOptions(port=0, max_message_size=2))
    assert offered == [1, 2]
    listeners.close()


async def test_a_certificate_that_cannot_be_used_is_an_error_before_a_port_is_taken(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    missing = tmp_path_factory.mktemp("tls") / "missing.pem"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ServerOptions(port=port, tls_certificate=missing, tls_port=0)
    with pytest.raises(TlsError):
        listeners_of(LiveSettings(options), OpenConnections()).open()
    with socket.create_server(("127.0.0.1", port)):
        pass
