"""The topic aliases of a connection [MQTT 5.0 §3.3.2.3.4]."""

import pytest
from mqtt_engine_peer import message

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.packets import Publish
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.protocols.mqtt.topic_aliases import OwnTopicAliases, PeerTopicAliases


def aliased_message(topic: str, number: int) -> Publish:
    return message(topic, properties=Properties({PropertyId.TOPIC_ALIAS: number}))


def test_an_alias_has_the_topic_that_came_with_it_last() -> None:
    said = [("a", 1), ("b", 2), ("", 1), ("", 2), ("c", 1), ("", 1)]
    aliases = PeerTopicAliases(2)
    messages = [aliased_message(topic, number) for topic, number in said]
    for each in messages:
        aliases.resolve(each)
    assert [each.topic for each in messages] == ["a", "b", "a", "b", "c", "c"]


@pytest.mark.parametrize(
    ("most", "topic", "number", "reason"),
    [(2, "a", 3, ReasonCode.TOPIC_ALIAS_INVALID), (0, "a", 1, ReasonCode.TOPIC_ALIAS_INVALID),
     (2, "", 1, ReasonCode.PROTOCOL_ERROR)],
)  # fmt: skip
def test_an_alias_that_is_too_large_or_unknown_is_refused(
    most: int, topic: str, number: int, reason: ReasonCode
) -> None:
    with pytest.raises(MqttError) as refused:
        PeerTopicAliases(most).resolve(
            message(topic, properties=Properties({PropertyId.TOPIC_ALIAS: number}))
        )
    assert refused.value.reason is reason


def test_only_as_many_aliases_are_set_as_the_peer_takes() -> None:
    assert OwnTopicAliases(0).propose() == b""
    aliases = OwnTopicAliases(1)
    assert aliases.propose() == b"\x23\x00\x01"
    aliases.learn("a", aliases.propose())
    assert (aliases.find("a"), aliases.find("b"), aliases.propose()) == (b"\x23\x00\x01", b"", b"")
