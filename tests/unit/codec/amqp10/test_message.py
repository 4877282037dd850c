"""Messages as a queue sees them [AMQP 1.0 §3.2], sections written by hand."""

import pytest
from amqp10_material import hex_symbol as symbol
from amqp10_material import hex_text as text
from amqp10_material import listed, mapped

from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import annotated, read_message
from lastvalue.model.message import MOST_UPDATES, NEVER, PropertyName

BODY = "005375a00178"
KEY = PropertyName("key")


def wide_map(code: int, *entries: str) -> str:
    body = "".join(entries)
    return f"0053{code:02x}d1{len(body) // 2 + 4:08x}{len(entries):08x}{body}"


def with_key(value: str) -> bytes:
    return bytes.fromhex(wide_map(0x74, text("key"), value) + BODY)


def test_a_message_keeps_its_bytes() -> None:
    payload = bytes.fromhex(BODY)
    assert read_message(payload).encoded is payload


@pytest.mark.spec("amqp-1.0", "3.2.1", "a message without a header: not durable, priority 4")
def test_a_message_without_a_header_has_the_defaults_of_the_specification() -> None:
    message = read_message(bytes.fromhex(BODY))
    assert (message.durable, message.priority, message.ttl_ms, message.expires_ms) == (False, 4, NEVER, NEVER)


@pytest.mark.spec("amqp-1.0", "3.2.1", "durable, priority and ttl are in force")
@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("00537045", (False, 4, NEVER)),
        ("005370c00100", (False, 4, NEVER)),
        (listed(0x70, "41"), (True, 4, NEVER)),
        (listed(0x70, "5601"), (True, 4, NEVER)),
        (listed(0x70, "5600"), (False, 4, NEVER)),
        (listed(0x70, "42", "5009"), (False, 9, NEVER)),
        (listed(0x70, "40", "40", "7000000bb8"), (False, 4, 3000)),
        (listed(0x70, "40", "40", "52ff", "41", "5203"), (False, 4, 255)),
        (listed(0x70, "40", "40", "70ffffffff"), (False, 4, 2**32 - 1)),
        (listed(0x70, "40", "40", "43"), (False, 4, NEVER)),
        (listed(0x70, "40", "40", "5200"), (False, 4, NEVER)),
        ("005370d00000000700000002415000", (True, 0, NEVER)),
        ("0080000000000000007045", (False, 4, NEVER)),
        ("00a310616d71703a6865616465723a6c697374c0020141", (True, 4, NEVER)),
    ],
)
def test_a_header_is_read(header: str, expected: tuple[bool, int, int]) -> None:
    message = read_message(bytes.fromhex(header + BODY))
    assert (message.durable, message.priority, message.ttl_ms) == expected


@pytest.mark.spec("amqp-1.0", "3.2.4", "absolute-expiry-time is in force")
@pytest.mark.parametrize(
    ("time", "expires_ms"),
    [("83000000000000ffff", 65535), ("40", NEVER), ("830000000000000000", NEVER), ("83ffffffffffffffff", 1)],
)
def test_an_expiry_time_is_read(time: str, expires_ms: int) -> None:
    properties = listed(0x73, "5301", "40", text("to"), "40", "40", "40", "40", "40", time)
    assert read_message(bytes.fromhex(properties + BODY)).expires_ms == expires_ms


@pytest.mark.parametrize("properties", ["00537345", listed(0x73, *["40"] * 8), listed(0x73, *["40"] * 13)])
def test_properties_need_not_have_an_expiry_time(properties: str) -> None:
    assert read_message(bytes.fromhex(properties + BODY)).expires_ms == NEVER


# Values that are the same key, by what they are as one.
KEYS: list[tuple[str, list[str]]] = [
    ("a1026b31", [text("k1"), "b1000000026b31", "a3026b31", "b3000000026b31"]),
    ("a100", ["a100", "b100000000", "a300"]),
    ("b100000100" + "61" * 256, ["b100000100" + "61" * 256, "b300000100" + "61" * 256]),
    (b"i0".hex(), ["43", "44", "5000", "5100", "5500", "5400", "600000", "7000000000", "810000000000000000"]),
    (b"i5".hex(), ["5005", "5105", "5205", "5305", "5405", "5505", "600005", "610005", "7000000005"]),
    (b"i5".hex(), ["7100000005", "800000000000000005", "810000000000000005"]),
    (b"i-1".hex(), ["51ff", "54ff", "55ff", "61ffff", "71ffffffff", "81ffffffffffffffff"]),
    (b"i18446744073709551615".hex(), ["80ffffffffffffffff"]),
    (b"b1".hex(), ["41", "5601"]),
    (b"b0".hex(), ["42", "5600"]),
    (b"t5".hex(), ["830000000000000005"]),
    (b"f".hex() + "3ff8000000000000", ["723fc00000", "823ff8000000000000"]),
    (b"f".hex() + "0000000000000000", ["7280000000", "820000000000000000", "828000000000000000"]),
    (b"cx".hex(), ["7300000078"]),
    (b"xk1".hex(), ["a0026b31", "b0000000026b31"]),
    (b"u".hex() + "00" * 16, ["98" + "00" * 16]),
    (b"d".hex() + "00000001", ["7400000001"]),
    (b"v".hex() + "c003015501", ["c003015501", "d000000006000000015501"]),
    (b"v".hex() + "45", ["45", "c00100"]),
]


@pytest.mark.parametrize(("key", "encoded"), [(key, each) for key, all_ in KEYS for each in all_])
def test_equal_values_are_one_key(key: str, encoded: str) -> None:
    found = read_message(with_key(encoded)).key(KEY)
    assert found is not None
    assert found.hex() == key


def test_values_of_different_kinds_are_different_keys() -> None:
    keys = {key for key, _ in KEYS}
    assert len(keys) == len(KEYS) - 1  # i5 is listed in two rows


def test_null_is_no_key() -> None:
    assert read_message(with_key("40")).key(KEY) is None


def test_a_message_without_the_property_has_no_key() -> None:
    assert read_message(bytes.fromhex(BODY)).key(KEY) is None
    assert read_message(bytes.fromhex(mapped(0x74, text("other"), text("x")) + BODY)).key(KEY) is None
    assert read_message(bytes.fromhex("005374c10100" + BODY)).key(KEY) is None
    assert read_message(b"").key(KEY) is None


@pytest.mark.parametrize("section", [mapped, wide_map])
def test_a_key_is_found_among_other_properties(section: object) -> None:
    entries = [text("kez"), text("x"), text("a"), "43", "b1000000016e", "c003015501"]
    properties = section(0x74, *entries, "b1000000036b6579", text("v"))  # type: ignore[operator]  # a function above
    assert read_message(bytes.fromhex(properties + BODY)).key(KEY) == b"\xa1\x01v"


def test_a_map_of_numbers_has_no_name() -> None:
    assert read_message(bytes.fromhex(mapped(0x74, "5503", text("x")) + BODY)).key(KEY) is None


PLACES = [
    mapped(0x72, symbol("key"), text("annotation"), symbol("subject"), text("annotated subject")),
    listed(
        0x73,
        "5307",
        "40",
        text("there"),
        text("a subject"),
        "40",
        "a30178",
        "40",
        "40",
        "40",
        "40",
        text("g"),
    ),
    mapped(0x74, text("key"), text("property")),
]


@pytest.mark.spec("amqp-1.0", "3.2.5", "application properties are read by their names")
@pytest.mark.parametrize(
    ("sections", "name", "key"),
    [
        (PLACES, "key", text("property")),
        (PLACES[:2], "key", text("annotation")),
        (PLACES[1:2], "key", None),
        (PLACES, "subject", text("annotated subject")),
        (PLACES[1:], "subject", text("a subject")),
        (PLACES, "properties.subject", text("a subject")),
        (PLACES, "properties.key", None),
        (PLACES, "message-id", b"i7".hex()),
        (PLACES, "user-id", None),
        (PLACES, "to", text("there")),
        (PLACES, "reply-to", None),
        (PLACES, "group-id", text("g")),
        (PLACES, "group-sequence", None),
        ([mapped(0x74, text("subject"), text("own")), ""], "subject", text("own")),
    ],
)
def test_a_name_is_looked_for_in_application_properties_then_annotations_then_properties(
    sections: list[str], name: str, key: str | None
) -> None:
    found = read_message(bytes.fromhex("".join(sections) + BODY)).key(PropertyName(name))
    assert found == (None if key is None else bytes.fromhex(key))


@pytest.mark.parametrize(
    ("encoded", "order"),
    [
        ("5505", 5),
        ("80ffffffffffffffff", 2**64 - 1),
        ("81ffffffffffffffff", -1),
        ("830000000000000005", 5),
        ("723fc00000", 1.5),
        ("823ff8000000000000", 1.5),
        ("827ff8000000000000", None),
        (text("2024"), "2024"),
        (symbol("x"), "x"),
        ("40", None),
        ("41", None),
        ("7300000078", None),
        ("a00178", None),
        ("45", None),
        ("98" + "00" * 16, None),
    ],
)
def test_an_order_is_a_number_or_text(encoded: str, order: object) -> None:
    found = read_message(with_key(encoded)).order(KEY)
    assert found == order
    assert type(found) is type(order)


def test_a_message_without_the_property_has_no_order() -> None:
    assert read_message(bytes.fromhex(BODY)).order(KEY) is None


@pytest.mark.parametrize(
    ("annotation", "updates"),
    [
        ("", 1),
        (mapped(0x72, symbol("x-opt-updates"), "5507"), 7),
        (mapped(0x72, symbol("x-opt-updates"), "7000000100"), 256),
        (mapped(0x72, symbol("x-opt-updates"), "43"), 1),
        (mapped(0x72, symbol("x-opt-updates"), "55ff"), 1),
        (mapped(0x72, symbol("x-opt-updates"), text("7")), 1),
        (mapped(0x72, symbol("x-opt-updates"), "80ffffffffffffffff"), MOST_UPDATES),
        (mapped(0x72, symbol("x-opt-other"), "5507"), 1),
        ("005372c10100", 1),
    ],
)
def test_a_message_stands_for_as_many_updates_as_it_says(annotation: str, updates: int) -> None:
    assert read_message(bytes.fromhex(annotation + BODY)).updates() == updates


IN_ORDER = [
    "00537045",
    mapped(0x71),
    mapped(0x72),
    "00537345",
    mapped(0x74),
    "005375a000",
    mapped(0x78),
]


@pytest.mark.spec("amqp-1.0", "3.2", "a message of all sections")
def test_every_section_may_be_there() -> None:
    payload = bytes.fromhex("".join(IN_ORDER))
    assert read_message(payload).encoded == payload


@pytest.mark.spec("amqp-1.0", "3.2", "sections come in the standard's order")
@pytest.mark.parametrize("at", range(6))
def test_sections_out_of_order_are_refused(at: int) -> None:
    swapped = [*IN_ORDER[:at], IN_ORDER[at + 1], IN_ORDER[at], *IN_ORDER[at + 2 :]]
    with pytest.raises(DecodeError):
        read_message(bytes.fromhex("".join(swapped)))


@pytest.mark.spec("amqp-1.0", "3.2", "a body is data sections, or sequences, or one value")
@pytest.mark.parametrize(
    "body",
    [
        "",
        BODY,
        BODY + BODY,
        "00537645",
        "00537645" + "005376c0020140",
        "00537740",
        "005377a10178",
        "005377" + "00532445",
    ],
)
def test_a_body_is_data_or_sequences_or_one_value_or_nothing(body: str) -> None:
    assert read_message(bytes.fromhex(body)).encoded.hex() == body


MALFORMED: list[tuple[str, str]] = [
    ("no section at all", "ff"),
    ("a value that is no section", "40"),
    ("a section beyond the last", "00537945"),
    ("a section before the first", "00536f45"),
    ("a section with a huge number", "0080ffffffffffffffff45"),
    ("a section with an unknown name", "00a3017845"),
    ("a section with a number of another type", "00527045"),
    ("a section cut short", "0053"),
    ("a section without a value", "005375"),
    ("a section longer than the message", "005375a00278"),
    ("a wide section longer than the message", "005375b0ffffffff78"),
    ("application properties longer than the message", "005374c1ff02a10178"),
    ("a header longer than the message", "005370c00a0141"),
    ("a header that is a map", "005370c10100" + BODY),
    ("a header that is a number", "0053705501" + BODY),
    ("properties that are a map", "005373c10100" + BODY),
    ("application properties that are a list", "00537445" + BODY),
    ("annotations that are a list", "00537245" + BODY),
    ("data that is text", "005375a10178"),
    ("a sequence that is text", "005376a10178"),
    ("a footer that is a list", BODY + "00537845"),
    ("a header twice", "0053704500537045"),
    ("two values", "0053774000537740"),
    ("data and a sequence", BODY + "00537645"),
    ("data and a value", BODY + "00537740"),
    ("a sequence and a value", "0053764500537740"),
    ("a durable of no boolean", listed(0x70, "5501")),
    ("a priority of no ubyte", listed(0x70, "40", "5201")),
    ("a ttl of no uint", listed(0x70, "40", "40", "5305")),
    ("a header with less than its count", "005370c0020341" + BODY),
    ("an expiry time of no timestamp", listed(0x73, *["40"] * 8, "5505")),
    ("properties with less than their count", "005373c0020a40" + BODY),
    ("properties with an expiry time cut short", "005373c00b09" + "40" * 8 + "8300"),
    ("a million zeros", "00" * 1_000_000),
    ("a value of nested descriptors", "005377" + "00" * 1000),
]


@pytest.mark.parametrize("encoded", [each[1] for each in MALFORMED], ids=[each[0] for each in MALFORMED])
def test_a_malformed_message_is_refused(encoded: str) -> None:
    with pytest.raises(DecodeError):
        read_message(bytes.fromhex(encoded))


@pytest.mark.parametrize(
    "properties",
    [
        "005374c1020" + "1a1",
        "005374c10401a1036b",
        "005374c10602" + "a1036b6579",
        "005374c10902" + "a1036b6579" + "a10878",
        "005374c10802" + "a1036b6579" + "7000",
        "005374c10702" + "a1036b6579" + "1f",
        "005374c10502" + "b1ffffff",
        "005374c10302" + "0000",
    ],
)
def test_a_key_in_a_malformed_section_is_refused(properties: str) -> None:
    message = read_message(bytes.fromhex(properties + BODY))
    with pytest.raises(DecodeError):
        message.key(KEY)
    with pytest.raises(DecodeError):
        message.order(KEY)


def test_a_standard_property_in_malformed_properties_is_refused() -> None:
    message = read_message(bytes.fromhex("005373c005044" + "04040a1" + BODY))
    with pytest.raises(DecodeError):
        message.key(PropertyName("subject"))


def test_a_count_of_updates_in_malformed_annotations_is_refused() -> None:
    message = read_message(bytes.fromhex("005372c10301a3ff" + BODY))
    with pytest.raises(DecodeError):
        message.updates()


def test_annotations_replace_those_of_the_same_name() -> None:
    payload = bytes.fromhex("00537045" + mapped(0x71, symbol("a"), "5501", symbol("b"), "5502") + BODY)
    again = annotated(payload, {"b": 3, "c": "x"})
    assert decode_content(again).delivery_annotations == {"a": 1, "b": 3, "c": "x"}
    assert decode_content(again).body == b"x"


def test_delivery_annotations_that_are_no_map_are_refused() -> None:
    with pytest.raises(DecodeError):
        annotated(bytes.fromhex("00537145" + BODY), {})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (text("id"), b"id"),
        ("a003" + "6100ff", b"a\x00\xff"),
        ("5307", b"7"),
        ("40", b""),
    ],
)
def test_the_id_for_duplicate_detection_is_an_application_property(value: str, expected: bytes) -> None:
    payload = mapped(0x74, text("other"), text("x"), text("_AMQ_DUPL_ID"), value) + BODY
    assert read_message(bytes.fromhex(payload)).explicit_id() == expected


def test_a_message_without_that_property_has_no_id() -> None:
    assert read_message(bytes.fromhex(BODY)).explicit_id() == b""
    assert read_message(with_key(text("k"))).explicit_id() == b""
