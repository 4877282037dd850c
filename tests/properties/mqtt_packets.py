"""Packets of MQTT, as hypothesis makes them."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    Auth,
    Connect,
    Disconnect,
    Packet,
    Ping,
    Publish,
    SubAck,
    Subscribe,
    Subscription,
    Unsubscribe,
    Will,
)
from lastvalue.codec.mqtt.properties import NONE, PROPERTY_TYPES, WILL, Form, Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ALLOWED, ReasonCode

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
TOPICS = st.sampled_from(["a", "a/b", "/", "$SYS/x", "é/😀", "a/b/c"]) | TEXTS.filter(
    lambda text: text != "" and "+" not in text and "#" not in text
)
FILTERS = st.sampled_from(["a", "a/+", "#", "$share/g/a/#", "", "a#", "+/b", "$share/g"]) | TEXTS
NUMBERS = st.integers(1, 0xFFFF)
QOS = st.integers(0, 2)
OCTETS = st.binary(max_size=8)
_SINGLE = {
    Form.UINT16: st.integers(1, 0xFFFF),
    Form.UINT32: st.integers(1, 0xFFFFFFFF),
    Form.VARIABLE: st.integers(1, 268_435_455),
    Form.BINARY: OCTETS,
    Form.TEXT: TEXTS,
    Form.BYTE: st.integers(0, 1),
}


def properties(packet: int, level: int) -> st.SearchStrategy[Properties]:
    """Any that a packet of this type may have."""
    if level < LEVEL_5:
        return st.just(NONE)
    many = packet == PacketType.PUBLISH
    single: dict[Any, st.SearchStrategy[Any]] = {
        identifier: _SINGLE[kind.form]
        for identifier, kind in PROPERTY_TYPES.items()
        if packet in kind.packets
        and kind.form is not Form.PAIR
        and not (many and identifier == PropertyId.SUBSCRIPTION_IDENTIFIER)
    }
    pairs = st.lists(st.tuples(TEXTS, TEXTS), max_size=2)
    identifiers = st.lists(_SINGLE[Form.VARIABLE], max_size=2) if many else st.just([])
    if PropertyId.RESPONSE_TOPIC in single:
        single[PropertyId.RESPONSE_TOPIC] = TOPICS
    values = st.fixed_dictionaries({}, optional=single)
    return st.builds(Properties, values, pairs, identifiers)


def _publish(level: int) -> st.SearchStrategy[Packet]:
    def made(topic: str, payload: bytes, qos: int, number: int, retain: bool, with_: Properties) -> Publish:
        publish = Publish(topic, payload, qos, number if qos else 0, with_)
        publish.retain = retain
        return publish

    with_ = properties(PacketType.PUBLISH, level)
    return st.builds(made, TOPICS, OCTETS, QOS, NUMBERS, st.booleans(), with_)


def _connect(level: int) -> st.SearchStrategy[Packet]:
    user = TEXTS if level < LEVEL_5 else st.none() | TEXTS
    wills = st.none() | st.builds(Will, TOPICS, OCTETS, QOS, st.booleans(), properties(WILL, level))
    of_packet = properties(PacketType.CONNECT, level)
    client_id = st.text("abc", min_size=1, max_size=23)
    secrets = st.none() | OCTETS
    return st.builds(
        Connect, st.just(level), client_id, st.booleans(), NUMBERS, user, secrets, wills, of_packet
    )


def _with_reason(kind: PacketType, made: Any, level: int, *before: Any) -> st.SearchStrategy[Packet]:
    allowed = sorted(ALLOWED[kind]) if level >= LEVEL_5 else [0]
    reasons = st.sampled_from([ReasonCode(code) for code in allowed])
    return st.builds(made, *before, reasons, properties(kind, level))


@cache
def packets(level: int) -> st.SearchStrategy[Packet]:
    """Any packet of a level but CONNACK, of which earlier levels keep less than it has."""
    is_new = level >= LEVEL_5
    options = st.booleans() if is_new else st.just(False)
    handling = st.integers(0, 2 if is_new else 0)
    subscription = st.builds(Subscription, FILTERS, QOS, options, options, handling).filter(
        lambda each: not (each.no_local and each.topic_filter.startswith("$share/"))
    )
    subscriptions = st.lists(subscription, min_size=1, max_size=3).map(tuple)
    filters = st.lists(FILTERS, min_size=1, max_size=3).map(tuple)
    acks = [PacketType.PUBACK, PacketType.PUBREC, PacketType.PUBREL, PacketType.PUBCOMP]
    granted = st.lists(st.sampled_from([ReasonCode(code) for code in (0, 1, 2, 0x80)]), max_size=3).map(tuple)
    said = [
        _publish(level),
        *(_with_reason(kind, Ack, level, st.just(kind), NUMBERS) for kind in acks),
        st.builds(Subscribe, NUMBERS, subscriptions, properties(PacketType.SUBSCRIBE, level)),
        st.builds(Unsubscribe, NUMBERS, filters, properties(PacketType.UNSUBSCRIBE, level)),
        st.builds(SubAck, st.just(PacketType.SUBACK), NUMBERS, granted, properties(PacketType.SUBACK, level)),
        st.builds(Ping, st.sampled_from([PacketType.PINGREQ, PacketType.PINGRESP])),
        _with_reason(PacketType.DISCONNECT, Disconnect, level),
        _connect(level),
    ]
    if is_new:
        said.append(_with_reason(PacketType.AUTH, Auth, level))
    return st.one_of(said)
