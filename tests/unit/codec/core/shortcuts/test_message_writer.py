"""The quick way writes what the general conversion writes, or says that it does not."""

import struct
from typing import Any

import pytest
from core_messages import BODIES, NAMES, VALUES, damaged, jms_heads, text_body
from core_peer import head
from hypothesis import given
from hypothesis import strategies as st
from librt.strings import BytesWriter

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.core import typed_properties as types
from lastvalue.codec.core.message_decoder import decode_message
from lastvalue.codec.core.message_encoder import encode_message
from lastvalue.codec.core.packets import HEADER_BYTES, RECEIVE, framed
from lastvalue.codec.core.shortcuts.message_writer import MessageWriter
from lastvalue.codec.core.typed_properties import TypedProperties
from lastvalue.model.message import NEVER

pytestmark = pytest.mark.pure


CHANNEL, CONSUMER, MESSAGE = 10, 3, 7
BEFORE = b"what was written before"


def writer_of(most_bytes: int = 1 << 20) -> MessageWriter:
    return MessageWriter("q", CHANNEL, CONSUMER, most_bytes)


def slow(payload: bytes, expires_ms: int, deliveries: int = 1) -> bytes:
    """The packet as the general conversion has it."""
    message = encode_message(payload, "q", expires_ms)
    start = struct.pack(">i", HEADER_BYTES + len(message.body))
    end = struct.pack(">qi", CONSUMER, deliveries)
    return framed(RECEIVE.code, CHANNEL, start + message.body + message.head(MESSAGE) + end)


def quick(payload: bytes, expires_ms: int, writer: MessageWriter, deliveries: int = 1) -> bytes:
    """The packet that is written; empty is none."""
    into = BytesWriter()
    into.write(BEFORE)
    size = writer.write(into, payload, expires_ms, MESSAGE, deliveries)
    written = into.getvalue()
    assert written.startswith(BEFORE)
    assert len(written) == len(BEFORE) + size
    return written[len(BEFORE) :]


def agrees(payload: bytes, expires_ms: int, writer: MessageWriter) -> bool:
    """Whether the quick way takes the message; it is as the general one then."""
    packet = quick(payload, expires_ms, writer)
    if not packet:
        return False
    assert packet == slow(payload, expires_ms)
    return True


@given(
    st.lists(st.tuples(BODIES, st.dictionaries(NAMES, VALUES, max_size=4), st.booleans()), max_size=3),
    st.sampled_from([0, 1_700_000_000_000]),
    st.integers(0, 9),
)
def test_messages_are_written_as_the_general_conversion_writes_them(
    messages: list[tuple[tuple[int, bytes], TypedProperties, bool]], timestamp: int, priority: int
) -> None:
    writer = writer_of()
    for (kind, body), properties, durable in messages:
        more: dict[str, Any] = {"kind": kind, "timestamp": timestamp, "priority": priority}
        octets = head("a", properties, durable=durable, **more)
        payload = decode_message(octets, body)
        for expires_ms in (NEVER, 1_800_000_000_000):
            agrees(payload, expires_ms, writer)


@given(st.binary(max_size=60), st.integers(0, 80))
def test_malformed_messages_are_left_to_the_general_conversion(more: bytes, at: int) -> None:
    payload = decode_message(head("a", {"k": (types.INT, 1)}, kind=4), b"body")
    broken = payload[:at] + more + payload[at:]
    agrees(broken, NEVER, writer_of())


@pytest.mark.parametrize(
    ("kind", "properties"),
    [
        (4, {}),
        (0, {}),
        (4, {"k": (types.STRING, "é"), "n": (types.LONG, -1)}),
        (4, {"_AMQ_ROUTING_TYPE": (3, 1)}),
    ],
)
def test_messages_of_the_usual_form_take_the_quick_way(kind: int, properties: TypedProperties) -> None:
    payload = decode_message(head("a", properties, kind=kind), b"body")
    assert agrees(payload, NEVER, writer_of())


def test_a_text_takes_the_quick_way() -> None:
    payload = decode_message(head("a", {}, kind=3), text_body("é😀"))
    assert agrees(payload, NEVER, writer_of())


@pytest.mark.parametrize(
    "content",
    [
        {"group_id": "g"},
        {"body": ["list"]},
        {"subject": "s"},
        {"to": "a", "message_annotations": {"x-opt-original-queue": "q"}},
    ],
)
def test_other_messages_take_the_general_way(content: dict[str, Any]) -> None:
    assert not agrees(encode_content(MessageContent(**{"body": b"x", **content})), NEVER, writer_of())


def test_a_message_that_is_cut_off_changes_nothing_for_the_next_one() -> None:
    whole = decode_message(head("a", {"k": (types.INT, 1)}, kind=4, timestamp=1_700_000_000_000), b"x")
    for size in range(len(whole)):
        writer = writer_of()
        agrees(whole[:size], NEVER, writer)
        assert agrees(whole, NEVER, writer)


def test_messages_may_have_more_or_fewer_sections_than_the_last_one() -> None:
    writer = writer_of()
    header, body = b"\x00\x53\x70\xc0\x04\x02\x42\x50\x04", b"\x00\x53\x75\xa0\x01x"
    fields = b"\x00\x53\x73\xc0\x05\x03\x40\x40\xa1\x00"
    for payload in (header + body, header + fields + body, header + body, header + fields + body):
        assert agrees(payload, NEVER, writer)


@given(st.data())
def test_what_was_written_before_changes_nothing(data: st.DataObject) -> None:
    """Messages of a few forms, whole and damaged, in any order."""
    writer = writer_of()
    for _ in range(data.draw(st.integers(2, 5))):
        names = data.draw(st.lists(st.sampled_from("kln"), unique=True, max_size=3))
        text = data.draw(st.text(st.characters(codec="utf-8"), max_size=4))
        octets = head("a", dict.fromkeys(names, (types.STRING, text)), kind=4, timestamp=7)
        payload = decode_message(octets, b"body")
        start = data.draw(st.integers(0, len(payload)) | st.just(len(payload)))
        end = data.draw(st.integers(start, len(payload)))
        more = data.draw(st.binary(max_size=3) | st.just(payload[start:end]))
        agrees(payload[:start] + more + payload[end:], NEVER, writer)


def test_names_at_other_places_are_written_as_they_are() -> None:
    writer = writer_of()
    for names in ("kl", "lk", "k", "kln", "n", "", "lkn"):
        octets = head("a", {name: (types.STRING, name * 127) for name in names}, kind=4)
        assert agrees(decode_message(octets, b"body"), NEVER, writer)


CONNECTION: TypedProperties = {"__AMQ_CID": (types.STRING, "e2191016-é")}
KEY: TypedProperties = {"k": (types.STRING, "v")}


@pytest.mark.parametrize("expiration", [0, 1_800_000_000_000])
@pytest.mark.parametrize("properties", [{**CONNECTION, **KEY}, {**KEY, **CONNECTION}, CONNECTION, {}])
def test_messages_of_jms_differ_in_their_ids_and_times(properties: TypedProperties, expiration: int) -> None:
    writer = writer_of()
    for number in range(3):
        user_id = bytes(range(number, number + 16))
        for timestamp in (number + 7, 0, 1_700_000_000_000 + number):
            expires_ms = expiration + number if expiration else 0
            more: dict[str, Any] = {"timestamp": timestamp, "expiration": expires_ms, "user_id": user_id}
            payload = decode_message(head("a", properties, kind=4, **more), b"x")
            assert agrees(payload, expires_ms or NEVER, writer)


@given(st.data())
def test_of_messages_of_jms_none_changes_what_is_written_of_the_next(data: st.DataObject) -> None:
    """With and without an id, of several connections, whole and damaged."""
    writer = writer_of()
    for _ in range(data.draw(st.integers(2, 5))):
        payload = decode_message(data.draw(jms_heads()), b"body")
        expires_ms = data.draw(st.sampled_from([NEVER, 1_800_000_000_000]))
        agrees(data.draw(damaged(payload)), expires_ms, writer)


def test_the_name_of_a_connection_that_is_cut_off_is_none_of_the_next_message() -> None:
    octets = head("a", {**CONNECTION, **KEY}, kind=4, user_id=bytes(16), timestamp=7)
    whole = decode_message(octets, b"x")
    for size in range(len(whole)):
        writer = writer_of()
        agrees(whole[:size], NEVER, writer)
        assert agrees(whole, NEVER, writer)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 15, 16, 17, 255, 256, 257, 5000])
@pytest.mark.parametrize("text", ["a", "é", "😀", "aaaaaaaaé", "aaaaaaaaaaé"])
def test_texts_of_every_length_are_converted(text: str, size: int) -> None:
    value = (text * size)[-size:] if size else ""
    octets = head("a", {"k": (types.STRING, value[:60])}, kind=3)
    assert agrees(decode_message(octets, text_body(value)), NEVER, writer_of())


def test_a_large_body_is_left_to_the_general_conversion() -> None:
    writer = writer_of(1024)
    for size, whole in ((1023, True), (1024, False), (1023, True)):
        payload = decode_message(head("a", {}, kind=4), b"x" * size)
        assert agrees(payload, NEVER, writer) == whole
    for size, whole in ((509, True), (510, False)):
        payload = decode_message(head("a", {}, kind=3), text_body("x" * size))
        assert len(encode_message(payload, "q", NEVER).body) == 2 * size + 5
        assert agrees(payload, NEVER, writer) == whole


def test_a_packet_says_how_often_its_message_was_delivered() -> None:
    payload = decode_message(head("a", {}, kind=4), b"x")
    assert quick(payload, NEVER, writer_of(), 3) == slow(payload, NEVER, 3)


def test_a_message_of_another_size_of_properties_is_not_of_the_shape() -> None:
    """The section of properties ends before, or behind, the last of them."""
    writer = writer_of()
    whole = decode_message(head("a", KEY, kind=4), b"x")
    assert agrees(whole, NEVER, writer)
    at = whole.index(b"\x00\x53\x74\xc1") + 4
    for size in (whole[at] - 1, whole[at] + 1):
        assert not quick(whole[:at] + bytes((size,)) + whole[at + 1 :], NEVER, writer)
    assert agrees(whole, NEVER, writer)


def test_a_name_that_comes_twice_is_left_to_the_general_conversion() -> None:
    pairs = b"\xa1\x01k\xa1\x01v" * 2
    section = b"\x00\x53\x74\xc1" + bytes((len(pairs) + 1, 4)) + pairs
    assert not quick(section + b"\x00\x53\x75\xa0\x01x", NEVER, writer_of())


def test_shapes_that_come_in_turn_are_all_known() -> None:
    """As many as are remembered, and more."""
    writer = writer_of()
    for _ in range(3):
        for count in range(7):
            names: TypedProperties = {f"k{number}": (types.STRING, "v") for number in range(count)}
            assert agrees(decode_message(head("a", names, kind=4), b"x"), NEVER, writer)


def test_no_value_in_place_of_a_flag_is_of_another_shape() -> None:
    writer = writer_of()
    whole = decode_message(head("a", {"k": (types.BOOLEAN, True)}, kind=4), b"x")
    assert agrees(whole, NEVER, writer)
    assert whole.count(b"\xa1\x01k\x41") == 1
    assert agrees(whole.replace(b"\xa1\x01k\x41", b"\xa1\x01k\x40"), NEVER, writer)
    assert agrees(whole.replace(b"\xa1\x01k\x41", b"\xa1\x01k\x42"), NEVER, writer)


def test_a_name_without_a_value_is_left_to_the_general_conversion() -> None:
    pairs = b"\xa1\x01k\xa1\x01v"
    section = b"\x00\x53\x74\xc1" + bytes((len(pairs) + 1, 3)) + pairs
    assert not quick(section + b"\x00\x53\x75\xa0\x01x", NEVER, writer_of())


def test_a_packet_may_have_more_than_64_kib() -> None:
    payload = decode_message(head("a", KEY, kind=4), b"x" * 70_000)
    assert agrees(payload, NEVER, writer_of())
