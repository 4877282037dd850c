"""Messages of QMF v1, in bytes."""

from uuid import UUID

import pytest

from lastvalue.codec.amqp010.encoder import encode_list, encode_map
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp010.qmf.schema_class import SchemaClass
from lastvalue.codec.amqp010.qmf.v1_messages import (
    V1Request,
    encode_object,
    encode_results,
    encode_status,
    number_of,
)
from lastvalue.codec.amqp10.values import Value

LAMP = SchemaClass(
    "lamp",
    "name:text watts:u16? owner:ref? tags:list? more:map?",
    "hours:u32 share:double id:uuid",
    ("dim(by:u8 <rest:s32 <>note:long)",),
)
HEAD = b"AM2%b\0\0\0\7"
WIDE = b"\x27\xff\xff\xff\xff"
"""A character that there is not."""


def object_bytes(values: dict[str, Value]) -> bytes:
    """The fields of a lamp, without what names it."""
    return encode_object(LAMP, "p:lamp:one", values, 5)[len(LAMP.key()) + 24 + 16 :]


def test_a_request_for_objects_names_their_class() -> None:
    request = V1Request(HEAD % b"G" + encode_map({"_class": "lamp"}))
    assert (request.opcode, request.class_name) == (b"G", "lamp")
    assert request.answer(b"content") == b"AM2g\0\0\0\7content"
    assert request.end() == b"AM2z\0\0\0\7\0\0\0\0\2OK"


def test_a_call_names_an_object_its_class_and_a_method_and_has_arguments() -> None:
    number = number_of("p:lamp:one")
    identity = bytes(8) + number.to_bytes(8, "big")
    request = V1Request(HEAD % b"M" + identity + LAMP.key() + b"\3dim" + b"\x0c" + b"\0\2hi")
    assert (request.object_number, request.class_name, request.method_name) == (number, "lamp", "dim")
    assert request.arguments(LAMP.methods[0]) == {"by": 12, "note": "hi"}


@pytest.mark.parametrize(
    "body",
    [
        b"AM2G\0\0\0",
        HEAD % b"S" + b"\5ab",
        HEAD % b"S" + b"\1\xff",
        HEAD % b"M" + bytes(15),
        HEAD % b"G" + b"\0\0\0\x0b\0\0\0\1\1x" + WIDE,
    ],
)
def test_a_malformed_request_is_refused(body: bytes) -> None:
    with pytest.raises(DecodeError):
        V1Request(body)


def test_malformed_arguments_are_refused() -> None:
    request = V1Request(HEAD % b"M" + bytes(16) + LAMP.key() + b"\3dim" + b"\x0c" + b"\0\2\xff\xff")
    with pytest.raises(DecodeError, match="the arguments"):
        request.arguments(LAMP.methods[0])


def test_an_object_says_when_it_was_read_and_which_optional_properties_it_has() -> None:
    encoded = encode_object(LAMP, "p:lamp:one", {"name": "one", "watts": 60}, 5)
    stamps = (5).to_bytes(8, "big") * 2 + bytes(8)
    identity = (1 << 28).to_bytes(8, "big") + number_of("p:lamp:one").to_bytes(8, "big")
    assert encoded.startswith(LAMP.key() + stamps + identity)
    assert object_bytes({"name": "one", "watts": 60}).startswith(b"\x01" + b"\3one" + b"\0\x3c")


def test_each_value_has_the_bytes_of_its_type() -> None:
    values: dict[str, Value] = {"owner": {"_object_name": "p:user:me"}, "tags": ["a"], "more": {"k": 1}}
    reference = (1 << 28).to_bytes(8, "big") + number_of("p:user:me").to_bytes(8, "big")
    optional = b"\x0e" + b"\0" + reference + encode_list(["a"]) + encode_map({"k": 1})
    assert object_bytes(values) == optional + bytes(4 + 8 + 16)
    values = {"hours": 3, "share": 0.5, "id": UUID(int=9)}
    assert object_bytes(values) == b"\0\0" + b"\0\0\0\3" + b"\x3f\xe0" + bytes(6) + UUID(int=9).bytes


def test_a_call_ends_with_a_status_and_its_results() -> None:
    assert encode_status(0, "OK") == bytes(4) + b"\0\2OK"
    assert encode_status(7, "x" * 70_000)[4:6] == b"\xff\xff"
    assert encode_results(LAMP.methods[0], {"rest": -1}) == b"\xff\xff\xff\xff" + b"\0\0"
