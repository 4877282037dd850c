"""What a hostile peer may try over CORE; see `attacks`."""

import json
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from typing import Final

from attacked_broker import LARGEST_BYTES, MIB, PEER_FAULTS, World
from raw_core import SESSION, RawCore
from served_broker import HOST

from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import write_packet
from lastvalue.codec.core.typed_properties import INT, MOST_PROPERTIES, STRING, TypedProperties
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.protocols.core.connection import MAGIC
from lastvalue.selectors.tree_parser import MAX_TOKENS

_SESSIONS: Final = 38
_OPERATION: Final = ("_AMQ_ResourceName", "_AMQ_OperationName")


def core_unfinished_messages(world: World) -> None:
    """Large messages that are begun in many sessions and never finished, and large heads of them."""
    queue = world.queue("core-begun")
    with world.core_peer() as peer:
        for channel in range(SESSION + 1, SESSION + _SESSIONS):
            peer.create_session(channel)
            peer.begin_large(queue, bytes(world.piece_bytes), channel)
        peer.publish(queue, b"", properties=_properties(20_000))
        for channel in range(SESSION + 1, SESSION + _SESSIONS):
            peer.say(packets.SEND_LARGE, channel, head=bytes(min(MIB, world.piece_bytes)))
        world.wait()


def core_unfinished_packets(world: World) -> None:
    """Packets that are announced and never end, before and after a session."""
    with ExitStack() as stack:
        for size in (15_000, LARGEST_BYTES):
            for _ in range(20):
                peer = stack.enter_context(RawCore(HOST, world.broker.port))
                if size > MIB:
                    peer.create_session()
                with suppress(*PEER_FAULTS):
                    peer.send(size.to_bytes(4, "big") + bytes((packets.SEND.code,)))
                    peer.send(bytes(min(size - 1000, 5 * world.piece_bytes)))
        world.wait()


def core_transactions(world: World) -> None:
    """Transactions that are never committed."""
    queue = world.queue("core-uncommitted")
    with world.core_peer() as peer:
        for channel in range(SESSION + 1, SESSION + 9):
            peer.create_session(channel, auto_commit_sends=False, auto_commit_acks=False)
            for _ in range(5):
                peer.publish(queue, bytes(world.piece_bytes), channel)
        world.wait()


def core_sessions(world: World) -> None:
    """Connections with many sessions and consumers that vanish; the sessions wait for their client."""
    queue = world.queue("core-read")
    while not world.over:
        with RawCore(HOST, world.broker.port) as peer:
            peer.create_session(window=1000)
            for channel in range(SESSION + 1, SESSION + min(1900, world.many // 10)):
                peer.send(peer.session_request(channel, window=1000))
                peer.expect(packets.SESSION_CREATED)
            peer.send(b"".join(_consumer(number, queue) for number in range(world.many // 10)))
            for _ in range(world.many // 10):
                peer.expect(packets.QUEUE_QUERIED)


def _consumer(number: int, queue: str, filter_text: str | None = None) -> bytes:
    values = {"consumer": number, "queue": queue, "filter": filter_text, "wants_response": True}
    return write_packet(packets.CREATE_CONSUMER, SESSION, packets.NEWEST_VERSION, values)


def core_filters(world: World) -> None:
    """Filters with as many tokens as may be, and with more."""
    queue = world.queue("core-filtered")
    terms = MAX_TOKENS // 4 - 1
    texts = (" OR ".join(["a=1"] * terms), "(" * 8000, "NOT " * 4000 + "a", "a = '" + "x" * 15_000 + "'")
    while not world.over:
        with world.core_peer() as peer:
            for number, text in enumerate(texts * 4):
                peer.send(_consumer(number, queue, text))
                with suppress(AssertionError):
                    peer.expect(packets.QUEUE_QUERIED)


def core_properties(world: World) -> None:
    """Messages with as many properties as may be, with more, and with long names."""
    queue = world.queue("core-properties", lvq_key="k", max_messages=10, when_full="drop-oldest")
    names = count()
    with world.core_peer() as peer:
        while not world.over:
            peer.publish(queue, b"", properties=_properties(MOST_PROPERTIES - 1000))
            peer.publish(queue, b"", properties=_properties(20_000))
            peer.publish(queue, b"", properties=_properties(60_000))
            peer.publish(queue, b"", properties={f"{next(names)}" + "x" * 200_000: (INT, 1)})
            peer.say(packets.QUEUE_QUERY, queue=queue)
            peer.expect(packets.QUEUE_QUERIED)


def _properties(count: int) -> TypedProperties:
    return {f"property{number}": (INT, number) for number in range(count)}


def core_frames(world: World) -> None:
    """Packets that cost little to send."""
    queue = world.queue("core-framed")
    ping = write_packet(packets.PING, 0, packets.NEWEST_VERSION, {"ttl_ms": 2**63 - 1})
    query = write_packet(packets.QUEUE_QUERY, SESSION, packets.NEWEST_VERSION, {"queue": queue})
    asked = [
        write_packet(
            packets.REQUEST_CREDIT, SESSION, packets.NEWEST_VERSION, {"credits": 1, "address": f"a{it}"}
        )
        for it in range(2000)
    ]
    with world.core_peer() as peer:
        while not world.over:
            peer.send(ping * 2000 + query * 500 + b"".join(asked))
            for _ in range(2000):
                peer.expect(packets.PRODUCER_CREDIT)


def core_management(world: World) -> None:
    """Lists of everything by messages to the address for management, and parameters that are no JSON."""
    world.many_queues()
    answers = world.queue("core-answers")
    with world.core_peer(min_large_message_size=2**31 - 1) as peer:
        peer.read(answers)
        requests: tuple[tuple[str, list[object]], ...] = (
            ("listQueues", ["", -1, -1]),
            ("listAddresses", [json.dumps({"sortField": "name", "sortOrder": "desc"}), 1, 50]),
            ("getQueueNames", []),
            ("listConsumers", ["", 1, 1000]),
        )
        while not world.over:
            for operation, parameters in requests:
                _ask(peer, operation, json.dumps(parameters), answers)
                peer.expect(packets.RECEIVE)
            for text in ("[" * 200_000, "[" + "9" * 5000 + "]", "[" + "1," * 600_000 + "1]"):
                _ask(peer, "listQueues", text, answers)
                peer.expect(packets.RECEIVE)


def _ask(peer: RawCore, operation: str, parameters: str, reply_to: str) -> None:
    body = CoreWriter()
    body.nullable_simple_string(parameters)
    properties: TypedProperties = dict(
        zip(_OPERATION, ((STRING, "broker"), (STRING, operation)), strict=True)
    )
    properties["JMSReplyTo"] = (STRING, f"queue://{reply_to}")
    peer.publish("activemq.management", body.data(), kind=0, properties=properties)


def core_passwords(world: World) -> None:
    """Wrong passwords on many connections, and connections that come and go."""
    while not world.over:
        with ExitStack() as stack:
            for _ in range(20):
                peer = stack.enter_context(RawCore(HOST, world.broker.port))
                peer.send(peer.session_request(username=world.user[0], password="wrong") * 3)
            for _ in range(20):
                stack.enter_context(socket.create_connection((HOST, world.broker.port))).sendall(MAGIC)


_UNFINISHED: Final = 240 * MIB
CORE_ATTACKS: Final[tuple[tuple[Callable[[World], None], int], ...]] = (
    (core_unfinished_messages, _UNFINISHED),
    (core_unfinished_packets, _UNFINISHED),
    (core_transactions, _UNFINISHED),
    (core_sessions, 160 * MIB),
    (core_filters, 32 * MIB),
    (core_properties, 64 * MIB),
    (core_frames, 32 * MIB),
    (core_management, 128 * MIB),
    (core_passwords, 16 * MIB),
)
"""See `attacks.ATTACKS`."""
