"""A producer's usual message, written at once, is the one that the general way writes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.shortcuts.plain_message import (
    decode_plain_message,
    decode_simple_map,
    encode_plain_message,
)
from lastvalue.codec.amqp10.values import Timestamp, ULong

BODIES = [b"", b"x" * 300, "text", "ä" * 200, 1.5, 7, None, [1, "two"], {"a": 1}]
PROPERTIES: list[dict[str, Any]] = [
    {},
    {"key": "k", "n": 5, "large": 2**62, "price": 1.5, "flag": True, "none": None, "octets": b"\xff"},
    {f"name-{number}": "x" * number for number in range(130)},
]


@pytest.mark.parametrize("durable", [False, True])
@pytest.mark.parametrize("properties", PROPERTIES)
@pytest.mark.parametrize("body", BODIES)
def test_it_reads_as_the_general_way_writes_it(durable: bool, properties: dict[str, Any], body: Any) -> None:
    kind = BodyKind.DATA if isinstance(body, bytes) else BodyKind.VALUE
    content = MessageContent(durable=durable, application_properties=properties, body=body, body_kind=kind)
    expected = decode_content(encode_content(content))
    assert decode_content(encode_plain_message(durable, properties, body)) == expected


STAMPS: dict[str, Any] = {
    "x-opt-sequence-number": ULong(70_000),
    "x-opt-enqueued-time": Timestamp(1_700_000_000_000),
    "x-opt-updates": 1,
}


def in_general(payload: bytes) -> str | None:
    """A message as the general way reads it, in words, which tell types and NaN apart; None if it refuses."""
    try:
        content = decode_content(payload)
    except DecodeError:
        return None
    return repr(content)


def at_once(payload: bytes) -> str | None:
    """The same as it is read at once, or None if it has not the usual form."""
    plain = decode_plain_message(payload)
    if plain is None:
        return None
    durable, encoded, annotations, properties, body = plain
    try:
        place = decode_simple_map(encoded) if encoded else {}
    except DecodeError:
        # What nobody asks for is not read.
        return None
    return repr(
        MessageContent(
            durable=durable,
            delivery_annotations=place,
            message_annotations=annotations,
            application_properties=properties,
            body=body,
            body_kind=BodyKind.DATA if isinstance(body, bytes) else BodyKind.VALUE,
        )
    )


@pytest.mark.parametrize("durable", [False, True])
@pytest.mark.parametrize("properties", PROPERTIES[:2])
@pytest.mark.parametrize("body", [b"", b"x" * 300, "text", "\u00e4" * 200, 1.5, None])
def test_the_usual_message_is_read_at_once(durable: bool, properties: dict[str, Any], body: Any) -> None:
    content = MessageContent(
        durable=durable,
        delivery_annotations=STAMPS,
        message_annotations={"x-opt-a": "b"},
        application_properties=properties,
        body=body,
        body_kind=BodyKind.DATA if isinstance(body, bytes) else BodyKind.VALUE,
    )
    payload = encode_content(content)
    assert at_once(payload) == in_general(payload) is not None


@given(st.data())
def test_whatever_comes_is_read_as_in_general_or_not_at_once(data: st.DataObject) -> None:
    texts = st.text(max_size=4)
    values = st.one_of(
        texts, st.binary(max_size=4), st.integers(-(2**63), 2**63 - 1), st.floats(), st.booleans(), st.none()
    )
    payload = encode_content(
        MessageContent(
            durable=data.draw(st.booleans()),
            delivery_annotations=data.draw(
                st.dictionaries(st.sampled_from(["x-opt-a", "x-opt-b"]), st.one_of(values, st.lists(values)))
            ),
            application_properties=data.draw(st.dictionaries(texts, values, max_size=3)),
            body=data.draw(values),
            body_kind=BodyKind.VALUE,
        )
    )
    # Bytes that are other ones, or are not there.
    changed = bytearray(payload)
    for _ in range(data.draw(st.integers(0, 2))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    received = bytes(changed[: data.draw(st.integers(max(0, len(changed) - 3), len(changed)))])
    assert at_once(received) in (None, in_general(received))


@pytest.mark.parametrize("properties", [{"a": [1]}, {"a": {}}, {5: "a"}, {"a": object()}, {"a": 2**70}])
def test_a_property_without_an_encoding_is_refused(properties: dict[Any, Any]) -> None:
    with pytest.raises(EncodeError):
        encode_plain_message(False, properties, b"")


@pytest.mark.parametrize(
    "encoded",
    [
        b"",
        b"\xc1",
        b"\xc1\x01\x00\x00",
        b"\xc1\x02\x01\x41",
        b"\x41",
        b"\xc1\x03\x02\xa3\x05",
        b"\xc1\x09\x00",
    ],
)
def test_what_is_no_map_is_refused(encoded: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_simple_map(encoded)
