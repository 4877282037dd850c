"""What a hostile peer may try with very many readers of one queue, each of which costs; see `attacks`."""

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from itertools import count
from typing import Any, Final

from attacked_broker import MIB, World, discard, published, send_in_pieces
from pamqp import commands
from raw_peer import RawPeer

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import (
    Attach,
    Flow,
    Performative,
    Source,
    Target,
    encode_performative,
)
from lastvalue.codec.amqp10.values import Described, Symbol

_SELECTOR: Final = Symbol("apache.org:selector-filter:string")
_WATCH: Final = Symbol("lastvalue:watch:map")


def watching_policies(world: World) -> None:
    """Every update is made a value for each of very many readers."""
    body = json.dumps({f"k{number}": number for number in range(7000)})
    _read_one_message(world, "policies", world.many // 100, _watching({"policy": "merge"}), body)


def watching_bursts(world: World) -> None:
    """Very many small updates that come at once, of which each of very many readers has values made."""
    queue = world.queue("read bursts", lvq_key="k")
    burst = b"".join(published(queue, b'{"a":1}', headers={"k": f"k{number % 50}"}) for number in range(250))
    with ExitStack() as stack:
        _begin_readers(world, stack, queue, world.many // 200, _watching({"policy": "merge"}))
        with world.legacy_peer() as sender:
            while not world.over:
                sender.send(burst)
                sender.call(commands.Queue.Declare(queue=queue, passive=True), commands.Queue.DeclareOk)


def watching_changes(world: World) -> None:
    """Every value is compared with what each of very many readers has."""
    body = {f"k{number}": number for number in range(6000)}
    _read_one_message(world, "changes", world.many // 100, _watching({"unchanged": "body"}), body)


def costly_selectors(world: World) -> None:
    """Every message is compared with a costly selector of each of very many readers."""
    text = " AND ".join(["NOT a LIKE '%a_b_c_d%e'"] * 60) + " AND a = 'b'"
    selector = {str(_SELECTOR): Described(_SELECTOR, text)}
    _read_one_message(world, "costly", world.many // 1000, selector, b"x", a="abcd" * 4000)


def converting_readers(world: World) -> None:
    """A message of very many small values is converted for each of very many readers of another protocol."""
    queue = world.queue("converted", lvq_key="k")
    payload = encode_content(
        MessageContent(application_properties={"k": 1}, body=[[None] * 1000 for _ in range(14)])
    )
    with ExitStack() as stack:
        core = stack.enter_context(world.core_peer(pre_acknowledge=True))
        legacy = stack.enter_context(world.legacy_peer())
        for number in range(world.many // 400):
            core.read(queue, number, browse=True)
            tag = f"c{number}"
            legacy.call(
                commands.Basic.Consume(
                    queue=queue, no_ack=True, consumer_tag=tag, arguments={"x-filter-no-consume": True}
                ),
                commands.Basic.ConsumeOk,
            )
        discard(core.socket, stack)
        discard(legacy.socket, stack)
        with world.peer() as sender:
            _send_until_over(world, sender, queue, payload)


def _watching(asked: dict[str, Any]) -> dict[str, object]:
    return {_WATCH: Described(_WATCH, asked)}


def _read_one_message(
    world: World, name: str, readers: int, chosen: Mapping[Any, object], body: object, **properties: object
) -> None:
    """Let very many readers of a queue look at a message that comes again and again."""
    queue = world.queue(f"read {name}", lvq_key="k")
    payload = encode_content(MessageContent(application_properties={"k": 1, **properties}, body=body))
    with ExitStack() as stack:
        _begin_readers(world, stack, queue, readers, chosen)
        with world.peer() as sender:
            _send_until_over(world, sender, queue, payload)


def _begin_readers(
    world: World, stack: ExitStack, queue: str, readers: int, chosen: Mapping[Any, object]
) -> None:
    """Have this many readers of a queue, as long as the stack lasts."""
    peer = stack.enter_context(world.peer())
    for handle in range(readers):
        source = Source(address=queue, filter=dict(chosen), distribution_mode=Symbol("copy"))
        attach = Attach(name=f"r{handle}", handle=handle, role=True, source=source, target=Target())
        peer.send(_frame(attach) + _frame(_credit(handle)))
        peer.expect(Attach)
    discard(peer.socket, stack)


def _credit(handle: int) -> Flow:
    return Flow(
        next_incoming_id=0, incoming_window=1 << 30, next_outgoing_id=0, outgoing_window=1 << 30,
        handle=handle, delivery_count=0, link_credit=1 << 30,
    )  # fmt: skip


def _frame(performative: Performative) -> bytes:
    return encode_frame(encode_performative(performative), 0)


def _send_until_over(world: World, sender: RawPeer, queue: str, payload: bytes) -> None:
    """Send a message again when it is confirmed, until the attack's time is over."""
    sender.attach_sender(queue)
    sender.expect(Flow)
    for number in count():
        if world.over:
            return
        send_in_pieces(sender, 0, number, payload)


READER_ATTACKS: Final[tuple[tuple[Callable[[World], None], int], ...]] = (
    (watching_policies, 128 * MIB),
    (watching_bursts, 128 * MIB),
    (watching_changes, 240 * MIB),
    (costly_selectors, 64 * MIB),
    (converting_readers, 128 * MIB),
)
"""See `attacks.ATTACKS`."""
