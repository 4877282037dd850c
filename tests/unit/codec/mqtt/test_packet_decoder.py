"""What makes a control packet malformed, or a protocol error, whatever came before it."""

import pytest

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.packet_decoder import MOST_FILTERS, decode_packet, level_of
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packets import Connect, Subscribe, Subscription, Unsubscribe
from lastvalue.codec.mqtt.reason_codes import ReasonCode

MALFORMED = ReasonCode.MALFORMED_PACKET
PROTOCOL_ERROR = ReasonCode.PROTOCOL_ERROR
VERSION = ReasonCode.UNSUPPORTED_PROTOCOL_VERSION


def decode(octets: bytes, level: int) -> object:
    reader = FrameReader(1 << 20)
    reader.feed(octets)
    assert reader.next()
    assert reader.waiting_bytes == 0
    return decode_packet(reader.first, reader.data, reader.start, reader.end, level)


@pytest.mark.parametrize(
    ("octets", "level", "reason", "rule"),
    [
        (b"\x00\x00", 5, MALFORMED, "packet type 0 is reserved"),
        (b"\xf0\x00", 4, MALFORMED, "packet type 15 is reserved"),
        (b"\xc1\x00", 5, MALFORMED, "MQTT-2.1.3-1"),
        (b"\x80\x06\0\1\0\0\1a", 5, MALFORMED, "MQTT-2.1.3-1"),
        (b"\x60\x02\0\1", 4, MALFORMED, "MQTT-2.1.3-1"),
        (b"\x8a\x06\0\1\0\1a\1", 4, MALFORMED, "MQTT-2.1.3-1"),
        (b"\xc0\x01a", 5, MALFORMED, "1 bytes more than its fields"),
        (b"\x10\x0c\0\4mqtt\4\2\0\0\0\0", 0, VERSION, "MQTT-3.1.2-1"),
        (b"\x10\x0c\0\4MQTT\6\2\0\0\0\0", 0, VERSION, "MQTT-3.1.2-2"),
        (b"\x10\x0c\0\4MQTT\3\2\0\0\0\0", 0, VERSION, "MQTT-3.1.2-2"),
        (b"\x10\x0c\0\4MQTT\4\3\0\0\0\0", 0, MALFORMED, "MQTT-3.1.2-3"),
        (b"\x10\x0c\0\4MQTT\4\x0a\0\0\0\0", 0, MALFORMED, "MQTT-3.1.2-11"),
        (b"\x10\x0c\0\4MQTT\4\x22\0\0\0\0", 0, MALFORMED, "MQTT-3.1.2-13"),
        (b"\x10\x11\0\4MQTT\4\x1e\0\0\0\0\0\1w\0\0", 0, MALFORMED, "MQTT-3.1.2-12"),
        (b"\x10\x0e\0\4MQTT\4\x42\0\0\0\0\0\0", 0, MALFORMED, "MQTT-3.1.2-22"),
        (b"\x10\x0e\0\6MQIsdp\3\2\0\0\0\0", 0, ReasonCode.CLIENT_IDENTIFIER_INVALID, "1 to 23 characters"),
        (b"\x36\x05\0\1a\0\1", 4, MALFORMED, "MQTT-3.3.1-4"),
        (b"\x38\x03\0\1a", 4, MALFORMED, "MQTT-3.3.1-2"),
        (b"\x30\x05\0\3a/+", 4, MALFORMED, "MQTT-3.3.2-2"),
        (b"\x30\x03\0\0\0", 5, PROTOCOL_ERROR, "MQTT-4.7.3-1"),
        (b"\x30\x02\0\0", 4, PROTOCOL_ERROR, "MQTT-4.7.3-1"),
        (b"\x32\x05\0\1a\0\0", 4, PROTOCOL_ERROR, "MQTT-2.2.1-3"),
        (b"\x82\x02\0\1", 4, PROTOCOL_ERROR, "MQTT-3.8.3-2"),
        (b"\x82\x06\0\1\0\1a\3", 4, MALFORMED, "MQTT-3.8.3-5"),
        (b"\x82\x06\0\1\0\1a\4", 4, MALFORMED, "MQTT-3.8.3-5"),
        (b"\x82\x07\0\1\0\0\1a\xc0", 5, MALFORMED, "MQTT-3.8.3-5"),
        (b"\x82\x07\0\1\0\0\1a\x30", 5, PROTOCOL_ERROR, "retain handling"),
        (b"\x82\x10\0\1\0\0\x0a$share/g/a\4", 5, PROTOCOL_ERROR, "MQTT-3.8.3-4"),
        (b"\xa2\x02\0\1", 4, PROTOCOL_ERROR, "MQTT-3.10.3-2"),
        (b"\x40\x03\0\1\x01", 5, PROTOCOL_ERROR, "PUBACK has no reason code 0x01"),
        (b"\xe0\x01\x18", 5, PROTOCOL_ERROR, "DISCONNECT has no reason code 0x18"),
        (b"\xe0\x01\x00", 4, MALFORMED, "1 bytes more"),
    ],
)
def test_a_packet_that_breaks_a_rule_is_refused_with_its_reason(
    octets: bytes, level: int, reason: ReasonCode, rule: str
) -> None:
    with pytest.raises(MqttError, match=rule) as refused:
        decode(octets, level)
    assert refused.value.reason is reason


def test_in_mqtt_3_1_a_subscribe_may_say_that_it_was_sent_before() -> None:
    assert decode(b"\x8a\x06\0\1\0\1a\1", 3) == decode(b"\x82\x06\0\1\0\1a\1", 3)


def test_in_mqtt_3_1_a_client_may_use_the_lowest_connect_flag() -> None:
    first = b"\x10\x0f\0\6MQIsdp\3"
    assert decode(first + b"\3\0\0\0\1c", 0) == decode(first + b"\2\0\0\0\1c", 0)


@pytest.mark.parametrize(
    ("octets", "expiry_s"),
    [
        (b"\x10\x0c\0\4MQTT\4\2\0\0\0\0", 0),
        (b"\x10\x0d\0\4MQTT\4\0\0\0\0\1c", 0xFFFFFFFF),
        (b"\x10\x0d\0\4MQTT\5\0\0\0\0\0\0", 0),
        (b"\x10\x12\0\4MQTT\5\2\0\0\5\x11\0\0\0\x09\0\0", 9),
    ],
)
def test_a_connect_says_how_long_its_session_lasts(octets: bytes, expiry_s: int) -> None:
    connect = decode(octets, 0)
    assert isinstance(connect, Connect)
    assert connect.session_expiry_s == expiry_s
    assert connect.receive_maximum == 0xFFFF


@pytest.mark.parametrize(
    ("body", "level"),
    [(b"\0\4MQTT\5\2", 5), (b"\0\6MQIsdp\3", 3), (b"\0\4MQTT\6", 0), (b"\0\4MQTT", 0), (b"\0", 0), (b"", 0)],
)
def test_the_level_is_known_before_the_connect_is_decoded(body: bytes, level: int) -> None:
    assert level_of(body, 0, len(body)) == level


@pytest.mark.parametrize(
    "packet",
    [
        Subscribe(1, (Subscription("a"),) * (MOST_FILTERS + 1)),
        Unsubscribe(1, ("a",) * (MOST_FILTERS + 1)),
    ],
)
def test_a_packet_has_a_limited_number_of_filters(packet: Subscribe | Unsubscribe) -> None:
    with pytest.raises(MqttError, match="more than 4096 topic filters") as refused:
        decode(encode_packet(packet, 5), 5)
    assert refused.value.reason is ReasonCode.QUOTA_EXCEEDED


def test_as_many_filters_as_may_be_are_taken() -> None:
    packet = Unsubscribe(1, ("a",) * MOST_FILTERS)
    assert decode(encode_packet(packet, 5), 5) == packet
