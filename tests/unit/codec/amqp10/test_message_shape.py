"""A message that fits a shape is what it would be if it were read."""

import pytest
from amqp10_material import hex_text as text
from amqp10_material import listed, mapped
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.message_shape import MOST_COMPARED, MessageShape, message_shape
from lastvalue.model.message import PropertyName

NAMES = [PropertyName(name) for name in ("key", "n", "properties.subject", "x-opt-a", "absent")]
BODY = "005375a00178"
HEADER = listed(0x70, "41", "5004")
NOTES = mapped(0x72, "a307782d6f70742d61", text("note"))
PROPERTIES = listed(0x73, "5301", "40", "40", text("subject"), "40", "40", "40", "40", "83" + "00" * 7 + "09")
APPLICATION = mapped(0x74, text("key"), text("k001"), text("n"), "71" + "0000002a", text("m"), "c10100")
LONG = (
    f"005374d1{MOST_COMPARED + 14:08x}00000002"
    + text("key")
    + f"b1{MOST_COMPARED:08x}"
    + "78" * MOST_COMPARED
)
WHOLE = HEADER + NOTES + PROPERTIES + APPLICATION
EXAMPLES = [
    bytes.fromhex(each)
    for each in (
        WHOLE + BODY,
        APPLICATION + BODY,
        APPLICATION + "005377b100000003616263",
        NOTES + APPLICATION + "005375b0000000017a",
        PROPERTIES + BODY,
    )
]


def shape_of(payload: bytes) -> MessageShape:
    shape = message_shape(read_message(payload))
    assert shape is not None
    return shape


def field_of(message: EncodedMessage, name: str) -> object:
    """A field, or that its text cannot be read."""
    try:
        return message.field(name)
    except DecodeError as fault:
        return str(fault)


def facts(shape: MessageShape | None, payload: bytes) -> list[object]:
    message = read_message(payload) if shape is None else shape.message(payload)
    keys: list[bytes | None] = []
    for name in NAMES:
        key = message.key(name)
        place = None if shape is None else shape.key_place(name)
        if place is not None:
            key = payload[place.start : place.end]
        keys.append(key)
    fields = [field_of(message, name.text) for name in NAMES]
    flags = (message.durable, message.priority, message.ttl_ms, message.expires_ms, message.not_before(5))
    return [message.encoded, *keys, *fields, *flags, message.updates()]


@pytest.mark.parametrize("payload", EXAMPLES)
def test_a_message_has_its_own_shape(payload: bytes) -> None:
    shape = shape_of(payload)
    assert shape.fits(payload)
    assert facts(shape, payload) == facts(None, payload)


def test_values_of_the_same_length_and_the_body_may_differ() -> None:
    other = WHOLE.replace(text("k001"), text("k002")).replace("0000002a", "00000007")
    other = other.replace(text("subject"), text("another")).replace("5301", "5302")
    shape = shape_of(EXAMPLES[0])
    payload = bytes.fromhex(other + "005375a003787878")
    assert shape.fits(payload)
    assert facts(shape, payload) == facts(None, payload)


@pytest.mark.parametrize(
    "other",
    [
        WHOLE.replace(text("k001"), text("k1")) + BODY,
        WHOLE.replace(text("k001"), "b10000" + text("k001")[2:]) + BODY,
        WHOLE.replace(text("key"), text("yek")) + BODY,
        WHOLE.replace("5004", "5005") + BODY,
        WHOLE.replace("00" * 7 + "09", "00" * 7 + "08") + BODY,
        WHOLE.replace(text("note"), text("nota")) + BODY,
        WHOLE.replace("c10100", "c10101") + BODY,
        WHOLE + "005375a00178" + BODY,
        WHOLE + "005375a00278",
        WHOLE + "005377a00178",
        WHOLE + "005375",
        WHOLE[:-2],
        "",
    ],
)
def test_nothing_else_may(other: str) -> None:
    assert not shape_of(EXAMPLES[0]).fits(bytes.fromhex(other))


@pytest.mark.parametrize(
    "payload",
    [
        BODY,
        APPLICATION,
        APPLICATION + BODY + BODY,
        APPLICATION + "00537745",
        APPLICATION + BODY + mapped(0x78),
        LONG + BODY,
    ],
)
def test_what_is_not_worth_comparing_has_no_shape(payload: str) -> None:
    assert message_shape(read_message(bytes.fromhex(payload))) is None


@given(
    st.sampled_from(EXAMPLES),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 255)), max_size=3),
    st.binary(max_size=2),
)
def test_whatever_fits_reads_alike(example: bytes, changes: list[tuple[int, int]], more: bytes) -> None:
    changed = bytearray(example)
    for at, octet in changes:
        changed[at % len(changed)] = octet
    payload = bytes(changed) + more
    shape = shape_of(example)
    if shape.fits(payload):
        assert facts(shape, payload) == facts(None, payload)


def test_an_annotation_without_terms_is_none_for_queues() -> None:
    shape = shape_of(EXAMPLES[0])
    assert read_message(EXAMPLES[0]).annotated
    assert not shape.message(EXAMPLES[0]).annotated


def test_terms_of_annotations_stay() -> None:
    updates = mapped(0x72, "a30d782d6f70742d75706461746573", "5305")
    payload = bytes.fromhex(updates + APPLICATION + BODY)
    message = shape_of(payload).message(payload)
    assert (message.annotated, message.updates()) == (True, 5)


@pytest.mark.parametrize(
    ("order_by", "place", "order"),
    [("n", True, 42), ("absent", True, None), ("key", False, None)],
)
def test_a_shape_has_the_place_of_an_order_value_that_is_a_number(
    order_by: str, place: bool, order: int | None
) -> None:
    shape = shape_of(EXAMPLES[0])
    found = shape.key_place(NAMES[0], PropertyName(order_by))
    assert (found is not None) is place
    if found is not None:
        assert (None if found.order is None else found.order.number(EXAMPLES[0])) == order
