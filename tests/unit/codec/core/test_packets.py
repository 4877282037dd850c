"""The table of packets: what is written is read again, in every version."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.core import packets
from lastvalue.codec.core.packets import (
    BY_CODE,
    HEADER_BYTES,
    NEWEST_VERSION,
    OLDEST_VERSION,
    PACKETS,
    PacketType,
    read_packet,
    write_packet,
)
from lastvalue.codec.core.reader import CoreReader

pytestmark = pytest.mark.pure

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
XIDS = st.tuples(st.integers(-(2**31), 2**31 - 1), st.binary(max_size=64), st.binary(max_size=64))
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "bool": st.booleans(),
    "byte": st.integers(-128, 127),
    "int": st.integers(-(2**31), 2**31 - 1),
    "long": st.integers(-(2**63), 2**63 - 1),
    "bodysize": st.integers(0, 2**40),
    "simple": TEXTS,
    "string": TEXTS,
    "binary": st.binary(max_size=20),
    "rest": st.binary(max_size=20),
    "xid": XIDS,
    "bytes": st.lists(st.integers(-128, 127), max_size=3),
    "simples": st.lists(TEXTS, max_size=3),
    "xids": st.lists(XIDS, max_size=3),
}
PLAIN = [each for each in PACKETS if each not in (packets.SEND, packets.RECEIVE)]


@st.composite
def said(draw: st.DrawFn) -> tuple[PacketType, int, dict[str, Any]]:
    kind = draw(st.sampled_from(PLAIN))
    version = draw(st.integers(OLDEST_VERSION, NEWEST_VERSION))
    values: dict[str, Any] = {}
    for field in kind.fields:
        name = field.kind.removeprefix("?")
        value = draw(KINDS[name] if name == field.kind else st.none() | KINDS[name])
        if version >= field.since:
            values[field.name] = value
    if values.get("continues") and "size" in values:
        values["size"] = None
    return kind, version, values


@given(said())
def test_a_packet_is_read_as_it_was_written(packet: tuple[PacketType, int, dict[str, Any]]) -> None:
    kind, version, values = packet
    octets = write_packet(kind, 12, version, values)
    assert int.from_bytes(octets[:4], "big") == len(octets) - 4
    reader = CoreReader(octets, 4)
    assert (reader.int8(), reader.int64()) == (kind.code, 12)
    assert read_packet(kind, reader, version).values == values
    assert reader.left() == 0


def test_every_packet_has_a_number_of_its_own() -> None:
    assert len(BY_CODE) == len(PACKETS)


def test_fields_that_an_older_client_leaves_out_are_missing() -> None:
    values = {"address": "a", "queue": "q", "routing_type": 1, "max_consumers": -1}
    octets = write_packet(packets.CREATE_QUEUE_V2, 10, NEWEST_VERSION, values)
    kind = packets.CREATE_QUEUE_V2
    trailing = len([field for field in kind.fields if field.trailing])
    packet = read_packet(kind, CoreReader(octets[:-trailing], HEADER_BYTES), NEWEST_VERSION)
    assert packet.text("queue") == "q"
    assert packet.number("max_consumers") == -1
    assert "ring_size" not in packet.values


def test_a_list_that_cannot_be_in_a_packet_is_refused() -> None:
    octets = bytes.fromhex("0000000261 00 7fffffff".replace(" ", ""))
    with pytest.raises(DecodeError, match="2147483647 items"):
        read_packet(packets.CREATE_ADDRESS, CoreReader(octets), NEWEST_VERSION)
