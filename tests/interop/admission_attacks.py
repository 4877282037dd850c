"""Attacks on the doors, of peers that have not logged in or log in very often."""

import http.client
import socket
import ssl
import zlib
from base64 import b64encode
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from itertools import cycle
from typing import Final

from attacked_broker import MIB, PEER_FAULTS, World
from core_peer import message
from served_broker import HOST

from lastvalue.client import Message, blocking
from lastvalue.codec.core import packets
from lastvalue.codec.core.typed_properties import BOOLEAN

_UPGRADE: Final = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: amqp\r\n"
)
_ELSEWHERE: Final = "127.0.0.2"
_BEGUN_FRAME: Final = b"\x82\xff" + (1 << 20).to_bytes(8, "big") + bytes(4)


def unknown_web_sockets(world: World) -> None:
    """200 WebSockets whose peers do not log in, each with a message of 1 MiB that does not end."""
    with ExitStack() as stack:
        for _ in range(200):
            peer = stack.enter_context(socket.create_connection((HOST, world.ws_port), timeout=60))
            with suppress(*PEER_FAULTS):
                peer.sendall(_UPGRADE + b"\r\n")
                peer.recv(1 << 12)
                peer.sendall(_BEGUN_FRAME + bytes(1 << 18))
        world.wait()


def long_heads(world: World) -> None:
    """Requests for WebSockets whose heads are long and do not end."""
    with ExitStack() as stack:
        for _ in range(200):
            peer = stack.enter_context(socket.create_connection((HOST, world.ws_port), timeout=60))
            with suppress(*PEER_FAULTS):
                peer.sendall(_UPGRADE + (b"X-A: " + b"x" * 8000 + b"\r\n") * 100)
        world.wait()


def long_logins(world: World) -> None:
    """Logins of every protocol with as long a token as may be, of which the end does not come."""
    sasl = (16 * 1024).to_bytes(4, "big") + b"\x02\x01\0\0" + bytes(16_000)
    starts = (
        b"AMQP\x03\x01\0\0" + sasl,
        b"AMQP\0\0\x09\x01" + b"\x01\0\0" + (16_000).to_bytes(4, "big") + bytes(15_000),
        b"AMQP\x01\x01\0\x0a" + b"\x0e\0" + (16_000).to_bytes(2, "big") + bytes(15_000),
        b"ARTEMIS" + (20_000).to_bytes(4, "big") + bytes(19_000),
    )
    with ExitStack() as stack:
        for number in range(200):
            peer = stack.enter_context(socket.create_connection((HOST, world.broker.port), timeout=60))
            with suppress(*PEER_FAULTS):
                peer.sendall(starts[number % len(starts)])
        world.wait()


def compressed_bodies(world: World) -> None:
    """Bodies over CORE that become 8 MiB, or are many blocks that become nothing."""
    # Unbounded, they would fill the memory, and the alarm would hold every producer back, as it should.
    queue = world.queue("compressed", max_messages=4, when_full="drop-oldest")
    bodies = (
        zlib.compress(bytes(8 * MIB - 100)),
        b"\x78\x9c" + b"\x00\x00\x00\xff\xff" * 100_000,
        zlib.compress(bytes(range(256)) * 16_000, 0),
    )
    compressed = {"_AMQ_LARGE_COMPRESSED": (BOOLEAN, True)}
    with world.core_peer() as peer:
        while not world.over:
            for body in bodies:
                whole = message(body, queue, kind=4, properties=compressed)
                peer.say(packets.SEND, message=whole, wants_response=False)


def unknown_connections(world: World) -> None:
    """1,000 peers of another address, over TCP and WebSocket, that do not log in and begin a frame."""
    sasl = (16 * 1024).to_bytes(4, "big") + b"\x02\x01\0\0" + bytes(15_000)
    doors = (
        (world.broker.port, b"AMQP\x03\x01\0\0" + sasl),
        (world.ws_port, _UPGRADE + b"\r\n" + b"\x82\xfe\x3f\x00" + bytes(15_000)),
    )
    with ExitStack() as stack:
        for number in range(1000):
            port, said = doors[number % len(doors)]
            peer = socket.create_connection((HOST, port), timeout=60, source_address=(_ELSEWHERE, 0))
            stack.enter_context(peer)
            with suppress(*PEER_FAULTS):
                peer.sendall(said)
        world.wait()


def _unverified() -> ssl.SSLContext:
    """TLS to the gateway, which shows the broker's certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def large_bodies(world: World) -> None:
    """Bodies over HTTP of nearly 16 MiB, of callers whom nobody knows."""
    wrong = "Basic " + b64encode(b"nobody:wrong").decode()
    for path in ("/session", "/queues/q/messages"):
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost:{world.http_port}\r\nAuthorization: {wrong}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {16 * MIB - 1}\r\n\r\n"
        )
        with (
            socket.create_connection((HOST, world.http_port), timeout=60) as plain,
            _unverified().wrap_socket(plain) as peer,
        ):
            with suppress(*PEER_FAULTS):
                peer.sendall(head.encode() + b'"' + bytes(16 * MIB - 2))
            with suppress(*PEER_FAULTS):
                peer.recv(1 << 12)


def large_pages(world: World) -> None:
    """Pages over HTTP of values of 1 MiB."""
    queue = world.queue("large-values", lvq_key="key")
    with blocking.connect(world.broker.url, timeout_s=60) as connection:
        for number in range(40):
            connection.queue(queue).send(Message(bytes(MIB), {"key": str(number)}))
    _ask(world, f"/queues/{queue}/keys?limit=1000")


def histories(world: World) -> None:
    """The past of a queue over HTTP: all that it held at a moment, and all values of a key."""
    queue = world.queue("past", lvq_key="key", history="past.history")
    with blocking.connect(world.broker.url, timeout_s=60) as connection:
        values = (Message(number, {"key": f"k{number % 100}"}) for number in range(world.many // 10))
        connection.queue(queue).send_many(values)
    _ask(world, f"/queues/{queue}/as-of?limit=1000", f"/queues/{queue}/timeline?key=k1")


def http_followers(world: World) -> None:
    """Followers over HTTP that come, get all values, and go."""
    queue = world.queue("followed", lvq_key="key")
    with blocking.connect(world.broker.url, timeout_s=60) as connection:
        values = (Message(number, {"key": f"k{number}"}) for number in range(world.many // 10))
        connection.queue(queue).send_many(values)
    _ask(world, f"/queues/{queue}/follow", end=b"event: snapshot-end")


def _ask(world: World, *paths: str, end: bytes = b"") -> None:
    """Ask for each in turn, and read what is answered, or up to this end, until the attack's time is over."""
    for path in cycle(paths):
        if world.over:
            return
        asking = http.client.HTTPSConnection(HOST, world.http_port, timeout=60, context=_unverified())
        with closing(asking):
            asking.request("GET", path)
            answer = asking.getresponse()
            assert answer.status == http.client.OK, path
            last = b""
            while (part := answer.read1(1 << 16)) and not (end and end in last + part):
                last = part[-len(end) :]
            # What a follower is sent later is read by nobody.
            answer.close()


HTTP_ATTACKS: Final[tuple[tuple[Callable[[World], None], int], ...]] = (
    (large_bodies, 16 * MIB),
    (large_pages, 192 * MIB),
    (histories, 64 * MIB),
    (http_followers, 64 * MIB),
)
"""Those on the gateway, which is a process of its own."""

ADMISSION_ATTACKS: Final[tuple[tuple[Callable[[World], None], int], ...]] = (
    (unknown_web_sockets, 32 * MIB),
    (long_heads, 16 * MIB),
    (long_logins, 16 * MIB),
    (compressed_bodies, 192 * MIB),
    (unknown_connections, 32 * MIB),
    *HTTP_ATTACKS,
)
