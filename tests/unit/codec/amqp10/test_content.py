"""Whole messages [AMQP 1.0 §3.2]."""

from uuid import UUID

import pytest
from amqp10_material import listed

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.errors import DecodeError, EncodeError
from lastvalue.codec.amqp10.values import Array, Described, Symbol, Timestamp, UInt, ULong, Value

FULL = MessageContent(
    durable=True,
    priority=9,
    ttl_ms=60_000,
    first_acquirer=True,
    delivery_count=2,
    delivery_annotations={"x-opt-a": 1},
    message_annotations={"x-opt-b": UInt(2)},
    message_id=UUID(int=5),
    user_id=b"me",
    to="q",
    subject="s",
    reply_to="r",
    correlation_id="c",
    content_type="text/plain",
    content_encoding="gzip",
    absolute_expiry_time=1_700_000_000_000,
    creation_time=1_600_000_000_000,
    group_id="g",
    group_sequence=7,
    reply_to_group_id="h",
    application_properties={"key": "k", "n": 5, "none": None},
    body=b"data",
    body_kind=BodyKind.DATA,
    footer={"x-opt-f": "f"},
)


@pytest.mark.spec("amqp-1.0", "3.2.4", "every field of the properties is carried")
@pytest.mark.spec("amqp-1.0", "3.2.9", "a footer is behind the body")
def test_every_part_of_a_message_survives() -> None:
    assert decode_content(encode_content(FULL)) == FULL


def test_what_says_nothing_is_left_out() -> None:
    assert encode_content(MessageContent(body=b"x", body_kind=BodyKind.DATA)).hex() == "005375a00178"


def test_sections_are_written_in_order() -> None:
    content = MessageContent(durable=True, subject="s", application_properties={"k": "v"}, body="x")
    assert encode_content(content).hex() == (
        listed(0x70, "41")
        + listed(0x73, "40", "40", "40", "a10173")
        + "005374c10702a1016ba10176"
        + "005377a10178"
    )


@pytest.mark.spec("amqp-1.0", "3.2.8", "one value of any type")
@pytest.mark.parametrize(
    "body", [None, "text", 5, [1, 2], {"a": {"b": [None]}}, b"bytes", Described(ULong(7), [])]
)
def test_a_value_may_be_anything(body: Value) -> None:
    content = MessageContent(body=body)
    assert decode_content(encode_content(content)) == content


def test_a_sequence_is_a_list() -> None:
    content = MessageContent(body=[1, "two"], body_kind=BodyKind.SEQUENCE)
    assert encode_content(content).hex() == "005376c00802" + "5501" + "a10374776f"
    assert decode_content(encode_content(content)) == content


@pytest.mark.spec("amqp-1.0", "3.2.6", "data sections follow one another")
def test_several_sections_of_data_are_joined() -> None:
    content = decode_content(bytes.fromhex("005375a00161" + "005375a00162"))
    assert (content.body, content.body_kind) == (b"ab", BodyKind.DATA)


@pytest.mark.spec("amqp-1.0", "3.2.7", "sequences follow one another")
def test_several_sequences_are_joined() -> None:
    content = decode_content(bytes.fromhex("005376c003015501" + "00537645" + "005376c003015502"))
    assert (content.body, content.body_kind) == ([1, 2], BodyKind.SEQUENCE)


def test_a_message_without_a_body_has_none() -> None:
    assert decode_content(b"") == MessageContent()


@pytest.mark.spec("amqp-1.0", "3.2.11", "a ulong, a uuid, a binary or a string [3.2.11 to 3.2.14]")
@pytest.mark.parametrize("message_id", [0, 2**64 - 1, UUID(int=1), b"id", "id"])
def test_a_message_id_has_one_of_four_types(message_id: int | UUID | bytes | str) -> None:
    content = MessageContent(message_id=message_id, correlation_id=message_id)
    assert decode_content(encode_content(content)) == content


@pytest.mark.spec("amqp-1.0", "3.2.10", "the keys of annotations are symbols")
def test_annotations_are_written_as_symbols_and_read_as_text() -> None:
    encoded = encode_content(MessageContent(message_annotations={"x-opt-a": Timestamp(1)}))
    assert b"\xa3\x07x-opt-a" in encoded
    assert [type(name) for name in decode_content(encoded).message_annotations] == [str]


UNENCODABLE: list[tuple[str, MessageContent]] = [
    ("data that is text", MessageContent(body="x", body_kind=BodyKind.DATA)),
    ("a sequence that is text", MessageContent(body="x", body_kind=BodyKind.SEQUENCE)),
    ("a body of an unknown type", MessageContent(body=object())),
    ("a list as an application property", MessageContent(application_properties={"a": [1]})),
    ("a map as an application property", MessageContent(application_properties={"a": {}})),
    ("an array as an application property", MessageContent(application_properties={"a": Array("long")})),
    ("a number as a property's name", MessageContent(application_properties={5: 5})),  # type: ignore[dict-item]  # as the test says
    ("a priority of 256", MessageContent(priority=256)),
    ("a negative time to live", MessageContent(ttl_ms=-1)),
    ("a negative message id", MessageContent(message_id=-1)),
    ("a message id of a float", MessageContent(message_id=1.5)),  # type: ignore[arg-type]  # the fault
    ("a subject that is a number", MessageContent(subject=5)),  # type: ignore[arg-type]  # the fault
]


@pytest.mark.parametrize("content", [each[1] for each in UNENCODABLE], ids=[each[0] for each in UNENCODABLE])
def test_what_cannot_be_written_is_refused(content: MessageContent) -> None:
    with pytest.raises(EncodeError):
        encode_content(content)


@pytest.mark.parametrize(
    "encoded",
    [
        "40",
        listed(0x70, "41", "5001", "43", "41", "43", "43"),
        listed(0x70, "40", "40", "40", "5501"),
        listed(0x73, "55" + "01"),
        "005372c104025501" + "40",
        "005374c1050440404041",
        "005374c1020140",
        "005377a101ff",
        "005377c00301" + "40",
    ],
)
def test_a_malformed_message_is_refused(encoded: str) -> None:
    with pytest.raises(DecodeError):
        decode_content(bytes.fromhex(encoded))


def test_symbols_in_values_stay_symbols() -> None:
    content = decode_content(encode_content(MessageContent(body=Symbol("s"))))
    assert type(content.body) is Symbol
