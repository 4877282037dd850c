"""What a hostile peer may try, as a table: each attack floods one entrance of a broker for a while.

An attack ends when the broker refuses it or closes its connection, and begins again until its time is over.
"""

import json
import socket
import ssl
import struct
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import cycle
from typing import Any, Final

from admission_attacks import ADMISSION_ATTACKS
from attacked_broker import (
    LARGEST_BYTES,
    MIB,
    PEER_FAULTS,
    PIECE_BYTES,
    World,
    discard,
    published,
    send_in_pieces,
)
from core_attacks import CORE_ATTACKS
from large_attacks import LARGE_ATTACKS
from mqtt_attacks import MQTT_ATTACKS
from pamqp import commands
from raw_amqp010 import RawAmqp010
from raw_peer import RawPeer
from reader_attacks import READER_ATTACKS
from served_broker import HOST
from turn_attacks import TURN_ATTACKS
from websockets.sync.client import connect as connect_web
from websockets.typing import Subprotocol

from lastvalue.client import blocking
from lastvalue.codec.amqp010.encoder import encode_list, encode_map
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    Accepted,
    Attach,
    Begin,
    Detach,
    Disposition,
    Flow,
    Open,
    Performative,
    Rejected,
    Released,
    Source,
    Target,
    Transfer,
    encode_performative,
)
from lastvalue.codec.amqp10.values import Described, Symbol
from lastvalue.codec.core import packets
from lastvalue.codec.core.jms_names import MAP_TYPE, STREAM_TYPE
from lastvalue.codec.core.typed_properties import INT, write_properties
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.selectors.tree_parser import MAX_TOKENS

_LINKS_OF_A_SESSION: Final = 1000
_SELECTOR: Final = Symbol("apache.org:selector-filter:string")


def _frames(*performatives: Performative) -> bytes:
    return b"".join(encode_frame(encode_performative(each), 0) for each in performatives)


def _reading(address: str, handle: int = 0, selector: str | None = None, browse: bool = False) -> Attach:
    chosen: dict[str, object] = {}
    if selector is not None:
        chosen[Symbol("s")] = Described(_SELECTOR, selector)
    source = Source(address=address, filter=chosen, distribution_mode=Symbol("copy") if browse else None)
    return Attach(name=f"l{handle}", handle=handle, role=True, source=source, target=Target())


def _credit(handle: int, credit: int) -> Flow:
    return Flow(
        next_incoming_id=0,
        incoming_window=1 << 30,
        next_outgoing_id=0,
        outgoing_window=1 << 30,
        handle=handle,
        delivery_count=0,
        link_credit=credit,
    )


# ---------------------------------------------------------------------- texts


def _attached(world: World, attaches: list[Attach]) -> None:
    """Attach and detach each in turn for ever, three times at once; unread answers would stop the broker."""
    at_once = 3
    with world.peer() as peer:
        for attach in cycle(attaches):
            if world.over:
                return
            peer.send(_frames(attach, Detach(handle=attach.handle, closed=True)) * at_once)
            for _ in range(at_once):
                peer.expect(Detach)


def addresses(world: World) -> None:
    """Addresses of 60 KB and of many signs."""
    texts = ("a" + " :" * 30_000, "a; {" + "k:1," * 500 + "}", "-" * 2000, "a?" + "b=c&" * 4000)
    _attached(world, [_reading(text) for text in texts])


def selectors(world: World) -> None:
    """Selectors with as many tokens as may be, and with more."""
    queue = world.queue("selected")
    terms = MAX_TOKENS // 4 - 1
    texts = (
        " OR ".join(["a=1"] * terms),
        "a IN (" + ",".join(map(str, range(2 * terms))) + ")",
        " OR ".join(f"a LIKE '%x_{number}%'" for number in range(terms)),
        "(" * 8000,
        "NOT " * 4000 + "a",
    )
    _attached(world, [_reading(queue, selector=text) for text in texts])


def patterns_of_like(world: World) -> None:
    """A pattern that nearly matches long texts, on a queue and on a binding."""
    queue = world.queue("liked")
    message = published(queue, b"", headers={"a": "a" * 60_000})
    with world.legacy_peer() as publisher, world.peer() as peer:
        peer.say(_reading(queue, selector=f"a LIKE '%{'a' * 120}b%'"))
        peer.expect(Attach)
        peer.say(_credit(0, 100))
        for _ in range(900):
            if not world.over:
                publisher.send(message)
        world.wait()
    with blocking.connect(world.broker.url) as connection:
        connection.delete(queue)


def patterns_of_topics(world: World) -> None:
    """Patterns with many wildcards, and routing keys with many words."""
    queue = world.queue("topics")
    with world.legacy_peer() as peer:
        for count in range(1, 60):
            peer.say(commands.Queue.Bind(queue=queue, exchange="amq.topic", routing_key="#.a." * count + "b"))
        with world.peer() as sender:
            sender.say(
                Attach(name="t", handle=0, role=False, source=Source(), target=Target(address="amq.topic"))
            )
            sender.expect(Flow)
            payload = encode_content(MessageContent(subject="a." * 10_000, body=b""))
            number = 0
            while not world.over and number < 900:
                tag = struct.pack(">I", number)
                transfer = Transfer(handle=0, delivery_id=number, delivery_tag=tag, settled=True)
                sender.say(transfer, payload)
                number += 1


# ---------------------------------------------------------------------- values


def maps(world: World) -> None:
    """Large and nested maps as application properties, arguments and bodies of requests."""
    queue = world.queue("mapped")
    wide = {f"k{number}": number for number in range(20_000)}
    deep: Any = 1
    for _ in range(30):
        deep = [deep] * 2 if not isinstance(deep, list) or len(str(deep)) < 20_000 else [deep]
    content = encode_content(MessageContent(application_properties=dict(list(wide.items())[:5000]), body=b""))
    with world.peer() as peer:
        peer.say(_reading(queue, 1, "k4999 = 1"))
        peer.say(_credit(1, 100))
        peer.attach_sender(queue)
        peer.expect(Flow)
        for number in range(900):
            if world.over:
                break
            tag = struct.pack(">I", number)
            peer.say(Transfer(handle=0, delivery_id=number, delivery_tag=tag, settled=True), content)
    while not world.over:
        _request(world, "CREATE", "wide", wide)
        _request(world, "CREATE", "deep", {"arguments": deep})


def structures(world: World) -> None:
    """Messages of very many sections and values, read over other protocols, searched, and as requests."""
    bounds: dict[str, Any] = {"max_messages": 4, "when_full": "drop-oldest"}
    queue, keyed = world.queue("structured", **bounds), world.queue("searched", lvq_key="zz", **bounds)
    numbers = {f"k{number}": number for number in range(50_000)}
    messages = [
        (0, b"\x00\x53\x76\xc0\x03\x01\x54\x01" * 60_000),
        (0, b"\x00\x53\x75\xa0\x01a" * 60_000),
        (0, encode_content(MessageContent(body=numbers))),
        (0, encode_content(MessageContent(body=[[None] * 400_000]))),
        (0, encode_content(MessageContent(body=[[]] * 12_000))),
        (0, encode_content(MessageContent(body=dict.fromkeys(list(numbers)[:7500], "")))),
        (0, encode_content(MessageContent(application_properties=numbers, body=b"x"))),
        (1, encode_content(MessageContent(application_properties={**numbers, "zz": 1}, body=b"x"))),
    ]
    with ExitStack() as stack:
        legacy, peer = stack.enter_context(world.legacy_peer()), stack.enter_context(world.peer())
        core = stack.enter_context(world.core_peer(pre_acknowledge=True))
        newer = stack.enter_context(RawAmqp010(HOST, world.broker.port))
        legacy.call(commands.Basic.Consume(queue=queue, no_ack=True), commands.Basic.ConsumeOk)
        core.read(queue)
        newer.consume(queue)
        for reader in (legacy, core, newer):
            discard(reader.socket, stack)
        _send_again_and_again(world, peer, (queue, keyed), messages)
    with suppress(*PEER_FAULTS):
        _request(world, "CREATE", "large", {f"k{number}": number for number in range(20 * world.many)})


def policy_bodies(world: World) -> None:
    """Bodies for a policy, and annotations where a queue changes messages, with very many values."""
    merged = world.queue("merged", lvq_key="k", conflation="merge")
    expiring = world.queue("given a time", default_ttl_ms=60_000, max_messages=10, when_full="drop-oldest")
    names = {f"k{number}": number for number in range(6000)}
    bodies: list[object] = [
        json.dumps({f"k{number}": [[]] * 50 for number in range(10_000)}),
        json.dumps(names),
        names,
        {"a": [[None] * 1_000_000]},
    ]
    messages = [
        (0, encode_content(MessageContent(application_properties={"k": "k"}, body=body))) for body in bodies
    ]
    for count in (14_000, 450_000):
        noted = MessageContent(message_annotations={"x-opt-many": [[None] * count]}, body=b"x")
        messages.append((1, encode_content(noted)))
    with world.peer() as peer, world.legacy_peer() as legacy, ExitStack() as stack:
        legacy.call(commands.Basic.Consume(queue=expiring, no_ack=True), commands.Basic.ConsumeOk)
        discard(legacy.socket, stack)
        _send_again_and_again(world, peer, (merged, expiring), messages)


def published_values(world: World) -> None:
    """Messages of AMQP 0-10 and CORE with as many values as may be, and with very many more."""
    queue = world.queue("published-values", max_messages=4, when_full="drop-oldest")
    many = {f"k{number}": number for number in range(6000)}
    maps = [encode_map(many), encode_map({f"{number:x}": None for number in range(400_000)})]
    lists = [encode_list([None] * 4_000_000), encode_list([[[]] * 400_000])]
    typed = [_typed(many), _typed({f"{number:x}": number for number in range(200_000)})]
    with RawAmqp010(HOST, world.broker.port) as newer, world.core_peer() as core:
        while not world.over:
            for content_type, bodies in (("amqp/map", maps), ("amqp/list", lists)):
                for body in bodies:
                    newer.publish(queue, body, content_type=content_type)
            newer.query_queue(queue)
            for kind, bodies in ((MAP_TYPE, typed), (STREAM_TYPE, [bytes(15_000), bytes(4_000_000)])):
                for body in bodies:
                    core.publish(queue, body, kind=kind)
            core.say(packets.QUEUE_QUERY, queue=queue)
            core.expect(packets.QUEUE_QUERIED)


def _typed(entries: dict[str, int]) -> bytes:
    """The body of a map message of CORE."""
    writer = CoreWriter()
    write_properties(writer, {name: (INT, number) for name, number in entries.items()})
    return writer.data()


def _send_again_and_again(
    world: World, peer: RawPeer, targets: tuple[str, ...], messages: list[tuple[int, bytes]]
) -> None:
    """Send messages, each to the target with its number, until the time is over."""
    for handle, target in enumerate(targets):
        peer.attach_sender(target, f"s{handle}", handle)
        peer.expect(Flow)
    for number, (handle, payload) in enumerate(cycle(messages)):
        if world.over:
            break
        send_in_pieces(peer, handle, number, payload)


def nested_tables(world: World) -> None:
    """Field tables in one another, as deep as a frame allows."""
    table = b""
    for _ in range(10_000):
        table = b"\x01aF" + struct.pack(">I", len(table)) + table
        if len(table) > 60_000:
            break
    method = struct.pack(">HHH", 50, 10, 0) + b"\x06nested\x00" + struct.pack(">I", len(table)) + table
    block = b"\x01\x00\x01" + struct.pack(">I", len(method)) + method + b"\xce"
    while not world.over:
        with world.legacy_peer() as peer, suppress(*PEER_FAULTS):
            peer.send(block)
            peer.expect(commands.Queue.DeclareOk)


def _request(world: World, operation: str, name: str, content: Any, kind: str = "queue") -> None:
    """A request to the management node."""
    payload = encode_content(
        MessageContent(
            reply_to="answers",
            application_properties={"operation": operation, "type": kind, "name": name},
            body=content,
        )
    )
    with world.peer() as peer:
        peer.attach_sender("$management", handle=0)
        peer.expect(Flow)
        peer.say(
            Attach(
                name="r",
                handle=1,
                role=True,
                source=Source(address="$management"),
                target=Target(address="answers"),
            )
        )
        peer.say(_credit(1, 10))
        pieces = [payload[at : at + PIECE_BYTES] for at in range(0, len(payload), PIECE_BYTES)] or [b""]
        for number, piece in enumerate(pieces):
            more = number < len(pieces) - 1
            peer.say(Transfer(handle=0, delivery_id=0, delivery_tag=b"t", more=more), piece)
        with suppress(*PEER_FAULTS):
            while not _is_answer(peer.next_performative()):
                pass


def _is_answer(said: Performative | None) -> bool:
    """Whether this is the answer to a request, its refusal, or the end of the connection."""
    refused = isinstance(said, Disposition) and isinstance(said.state, Rejected)
    return said is None or refused or isinstance(said, Transfer)


# ---------------------------------------------------------------------- many of a kind


def frames(world: World) -> None:
    """Frames that cost little to send: links, flows that ask for an answer, nothing at all."""
    queue = world.queue("framed")
    echo = Flow(next_incoming_id=0, incoming_window=1, next_outgoing_id=0, outgoing_window=1, echo=True)
    with world.peer() as peer:
        while not world.over:
            peer.send(_frames(*[_reading(queue, handle) for handle in range(400)]))
            peer.send(_frames(echo) * 2000)
            peer.send(encode_frame(b"", 0) * 8000)
            peer.send(_frames(*[Detach(handle=handle, closed=True) for handle in range(400)]))
            for _ in range(400):
                peer.expect(Detach)


def links(world: World) -> None:
    """Connections with many links that vanish."""
    queue = world.queue("linked")
    begin = Begin(next_outgoing_id=0, incoming_window=1 << 30, outgoing_window=1 << 30)
    while not world.over:
        with world.peer() as peer:
            for at in range(world.many // 10):
                session, handle = divmod(at, _LINKS_OF_A_SESSION)
                if session > 0 and handle == 0:
                    peer.send(encode_frame(encode_performative(begin), session))
                peer.send(encode_frame(encode_performative(_reading(queue, handle)), session))
            for _ in range(world.many // 10):
                peer.expect(Attach)


def lists(world: World) -> None:
    """Lists of all queues, exchanges and connections."""
    world.many_queues()
    while not world.over:
        _request(world, "QUERY", "", {})
        _request(world, "QUERY", "", {}, "org.apache.qpid.Exchange")


def console(world: World) -> None:
    """Queries of QMF for every object, many at once."""
    world.many_queues()
    with RawAmqp010(HOST, world.broker.port) as peer:
        peer.read("answers")
        while not world.over:
            for _ in range(5):
                peer.query("answers", {"_what": "OBJECT"})
            for _ in range(5):
                peer.expect_answer()


# ---------------------------------------------------------------------- many messages at once


def purges(world: World) -> None:
    """Purging, moving, deleting and deleting with the queue: many messages by one command."""
    for number in range(1000):
        if world.over:
            break
        queue = world.full_queue(f"purged-{number}")
        with blocking.connect(world.broker.url, timeout_s=60) as connection:
            connection.purge(queue, timeout_s=60)
            connection.delete(queue)
    queue = world.full_queue("moved")
    world.queue("mover")
    _request(world, "moveMessages", queue, {"destination": "mover", "selector": "a = 1"})
    _request(world, "moveMessages", queue, {"destination": "mover"})
    _request(world, "copyMessages", "mover", {"destination": queue})
    _request(world, "deleteMessages", "mover", {})
    with blocking.connect(world.broker.url, timeout_s=60) as connection:
        connection.delete(queue, timeout_s=60)
        connection.delete("mover")


def deletions(world: World) -> None:
    """A queue is deleted, and its messages go to its alternate."""
    world.queue("alternate")
    world.queue("deleted", alternate="alternate")
    queue = world.full_queue("deleted")
    with blocking.connect(world.broker.url, timeout_s=60) as connection:
        connection.delete(queue, timeout_s=60)
        connection.delete("alternate", timeout_s=60)


def expiries(world: World) -> None:
    """Many messages expire at one moment."""
    queue = world.queue("expiring")
    message = published(queue, b"x", expiration="50")
    with world.legacy_peer() as peer:
        while not world.over:
            for _ in range(world.many // 1000):
                peer.send(message * 100)
            peer.call(commands.Queue.Declare(queue=queue, passive=True), commands.Queue.DeclareOk)


def scans(world: World) -> None:
    """Selectors that match nothing, on a queue with many messages."""
    queue = world.full_queue("scanned")
    while not world.over:
        for browse in (True, False):
            with world.peer() as peer:
                peer.send(_frames(_reading(queue, selector="a = 1", browse=browse), _credit(0, 10)))
                peer.send(_frames(Flow(incoming_window=9, next_outgoing_id=0, outgoing_window=9, echo=True)))
                peer.expect(Attach)
    with blocking.connect(world.broker.url, timeout_s=60) as connection:
        connection.delete(queue, timeout_s=60)


def settlements(world: World) -> None:
    """As many deliveries as a session may have are released, and then accepted, by one disposition."""
    queue = world.full_queue("settled")
    count = min(world.many, 60_000)
    for state in (Released(), Accepted()):
        with world.peer() as peer:
            peer.send(_frames(_reading(queue), _credit(0, count)))
            for _ in range(count):
                peer.expect(Transfer)
            peer.say(Disposition(role=ROLE_RECEIVER, first=0, last=count - 1, settled=True, state=state))
            peer.say(Detach(handle=0, closed=True))
            peer.expect(Detach)
    with blocking.connect(world.broker.url, timeout_s=60) as connection:
        connection.delete(queue, timeout_s=60)


# ---------------------------------------------------------------------- what is never finished


def unfinished_contents(world: World) -> None:
    """Messages of AMQP 0-9-1 that are begun on many channels and never finished."""
    with world.legacy_peer() as peer:
        for channel in range(2, 40):
            peer.call(commands.Channel.Open(), commands.Channel.OpenOk, channel)
            peer.send(published("nowhere", bytes(world.piece_bytes), LARGEST_BYTES, channel))
        peer.call(commands.Queue.Declare(queue="unfinished"), commands.Queue.DeclareOk)
        world.wait()


def unfinished_transfers(world: World) -> None:
    """Messages of AMQP 1.0 that are begun on many links and never finished."""
    queue = world.queue("begun")
    with world.peer() as peer:
        for handle in range(38):
            peer.attach_sender(queue, f"s{handle}", handle)
        for handle in range(38):
            for _ in range(world.piece_bytes // PIECE_BYTES):
                tag = struct.pack(">I", handle)
                begun = Transfer(handle=handle, delivery_id=handle, delivery_tag=tag, settled=True, more=True)
                peer.say(begun, bytes(PIECE_BYTES))
        peer.attach_receiver(queue, "last", 60)
        world.wait()


def unfinished_commands(world: World) -> None:
    """Messages of AMQP 0-10 that are begun in many sessions and never finished."""
    queue = world.queue("unended")
    with RawAmqp010(HOST, world.broker.port, 38) as peer:
        for channel in range(1, 39):
            peer.begin_transfer(queue, bytes(world.piece_bytes), channel)
        world.wait()


def unfinished_transactions(world: World) -> None:
    """Transactions that are never committed."""
    queue = world.queue("uncommitted")
    with world.legacy_peer() as peer:
        for channel in range(2, 10):
            peer.call(commands.Channel.Open(), commands.Channel.OpenOk, channel)
            peer.call(commands.Tx.Select(), commands.Tx.SelectOk, channel)
            peer.send(published(queue, bytes(world.piece_bytes), None, channel) * 5)
        peer.call(commands.Queue.Declare(queue=queue, passive=True), commands.Queue.DeclareOk)
        world.wait()


# ---------------------------------------------------------------------- before anybody is known


def connections(world: World) -> None:
    """Connections that come and go."""
    while not world.over:
        with ExitStack() as stack:
            for _ in range(50):
                stack.enter_context(socket.create_connection((HOST, world.broker.port))).sendall(
                    b"AMQP\x03\x01\0\0"
                )


def passwords(world: World) -> None:
    """Wrong passwords of a user and of nobody, on many connections at once."""
    while not world.over:
        for name in (world.user[0], "nobody"):
            with ExitStack() as stack:
                for _ in range(10):
                    peer = stack.enter_context(RawPeer(HOST, world.broker.port))
                    with suppress(*PEER_FAULTS):
                        peer.open("PLAIN", f"\0{name}\0wrong".encode())


def silent_handshakes(world: World) -> None:
    """Peers that connect for TLS and say nothing, or half a greeting."""
    with ExitStack() as stack:
        for number in range(min(400, world.many // 50)):
            peer = stack.enter_context(socket.create_connection((HOST, world.tls_port)))
            with suppress(*PEER_FAULTS):
                peer.sendall(b"\x16\x03\x01\x02\x00\x01" if number % 2 else b"")
        world.wait()


def handshakes(world: World) -> None:
    """TLS handshakes that come and go."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    while not world.over:
        with suppress(*PEER_FAULTS), socket.create_connection((HOST, world.tls_port)) as peer:
            context.wrap_socket(peer).close()


def health(world: World) -> None:
    """Peers that ask for the health and never end their request."""
    with ExitStack() as stack:
        for _ in range(min(400, world.many // 50)):
            peer = stack.enter_context(socket.create_connection((HOST, world.health_port)))
            with suppress(*PEER_FAULTS):
                peer.sendall(b"GET /healthz HTTP/1.1\r\nx: ")
        world.wait()


def web_sockets(world: World) -> None:
    """WebSocket handshakes, and messages of 1 MiB full of frames."""
    flood = encode_frame(b"", 0) * 100_000
    while not world.over:
        with (
            suppress(Exception),
            connect_web(f"ws://{HOST}:{world.ws_port}", subprotocols=[Subprotocol("amqp")]) as socket_,
        ):
            socket_.send(b"AMQP\x00\x01\x00\x00" + _frames(Open(container_id="web")))
            socket_.recv(timeout=5)
            socket_.send(flood)
            socket_.recv(timeout=5)


_UNFINISHED: Final = 240 * MIB
"""Half of the memory limit, 143 MiB, and what the allocator does not give back at once."""
_UNCOMMITTED: Final = 320 * MIB
"""It keeps more of what was freed in between for the next messages; it does not become more."""

ATTACKS: Final[dict[str, tuple[Callable[[World], None], int]]] = {
    attack.__name__: (attack, allowed)
    for attack, allowed in (
        (addresses, 8 * MIB),
        (selectors, 16 * MIB),
        (patterns_of_like, 64 * MIB),
        (patterns_of_topics, 32 * MIB),
        (maps, 64 * MIB),
        (nested_tables, 16 * MIB),
        (structures, 128 * MIB),
        (published_values, 128 * MIB),
        (policy_bodies, 128 * MIB),
        (frames, 16 * MIB),
        (links, 64 * MIB),
        (lists, 128 * MIB),
        (console, 128 * MIB),
        (purges, 256 * MIB),
        (deletions, 256 * MIB),
        (expiries, 256 * MIB),
        (scans, 128 * MIB),
        (settlements, 128 * MIB),
        (unfinished_contents, _UNFINISHED),
        (unfinished_transfers, _UNFINISHED),
        (unfinished_commands, _UNFINISHED),
        (unfinished_transactions, _UNCOMMITTED),
        (connections, 16 * MIB),
        (passwords, 16 * MIB),
        (silent_handshakes, 64 * MIB),
        (handshakes, 32 * MIB),
        (health, 16 * MIB),
        (web_sockets, 32 * MIB),
        *ADMISSION_ATTACKS,
        *READER_ATTACKS,
        *CORE_ATTACKS,
        *LARGE_ATTACKS,
        *TURN_ATTACKS,
        *MQTT_ATTACKS,
    )
}
"""Each attack with the bytes by which the broker's memory may grow meanwhile."""
