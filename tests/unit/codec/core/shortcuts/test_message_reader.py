"""The quick way reads what the general conversion reads, or says that it does not."""

from typing import Any

import pytest
from core_messages import BODIES, NAMES, VALUES, damaged, jms_heads, text_body
from core_peer import head
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.core import typed_properties as types
from lastvalue.codec.core.message_decoder import decode_message
from lastvalue.codec.core.shortcuts.message_reader import MessageReader
from lastvalue.codec.core.typed_properties import TypedProperties
from lastvalue.model.message import AT_ONCE

pytestmark = pytest.mark.pure


def found_by(reader: MessageReader, octets: bytes, body: bytes) -> bytes | None:
    """What is found of a message amid other octets."""
    message = reader.read(b"before" + octets + b"after", 6, 6 + len(octets), body)
    if message is None:
        return None
    told = read_message(message.encoded)
    assert (message.durable, message.priority, message.ttl_ms, message.expires_ms) == (
        told.durable, told.priority, told.ttl_ms, told.expires_ms
    )  # fmt: skip
    assert message.updates() == 1
    assert told.not_before(0) == AT_ONCE
    assert all(message.field(name) == told.field(name) for name in ("t", "i", "k", "to", "message-id", "s"))
    return message.encoded


ROUTING: TypedProperties = {"_AMQ_ROUTING_TYPE": (types.BYTE, 1)}


@given(
    st.lists(st.tuples(BODIES, st.dictionaries(NAMES, VALUES, max_size=4), st.booleans()), max_size=3),
    st.sampled_from([0, 1_700_000_000_000]),
    st.sampled_from([0, 1_800_000_000_000]),
    st.integers(0, 9),
)
def test_messages_are_read_as_the_general_conversion_reads_them(
    messages: list[tuple[tuple[int, bytes], TypedProperties, bool]],
    timestamp: int,
    expiry: int,
    priority: int,
) -> None:
    reader = MessageReader()
    for (kind, body), properties, durable in messages:
        more: dict[str, Any] = {"timestamp": timestamp, "expiration": expiry, "priority": priority}
        for each in (properties, {**properties, **ROUTING}):
            octets = head("a", each, kind=kind, durable=durable, **more)
            found = found_by(reader, octets, body)
            assert found is None or found == decode_message(octets, body)


@given(st.binary(max_size=60), st.integers(0, 80), st.binary(max_size=20))
def test_malformed_messages_are_left_to_the_general_conversion(more: bytes, at: int, body: bytes) -> None:
    octets = head("a", {"k": (types.INT, 1), **ROUTING})
    broken = octets[:at] + more + octets[at:]
    found = found_by(MessageReader(), broken, body)
    try:
        expected: bytes | None = decode_message(broken, body)
    except DecodeError:
        expected = None
    assert found is None or found == expected


@pytest.mark.parametrize("properties", [{}, ROUTING, {"k": (types.STRING, "é"), "b": (types.BOOLEAN, True)}])
@pytest.mark.parametrize(("kind", "body"), [(4, b"x"), (0, b""), (3, text_body("é😀"))])
def test_messages_of_the_usual_form_take_the_quick_way(
    kind: int, body: bytes, properties: TypedProperties
) -> None:
    assert found_by(MessageReader(), head("a", properties, kind=kind, timestamp=7), body) is not None


@pytest.mark.parametrize(
    ("kind", "properties"),
    [(5, {}), (4, {"JMSReplyTo": (types.STRING, "queue://r")}), (4, {"s": (types.SHORT, 1)})],
)
def test_other_messages_take_the_general_way(kind: int, properties: TypedProperties) -> None:
    assert found_by(MessageReader(), head("a", properties, kind=kind), b"") is None


def test_a_property_that_occurs_twice_takes_the_general_way() -> None:
    octets = head("a", {"k": (types.INT, 1), "l": (types.STRING, "x")}).replace(b"l\0", b"k\0")
    assert found_by(MessageReader(), octets, b"") is None


def test_messages_with_many_properties_are_left_to_the_general_conversion() -> None:
    few: TypedProperties = {f"p{number}": (types.INT, number) for number in range(100)}
    many: TypedProperties = {f"p{number}": (types.INT, number) for number in range(1000)}
    reader = MessageReader()
    assert found_by(reader, head("a", few, kind=4), b"") is not None
    assert found_by(reader, head("a", many, kind=4), b"") is None


SEVERAL: TypedProperties = {
    "s": (types.STRING, "é😀"),
    **ROUTING,
    "i": (types.INT, -1),
    "l": (types.LONG, 1 << 40),
    "d": (types.DOUBLE, 0.5),
    "b": (types.BOOLEAN, True),
}


@pytest.mark.parametrize("last", [{}, {"_AMQ_ROUTING_TYPE": (types.BYTE, 0)}])
@pytest.mark.parametrize("size", [0, 1, 127, 254, 255, 256, 400])
def test_messages_that_differ_in_their_values_are_read_alike(last: TypedProperties, size: int) -> None:
    reader = MessageReader()
    # Some begin as a mark of the order of octets does.
    for text in ("", "x" * size, "ü" * (size // 2), "\ufeffx", "\ufffex", "x"):
        properties = {**SEVERAL, **last, "t": (types.STRING, text)}
        octets = head("a", properties, kind=4, timestamp=7)
        assert found_by(reader, octets, text.encode()) == decode_message(octets, text.encode())


def check_damaged(data: st.DataObject, reader: MessageReader, octets: bytes) -> None:
    """A message, perhaps damaged, is not read quickly, or as `decode_message` reads it."""
    drawn = data.draw(damaged(octets))
    found = found_by(reader, drawn, b"body")
    try:
        expected: bytes | None = decode_message(drawn, b"body")
    except DecodeError:
        expected = None
    assert found is None or found == expected


@given(st.data())
def test_what_was_read_before_changes_nothing(data: st.DataObject) -> None:
    """Messages of one form, whole and damaged, in any order."""
    reader = MessageReader()
    for _ in range(data.draw(st.integers(2, 5))):
        text, number = (
            data.draw(st.text(st.characters(codec="utf-8"), max_size=4)),
            data.draw(st.integers(0, 9)),
        )
        octets = head("a", {"t": (types.STRING, text), "i": (types.INT, number), **ROUTING}, kind=4)
        check_damaged(data, reader, octets)


def test_messages_with_the_same_properties_and_other_headers_are_read_as_they_are() -> None:
    reader = MessageReader()
    for address, priority, durable in (("a", 4, False), ("b", 4, False), ("b", 5, False), ("b", 5, True)):
        octets = head(address, SEVERAL, kind=4, priority=priority, durable=durable)
        assert found_by(reader, octets, b"x") == decode_message(octets, b"x")


CONNECTION: TypedProperties = {"__AMQ_CID": (types.STRING, "e2191016-e91e")}


@pytest.mark.parametrize("expiries", [(0, 0, 0), (1, -1, 2**40), (0, 5, 0)])
@pytest.mark.parametrize("properties", [{**CONNECTION, **SEVERAL}, {**SEVERAL, **CONNECTION}, CONNECTION, {}])
def test_messages_of_jms_differ_in_their_ids_and_times(
    properties: TypedProperties, expiries: tuple[int, ...]
) -> None:
    reader = MessageReader()
    for number, expiration in enumerate(expiries):
        user_id = bytes(range(number, number + 16))
        for timestamp in (number + 7, 0, 1_700_000_000_000 + number):
            more: dict[str, Any] = {"timestamp": timestamp, "expiration": expiration}
            octets = head("a", properties, kind=4, user_id=user_id, **more)
            assert found_by(reader, octets, b"x") == decode_message(octets, b"x")


@given(st.data())
def test_of_messages_of_jms_none_changes_what_is_found_of_the_next(data: st.DataObject) -> None:
    """With and without an id, of several connections, whole and damaged."""
    reader = MessageReader()
    for _ in range(data.draw(st.integers(2, 5))):
        check_damaged(data, reader, data.draw(jms_heads(ROUTING)))
