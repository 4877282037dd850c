"""AMQP 0-9-1 read and written at once is AMQP 0-9-1 read and written step by step."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from pamqp import body, commands, frame, header

from lastvalue.codec.amqp091.dialects import HEADER_091
from lastvalue.codec.amqp091.errors import ReplyError
from lastvalue.codec.amqp091.fields import short_string
from lastvalue.codec.amqp091.message_decoder import decode_message
from lastvalue.codec.amqp091.message_encoder import encode_message
from lastvalue.codec.amqp091.methods import deliver_frame, place_of, put_content
from lastvalue.codec.amqp091.shortcuts.delivery_writer import DeliveryWriter
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Int, Symbol, UByte, UInt, ULong
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.amqp091.connection import Connection
from lastvalue.protocols.amqp091.events import Answered, Event, PublishBegun, Published, PublishedRun
from lastvalue.protocols.amqp091.options import Options
from lastvalue.protocols.sasl import Authenticator

Basic = commands.Basic
MOST = 700
"""Bytes of the largest message."""

# ---------------------------------------------------------------------- publishes

SHORT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
ASCII = st.text(st.characters(codec="ascii", exclude_characters="\0"), min_size=1, max_size=20)
NAME = st.one_of(
    st.sampled_from(["key", "other", "x-opt-a", "JMSXGroupID", "JMSXGroupSeq", "", "n" * 120]),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8),
)
MOMENTS = st.integers(86_400, 2**32 - 1).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
SIMPLE: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.text(max_size=300),
    st.none(),
    MOMENTS,
    st.binary(max_size=20).map(bytearray),
    st.floats(allow_nan=False, width=32),
    st.lists(st.integers(0, 9), max_size=2),
)
PROPERTIES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "content_type": SHORT,
        "content_encoding": ASCII,
        "headers": st.dictionaries(NAME, SIMPLE, max_size=5),
        "delivery_mode": st.sampled_from([1, 2]),
        "priority": st.integers(0, 9),
        "correlation_id": SHORT,
        "reply_to": SHORT,
        "timestamp": MOMENTS,
        "message_type": SHORT,
        "expiration": st.sampled_from(["60000", "0", "soon"]),
        "message_id": SHORT,
        "app_id": SHORT,
    },
)


@st.composite
def publishes(draw: st.DrawFn) -> bytes:
    """Methods, some of which publish; often with what the last one had."""
    parts = []
    properties = draw(PROPERTIES)
    key = draw(SHORT)
    for _ in range(draw(st.integers(1, 5))):
        channel = draw(st.sampled_from([1, 1, 1, 2, 3]))
        if draw(st.integers(0, 4)) == 0:
            parts.append(frame.marshal(Basic.Ack(draw(st.integers(0, 5)), multiple=True), channel))
            continue
        if draw(st.booleans()):
            properties = draw(PROPERTIES)
        if draw(st.booleans()):
            key = draw(SHORT)
        flags = {"mandatory": True} if draw(st.integers(0, 4)) == 0 else {}
        payload = draw(st.binary(max_size=40)) * draw(st.sampled_from([1, 1, 1, 10, 20]))
        exchange = draw(st.sampled_from(["", "", "amq.topic"]))
        parts.append(frame.marshal(Basic.Publish(exchange=exchange, routing_key=key, **flags), channel))
        given_properties = Basic.Properties(**properties)
        head = header.ContentHeader(body_size=len(payload), properties=given_properties)
        parts.append(frame.marshal(head, channel))
        size = draw(st.sampled_from([MOST, MOST, 15]))
        parts += [
            frame.marshal(body.ContentBody(payload[at : at + size]), channel)
            for at in range(0, len(payload), size)
        ]
    return b"".join(parts)


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """Publishes with some octets of another value."""
    data = bytearray(draw(publishes()))
    for _ in range(draw(st.integers(0, 2))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data)


def opened() -> Connection:
    """An engine with the channels 1 and 2."""
    engine = Connection(Options(max_message_size=MOST), Authenticator(), MemoryAccount(), 0)
    engine.receive(HEADER_091, 0)
    for method in (
        commands.Connection.StartOk({}, "PLAIN", "\0me\0secret"),
        commands.Connection.TuneOk(0, 4096, 0),
        commands.Connection.Open("/"),
    ):
        engine.receive(frame.marshal(method, 0), 0)
    engine.accept(0)
    for number in (1, 2):
        engine.receive(frame.marshal(commands.Channel.Open(), number), 0)
    engine.events()
    engine.data_to_send()
    return engine


def message(event: Published) -> bytes | int:
    """What is published, or the code that refuses it."""
    head = event.head
    try:
        made = decode_message(event.header, head.raw_exchange, head.raw_key, event.body)
    except ReplyError as fault:
        return fault.code
    return event.message or made


def told(event: Event) -> list[Any]:
    if isinstance(event, PublishedRun):
        number = event.channel.number
        pairs = zip(event.heads, event.messages, strict=True)
        return [(number, head.exchange, head.key, False, each) for head, each in pairs]
    if isinstance(event, Published):
        head = event.head
        place = (event.channel.number, head.exchange, head.key, head.mandatory)
        return [(*place, message(event)), *([event.header, event.body] if head.mandatory else [])]
    if isinstance(event, PublishBegun):
        # A publish that comes whole does not begin before that.
        return []
    return [(event.channel.number, event.tag if isinstance(event, Answered) else type(event))]


def heard(data: bytes, bounds: list[int]) -> tuple[list[Any], bytes]:
    """What an engine makes of bytes that come in pieces, and what it says to them."""
    engine = opened()
    events: list[Any] = []
    for start, end in zip([0, *bounds], [*bounds, len(data)], strict=True):
        engine.receive(data[start:end], 0)
        for event in engine.events():
            events += told(event)
    return events, engine.data_to_send()


@given(spoilt(), st.data())
def test_publishes_are_the_same_in_whatever_pieces_they_come(data: bytes, drawn: st.DataObject) -> None:
    # One octet at a time, no publish is ever there as a whole.
    step_by_step = heard(data, list(range(1, len(data))))
    assert heard(data, []) == step_by_step
    assert heard(data, [drawn.draw(st.integers(0, len(data)))]) == step_by_step


MOMENT = datetime(2026, 11, 21, tzinfo=UTC)
USUAL: list[dict[str, Any]] = [
    {},
    {"headers": {"key": "k", "price": 1.5, "size": 7, "halted": False, "note": None, "at": MOMENT}},
    {"headers": {"key": "k" * 300, "raw": bytearray(b"x")}, "delivery_mode": 2, "priority": 3},
    {"message_id": "m", "correlation_id": "c", "reply_to": "r", "timestamp": MOMENT, "content_type": "t/t"},
    {"expiration": "1000", "app_id": "a", "user_id": "u", "message_type": "t"},
]


@pytest.mark.parametrize("properties", USUAL)
def test_usual_publishes_are_read_at_once_and_without_an_event_for_each(properties: dict[str, Any]) -> None:
    parts = (
        Basic.Publish(routing_key="q"),
        header.ContentHeader(body_size=4, properties=Basic.Properties(**properties)),
        body.ContentBody(b"body"),
    )
    engine = opened()
    engine.receive(b"".join(frame.marshal(part, 1) for part in parts) * 50, 0)
    (run,) = engine.events()
    assert isinstance(run, PublishedRun)
    assert len(run.messages) == 50


# ---------------------------------------------------------------------- deliveries

VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.text(max_size=300),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(0, 255).map(UByte),
    st.integers(0, 2**32 - 1).map(UInt),
    st.integers(-5, 5).map(Int),
    st.integers(0, 5).map(ULong),
    st.binary(max_size=20),
    st.text(st.characters(codec="ascii"), max_size=20).map(Symbol),
)
OCTETS = st.builds(
    lambda octets, times: octets * times, st.binary(max_size=30), st.sampled_from([1, 1, 20, 400])
)
FROM_10 = st.builds(
    MessageContent,
    body=OCTETS,
    body_kind=st.sampled_from([BodyKind.DATA, BodyKind.DATA, BodyKind.DATA, BodyKind.VALUE]),
    application_properties=st.dictionaries(st.text(max_size=8), VALUES, max_size=5),
    message_annotations=st.sampled_from([{}, {}, {}, {"x-opt-a": 1}, {"x-opt-amqp-type": "t"}]),
    subject=st.none() | st.text(max_size=20),
    to=st.sampled_from([None, None, "here", "gone"]),
    content_type=st.none() | ASCII,
    message_id=st.none() | st.text(max_size=10) | st.uuids(),
    user_id=st.none() | st.binary(max_size=5),
    creation_time=st.none() | st.integers(-(10**6), 10**13),
    absolute_expiry_time=st.none() | st.integers(1, 10**13),
    group_id=st.sampled_from([None, None, None, "g"]),
    durable=st.booleans(),
    priority=st.integers(0, 9),
    ttl_ms=st.none() | st.integers(1, 100),
).map(encode_content)


@st.composite
def from_091(draw: st.DrawFn) -> bytes:
    """Messages that were published with AMQP 0-9-1."""
    payload = draw(OCTETS)
    properties = Basic.Properties(**{**draw(PROPERTIES), "expiration": "60000"})
    head = header.ContentHeader(body_size=len(payload), properties=properties).marshal()
    exchange = draw(st.sampled_from([b"", b"here", b"gone"]))
    return decode_message(head, exchange, draw(SHORT).encode(), payload)


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    """Messages that a queue takes, some of them odd."""
    encoded = bytearray(draw(st.one_of(FROM_10, from_091())))
    if draw(st.integers(0, 3)) == 0:
        encoded[draw(st.integers(0, len(encoded) - 1))] = draw(st.integers(0, 255))
    try:
        read_message(bytes(encoded))
    except DecodeError:
        reject()
    return bytes(encoded)


CONSUMER, QUEUE, FRAME_MAX = short_string(b"consumer"), b"q", 4096


def at_once(writer: DeliveryWriter, encoded: bytes, tag: int) -> bytes | None:
    place = writer.read(encoded)
    if place is None:
        return None
    if place.defaulted is not None and place.exchange != "here":
        place = place.defaulted
    return writer.frames(place, tag)


def step_by_step(encoded: bytes, tag: int) -> bytes | None:
    """The frames of a message; None if it cannot be written."""
    try:
        written = encode_message(encoded)
    except DecodeError:
        return None
    exchange = written.to if written.to == b"here" else b""
    key = written.subject if written.subject is not None else b"" if exchange else QUEUE
    output = OutputBuffer()
    output.put(deliver_frame(7, CONSUMER, tag, False, place_of(exchange, key)))
    put_content(output, 7, written.header(), written.body, FRAME_MAX)
    return output.take()


@given(st.lists(messages(), min_size=1, max_size=4), st.integers(1, 2**40))
def test_deliveries_are_the_same_at_once_and_step_by_step(encoded: list[bytes], tag: int) -> None:
    writer = DeliveryWriter(7, CONSUMER, QUEUE, FRAME_MAX)
    # Each twice, so that what is kept of the first serves the second.
    for number, each in enumerate([*encoded, *encoded]):
        frames = at_once(writer, each, tag + number)
        assert frames is None or frames == step_by_step(each, tag + number)


ALIKE = st.builds(
    MessageContent,
    message_id=st.text(max_size=10),
    to=st.sampled_from(["here", "gone", ""]),
    subject=st.sampled_from(["a", "bb", ""]),
    content_type=ASCII,
    creation_time=st.integers(-(10**6), 10**13),
    absolute_expiry_time=st.integers(1, 10**13),
    application_properties=st.builds(
        lambda key, price, size, note: {"key": key, "price": price, "size": Int(size), "note": note},
        st.text(max_size=10),
        st.floats(allow_nan=False),
        st.integers(-5, 5),
        st.none() | st.booleans() | st.uuids() | st.binary(max_size=5) | st.integers(0, 300).map(ULong),
    ),
    body=st.binary(min_size=1, max_size=10),
    body_kind=st.just(BodyKind.DATA),
).map(encode_content)


@given(st.lists(ALIKE, min_size=2, max_size=8), st.integers(1, 2**40))
def test_messages_that_differ_in_values_are_written_by_one_form(encoded: list[bytes], tag: int) -> None:
    writer = DeliveryWriter(7, CONSUMER, QUEUE, FRAME_MAX)
    written = [at_once(writer, each, tag + number) for number, each in enumerate(encoded)]
    assert written == [step_by_step(each, tag + number) for number, each in enumerate(encoded)]


def test_a_header_may_be_as_much_longer_as_another_property_is_shorter() -> None:
    encoded = [
        encode_content(
            MessageContent(
                message_id=identifier,
                application_properties={"key": key},
                body=b"body",
                body_kind=BodyKind.DATA,
            )
        )
        for identifier, key in (("a", "bb"), ("a", "bb"), ("b", "b"), ("aa", "b"), ("a", "bb"))
    ]
    writer = DeliveryWriter(7, CONSUMER, QUEUE, FRAME_MAX)
    assert [at_once(writer, each, 1) for each in encoded] == [step_by_step(each, 1) for each in encoded]


@pytest.mark.parametrize("properties", USUAL[:4])
def test_usual_messages_are_written_at_once(properties: dict[str, Any]) -> None:
    head = header.ContentHeader(body_size=4, properties=Basic.Properties(**properties)).marshal()
    encoded = decode_message(head, b"", b"q", b"body")
    frames = at_once(DeliveryWriter(7, CONSUMER, QUEUE, FRAME_MAX), encoded, 1)
    assert frames is not None
    assert frames == step_by_step(encoded, 1)
