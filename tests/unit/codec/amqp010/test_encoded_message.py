"""Messages that were published over AMQP 0-10, in AMQP 1.0's encoding."""

import pytest

from lastvalue.codec.amqp010.command_layouts import MESSAGE_MESSAGE_PROPERTIES
from lastvalue.codec.amqp010.encoded_message import encoded_message
from lastvalue.codec.amqp010.encoder import encode_list, encode_map, encode_struct
from lastvalue.codec.amqp010.header_and_body import header_and_body
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp10.content import BodyKind, decode_content
from lastvalue.codec.amqp10.errors import LargeStructureError
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.message import NEVER


class NoNames(Names):
    """A broker without exchanges and queues."""

    def is_exchange(self, name: str) -> bool:
        return False

    def is_queue(self, name: str) -> bool:
        return False


def published(body: bytes, **properties: Value) -> bytes:
    header = encode_struct(Record(MESSAGE_MESSAGE_PROPERTIES, properties))
    return encoded_message("", read_properties(header), body, NoNames())


@pytest.mark.parametrize("entries", [{}, {"a": 1}, {f"{number:x}": number for number in range(6000)}])
def test_a_map_is_a_value(entries: dict[str, Value]) -> None:
    assert decode_content(published(encode_map(entries), content_type="amqp/map")).body == entries


@pytest.mark.parametrize("items", [[], [None, "a"], [1] * 10_000])
def test_a_list_is_a_value(items: list[Value]) -> None:
    assert decode_content(published(encode_list(items), content_type="amqp/list")).body == items


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("amqp/map", b"\x00"),
        ("amqp/map", encode_map({f"{number:x}": number for number in range(20_000)})),
        # Few enough to be decoded, and nobody could read them, because each takes more bytes in AMQP 1.0.
        ("amqp/map", encode_map({f"{number:x}": 2**40 + number for number in range(7500)})),
        ("amqp/list", encode_list([None] * 20_000)),
        ("amqp/list", encode_list([[None] * 20_000])),
    ],
)
def test_what_is_malformed_or_has_very_many_values_is_read_as_it_was_published(
    content_type: str, body: bytes
) -> None:
    payload = published(body, content_type=content_type)
    content = decode_content(payload)
    assert (content.body, content.body_kind, content.content_type) == (body, BodyKind.DATA, content_type)
    assert header_and_body(payload, NoNames(), {}, 0, NEVER, 0)[1] == body


def test_headers_that_nobody_could_read_are_refused() -> None:
    many: Value = {f"{number:x}": 2**40 + number for number in range(7500)}
    with pytest.raises(LargeStructureError):
        published(b"", application_headers=many)
