"""The topic aliases of a connection, in both directions [MQTT 5.0 §3.3.2.3.4]."""

from typing import final

from mypy_extensions import i64

from lastvalue.codec.mqtt.errors import MqttError, protocol_error
from lastvalue.codec.mqtt.fields import uint16
from lastvalue.codec.mqtt.packets import Publish, TopicName
from lastvalue.codec.mqtt.properties import NONE, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode

_ALIAS: int = PropertyId.TOPIC_ALIAS
_HEAD = bytes((_ALIAS,))


@final
class PeerTopicAliases:
    """Those that the peer has set."""

    __slots__ = ("_most", "_topics")

    def __init__(self, most: i64) -> None:
        self._most: i64 = most
        self._topics: dict[int, tuple[str, TopicName | None]] = {}

    def resolve(self, publish: Publish) -> None:
        """Give a message that has an alias its topic, or remember its topic for the alias.

        A message that has no other property has none any more.

        Raises:
            MqttError: the alias is too large, or has no topic.
        """
        properties = publish.properties
        alias = properties.number(_ALIAS)
        if alias == 0:
            return
        if len(properties.values) == 1 and not properties.user:
            publish.properties = NONE
        if alias > self._most:
            raise MqttError(
                ReasonCode.TOPIC_ALIAS_INVALID, f"[MQTT-3.3.2-9] topic alias {alias}; at most {self._most}"
            )
        if publish.topic:
            self._topics[alias] = (publish.topic, publish.name)
            return
        topic = self._topics.get(alias)
        if topic is None:
            raise protocol_error(f"[MQTT 5.0 §3.3.4] no topic has been set for topic alias {alias}")
        publish.topic, publish.name = topic


@final
class OwnTopicAliases:
    """The aliases that are set at the peer: one for each of the first topics that are delivered."""

    __slots__ = ("_most", "_numbers")

    def __init__(self, most: i64) -> None:
        self._most: i64 = most
        self._numbers: dict[str, bytes] = {}

    def find(self, topic: str) -> bytes:
        """The property that stands for a topic that the peer knows, or b""."""
        return self._numbers.get(topic, b"")

    def propose(self) -> bytes:
        """The property that would set the next alias, or b"" if all are set."""
        number = len(self._numbers) + 1
        return _HEAD + uint16(number) if number <= self._most else b""

    def learn(self, topic: str, proposed: bytes) -> None:
        """The peer got this property with this topic."""
        self._numbers[topic] = proposed
