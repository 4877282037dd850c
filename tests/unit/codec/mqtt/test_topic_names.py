"""lastvalue.codec.mqtt.topic_names."""

import pytest

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.fields import FieldReader
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_311
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId
from lastvalue.codec.mqtt.topic_names import MOST_NAMES, TopicNames


def test_a_name_that_comes_again_is_the_same_object() -> None:
    names = TopicNames()
    first = names.name_of("grün/a".encode())
    assert first.text == "grün/a"
    assert names.name_of(bytes(bytearray("grün/a".encode()))) is first


@pytest.mark.parametrize(
    ("octets", "rule"),
    [(b"\xff", "MQTT-1.5.4-1"), (b"a\0", "MQTT-1.5.4-2"), (b"a/#", "MQTT-3.3.2-2"), (b"", "MQTT-4.7.3-1")],
)
def test_what_is_no_name_is_refused_each_time(octets: bytes, rule: str) -> None:
    names = TopicNames()
    for _ in range(2):
        with pytest.raises(MqttError, match=rule):
            names.name_of(octets)


def test_only_so_many_are_kept_and_none_that_is_long() -> None:
    names = TopicNames()
    first = names.name_of(b"first")
    long = names.name_of(b"x" * 1000)
    for number in range(MOST_NAMES):
        names.name_of(b"%d" % number)
    assert names.name_of(b"first") is not first
    assert names.name_of(b"x" * 1000) is not long


def read(names: TopicNames, octets: bytes, level: int = LEVEL_5) -> tuple[Properties, int]:
    reader = FieldReader(octets, 0, len(octets))
    return names.properties_of(reader, level), int(reader.pos)


def test_properties_that_come_again_are_the_same_object() -> None:
    names = TopicNames()
    octets = b"\5\3\0\2ab"
    first, end = read(names, octets + b"payload")
    assert (first.values, end) == ({PropertyId.CONTENT_TYPE: "ab"}, 6)
    again, end = read(names, bytes(bytearray(octets)) + b"another")
    assert again is first
    assert end == 6
    assert read(names, b"\5\3\0\2ac")[0] is not first
    assert read(names, b"\0payload") == (NONE, 1)
    assert read(names, octets, LEVEL_311) == (NONE, 0)


def test_long_ones_are_not_kept_and_no_more_than_so_many() -> None:
    names = TopicNames()
    first, _ = read(names, b"\5\3\0\2ab")
    long = b"\x83\2\3\1\0" + b"x" * 256
    assert read(names, long)[0].encoded == b""
    assert read(names, long)[0] is not read(names, long)[0]
    for number in range(1 << 10):
        read(names, b"\7\3\0\4" + b"%04d" % number)
    assert read(names, b"\5\3\0\2ab")[0] is not first


@pytest.mark.parametrize("octets", [b"\5\3\0\2a", b"\1\3", b"\2\xff\0"])
def test_malformed_properties_are_refused_each_time(octets: bytes) -> None:
    names = TopicNames()
    for _ in range(2):
        with pytest.raises(MqttError):
            read(names, octets)
