"""What a hostile peer may try with small messages, each of which costs much in a turn; see `attacks`."""

import json
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import count, islice
from typing import Any, Final

from attacked_broker import MIB, World, discard, discard_all, published
from legacy_peer import LegacyPeer
from pamqp import commands, frame, header
from raw_peer import RawPeer

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import (
    Attach,
    Flow,
    Performative,
    Source,
    Target,
    Transfer,
    encode_performative,
)
from lastvalue.codec.amqp10.values import Described, Symbol

_WATCH: Final = Symbol("lastvalue:watch:map")
_AT_ONCE: Final = 200
_FITTING: Final[tuple[dict[str, Any], ...]] = (
    {"glob": "*"},
    {"prefix": "k"},
    {"glob": "*k*", "removals": True},
)


def globs(world: World) -> None:
    """Globs of stars are matched with keys that they nearly match, at the beginning and at each update."""
    queue = world.queue("globbed", lvq_key="k")
    keys = [f"{'a' * 60}{number}" for number in range(world.many // 100)]
    with ExitStack() as stack:
        peer, sender = stack.enter_context(world.peer()), stack.enter_context(world.peer())
        for handle in range(min(200, world.many // 20)):
            _watch(peer, queue, handle, {"glob": "*a" * 40 + "*b"})
        discard(peer.socket, stack)
        _send(world, sender, queue, (_keyed(key, b"x") for key in _again(keys)))


def fitting_patterns(world: World) -> None:
    """Very many keys change at once, and all fit the patterns of very many readers of one connection."""
    queue = world.queue("fitting", lvq_key="k")
    with ExitStack() as stack:
        peer = stack.enter_context(world.peer())
        for handle in range(_crowd(world)):
            _watch(peer, queue, handle, _FITTING[handle % len(_FITTING)])
        discard(peer.socket, stack)
        _change_keys(world, queue)


def fitting_crowds(world: World) -> None:
    """Very many keys change at once, and all fit the patterns of the readers of very many connections."""
    queue = world.queue("crowded", lvq_key="k")
    with ExitStack() as stack:
        peers = [stack.enter_context(world.peer()) for _ in range(_crowd(world))]
        for number, peer in enumerate(peers):
            _watch(peer, queue, 0, _FITTING[number % len(_FITTING)])
        discard_all([peer.socket for peer in peers], stack)
        _change_keys(world, queue)


def named_keys(world: World) -> None:
    """A few keys change again and again, which very many readers name."""
    queue = world.queue("named", lvq_key="k")
    with ExitStack() as stack:
        peer = stack.enter_context(world.peer())
        for handle in range(_crowd(world)):
            _watch(peer, queue, handle, {"keys": [f"k{number}" for number in range(20)]})
        discard(peer.socket, stack)
        _change_keys(world, queue, 20)


def small_updates(world: World) -> None:
    """Small updates, each of which a policy of very many readers makes a value of."""
    queue = world.queue("counted", lvq_key="k")
    with ExitStack() as stack:
        peer = stack.enter_context(world.peer())
        for handle in range(_crowd(world)):
            _watch(peer, queue, handle, {"policy": "count"})
        discard(peer.socket, stack)
        _change_keys(world, queue)


def _crowd(world: World) -> int:
    return min(500, world.many // 20)


def _change_keys(world: World, queue: str, keys: int | None = None) -> None:
    """Publish as many values as fit into the input at once, of many keys, until the attack's time is over."""
    message = [
        published(queue, b"5", headers={"k": f"k{number}"}) for number in range(keys or world.many // 10)
    ]
    burst = b"".join(message * (10 * _AT_ONCE // len(message) or 1))
    with world.legacy_peer() as publisher:
        while not world.over:
            publisher.send(burst)
            publisher.call(commands.Queue.Declare(queue=queue, passive=True), commands.Queue.DeclareOk)


def unlike_numbers(world: World) -> None:
    """Numbers that no double can have, and JSON without end, for readers that compare values."""
    queue = world.queue("unlike", lvq_key="k")
    bodies = ['{"a":1.5}', '{"a":1' + "0" * 400 + "}", '{"a":' * 950 + "1" + "}" * 950]
    with ExitStack() as stack:
        peer, sender = stack.enter_context(world.peer()), stack.enter_context(world.peer())
        for handle in range(min(50, world.many // 40)):
            _watch(peer, queue, handle, {"dead_band": {"a": 1}, "delta": True})
        discard(peer.socket, stack)
        _send(world, sender, queue, (_keyed("k", body) for body in _again(bodies)))


def nested_updates(world: World) -> None:
    """JSON that is nested deeply, for policies that read it."""
    merged = world.queue("nested merge", lvq_key="k", conflation="merge")
    listed = world.queue("nested list", lvq_key="k", conflation="list(3)")
    deep = [json.dumps({"a": 1}), '{"a":' * 950 + "1" + "}" * 950, '{"a":' + "[" * 3000 + "]" * 3000 + "}"]
    for queue in (merged, listed):
        with world.peer() as sender:
            _send(world, sender, queue, islice((_keyed("k", body) for body in _again(deep)), 30 * _AT_ONCE))


def header_bindings(world: World) -> None:
    """Very many bindings of a headers exchange, and messages of very many headers."""
    queue = world.queue("headed")
    with world.legacy_peer() as peer:
        for number in range(min(1500, world.many // 10)):
            conditions: dict[str, Any] = {"x-match": "all", "h0": 0, f"h{number % 190 + 5}": -number - 1}
            bind = commands.Queue.Bind(
                queue=queue, exchange="amq.match", routing_key=str(number), arguments=conditions
            )
            peer.call(bind, commands.Queue.BindOk)
        headers = {f"h{number}": number for number in range(200)}
        _publish(world, peer, _message("amq.match", "", headers=headers))


def topic_patterns(world: World) -> None:
    """As many patterns with many wildcards as a user may have, and keys of very many words."""
    queue = world.queue("patterned")
    with world.legacy_peer() as peer:
        for number in range(38):
            words = ["ab"[number >> place & 1] for place in range(7)]
            key = f"#.{'.#.'.join(words)}.#.z{number}"
            bind = commands.Queue.Bind(queue=queue, exchange="amq.topic", routing_key=key)
            peer.call(bind, commands.Queue.BindOk)
        _publish(world, peer, _message("amq.topic", ".".join(["a", "b"] * 63)))


def fan_outs(world: World) -> None:
    """Small messages, each of which reaches very many queues."""
    with world.legacy_peer() as peer:
        _bind_many(world, peer)
        _publish(world, peer, _message("amq.fanout", ""))


def wide_commits(world: World) -> None:
    """Transactions whose messages each reach very many queues."""
    with world.legacy_peer() as peer:
        _bind_many(world, peer)
        peer.call(commands.Tx.Select(), commands.Tx.SelectOk)
        while not world.over:
            peer.send(_message("amq.fanout", "") * _AT_ONCE)
            # It is refused, and so the channel closed.
            peer.call(commands.Tx.Commit(), commands.Tx.CommitOk)


def _bind_many(world: World, peer: LegacyPeer) -> None:
    """Bind very many queues, each of which keeps one message."""
    for number in range(min(1500, world.many // 10)):
        name = f"fanned-{number}"
        arguments: dict[str, Any] = {"x-max-length": 1, "x-overflow": "drop-head"}
        peer.call(commands.Queue.Declare(queue=name, arguments=arguments), commands.Queue.DeclareOk)
        peer.call(commands.Queue.Bind(queue=name, exchange="amq.fanout"), commands.Queue.BindOk)


def _watch(peer: RawPeer, queue: str, handle: int, asked: dict[str, Any]) -> None:
    chosen: dict[str, object] = {_WATCH: Described(_WATCH, asked)}
    source = Source(address=queue, filter=chosen, distribution_mode=Symbol("copy"))
    attach = Attach(name=f"r{handle}", handle=handle, role=True, source=source, target=Target())
    credit = Flow(
        next_incoming_id=0, incoming_window=1 << 30, next_outgoing_id=0, outgoing_window=1 << 30,
        handle=handle, delivery_count=0, link_credit=1 << 30,
    )  # fmt: skip
    peer.send(_frame(attach) + _frame(credit))
    peer.expect(Attach)


def _frame(performative: Performative, payload: bytes = b"") -> bytes:
    return encode_frame(encode_performative(performative), 0, payload=payload)


def _keyed(key: str, body: object) -> bytes:
    return encode_content(MessageContent(application_properties={"k": key}, body=body))


def _again(values: list[Any]) -> Iterable[Any]:
    return (values[number % len(values)] for number in count())


def _send(world: World, sender: RawPeer, queue: str, payloads: Iterable[bytes]) -> None:
    """Send messages that nobody confirms, until the attack's time is over."""
    sender.attach_sender(queue)
    sender.expect(Flow)
    for number, payload in enumerate(payloads):
        if world.over or number == 2000 - _AT_ONCE:
            # So many messages there is credit for.
            return
        transfer = Transfer(handle=0, delivery_id=number, delivery_tag=b"t", message_format=0, settled=True)
        sender.send(_frame(transfer, payload))


def _message(exchange: str, key: str, **properties: Any) -> bytes:
    head = header.ContentHeader(0, 0)
    head.properties = commands.Basic.Properties(**properties)
    opening = frame.marshal(commands.Basic.Publish(exchange=exchange, routing_key=key), 1)
    return opening + frame.marshal(head, 1)


def _publish(world: World, peer: LegacyPeer, message: bytes) -> None:
    """Publish a message again and again, until the attack's time is over."""
    while not world.over:
        peer.send(message * _AT_ONCE)
        peer.call(commands.Channel.Flow(active=True), commands.Channel.FlowOk)


TURN_ATTACKS: Final[tuple[tuple[Callable[[World], None], int], ...]] = (
    (globs, 64 * MIB),
    (fitting_patterns, 64 * MIB),
    (fitting_crowds, 240 * MIB),
    (named_keys, 64 * MIB),
    (small_updates, 128 * MIB),
    (unlike_numbers, 64 * MIB),
    (nested_updates, 32 * MIB),
    (header_bindings, 64 * MIB),
    (topic_patterns, 64 * MIB),
    (fan_outs, 64 * MIB),
    (wide_commits, 128 * MIB),
)
