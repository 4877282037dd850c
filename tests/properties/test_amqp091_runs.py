"""A broker does the same with publishes of AMQP 0-9-1 that come together as with ones in pieces."""

from typing import Any

from amqp091_peer import Peer, vars_of
from hypothesis import given
from hypothesis import strategies as st
from pamqp import body, commands, frame, header

from lastvalue.broker.broker import Broker
from lastvalue.broker.resource_alarms import StoreFaultError
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.queues.spec_arguments import spec_from_arguments

QUEUES: dict[str, dict[str, Any]] = {
    "plain": {},
    "values": {"lvq_key": "key"},
    "newest": {"lvq_key": "key", "order_by": "number"},
    "kept": {"durable": True},
    "small": {"max_messages": 3, "when_full": "refuse"},
    "slow": {"flow_stop_messages": 3, "flow_resume_messages": 1},
    "once": {"duplicate_window": 10},
    "sorted": {"sort_key": "key"},
}
BINDINGS = (
    ("amq.topic", "plain", "#"),
    ("amq.topic", "kept", "kept"),
    ("amq.topic", "small", "small"),
    ("amq.direct", "values", "values"),
    ("amq.direct", "values", "plain"),
    ("amq.direct", "slow", "slow"),
    ("amq.direct", "once", "once"),
    ("amq.fanout", "kept", ""),
    ("amq.fanout", "plain", ""),
    ("amq.fanout", "values", ""),
    ("amq.fanout", "newest", ""),
    ("amq.direct", "values", "kept"),
    ("amq.direct", "plain", "kept"),
    ("fallback", "values", "values"),
)
EXCHANGES = ("amq.topic", "amq.direct", "amq.fanout", "fallback")
SETTINGS = ("at once", "confirms", "transaction", "confirms, disk full", "at once, memory short")

PUBLISH = st.tuples(
    st.sampled_from([*QUEUES, *QUEUES, "nowhere"]),
    st.sampled_from([*[""] * 8, *EXCHANGES * 3, "absent"]),
    st.sampled_from([*[False] * 7, True]),
    st.fixed_dictionaries(
        {},
        optional={
            "headers": st.fixed_dictionaries(
                {"key": st.sampled_from(["a", "b", 7]), "number": st.sampled_from([1, 2, 3, "none"])},
                optional={"_AMQ_DUPL_ID": st.sampled_from(["1", "2"])},
            ),
            "delivery_mode": st.sampled_from([1, 2]),
            "priority": st.integers(0, 9),
            "expiration": st.sampled_from([*["1000"] * 7, "soon"]),
        },
    ),
    st.binary(max_size=3),
)


@st.composite
def streams(draw: st.DrawFn) -> list[Any]:
    """Publishes, most of them to where the one before went, or with another key to the same exchange."""
    found: list[Any] = []
    for key, *rest in draw(st.lists(PUBLISH, min_size=1, max_size=4)):
        keys = st.one_of(st.just(key), st.sampled_from([*QUEUES]))
        found += [(other, *rest) for other in [key, *draw(st.lists(keys, max_size=5))]]
    return found


def octets(stream: list[Any]) -> bytes:
    said = b""
    for key, exchange, mandatory, properties, payload in stream:
        parts: list[Any] = [
            commands.Basic.Publish(exchange=exchange, routing_key=key, mandatory=mandatory),
            header.ContentHeader(body_size=len(payload), properties=commands.Basic.Properties(**properties)),
        ]
        parts += [body.ContentBody(payload)] if payload else []
        said += b"".join(frame.marshal(part, 1) for part in parts)
    return said


def outcome(setting: str, data: bytes, *, in_pieces: bool) -> tuple[list[Any], list[Any]]:
    """What the peer hears, and what is on the queues."""
    broker = Broker()
    for name, arguments in QUEUES.items():
        broker.declare(spec_from_arguments(name, arguments))
    broker.declare_exchange(ExchangeSpec("fallback", ExchangeType.DIRECT, alternate="amq.fanout"))
    for exchange, queue, key in BINDINGS:
        broker.bind(exchange, Binding(queue, key), NOBODY, 0)
    peer = Peer(broker).open()
    if "confirms" in setting:
        peer.say(commands.Confirm.Select())
    if "transaction" in setting:
        peer.say(commands.Tx.Select())
    if "disk full" in setting:
        broker.alarms.set_fault(StoreFaultError("the disk is full", full=True))
    if "memory short" in setting:
        broker.alarms.set_memory(True)
    for octet in data if in_pieces else ():
        peer.conversation.receive(bytes((octet,)), peer.now, peer.now)
    peer.raw(b"" if in_pieces else data)
    if "transaction" in setting:
        peer.say(commands.Tx.Commit())
    heard = [
        (channel, one.name, vars_of(one) or vars(one) if not isinstance(one, bytes) else one)
        for channel, one in peer.frames
    ]
    held = [
        (
            queue.spec.name,
            int(queue.published),
            int(queue.refused),
            [entry.message.encoded for entry in queue.entries()],
        )
        for queue in broker.queues()
    ]
    held += [
        (each.name, int(each.received), int(each.unrouted), [])
        for each in map(broker.exchanges.find, ("", *EXCHANGES))
    ]
    return heard, held


@given(st.sampled_from(SETTINGS), streams())
def test_a_broker_does_the_same_with_publishes_together_and_in_pieces(
    setting: str, stream: list[Any]
) -> None:
    data = octets(stream)
    assert outcome(setting, data, in_pieces=False) == outcome(setting, data, in_pieces=True)
