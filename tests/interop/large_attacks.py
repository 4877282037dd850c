"""Messages as large as may be, sent and read as fast as a peer can; see `attacks`."""

import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Final

from attacked_broker import LARGEST_BYTES, MIB, World, discard, published, send_in_pieces
from core_peer import message
from pamqp import commands, frame
from raw_amqp010 import RawAmqp010
from raw_core import SESSION, VERSION, RawCore
from served_broker import HOST

from lastvalue.client import blocking
from lastvalue.codec.amqp10.performatives import Attach, Flow, Source, Target
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.codec.core import packets
from lastvalue.codec.core.jms_names import COMPRESSED, TEXT_TYPE
from lastvalue.codec.core.packets import write_packet
from lastvalue.codec.core.typed_properties import BOOLEAN, TypedProperties

_BURST: Final = 10
_PART_BYTES: Final = 100_000
_KEPT: Final[dict[str, Any]] = {"lvq_key": "k", "max_messages": 2, "when_full": "drop-oldest"}


def large_messages(world: World) -> None:
    """Large messages over AMQP 1.0, and whoever browses them."""
    body = b"\x00\x53\x75\xb0" + _size(world).to_bytes(4, "big") + bytes(_size(world))
    with _queue(world, "large") as queue, world.peer() as peer, ExitStack() as stack:
        peer.attach_sender(queue, "s", 0)
        reader = stack.enter_context(world.peer())
        browsed = Source(address=queue, distribution_mode=Symbol("copy"))
        reader.say(Attach(name="r", handle=0, role=True, source=browsed, target=Target()))
        credit = Flow(incoming_window=2**31 - 1, next_outgoing_id=0, outgoing_window=0)
        reader.say(replace(credit, next_incoming_id=0, handle=0, delivery_count=0, link_credit=2**31 - 1))
        discard(reader.socket, stack)
        number = 0
        while not world.over:
            send_in_pieces(peer, 0, number, body)
            number += 1


def large_contents(world: World) -> None:
    """Large messages over AMQP 0-9-1, each fetched and put back many times at once."""
    put_back = commands.Basic.Nack(delivery_tag=0, multiple=True, requeue=True)
    with _queue(world, "large-contents") as queue, world.legacy_peer() as peer, ExitStack() as stack:
        message = published(queue, bytes(_size(world)))
        fetched = frame.marshal(commands.Basic.Get(queue=queue), 1) + frame.marshal(put_back, 1)
        peer.send(message)
        reader = stack.enter_context(world.legacy_peer())
        discard(reader.socket, stack)
        while not world.over:
            peer.send(message)
            peer.call(commands.Queue.Declare(queue=queue, passive=True), commands.Queue.DeclareOk)
            reader.send(20 * fetched)


def large_transfers(world: World) -> None:
    """Large messages over AMQP 0-10, and who reads them."""
    with (
        _queue(world, "large-transfers") as queue,
        RawAmqp010(HOST, world.broker.port) as peer,
        ExitStack() as stack,
    ):
        reader = stack.enter_context(RawAmqp010(HOST, world.broker.port))
        reader.consume(queue)
        discard(reader.socket, stack)
        while not world.over:
            peer.publish_confirmed(queue, bytes(_size(world)))


def core_large_messages(world: World) -> None:
    """Large messages over CORE: texts of other than ASCII, and compressed ones; and who browses them.

    Of those that are compressed so well that they are small, many are sent at once.
    """
    characters = _size(world) // 2
    texts = ["a" * characters, "\u20ac" * characters, "\u00e9\U0001f600" * (characters // 3)]
    zeros: TypedProperties = {COMPRESSED: (BOOLEAN, True)}
    with _queue(world, "large-core") as queue, world.core_peer() as peer, ExitStack() as stack:
        reader = stack.enter_context(world.core_peer())
        reader.read(queue, browse=True)
        discard(reader.socket, stack)
        while not world.over:
            for text in texts:
                octets = text.encode("utf-16-le")
                _publish_core(peer, queue, b"\x01" + len(octets).to_bytes(4, "big") + octets, TEXT_TYPE, {})
            compressed = zlib.compress(bytes(_size(world)))
            _publish_core(peer, queue, compressed, 4, zeros)
            whole = message(compressed, queue, kind=4, properties=zeros)
            small = write_packet(packets.SEND, SESSION, VERSION, {"message": whole, "wants_response": True})
            peer.socket.sendall(_BURST * small)
            for _ in range(_BURST):
                peer.expect(packets.NULL_RESPONSE)


@contextmanager
def _queue(world: World, name: str) -> Iterator[str]:
    """A queue that is gone afterwards, so that its messages leave the memory to other attacks."""
    yield world.queue(name, **_KEPT)
    with blocking.connect(world.broker.url) as connection:
        connection.delete(name)


def _size(world: World) -> int:
    return min(LARGEST_BYTES - 1000, 200 * world.many)


def _publish_core(peer: RawCore, queue: str, body: bytes, kind: int, properties: TypedProperties) -> None:
    """Send a message in parts, and wait until it is taken."""
    peer.say(packets.SEND_LARGE, head=message(b"", queue, kind=kind, properties=properties)[4:])
    parts = [body[at : at + _PART_BYTES] for at in range(0, len(body), _PART_BYTES)]
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        peer.say(
            packets.SEND_CONTINUATION, body=part, continues=not last, size=len(body), wants_response=last
        )
    peer.expect(packets.NULL_RESPONSE)


LARGE_ATTACKS: Final[tuple[tuple[Callable[[World], None], int], ...]] = (
    (large_messages, 256 * MIB),
    (large_contents, 256 * MIB),
    (large_transfers, 256 * MIB),
    (core_large_messages, 256 * MIB),
)
"""See `attacks.ATTACKS`."""
