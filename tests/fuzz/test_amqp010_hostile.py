"""Peers of AMQP 0-10 that send anything: nothing is raised, and the broker continues for others."""

from amqp010_peer import Peer
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp010.command_layouts import (
    COMMANDS,
    CONTROLS,
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_REPLY_TO,
)
from lastvalue.codec.amqp010.encoder import encode_map
from lastvalue.codec.amqp010.frames import BODY, HEADER, PROTOCOL_HEADER
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.qmf.schema_class import PACKAGE, Method
from lastvalue.codec.amqp10.values import Array, Value
from lastvalue.compat.qpid.qmf.agent import Agent
from lastvalue.compat.qpid.qmf.schema import CLASSES
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

EXAMPLES = example_count(20)

ODD_VALUES: list[Value] = [
    Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": "q"}), Array("struct32"), Array("binary", [b"x"]),
    Array("array", [Array("string", ["a"])]), {"a": {"b": [1, None]}}, 2**63, -(2**63), "\x00", b"",
    float("inf"),
]  # fmt: skip
NAMES = st.sampled_from(["", "q", "amq.topic", "qmf.default.direct", "qpid.management", "broker", "x" * 255])
BY_TYPE: dict[str, st.SearchStrategy[Value]] = {
    "bit": st.booleans(),
    "uint8": st.integers(0, 255),
    "uint16": st.integers(0, 2**16 - 1),
    "uint32": st.integers(0, 2**32 - 1),
    "uint64": st.integers(0, 2**64 - 1),
    "sequence-no": st.integers(0, 2**32 - 1),
    "str8": NAMES,
    "str16": NAMES,
    "vbin16": st.binary(max_size=8),
    "vbin32": st.binary(max_size=8),
    "map": st.dictionaries(st.sampled_from(["x-match", "qpid.max_count", "a"]), st.sampled_from(ODD_VALUES)),
    "array": st.just(Array("string")),
    "sequence-set": st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)), max_size=3),
    "struct:message.reply-to": st.just(Record(MESSAGE_REPLY_TO, {"exchange": "x"})),
}


def _fields(name: str) -> st.SearchStrategy[tuple[str, dict[str, Value]]]:
    layout = next(each for table in (COMMANDS, CONTROLS) for each in table.values() if each.name == name)
    known = {field: BY_TYPE[kind] for field, kind in layout.fields if kind in BY_TYPE}
    return st.fixed_dictionaries({}, optional=known).map(lambda values: (name, values))


COMMAND = st.sampled_from(sorted(each.name for each in COMMANDS.values())).flatmap(_fields)
SESSION = [each.name for each in CONTROLS.values() if each.name.startswith("session.")]
CONTROL = st.sampled_from(sorted(SESSION)).flatmap(_fields)


def _broker_state() -> BrokerState:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    broker_state = BrokerState(broker)
    Agent(broker_state, "0", 0)
    return broker_state


def _is_alive(broker_state: BrokerState) -> None:
    """Another peer is served as ever."""
    other = Peer(broker_state, opens=False)
    other.open(b"other")
    # The queue that there was may have been deleted.
    broker_state.broker.declare(QueueSpec("others"))
    other.send("others", b"alive")
    other.subscribe("others", acquire_mode=1)
    assert other.bodies()[-1:] == [b"alive"]


@settings(max_examples=EXAMPLES)
@given(st.lists(COMMAND | CONTROL, max_size=12))
def test_any_commands_in_any_order_are_answered_or_refused(asked: list[tuple[str, dict[str, Value]]]) -> None:
    broker_state = _broker_state()
    peer = Peer(broker_state)
    for name, fields in asked:
        if name.startswith("session."):
            peer.control(name, 1, **fields)
        else:
            peer.do(name, **fields)
    peer.conversation.lost(peer.now, peer.now)
    _is_alive(broker_state)


@settings(max_examples=EXAMPLES)
@given(st.binary(max_size=80), st.binary(max_size=40), NAMES)
def test_any_bytes_for_a_message_are_taken_or_refused(header: bytes, body: bytes, exchange: str) -> None:
    broker_state = _broker_state()
    peer = Peer(broker_state)
    peer.exchange(
        peer.command_bytes("message.transfer", (HEADER, header), (BODY, body), destination=exchange)
    )
    peer.conversation.lost(peer.now, peer.now)
    _is_alive(broker_state)


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(ODD_VALUES), st.sampled_from(["amqp/map", "amqp/list", "text/plain", ""]), st.binary())
def test_any_header_of_a_message_is_taken_or_refused(value: Value, content_type: str, body: bytes) -> None:
    broker_state = _broker_state()
    peer = Peer(broker_state)
    properties = {"application_headers": {"k": value, "qmf.opcode": value}, "content_type": content_type}
    peer.send("q", body, properties=properties)
    if not peer.failures:
        reply = Record(MESSAGE_REPLY_TO, {"exchange": "amq.direct", "routing_key": "me"})
        peer.send("broker", body, exchange="qmf.default.direct", properties={**properties, "reply_to": reply})
        old = b"AM2" + body
        peer.send("broker", old, exchange="qpid.management", properties={"reply_to": reply})
        peer.subscribe("q")
        peer.take()
    peer.conversation.lost(peer.now, peer.now)
    _is_alive(broker_state)


METHODS = [(kind.name, method) for kind in CLASSES for method in kind.methods]
OBJECTS = {"broker": "broker:amqp-broker", "queue": "queue:q", "connection": "connection:amqp-0-10:1"}
ARGUMENT = st.sampled_from([*ODD_VALUES, "q", "queue", "exchange", "binding", "q/q", 1, True, [1], {"a": 1}])


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(METHODS), st.data())
def test_any_arguments_of_a_method_are_taken_or_refused(
    called: tuple[str, Method], data: st.DataObject
) -> None:
    broker_state = _broker_state()
    peer = Peer(broker_state)
    kind, method = called
    arguments = {each.name: data.draw(ARGUMENT) for _, each in method.arguments}
    body = {
        "_object_id": {"_object_name": f"{PACKAGE}:{OBJECTS.get(kind, kind)}"},
        "_method_name": method.name,
        "_arguments": arguments,
    }
    reply = Record(MESSAGE_REPLY_TO, {"exchange": "amq.direct", "routing_key": "me"})
    headers = {"qmf.opcode": "_method_request"}
    properties = {"application_headers": headers, "content_type": "amqp/map", "reply_to": reply}
    peer.send("broker", encode_map(body), exchange="qmf.default.direct", properties=properties)
    peer.conversation.lost(peer.now, peer.now)
    _is_alive(broker_state)


@settings(max_examples=EXAMPLES)
@given(st.binary(max_size=60), st.booleans(), st.booleans())
def test_any_bytes_close_the_connection_at_worst(data: bytes, greets: bool, opens: bool) -> None:
    broker_state = _broker_state()
    peer = Peer(broker_state, opens=opens)
    if greets and not opens:
        peer.conversation.receive(PROTOCOL_HEADER, peer.now, peer.now)
    peer.conversation.receive(data, peer.now, peer.now)
    peer.conversation.data_to_send()
    peer.conversation.lost(peer.now, peer.now)
    _is_alive(broker_state)


@settings(max_examples=EXAMPLES)
@given(st.data())
def test_a_command_with_some_other_bytes_is_no_harm(data: st.DataObject) -> None:
    broker_state = _broker_state()
    peer = Peer(broker_state)
    name, fields = data.draw(COMMAND)
    encoded = bytearray(peer.command_bytes(name, **fields))
    for _ in range(data.draw(st.integers(1, 3))):
        encoded[data.draw(st.integers(12, len(encoded) - 1))] = data.draw(st.integers(0, 255))
    peer.conversation.receive(bytes(encoded), peer.now, peer.now)
    peer.conversation.data_to_send()
    peer.conversation.lost(peer.now, peer.now)
    _is_alive(broker_state)
