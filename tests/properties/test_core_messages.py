"""A message of CORE comes back as it was sent, and one of AMQP 1.0 is readable in CORE."""

from typing import Any, Final

from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Byte, Char, Float, Int, Short, Timestamp, UByte, UInt, ULong, UShort
from lastvalue.codec.core.jms_names import (
    BYTES_TYPE,
    DEFAULT_TYPE,
    MAP_TYPE,
    OBJECT_TYPE,
    PREFIXES,
    STREAM_TYPE,
    TEXT_TYPE,
)
from lastvalue.codec.core.message_decoder import decode_message
from lastvalue.codec.core.message_encoder import encode_message
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.typed_properties import (
    BOOLEAN,
    BYTE,
    BYTES,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    NULL,
    SHORT,
    STRING,
    TypedProperties,
    read_properties,
    write_properties,
    write_value,
)
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.model.message import NEVER

EXAMPLES: Final = example_count(60)
MOST: Final = 1 << 20

# Java's characters are units of UTF-16; those that are half a character only are in no text of AMQP 1.0.
TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
UNITS = st.characters(codec="utf-8", max_codepoint=0xFFFF)


def integers(bits: int) -> st.SearchStrategy[int]:
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def typed(code: int, values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[int, Any]]:
    return st.tuples(st.just(code), values)


STRINGS = typed(STRING, TEXTS)
SOME = st.one_of(
    STRINGS,
    typed(BOOLEAN, st.booleans()),
    typed(BYTE, integers(8)),
    typed(SHORT, integers(16)),
    typed(INT, integers(32)),
    typed(LONG, integers(64)),
    typed(FLOAT, st.floats(width=32, allow_nan=False)),
    typed(DOUBLE, st.floats(allow_nan=False)),
    typed(CHAR, UNITS),
    typed(BYTES, st.binary(max_size=300)),
)
VALUES = SOME | typed(NULL, st.none())
# A list, what is no value, and one that is never encoded.
ENCODED = typed(BYTES, st.sampled_from([b"\x45", b"\x62\x00\x00", b"\x60\x00\x00"]))
# Every property that is a field or an annotation of AMQP 1.0, with the type that clients give it, or any.
SPECIAL: Final[dict[str, st.SearchStrategy[tuple[int, Any]]]] = {
    "JMSType": STRINGS | VALUES,
    "JMSCorrelationID": STRINGS | typed(BYTES, st.binary(max_size=20)),
    "JMSReplyTo": typed(STRING, st.builds(str.__add__, st.sampled_from(["", *PREFIXES]), TEXTS)),
    "_AMQ_VALIDATED_USER": STRINGS | VALUES,
    "_AMQ_GROUP_ID": STRINGS | VALUES,
    "_AMQ_GROUP_SEQUENCE": typed(INT, integers(32)),
    "_AMQ_SCHED_DELIVERY": typed(LONG, integers(64)) | STRINGS,
    "_AMQ_ROUTING_TYPE": typed(BYTE, st.sampled_from([0, 1])),
    "_AMQ_DUPL_ID": STRINGS | typed(BYTES, st.binary(max_size=20)),
    "_AMQ_LVQ_NAME": STRINGS,
    "_AMQ_ORIG_QUEUE": STRINGS,
    "_AMQ_ORIG_ADDRESS": STRINGS,
    "__AMQ_CID": STRINGS,
    "JMSXDeliveryCount": VALUES,
    "JMS_AMQP_ContentType": STRINGS | VALUES,
    "JMS_AMQP_ContentEncoding": STRINGS | VALUES,
    "JMS_AMQP_ReplyToGroupID": STRINGS | VALUES,
    "JMS_AMQP_MA_x-opt-something": VALUES,
    "JMS_AMQP_ENCODED_MA_x-opt-list": typed(BYTES, st.sampled_from([b"\x45", b"b\x00\x00", b"\x60\x00\x00"]))
    | VALUES,
}
PROPERTIES = st.builds(
    dict[str, tuple[int, Any]].__or__,
    st.dictionaries(TEXTS.filter(lambda name: not name.startswith(("JMS", "_AMQ"))), VALUES, max_size=5),
    st.fixed_dictionaries({}, optional=SPECIAL),
)


def written(write: Any, *arguments: Any) -> bytes:
    writer = CoreWriter()
    write(writer, *arguments)
    return writer.data()


def stream(items: list[tuple[int, Any]]) -> bytes:
    writer = CoreWriter()
    for code, value in items:
        if code == STRING:
            writer.int8(code)
            writer.nullable_string(value)
        else:
            write_value(writer, code, value)
    return writer.data()


def counted(octets: bytes) -> bytes:
    return written(CoreWriter.binary, octets)


BODIES = st.one_of(
    st.tuples(st.just(DEFAULT_TYPE), st.binary(max_size=300)),
    st.tuples(st.just(BYTES_TYPE), st.binary(max_size=300)),
    st.tuples(st.just(OBJECT_TYPE), st.binary(min_size=1, max_size=300).map(counted) | st.just(b"")),
    st.tuples(
        st.just(TEXT_TYPE),
        (st.none() | st.text(st.characters(codec="utf-8"), max_size=5000)).map(
            lambda text: written(CoreWriter.nullable_simple_string, text)
        ),
    ),
    st.tuples(
        st.just(MAP_TYPE),
        st.dictionaries(TEXTS, VALUES, max_size=5).map(lambda items: written(write_properties, items)),
    ),
    st.tuples(st.just(STREAM_TYPE), st.lists(SOME | typed(STRING, st.none()), max_size=6).map(stream)),
)


def head(kind: int, address: str | None, user_id: bytes | None, numbers: Any, of: TypedProperties) -> bytes:
    writer = CoreWriter()
    writer.int64(0)
    writer.nullable_simple_string(address)
    writer.boolean(user_id is not None)
    writer.octets(user_id or b"")
    writer.int8(kind)
    durable, timestamp, priority = numbers
    writer.boolean(durable)
    writer.int64(0)
    writer.int64(timestamp)
    writer.int8(priority)
    write_properties(writer, of)
    return writer.data()


def parts(octets: bytes) -> tuple[bytes, TypedProperties]:
    """The headers as they are, and the properties in any order."""
    reader = CoreReader(octets)
    reader.int64()
    reader.nullable_simple_string()
    reader.octets(16 if reader.boolean() else 0)
    reader.octets(1 + 1 + 8 + 8 + 1)
    return octets[: reader.pos], read_properties(reader)


@settings(max_examples=EXAMPLES)
@given(
    BODIES,
    TEXTS,
    st.none() | st.binary(min_size=16, max_size=16),
    st.tuples(st.booleans(), integers(64), st.integers(0, 9)),
    PROPERTIES,
)
def test_a_message_of_core_comes_back_as_it_was_sent(
    content: tuple[int, bytes], address: str, user_id: bytes | None, numbers: Any, properties: TypedProperties
) -> None:
    kind, body = content
    if kind == OBJECT_TYPE:
        properties.pop("JMS_AMQP_ContentType", None)
    said = head(kind, address, user_id, numbers, properties)
    payload = decode_message(said, body)
    read_message(payload)
    heard = encode_message(payload, "elsewhere", NEVER)
    assert parts(heard.head(0)) == parts(said)
    assert heard.body == body


ANY = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**63 - 1),
        *(
            st.integers(0, 2**bits - 1).map(kind)
            for bits, kind in ((8, UByte), (16, UShort), (32, UInt), (64, ULong))
        ),
        *(integers(bits).map(kind) for bits, kind in ((8, Byte), (16, Short), (32, Int), (64, Timestamp))),
        st.floats(allow_nan=False),
        st.floats(width=32, allow_nan=False).map(Float),
        st.characters(codec="utf-8").map(Char),
        TEXTS,
        st.binary(max_size=20),
        st.uuids(),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
SECTIONS = st.tuples(st.just(BodyKind.DATA), st.binary(max_size=100)) | st.one_of(
    st.tuples(st.just(BodyKind.VALUE), ANY), st.tuples(st.just(BodyKind.SEQUENCE), st.lists(ANY, max_size=3))
)


@settings(max_examples=EXAMPLES)
@given(
    SECTIONS,
    st.none() | st.sampled_from(["text/plain", "application/json", "application/octet-stream"]),
    st.dictionaries(TEXTS, ANY.filter(lambda value: not isinstance(value, dict | list)), max_size=4),
    st.dictionaries(st.text("abc", min_size=1, max_size=5).map("x-opt-{}".format), ANY, max_size=4),
    st.none() | TEXTS | st.binary(max_size=20) | st.uuids() | st.integers(0, 2**64 - 1).map(ULong),
)
def test_any_message_of_amqp_is_one_that_a_client_of_core_can_read(
    section: tuple[BodyKind, Any], content_type: str | None, application: Any, annotations: Any, identity: Any
) -> None:
    content = MessageContent(
        message_id=identity,
        correlation_id=identity,
        content_type=content_type,
        application_properties=application,
        message_annotations=annotations,
        body=section[1],
        body_kind=section[0],
    )
    heard = encode_message(encode_content(content), "q", NEVER)
    again = encode_message(decode_message(heard.head(0), heard.body), "elsewhere", NEVER)
    assert (parts(again.head(0)), again.body) == (parts(heard.head(0)), heard.body)
