"""lastvalue.server.listener: accepting connections, also where descriptors are short."""

import asyncio
import errno
import socket
import ssl
from itertools import count
from pathlib import Path

import pytest
import trustme
from logged_events import logged
from waiting import until

from lastvalue.config.server_options import ServerOptions
from lastvalue.server.broker_server import BrokerServer
from lastvalue.server.connection_log import PeerAddress
from lastvalue.server.listener import Listener, listen


class Taken:
    """The peers that a listener accepted."""

    def __init__(self) -> None:
        self.peers: list[socket.socket] = []
        self.addresses: list[PeerAddress] = []

    def take(self, peer: socket.socket, address: PeerAddress) -> None:
        self.peers.append(peer)
        self.addresses.append(address)

    def close(self) -> None:
        for peer in self.peers:
            peer.close()


class ShortSocket(socket.socket):
    """A socket whose process has no descriptor left for some of the accepts."""

    failing: list[int]

    def accept(self) -> tuple[socket.socket, object]:
        if self.failing:
            raise OSError(self.failing.pop(), "Too many open files")
        return super().accept()


async def test_a_round_accepts_for_a_time_and_the_next_one_goes_on() -> None:
    rounds, seconds = [0], count()
    taken = Taken()

    def clock_s() -> float:
        rounds[0] += 1
        return float(next(seconds))

    listener = Listener(made := listening(), taken.take, clock_s)
    peers = [socket.create_connection(made.getsockname()) for _ in range(5)]
    await until(lambda: len(taken.peers) == len(peers))
    # Each round asked when it began, and before its second peer.
    assert rounds[0] >= 2 * len(peers) - 1
    listener.close()
    taken.close()
    for peer in peers:
        peer.close()


def listening(*failing: int) -> ShortSocket:
    made = ShortSocket(socket.AF_INET, socket.SOCK_STREAM)
    made.failing = list(failing)
    made.bind(("127.0.0.1", 0))
    made.listen(100)
    return made


async def test_peers_are_accepted_with_their_address_until_the_listener_is_closed() -> None:
    taken, door = Taken(), listening()
    listener = Listener(door, taken.take)
    port = door.getsockname()[1]
    # More than are accepted in one round.
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
    await until(lambda: len(taken.peers) == 40)
    assert {address.host for address in taken.addresses} == {"127.0.0.1"}
    assert {address.port for address in taken.addresses} == {each.getsockname()[1] for each in clients}
    assert all(peer.gettimeout() == 0 for peer in taken.peers)
    listener.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    for client in clients:
        client.close()
    taken.close()


@pytest.mark.parametrize(
    ("host", "reached", "told"),
    [
        ("::1", "::1", "::1"),
        ("::", "::1", "::1"),
        # The socket has the address ::ffff:127.0.0.1.
        ("::", "127.0.0.1", "127.0.0.1"),
        ("localhost", "127.0.0.1", "127.0.0.1"),
    ],
)
async def test_peers_come_over_ipv6_and_all_addresses_are_those_of_ipv4_too(
    host: str, reached: str, told: str
) -> None:
    taken, door = Taken(), listen(ServerOptions(host=host, port=0), 0)
    listener = Listener(door, taken.take)
    client = socket.create_connection((reached, door.getsockname()[1]))
    await until(lambda: len(taken.peers) == 1)
    assert taken.addresses[0].host == told
    listener.close()
    client.close()
    taken.close()


async def test_what_is_written_to_a_peer_does_not_wait_for_its_acknowledgements() -> None:
    taken, door = Taken(), listen(ServerOptions(host="127.0.0.1"), 0)
    listener = Listener(door, taken.take)
    client = socket.create_connection(door.getsockname()[:2])
    await until(lambda: len(taken.peers) == 1)
    assert taken.peers[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
    listener.close()
    client.close()
    taken.close()


async def test_without_a_descriptor_a_peer_is_dropped_and_the_next_ones_are_accepted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    taken, door = Taken(), listening(errno.EMFILE)
    listener = Listener(door, taken.take)
    first, second = (socket.create_connection(door.getsockname()) for _ in range(2))
    await until(lambda: len(taken.peers) == 1)
    assert first.recv(1) == b""
    assert logged(caplog) == [("server.out_of_descriptors", {"cause": "Too many open files"})]
    listener.close()
    first.close()
    second.close()
    taken.close()


async def test_where_not_even_the_spare_descriptor_helps_the_listener_pauses() -> None:
    taken, door = Taken(), listening(errno.ENFILE, errno.ENFILE)
    listener = Listener(door, taken.take)
    client = await asyncio.to_thread(socket.create_connection, door.getsockname())
    await until(lambda: len(taken.peers) == 1)
    assert not door.failing
    listener.close()
    client.close()
    taken.close()


AMQP_HEADER = b"AMQP\0\1\0\0"
MQTT_CONNECT = b"\x10\x0c\0\4MQTT\4\2\0\0\0\0"
MQTT_CONNACK = b"\x20\2\0\0"


@pytest.mark.parametrize(("opening", "answer"), [(AMQP_HEADER, AMQP_HEADER), (MQTT_CONNECT, MQTT_CONNACK)])
async def test_the_ports_of_mqtt_clients_take_every_protocol_with_tls_or_without(
    tmp_path: Path, opening: bytes, answer: bytes
) -> None:
    authority = trustme.CA()
    files = tmp_path / "certificate.pem"
    certificate = authority.issue_cert("127.0.0.1")
    certificate.private_key_and_cert_chain_pem.write_to_path(str(files))
    contexts: list[ssl.SSLContext] = []
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        contexts.append(ssl.create_default_context())
        contexts[-1].minimum_version = contexts[-1].maximum_version = version
        authority.configure_trust(contexts[-1])
    options = ServerOptions(port=0, tls_port=0, mqtt_port=0, mqtt_tls_port=0, tls_certificate=files)
    async with BrokerServer(options) as server, asyncio.timeout(60):
        ports = {server.port, server.tls_port, server.mqtt_port, server.mqtt_tls_port}
        assert len(ports - {0}) == 4
        tls_port = server.mqtt_tls_port
        for port, encryption in ((server.mqtt_port, None), *((tls_port, each) for each in contexts)):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=encryption)
            writer.write(opening)
            assert await reader.readexactly(len(answer)) == answer
            writer.close()
