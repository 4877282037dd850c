"""What is broken in AMQP 1.0 is refused, in memory proportional to it; nothing else ever happens."""

import tracemalloc
from collections.abc import Callable

import pytest
from amqp10_material import mutated, values
from amqp10_peers import KEY, payloads, performatives, property_test, with_key
from hypothesis import given, settings
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.errors import DecodeError, FrameError
from lastvalue.codec.amqp10.frames import FrameSplitter, encode_frame
from lastvalue.codec.amqp10.message import annotated, read_message
from lastvalue.codec.amqp10.performatives import (
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.shortcuts.stamps import stamped
from lastvalue.codec.amqp10.value_codec import decode_value, encode_value, skip_value
from lastvalue.codec.amqp10.values import (
    Array,
    Described,
    Value,
)
from lastvalue.model.message import PropertyName

# ---- What is broken is refused


@property_test
@given(st.binary(max_size=60) | mutated(values.map(encode_value)))
def test_a_broken_value_is_read_or_refused(data: bytes) -> None:
    try:
        value, pos = decode_value(data, 0, len(data))
    except DecodeError:
        return
    assert pos <= len(data)
    assert skip_value(data, 0, len(data)) == pos
    again = encode_value(value)
    assert encode_value(decode_value(again, 0, len(again))[0]) == again


@property_test
@given(st.binary(max_size=60) | mutated(performatives.map(encode_performative)))
def test_a_broken_performative_is_read_or_refused(data: bytes) -> None:
    try:
        performative, _ = decode_performative(data, 0, len(data))
    except DecodeError:
        return
    again = encode_performative(performative)
    assert encode_performative(decode_performative(again, 0, len(again))[0]) == again


@property_test
@given(st.binary(max_size=60) | mutated(payloads))
def test_a_broken_message_is_read_or_refused(data: bytes) -> None:
    try:
        message = read_message(data)
    except DecodeError:
        for reader in (lambda: annotated(data, {"a": 1}), lambda: stamped(data, 1, 2, 3)):
            refused(reader)
        with pytest.raises(DecodeError):
            decode_content(data)
        return
    for name in (KEY, PropertyName("subject"), PropertyName("group-id"), PropertyName("")):
        refused(lambda name=name: message.key(name))  # type: ignore[misc]  # called at once
        refused(lambda name=name: message.order(name))  # type: ignore[misc]  # called at once
    refused(message.updates)
    refused(lambda: decode_content(data))
    refused(lambda: stamped(data, 1, 2, 3))


def refused(call: Callable[[], object]) -> None:
    """Call; nothing but a DecodeError may come out of it."""
    try:
        call()
    except DecodeError:
        return


@property_test
@given(mutated(payloads))
def test_the_key_in_place_is_the_key_of_the_whole_content(data: bytes) -> None:
    try:
        content = decode_content(data)
    except DecodeError:
        return
    properties = {**content.message_annotations, **content.application_properties}
    if isinstance(properties.get("key"), (int, float, str, bytes)):
        assert read_message(data).key(KEY) == read_message(with_key(properties["key"])).key(KEY)


# ---- Frames

streams = st.lists(st.binary(max_size=40), max_size=5).map(
    lambda bodies: b"".join([encode_frame(each, 1) for each in bodies])
)


@property_test
@given(
    st.lists(st.tuples(st.integers(0, 65535), st.integers(0, 1), st.binary(max_size=40)), max_size=8),
    st.lists(st.integers(1, 50), max_size=30),
)
def test_chunking_never_matters(frames: list[tuple[int, int, bytes]], sizes: list[int]) -> None:
    stream = b"".join([encode_frame(b"", channel, kind, body) for channel, kind, body in frames])
    splitter = FrameSplitter(512)
    found: list[tuple[int, int, bytes]] = []
    chunks = []
    for size in sizes:
        chunks.append(stream[:size])
        stream = stream[size:]
    for chunk in [*chunks, stream]:
        splitter.feed(chunk)
        while splitter.next():
            found.append((splitter.channel, splitter.kind, splitter.data[splitter.body : splitter.end]))
    assert found == frames
    assert splitter.waiting_bytes == 0


@property_test
@given(
    mutated(
        st.lists(st.binary(max_size=40), max_size=5).map(
            lambda bodies: b"".join([encode_frame(each, 1) for each in bodies])
        )
    ),
    st.lists(st.integers(1, 50), max_size=30),
)
def test_broken_frames_are_refused_at_the_same_place_however_they_are_chunked(
    data: bytes, sizes: list[int]
) -> None:
    assert frames_of([data]) == frames_of(cut(data, sizes))


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    chunks = []
    for size in sizes:
        chunks.append(data[:size])
        data = data[size:]
    return [*chunks, data]


def frames_of(chunks: list[bytes]) -> list[bytes]:
    splitter = FrameSplitter(100)
    found = []
    try:
        for chunk in chunks:
            splitter.feed(chunk)
            while splitter.next():
                found.append(splitter.data[splitter.body : splitter.end])
    except FrameError:
        found.append(b"refused")
    return found


# ---- Memory

ATTACKS: list[tuple[str, bytes]] = [
    ("arrays of nulls", b"\xf0\x00\x00\x00\x05\x00\x00\x0f\xa0\x40" * 6000),
    ("empty lists", b"\x45" * 60_000),
    ("zeros", b"\x44" * 60_000),
    ("empty maps", b"\xc1\x01\x00" * 20_000),
    ("empty arrays", b"\xe0\x02\x00\x50" * 15_000),
    ("arrays of small integers", b"\xe0\xff\xfd\x50" + bytes(253)),
    ("short strings", b"\xa1\x01x" * 20_000),
    ("described values", b"\x00\x44\x44" * 20_000),
    ("a string of 4 GiB", b"\xb1\xff\xff\xff\xff"),
    ("an array of 4 billion bytes", b"\xf0\xff\xff\xff\xff\xff\xff\xff\xff\x50"),
    ("an array of 4 billion booleans", b"\xf0\x00\x00\x00\x05\xff\xff\xff\xff\x41"),
]
MOST_BYTES_FOR_A_BYTE = 200


def in_a_list(values_in_it: bytes, count: int) -> bytes:
    return b"\xd0" + (len(values_in_it) + 4).to_bytes(4, "big") + count.to_bytes(4, "big") + values_in_it


@pytest.mark.parametrize("attack", [each[1] for each in ATTACKS], ids=[each[0] for each in ATTACKS])
def test_a_value_takes_memory_in_proportion_to_its_bytes(attack: bytes) -> None:
    lists = [in_a_list(attack, count) for count in (len(attack), len(attack) // 3, len(attack) // 4, 6000, 1)]
    tracemalloc.start()
    try:
        for data in lists:
            refused(lambda data=data: decode_value(data, 0, len(data)))  # type: ignore[misc]  # called at once
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MOST_BYTES_FOR_A_BYTE * len(attack) + 1_000_000


def test_arrays_are_among_the_values_tried() -> None:
    seen: set[type] = set()

    @settings(max_examples=200, deadline=None, database=None)
    @given(values)
    def look(value: Value) -> None:
        seen.add(type(value))

    look()
    assert {Array, Described, dict, list} <= seen
