"""The data types of packets [MQTT 5.0 §1.5]."""

import pytest

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.fields import MOST_VARIABLE, FieldReader, text, text_of, variable
from lastvalue.codec.mqtt.reason_codes import ReasonCode

EDGES = [
    (0, b"\x00"),
    (127, b"\x7f"),
    (128, b"\x80\x01"),
    (16_383, b"\xff\x7f"),
    (16_384, b"\x80\x80\x01"),
    (2_097_151, b"\xff\xff\x7f"),
    (2_097_152, b"\x80\x80\x80\x01"),
    (MOST_VARIABLE, b"\xff\xff\xff\x7f"),
]


@pytest.mark.parametrize(("value", "octets"), EDGES)
def test_a_variable_byte_integer_has_the_octets_of_the_specifications_table(
    value: int, octets: bytes
) -> None:
    assert variable(value) == octets
    assert FieldReader(octets).variable() == value


@pytest.mark.parametrize(
    ("octets", "fault"),
    [
        (b"\x80\x80\x80\x80\x01", "at most four bytes"),
        (b"\x80\x00", "no more bytes than it needs"),
        (b"\xff\x80\x00", "no more bytes than it needs"),
        (b"\x80", "a field of 1 bytes where 0 are left"),
    ],
)
def test_a_longer_or_a_shorter_variable_byte_integer_is_malformed(octets: bytes, fault: str) -> None:
    with pytest.raises(MqttError, match=fault) as refused:
        FieldReader(octets).variable()
    assert refused.value.reason is ReasonCode.MALFORMED_PACKET


@pytest.mark.parametrize(
    ("octets", "rule"),
    [
        (b"\xed\xa0\x80", "MQTT-1.5.4-1"),
        (b"\xff", "MQTT-1.5.4-1"),
        (b"\xc0\x80", "MQTT-1.5.4-1"),
        (b"a\0b", "MQTT-1.5.4-2"),
    ],
)
def test_a_text_is_utf_8_without_surrogates_and_nul(octets: bytes, rule: str) -> None:
    with pytest.raises(MqttError, match=rule):
        text_of(octets)


@pytest.mark.parametrize("value", ["", "a", "\ufeffa", "\U0002a6d4", "\uffff"])
def test_a_text_keeps_its_characters(value: str) -> None:
    """[MQTT-1.5.4-3] Also U+FEFF at its beginning."""
    assert FieldReader(text(value)).text() == value


def test_numbers_come_with_their_high_byte_first() -> None:
    reader = FieldReader(b"\x01\x01\x02\x00\x00\x01\x02")
    assert (reader.uint8(), reader.uint16(), reader.uint32()) == (1, 258, 258)
    assert reader.left() == 0


def test_bytes_behind_the_last_field_are_malformed() -> None:
    with pytest.raises(MqttError, match="2 bytes more than its fields"):
        FieldReader(b"ab").finish()
