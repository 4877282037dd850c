"""AMQP 0-10: what is copied from one encoding into the other is what reading and writing the values gives."""

from typing import Any
from uuid import UUID

import pytest
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.codec.amqp010.command_layouts import (
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_REPLY_TO,
)
from lastvalue.codec.amqp010.encoded_message import encoded_message
from lastvalue.codec.amqp010.encoder import encode_struct
from lastvalue.codec.amqp010.frames import BODY, HEADER, LAST_SEGMENT, encode_segment
from lastvalue.codec.amqp010.header_and_body import header_and_body
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp010.shortcuts.envelopes import Envelope
from lastvalue.codec.amqp010.shortcuts.message_decoder import MessageDecoder
from lastvalue.codec.amqp010.shortcuts.transfer_encoder import TransferEncoder
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Int, Short, Symbol, Timestamp, UByte, UInt, ULong
from lastvalue.model.message import PropertyName
from lastvalue.queues.entry import Entry

EXAMPLES = example_count(25)
NOW = 1_000_000
COMMAND = b"the frame of a command"
CHANNEL = 3
VARYING_IN = ("message_id", "application_headers")
VARYING_OUT = ("message_id", "application_properties", "body")


class _Named(Names):
    """Names begin with what they are."""

    def is_exchange(self, name: str) -> bool:
        return name.startswith("ex")

    def is_queue(self, name: str) -> bool:
        return name.startswith("q")


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    st.sampled_from(["", "x" * 255, "ä" * 128, "x" * 300]),
)
NAMES = st.one_of(
    st.sampled_from(
        ["key", "qpid.subject", "x-amqp-0-10.app-id", "JMSXGroupID", "JMSXGroupSeq", "x-opt-amqp-app-id", "ä"]
    ),
    TEXTS,
).filter(lambda name: len(name.encode()) < 256)
SIMPLE = st.one_of(
    TEXTS, st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.integers(-300, 300),
    st.floats(allow_nan=False), st.binary(max_size=4), st.uuids(),
    st.builds(UByte, st.integers(0, 255)), st.builds(Short, st.integers(-(2**15), 2**15 - 1)),
    st.builds(Int, st.integers(-(2**31), 2**31 - 1)), st.builds(UInt, st.integers(0, 2**32 - 1)),
    st.builds(ULong, st.integers(0, 2**64 - 1)),
    st.builds(lambda seconds: Timestamp(1000 * seconds), st.integers(0, 2**33)),
)  # fmt: skip
BODIES = st.none() | st.sampled_from([b"", b"x" * 255, b"x" * 256, b"x" * 5000]) | st.binary(max_size=8)
MODES = st.fixed_dictionaries(
    {},
    optional={
        "routing_key": st.sampled_from(["q.key", "a.b", ""]),
        "exchange": st.just("ex.one"),
        "priority": st.integers(0, 255),
        "delivery_mode": st.sampled_from([1, 2]),
        "ttl": st.integers(1, 2**32 - 1),
        "timestamp": st.integers(1, 2**33).map(lambda seconds: Timestamp(1000 * seconds)),
        "expiration": st.integers(1, 2**33).map(lambda seconds: Timestamp(1000 * seconds)),
    },
)
PROPERTIES = st.fixed_dictionaries(
    {},
    optional={
        "content_length": st.integers(0, 2**40),
        "message_id": st.uuids(),
        "correlation_id": st.binary(max_size=4),
        "reply_to": st.sampled_from([("ex.replies", "me"), ("", "q.replies"), ("far", "away")]).map(
            lambda pair: Record(MESSAGE_REPLY_TO, {"exchange": pair[0], "routing_key": pair[1]})
        ),
        "content_type": st.sampled_from(["text/plain", "amqp/map", "ä"]),
        "content_encoding": st.just("utf-8"),
        "user_id": st.binary(max_size=4),
        "app_id": st.binary(max_size=4),
        "application_headers": st.dictionaries(NAMES, SIMPLE | st.lists(SIMPLE, max_size=2), max_size=4),
    },
)
CONTENTS = st.fixed_dictionaries(
    {"body_kind": st.just(BodyKind.DATA), "body": st.binary(max_size=8)},
    optional={
        "durable": st.booleans(),
        "priority": st.integers(0, 9),
        "ttl_ms": st.integers(1, 2**32 - 1),
        "message_id": st.uuids() | st.text("ab", max_size=3) | st.integers(0, 9).map(ULong),
        "user_id": st.binary(max_size=4),
        "to": st.sampled_from(["ex.one", "q.one", "other"]),
        "subject": st.sampled_from(["q.key", "a.b", ""]),
        "reply_to": st.sampled_from(["q.replies", "ex.replies/me"]),
        "correlation_id": st.uuids() | st.text("ab", max_size=3),
        "content_type": st.sampled_from(["text/plain", "amqp/map"]),
        "absolute_expiry_time": st.integers(1, 2**40),
        "creation_time": st.integers(1, 2**40),
        "group_id": st.text("ab", max_size=3),
        "message_annotations": st.just({"x-opt-note": 1}),
        "application_properties": st.dictionaries(NAMES, SIMPLE | st.just(Symbol("s")), max_size=4),
    },
)


def segment_of(delivery: dict[str, Any], properties: dict[str, Any]) -> bytes:
    """A header segment."""
    segment = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, delivery))
    return segment + (encode_struct(Record(MESSAGE_MESSAGE_PROPERTIES, properties)) if properties else b"")


def by_values(exchange: str, segment: bytes, body: bytes | None) -> bytes:
    """The message, by reading and writing every value."""
    return encoded_message(exchange, read_properties(segment), body, _Named())


def entry_of(payload: bytes, expires_ms: int) -> Entry:
    return Entry(1, read_message(payload), NOW, expires_ms, 1)


def framed(entry: Entry, largest: int) -> bytes:
    """The frames of a transfer, by reading and writing every value."""
    header, body = header_and_body(entry.message.encoded, _Named(), {}, 0, entry.expires_ms, NOW)
    if body is None:
        return COMMAND + encode_segment(LAST_SEGMENT, HEADER, CHANNEL, header, largest)
    frames = encode_segment(0, HEADER, CHANNEL, header, largest)
    return COMMAND + frames + encode_segment(LAST_SEGMENT, BODY, CHANNEL, body, largest)


def state(message: Any) -> list[Any]:
    """What a queue reads of a message."""
    names = ("key", "qpid.subject", "properties.subject", "properties.message-id")
    keys = [message.key(PropertyName(name)) for name in names]
    limits = (message.durable, message.priority, message.ttl_ms, message.expires_ms, message.annotated)
    return [message.encoded, *limits, *keys]


# ---------------------------------------------------------------------- in


@settings(max_examples=EXAMPLES)
@given(MODES, PROPERTIES, PROPERTIES, BODIES, st.sampled_from(["", "ex.one"]))
def test_a_message_like_one_before_becomes_what_it_would_without_that(
    delivery: dict[str, Any], first: dict[str, Any], second: dict[str, Any], body: bytes | None, exchange: str
) -> None:
    decoder = MessageDecoder(exchange, _Named())
    segment = segment_of(delivery, first)
    decoder.learn(segment, read_properties(segment))
    varied = {**first, **{name: second[name] for name in VARYING_IN if name in second}}
    for properties in (first, first, first, varied, first, varied, varied, varied, second):
        other = segment_of(delivery, properties)
        message = decoder.message(other, body)
        if message is not None:
            assert state(message) == state(read_message(by_values(exchange, other, body)))
            assert decoder.known.key == delivery.get("routing_key", "")


HEADERS = {"key": "k1", "number": 12345, "small": 5, "flag": True}


@pytest.mark.parametrize(
    "properties",
    [
        {"content_length": 3},
        {"application_headers": {}},
        {"application_headers": HEADERS},
        {"application_headers": {"key": "k1", "other": "text"}},
        {"content_length": 3, "content_type": "text/plain", "application_headers": HEADERS},
        {"message_id": UUID(int=7), "application_headers": HEADERS},
    ],
)
def test_usual_messages_are_like_one_before(properties: dict[str, Any]) -> None:
    decoder = MessageDecoder("", _Named())
    segment = segment_of({"routing_key": "q", "delivery_mode": 2}, properties)
    assert decoder.message(segment, b"one") is None
    decoder.learn(segment, read_properties(segment))
    for key in ("k1", "k2", "k3", "k4", "longer", "k5"):
        if "key" in properties.get("application_headers", {}):
            headers = {**properties["application_headers"], "key": key}
            segment = segment_of(
                {"routing_key": "q", "delivery_mode": 2}, {**properties, "application_headers": headers}
            )
        message = decoder.message(segment, b"two")
        assert message is not None
        assert message.encoded == by_values("", segment, b"two")


@settings(max_examples=EXAMPLES)
@given(MODES, PROPERTIES, st.data())
def test_bytes_that_are_malformed_are_not_like_any_before(
    delivery: dict[str, Any], properties: dict[str, Any], data: st.DataObject
) -> None:
    decoder = MessageDecoder("", _Named())
    segment = segment_of(delivery, properties)
    decoder.learn(segment, read_properties(segment))
    changed = bytearray(segment)
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(changed[: data.draw(st.integers(0, len(changed)))])
    for broken in (bytes(changed), cut, bytes(changed) + b"\0"):
        message = decoder.message(broken, b"body")
        if message is not None:
            assert message.encoded == by_values("", broken, b"body")


def test_kinds_of_messages_that_never_come_again_are_not_all_learned() -> None:
    decoder = MessageDecoder("", _Named())
    segments = [segment_of({"routing_key": f"q{number}"}, {}) for number in range(200)]
    for segment in segments:
        assert decoder.message(segment, b"") is None
        decoder.learn(segment, read_properties(segment))
    known = [segment for segment in segments if decoder.message(segment, b"") is not None]
    assert len(known) == 66


# ---------------------------------------------------------------------- out


@settings(max_examples=EXAMPLES)
@given(CONTENTS, CONTENTS, st.sampled_from([-1, NOW - 1, NOW + 500]), st.sampled_from([4096, 65535]))
def test_a_message_of_amqp_1_0_is_written_as_it_would_be_by_its_values(
    first: dict[str, Any], second: dict[str, Any], expires_ms: int, largest: int
) -> None:
    writer, envelope = TransferEncoder(_Named()), Envelope(COMMAND, CHANNEL, largest)
    varied = {**first, **{name: second[name] for name in VARYING_OUT if name in second}}
    for content in (first, varied, second, first):
        entry = entry_of(encode_content(MessageContent(**content)), expires_ms)
        if writer.write(entry.message.encoded, envelope, entry.expires_ms, NOW):
            header, body = header_and_body(entry.message.encoded, _Named(), {}, 0, entry.expires_ms, NOW)
            frames = b"".join(writer.parts)
            assert frames == framed(entry, largest)
            assert writer.size == len(header) + (0 if body is None else len(body))


@settings(max_examples=EXAMPLES)
@given(MODES, PROPERTIES, PROPERTIES, BODIES, st.sampled_from(["", "ex.one"]))
def test_a_message_of_amqp_0_10_is_written_as_it_would_be_by_its_values(
    delivery: dict[str, Any], first: dict[str, Any], second: dict[str, Any], body: bytes | None, exchange: str
) -> None:
    writer, envelope = TransferEncoder(_Named()), Envelope(COMMAND, CHANNEL, 4096)
    for properties in (first, second, first):
        entry = entry_of(by_values(exchange, segment_of(delivery, properties), body), -1)
        if writer.write(entry.message.encoded, envelope, entry.expires_ms, NOW):
            assert b"".join(writer.parts) == framed(entry, 4096)


@pytest.mark.parametrize(
    "content",
    [
        MessageContent(body=b"x", body_kind=BodyKind.DATA),
        MessageContent(durable=True, ttl_ms=500, body=b"x" * 300, body_kind=BodyKind.DATA),
        MessageContent(application_properties=HEADERS, body=b"", body_kind=BodyKind.DATA),
        MessageContent(subject="a.b", application_properties=HEADERS, body=b"x", body_kind=BodyKind.DATA),
        MessageContent(
            content_type="text/plain", to="ex.one", subject="a", body=b"x", body_kind=BodyKind.DATA
        ),
    ],
)
def test_usual_messages_are_written_without_their_values(content: MessageContent) -> None:
    writer, envelope = TransferEncoder(_Named()), Envelope(COMMAND, CHANNEL, 4096)
    for _ in range(2):
        entry = entry_of(encode_content(content), -1)
        assert writer.write(entry.message.encoded, envelope, entry.expires_ms, NOW)
        assert b"".join(writer.parts) == framed(entry, 4096)


ALIKE = st.builds(
    MessageContent,
    message_id=st.uuids(),
    to=st.just("ex.one"),
    subject=st.text(max_size=5),
    creation_time=st.integers(-5000, 10**13),
    application_properties=st.builds(
        lambda key, number, price, flag: {"key": key, "n": number, "price": price, "flag": flag},
        st.text(max_size=5),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False),
        st.booleans(),
    ),
    body=st.binary(min_size=1, max_size=5),
    body_kind=st.just(BodyKind.DATA),
)


@settings(max_examples=EXAMPLES)
@given(st.lists(ALIKE, min_size=4, max_size=10))
def test_messages_that_differ_in_values_are_written_without_these(contents: list[MessageContent]) -> None:
    writer, envelope = TransferEncoder(_Named()), Envelope(COMMAND, CHANNEL, 4096)
    for content in contents:
        entry = entry_of(encode_content(content), -1)
        assert writer.write(entry.message.encoded, envelope, entry.expires_ms, NOW)
        assert b"".join(writer.parts) == framed(entry, 4096)


def test_routing_keys_of_an_exchange_need_no_form_each() -> None:
    writer, envelope = TransferEncoder(_Named()), Envelope(COMMAND, CHANNEL, 4096)
    for number in range(100):
        content = MessageContent(to="ex.one", subject=f"{10**number}", body=b"x", body_kind=BodyKind.DATA)
        entry = entry_of(encode_content(content), -1)
        assert writer.write(entry.message.encoded, envelope, entry.expires_ms, NOW)
        assert b"".join(writer.parts) == framed(entry, 4096)
    assert len(envelope.forms) == 2


@settings(max_examples=EXAMPLES)
@given(CONTENTS, st.data())
def test_a_malformed_message_is_not_written_but_as_it_would_be_by_its_values(
    content: dict[str, Any], data: st.DataObject
) -> None:
    writer, envelope = TransferEncoder(_Named()), Envelope(COMMAND, CHANNEL, 4096)
    payload = bytearray(encode_content(MessageContent(**content)))
    assert writer.write(bytes(payload), envelope, -1, NOW) in (True, False)
    for _ in range(data.draw(st.integers(1, 2))):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    try:
        entry = entry_of(bytes(payload), -1)
    except DecodeError:
        return
    if writer.write(entry.message.encoded, envelope, entry.expires_ms, NOW):
        assert b"".join(writer.parts) == framed(entry, 4096)


class _Changing(Names):
    """An exchange that comes and goes."""

    exists = True

    def is_exchange(self, name: str) -> bool:
        return bool(name) and self.exists

    def is_queue(self, name: str) -> bool:
        return self.exists


@pytest.mark.parametrize("address", ["ex.one", None])
def test_what_is_told_follows_the_names_that_there_are(address: str | None) -> None:
    names = _Changing()
    writer, envelope = TransferEncoder(names), Envelope(COMMAND, CHANNEL, 4096)
    content = MessageContent(to=address, subject="a", body=b"x", body_kind=BodyKind.DATA)
    entry = entry_of(encode_content(content), -1)
    for exists in (True, False, True):
        names.exists = exists
        assert writer.write(entry.message.encoded, envelope, entry.expires_ms, NOW)
        header, _ = header_and_body(entry.message.encoded, names, {}, 0, entry.expires_ms, NOW)
        assert header in b"".join(writer.parts)
