"""AMQP 0-10: values, and messages through the encoding of the broker, come back as they were."""

from typing import Any

from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.codec.amqp010.command_layouts import (
    COMMANDS,
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_REPLY_TO,
)
from lastvalue.codec.amqp010.decoder import decode_map, decode_record, decode_structs
from lastvalue.codec.amqp010.encoded_message import encoded_message
from lastvalue.codec.amqp010.encoder import encode_fields, encode_map, encode_struct
from lastvalue.codec.amqp010.errors import DecodeError, FrameError
from lastvalue.codec.amqp010.frames import FrameReader
from lastvalue.codec.amqp010.header_and_body import header_and_body
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Float, Int, Short, Timestamp, UByte, UInt, ULong, UShort
from lastvalue.model.message import NEVER

EXAMPLES = example_count(25)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = st.text("abcdef.-", min_size=1, max_size=8)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), TEXTS,
    st.binary(max_size=12), st.uuids(), st.builds(UByte, st.integers(0, 255)),
    st.builds(Short, st.integers(-(2**15), 2**15 - 1)), st.builds(UShort, st.integers(0, 2**16 - 1)),
    st.builds(Int, st.integers(-(2**31), 2**31 - 1)), st.builds(UInt, st.integers(0, 2**32 - 1)),
    st.builds(ULong, st.integers(0, 2**64 - 1)), st.builds(Float, st.floats(width=32, allow_nan=False)),
    st.builds(lambda seconds: Timestamp(1000 * seconds), st.integers(0, 2**40)),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
MAPS = st.dictionaries(NAMES, VALUES, max_size=4)


class _Named(Names):
    def is_exchange(self, name: str) -> bool:
        return name.startswith("ex")

    def is_queue(self, name: str) -> bool:
        return name.startswith("q")


def _alike(first: Any, second: Any) -> bool:
    """Equal, and of the same types all the way down."""
    if type(first) is not type(second):
        return False
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(_alike(first[name], second[name]) for name in first)
    if isinstance(first, list):
        return len(first) == len(second) and all(map(_alike, first, second))
    return bool(first == second)


@settings(max_examples=EXAMPLES)
@given(MAPS)
def test_maps_come_back_with_every_type(value: dict[str, object]) -> None:
    assert _alike(decode_map(encode_map(value)), value)


def _frames(data: bytes) -> None:
    reader = FrameReader(4096)
    reader.feed(data)
    while reader.next() is not None:
        pass


@settings(max_examples=EXAMPLES)
@given(st.binary(max_size=60), st.sampled_from(sorted(COMMANDS)))
def test_bytes_that_are_no_command_raise_only_decode_errors(data: bytes, code: int) -> None:
    for read in (
        lambda: decode_record(data, 0, len(data), COMMANDS[code]),
        lambda: decode_structs(data),
        lambda: decode_map(data),
        lambda: _frames(data),
    ):
        try:
            read()
        except (DecodeError, FrameError):
            continue


PROPERTIES = st.fixed_dictionaries(
    {},
    optional={
        "message_id": st.uuids(),
        "correlation_id": st.binary(max_size=10),
        "reply_to": st.sampled_from(
            [("ex.replies", "me"), ("", "q.replies"), ("ex.replies", ""), ("far", "away")]
        ).map(lambda pair: Record(MESSAGE_REPLY_TO, {"exchange": pair[0], "routing_key": pair[1]})),
        "content_type": st.sampled_from(["text/plain", "amqp/map", "application/octet-stream"]),
        "content_encoding": st.just("utf-8"),
        "user_id": st.binary(max_size=8),
        "app_id": st.binary(max_size=8),
        "application_headers": MAPS.filter(bool),
    },
)
DELIVERY = st.fixed_dictionaries(
    {"routing_key": st.sampled_from(["q.key", "a.b", ""])},
    optional={
        "priority": st.integers(0, 255),
        "delivery_mode": st.sampled_from([1, 2]),
        "ttl": st.integers(1, 2**31),
        "timestamp": st.integers(1, 2**33).map(lambda seconds: Timestamp(1000 * seconds)),
    },
)


@settings(max_examples=EXAMPLES)
@given(DELIVERY, PROPERTIES, st.none() | st.binary(max_size=20), st.sampled_from(["", "ex.one"]))
def test_a_message_comes_out_of_the_broker_as_it_went_in(
    delivery: dict[str, Any], properties: dict[str, Any], body: bytes | None, exchange: str
) -> None:
    if not exchange:
        delivery = {**delivery, "routing_key": "q.key"}
    segment = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, delivery))
    segment += encode_struct(Record(MESSAGE_MESSAGE_PROPERTIES, properties))
    if properties.get("content_type") == "amqp/map":
        body = encode_map({"k": 1})
    message = read_message(encoded_message(exchange, read_properties(segment), body, _Named()))
    header, came = header_and_body(message.encoded, _Named(), {}, 0, NEVER, 0)
    assert came == body
    found = read_properties(header)
    told = dict(found.message.values)
    told.pop("content_length", None)
    expected = {name: value for name, value in properties.items() if name != "reply_to"}
    reply = found.message.record("reply_to")
    told.pop("reply_to", None)
    assert told == expected
    if "reply_to" in properties:
        assert reply is not None
        assert reply.values == properties["reply_to"].values
    given_delivery = {**delivery, "exchange": exchange}
    given_delivery.setdefault("routing_key", "")
    assert found.delivery.values == given_delivery


@settings(max_examples=EXAMPLES)
@given(DELIVERY)
def test_fields_come_back_from_their_struct(values: dict[str, Any]) -> None:
    record = Record(MESSAGE_DELIVERY_PROPERTIES, values)
    data = encode_fields(record)
    assert decode_record(data, 0, len(data), MESSAGE_DELIVERY_PROPERTIES)[0].values == values
