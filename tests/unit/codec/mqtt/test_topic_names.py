"""lastvalue.codec.mqtt.topic_names."""

import pytest

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.topic_names import MOST_NAMES, TopicNames


def test_a_name_that_comes_again_is_the_same_object() -> None:
    names = TopicNames()
    first = names.name_of("grün/a".encode())
    assert first == "grün/a"
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
