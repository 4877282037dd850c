"""A producer's usual message, written at once, is the one that the general way writes."""

from typing import Any

import pytest

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.errors import EncodeError
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message

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


@pytest.mark.parametrize("properties", [{"a": [1]}, {"a": {}}, {5: "a"}, {"a": object()}, {"a": 2**70}])
def test_a_property_without_an_encoding_is_refused(properties: dict[Any, Any]) -> None:
    with pytest.raises(EncodeError):
        encode_plain_message(False, properties, b"")
