"""Bytes are split into packets [MQTT 5.0 §2.1]."""

import pytest

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.frames import FrameReader, begins_mqtt
from lastvalue.codec.mqtt.reason_codes import ReasonCode


def body(reader: FrameReader) -> bytes:
    return reader.data[reader.start : reader.end]


def test_packets_that_came_together_are_split() -> None:
    reader = FrameReader(100)
    reader.feed(b"\xc0\x00\x30\x02ab\x40")
    assert reader.next()
    assert (reader.first, body(reader)) == (0xC0, b"")
    assert reader.next()
    assert (reader.first, body(reader)) == (0x30, b"ab")
    assert not reader.next()
    assert reader.waiting_bytes == 1


def test_a_packet_may_come_byte_by_byte() -> None:
    packet = b"\x30\xc8\x01" + bytes(200)
    reader = FrameReader(1000)
    for at in range(len(packet) - 1):
        reader.feed(packet[at : at + 1])
        assert not reader.next()
        assert reader.waiting_bytes == at + 1
    reader.feed(packet[-1:])
    assert reader.next()
    assert body(reader) == bytes(200)
    assert reader.waiting_bytes == 0


def test_what_follows_the_rest_of_a_packet_is_not_lost() -> None:
    reader = FrameReader(100)
    reader.feed(b"\xc0\x00\x30\x03a")
    assert reader.next()
    assert not reader.next()
    reader.feed(b"b")
    assert not reader.next()
    reader.feed(b"c\xe0\x00")
    assert reader.next()
    assert body(reader) == b"abc"
    assert reader.next()
    assert reader.first == 0xE0


@pytest.mark.parametrize("size", [b"\x09", b"\x89\x01", b"\xff\xff\xff\x7f"])
def test_a_packet_that_is_too_large_is_refused_as_soon_as_its_length_is_known(size: bytes) -> None:
    """[MQTT-3.2.2-15]."""
    reader = FrameReader(10)
    reader.feed(b"\x30" + size)
    with pytest.raises(MqttError, match="at most 10 are taken") as refused:
        reader.next()
    assert refused.value.reason is ReasonCode.PACKET_TOO_LARGE


@pytest.mark.parametrize(
    ("octets", "fault"),
    [(b"\x30\x80\x80\x80\x80\x01", "at most four bytes"), (b"\x30\x80\x00", "MQTT-1.5.5-1")],
)
def test_a_remaining_length_is_a_variable_byte_integer(octets: bytes, fault: str) -> None:
    reader = FrameReader(1 << 30)
    reader.feed(octets)
    with pytest.raises(MqttError, match=fault):
        reader.next()


@pytest.mark.parametrize(
    ("header", "begins"),
    [
        (b"\x10\x0c\0\4MQTT", True),
        (b"\x10\x80\x01\0\4MQT", True),
        (b"\x10\x80\x80\x01\0\4MQ", True),
        (b"\x10\x80\x80\x80\x01\0\4M", True),
        (b"\x10\x0e\0\6MQIs", True),
        (b"\x10\x80\x80\x80\x01\0\6M", True),
        (b"\x10\x80\x80\x80\x80\0\4M", False),
        (b"\x10\x0c\0\4HTTP", False),
        (b"\x30\x0c\0\4MQTT", False),
        (b"AMQP\0\0\x09\x01", False),
        (b"\x16\x03\x01\0\4MQT", False),
    ],
)
def test_the_first_eight_bytes_of_a_connect_are_recognised(header: bytes, begins: bool) -> None:
    assert begins_mqtt(header) is begins


def test_what_is_forgotten_is_not_read() -> None:
    reader = FrameReader(1000)
    reader.feed(b"\x30\x02a")
    assert not reader.next()
    reader.feed(b"b\xc0")
    reader.clear()
    assert (reader.next(), reader.waiting_bytes, reader.data) == (False, 0, b"")
    reader.feed(b"\xc0\x00")
    assert (reader.next(), reader.first) == (True, 0xC0)
