"""Peers of CORE that send anything: nothing is raised, and the broker continues for others."""

from pathlib import Path
from typing import Any

from core_management import ManagedBroker
from core_peer import SESSION, Peer, head
from core_target import fuzz_core
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import PACKETS, PacketType, framed, write_packet
from lastvalue.compat.artemis.management.address_control import ADDRESS_OPERATIONS
from lastvalue.compat.artemis.management.broker_control import BROKER_OPERATIONS
from lastvalue.compat.artemis.management.queue_control import QUEUE_OPERATIONS
from lastvalue.frontends.core.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

EXAMPLES = example_count(20)

NAMES = st.sampled_from(
    ["", "q", "amq.topic", "activemq.management", "a::q", "q?x=1", "x" * 300, "\x00", "é€😀"]
)
NUMBERS = st.sampled_from([-(2**31), -1, 0, 1, 7, 2**31 - 1])
LONGS = st.sampled_from([-(2**63), -1, 0, 1, 2, 2**63 - 1])
XIDS = st.sampled_from([(1, b"g", b"b"), (-1, b"", b""), (2**31 - 1, b"x" * 300, b"y" * 300)])
BY_KIND: dict[str, st.SearchStrategy[Any]] = {
    "bool": st.booleans(),
    "byte": st.sampled_from([-128, -1, 0, 1, 127]),
    "int": NUMBERS,
    "long": LONGS,
    "bodysize": LONGS,
    "simple": NAMES,
    "string": NAMES,
    "binary": st.binary(max_size=30),
    "rest": st.binary(max_size=60) | st.just(head("q")),
    "message": st.binary(max_size=80) | st.builds(lambda body: b"\0\0\0\x0d" + head("q") + body, st.binary()),
    "xid": XIDS,
    "bytes": st.lists(st.sampled_from([-1, 0, 1, 5]), max_size=3),
    "simples": st.lists(NAMES, max_size=2),
    "xids": st.lists(XIDS, max_size=2),
}


def _said(kind: PacketType) -> st.SearchStrategy[bytes]:
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for field in kind.fields:
        name = field.kind.removeprefix("?")
        fields[field.name] = BY_KIND[name] if name == field.kind else st.none() | BY_KIND[name]
    channels = st.sampled_from([SESSION, SESSION, SESSION, 0, 1, 11, -1, 2**62])
    said = st.fixed_dictionaries(fields)
    return st.builds(lambda values, channel: write_packet(kind, channel, 136, values), said, channels)


PACKET = st.sampled_from(PACKETS).flatmap(_said)


OPERATIONS = [
    (resource, operation)
    for resource, operations in (
        ("broker", BROKER_OPERATIONS), ("queue.q", QUEUE_OPERATIONS), ("address.q", ADDRESS_OPERATIONS),
    )
    for operation in operations
]  # fmt: skip
ATOMS = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(
    ["", "q", "other", "ANYCAST", "a = 1", "²", "--5", "9" * 5000, "\ud800", '{"name":"q","ring-size":"²"}',
     '{"field":"name","operation":"EQUALS","value":1,"sortField":"id"}', '{"a":' * 50_000]
)  # fmt: skip
PARAMETERS = st.lists(ATOMS | st.lists(ATOMS, max_size=2) | st.dictionaries(st.text(), ATOMS), max_size=7)


def opened() -> Peer:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    return Peer(broker).open()


def is_alive(broker: Broker, shared: BrokerState) -> None:
    """Another peer is served as ever."""
    broker.declare(QueueSpec("others"))
    other = Peer(broker, shared=shared).open()
    other.send("alive", "others").expect(packets.NULL_RESPONSE)
    assert other.read("others").texts() == ["alive"]


@settings(max_examples=EXAMPLES)
@given(st.lists(PACKET, max_size=12))
def test_any_packets_in_any_order_are_answered_or_refused(said: list[bytes]) -> None:
    peer = opened()
    for packet in said:
        peer.raw(packet)
    peer.vanish()
    is_alive(peer.broker, peer.shared)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.sampled_from(OPERATIONS), PARAMETERS)
def test_any_parameters_of_management_are_answered(asked: tuple[str, str], parameters: list[Any]) -> None:
    managed = ManagedBroker()
    managed.declare("q")
    managed.publish("q", "1", "2")
    resource, operation = asked
    properties = {"_AMQ_ResourceName": resource, "_AMQ_OperationName": operation}
    succeeded, result = managed.asked(properties, tuple(parameters), NOBODY)
    assert succeeded or isinstance(result, str)


@settings(max_examples=EXAMPLES)
@given(st.binary(max_size=80), st.booleans(), st.booleans())
def test_any_bytes_close_the_connection_at_worst(data: bytes, greets: bool, opens: bool) -> None:
    broker = Broker()
    peer = Peer(broker)
    if opens:
        peer.open()
    elif greets:
        peer.begin()
    peer.raw(data).vanish()
    is_alive(broker, peer.shared)


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(PACKETS), st.binary(max_size=80))
def test_any_bytes_in_a_packet_close_the_connection_at_worst(kind: PacketType, data: bytes) -> None:
    peer = opened()
    peer.raw(framed(kind.code, SESSION, data)).vanish()
    is_alive(peer.broker, peer.shared)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.binary(max_size=300))
def test_nothing_is_held_when_clients_that_did_anything_are_gone(data: bytes) -> None:
    fuzz_core(data)


def test_the_seeds_of_fuzzing_do_no_harm() -> None:
    seeds = sorted((Path(__file__).parent / "seeds" / "core").iterdir())
    assert seeds
    for seed in seeds:
        fuzz_core(seed.read_bytes())


def test_a_packet_that_is_announced_takes_no_memory_before_there_is_a_session() -> None:
    broker = Broker()
    peer = Peer(broker).begin().raw(b"\x03\xff\xff\xff")
    assert peer.expect(packets.EXCEPTION, 1).text("text").startswith("a packet of 67108863 bytes")
    assert peer.conversation.finished
