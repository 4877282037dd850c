"""A packet of MQTT comes back as it was sent, however its bytes are divided, and no bytes do harm."""

from itertools import pairwise
from typing import Final

import pytest
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st
from mqtt_engine_peer import EnginePeer
from mqtt_packets import packets

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packets import Acks, Connect, Packet, Publish
from lastvalue.protocols.mqtt.connection import Connection
from lastvalue.protocols.mqtt.options import Options
from lastvalue.protocols.sasl import Authenticator

EXAMPLES: Final = example_count(60)
LEVELS = st.sampled_from([3, 4, 5])
LEVEL_AND_PACKETS = LEVELS.flatmap(
    lambda level: st.tuples(st.just(level), st.lists(packets(level), max_size=6))
)


COMPARED: Final[dict[type[Packet | Acks], tuple[str, ...]]] = {
    Publish: ("topic", "payload", "qos", "packet_id", "retain", "duplicate", "properties"),
    Acks: ("packet_type", "first", "last", "reason"),
}


def fields(packet: Packet | Acks) -> object:
    """What packets are compared by."""
    names = COMPARED.get(type(packet))
    return packet if names is None else tuple(getattr(packet, name) for name in names)


def decoded(octets: bytes, level: int) -> list[object]:
    reader = FrameReader(1 << 28)
    reader.feed(octets)
    heard = []
    while reader.next():
        packet = decode_packet(reader.first, reader.data, reader.start, reader.end, level)
        heard.append(fields(packet))
    assert reader.waiting_bytes == 0
    return heard


@settings(max_examples=EXAMPLES)
@given(LEVEL_AND_PACKETS)
def test_what_is_encoded_is_decoded_as_it_was(said: tuple[int, list[Packet]]) -> None:
    level, several = said
    octets = b"".join(encode_packet(packet, level) for packet in several)
    assert decoded(octets, level) == [fields(packet) for packet in several]


@settings(max_examples=EXAMPLES)
@given(st.binary(max_size=60), st.integers(0, 255), LEVELS)
def test_any_bytes_are_a_packet_that_is_encoded_alike_or_an_error(
    body: bytes, first: int, level: int
) -> None:
    try:
        packet = decode_packet(first, body, 0, len(body), level)
    except MqttError:
        return
    again = encode_packet(packet, level)
    assert decoded(again, level) == [fields(packet)]


def opened(level: int) -> EnginePeer:
    return EnginePeer(level).open()


@settings(max_examples=EXAMPLES)
@given(LEVEL_AND_PACKETS, st.binary(max_size=6), st.lists(st.integers(0, 400), max_size=8))
def test_how_bytes_are_divided_changes_nothing(
    said: tuple[int, list[Packet]], rest: bytes, cuts: list[int]
) -> None:
    level, several = said
    octets = b"".join(encode_packet(packet, level) for packet in several) + rest
    whole, divided = opened(level), opened(level)
    whole.raw(octets)
    places = [0, *sorted(min(cut, len(octets)) for cut in cuts), len(octets)]
    for start, end in pairwise(places):
        divided.raw(octets[start:end])
    assert heard_by(divided) == heard_by(whole)


def heard_by(peer: EnginePeer) -> object:
    events = [fields(event) for event in peer.engine.events()]
    return (events, peer.engine.data_to_send(), peer.engine.finished, peer.engine.end_cause)


@settings(max_examples=EXAMPLES)
@given(st.lists(st.binary(max_size=40), max_size=6), st.booleans())
def test_no_bytes_of_a_peer_raise_an_error(pieces: list[bytes], begins: bool) -> None:
    engine = Connection(Options(max_packet_size=1 << 16), Authenticator(), 0)
    if begins:
        engine.receive(b"\x10\x0d\0\4MQTT\5\2\0\0\0\0\0", 0)
    for piece in pieces:
        engine.receive(piece, 0)
        for event in engine.events():
            if isinstance(event, Connect):
                engine.accept(session_present=False)
    assert engine.waiting_bytes <= sum(map(len, pieces))
    if engine.finished:
        assert engine.end_cause or engine.end_condition == ""


@pytest.mark.parametrize("level", [3, 4, 5])
def test_a_connection_costs_little_before_its_packets_are_whole(level: int) -> None:
    peer = opened(level).raw(b"\x30\x80\x80\x04" + bytes(100))
    assert peer.engine.waiting_bytes == 104
