"""The names and filters of topics [MQTT 5.0 §4.7, §4.8]."""

import pytest

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topics import TopicFilter, check_topic_name, parse_topic_filter


@pytest.mark.parametrize("name", ["a", "/", "/finance", "a//b", "$SYS/x", " ", "sport/tennis"])
def test_a_name_may_have_empty_levels_and_any_characters(name: str) -> None:
    check_topic_name(name)


@pytest.mark.parametrize(
    ("name", "rule", "reason"),
    [
        ("", "MQTT-4.7.3-1", ReasonCode.PROTOCOL_ERROR),
        ("a/#", "MQTT-3.3.2-2", ReasonCode.MALFORMED_PACKET),
        ("a/+/b", "MQTT-3.3.2-2", ReasonCode.MALFORMED_PACKET),
    ],
)
def test_a_name_is_not_empty_and_has_no_wildcards(name: str, rule: str, reason: ReasonCode) -> None:
    with pytest.raises(MqttError, match=rule) as refused:
        check_topic_name(name)
    assert refused.value.reason is reason


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("a/b", TopicFilter(("a", "b"))),
        ("#", TopicFilter(("#",))),
        ("+/+", TopicFilter(("+", "+"))),
        ("/+", TopicFilter(("", "+"))),
        ("a/+/#", TopicFilter(("a", "+", "#"))),
        ("$share/g/a/#", TopicFilter(("a", "#"), "g")),
        ("$share/g//a", TopicFilter(("", "a"), "g")),
        ("$shared/g/a", TopicFilter(("$shared", "g", "a"))),
    ],
)
def test_a_filter_has_levels_and_perhaps_a_group(text: str, parsed: TopicFilter) -> None:
    assert parse_topic_filter(text) == parsed


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "MQTT-4.7.3-1"),
        ("sport/tennis#", "MQTT-4.7.1-1"),
        ("sport/tennis/#/ranking", "MQTT-4.7.1-1"),
        ("sport+", "MQTT-4.7.1-2"),
        ("a/+b", "MQTT-4.7.1-2"),
        ("$share/", "MQTT-4.8.2-1"),
        ("$share//a", "MQTT-4.8.2-1"),
        ("$share/g+/a", "MQTT-4.8.2-1"),
        ("$share/g", "MQTT-4.8.2-2"),
        ("$share/g/", "MQTT-4.8.2-2"),
    ],
)
def test_a_filter_with_a_wildcard_in_the_wrong_place_is_none(text: str, rule: str) -> None:
    with pytest.raises(MqttError, match=rule) as refused:
        parse_topic_filter(text)
    assert refused.value.reason is ReasonCode.TOPIC_FILTER_INVALID


def test_a_filter_says_whether_it_has_wildcards() -> None:
    texts = ("a/b", "a/+", "#")
    assert [parse_topic_filter(text).has_wildcards for text in texts] == [False, True, True]
    assert parse_topic_filter("$share/g/a/#").text == "a/#"
