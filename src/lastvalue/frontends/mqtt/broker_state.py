"""What the MQTT connections of one broker share."""

from dataclasses import dataclass
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.codec.mqtt.message_encoder import DeliveredHeads, DeliveredMessage
from lastvalue.codec.mqtt.packet_types import LASTS_FOR_EVER
from lastvalue.codec.mqtt.topic_names import TopicNames
from lastvalue.frontends.mqtt.message_heads import MessageHeads
from lastvalue.frontends.mqtt.retained_forwarder import RetainedForwarder
from lastvalue.frontends.mqtt.retained_queues import RetainedQueues
from lastvalue.frontends.mqtt.watchers import Watchers
from lastvalue.frontends.mqtt.wills import Wills

_MOST_DELIVERED: Final = 4096
_MOST_BYTES: Final = 1 << 20
"""Of the messages that are kept as they are for clients; subscribers that lag read them later."""


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class MqttSettings:
    """What an operator decides.

    Attributes:
        most_session_messages: of a session's queue; the oldest are dropped.
        longest_expiry_s: of a session.
    """

    most_session_messages: int = 100_000
    longest_expiry_s: int = LASTS_FOR_EVER


@final
class BrokerState:
    """The broker, with what its MQTT connections leave behind.

    Attributes:
        heads: of what clients publish.
        names: of the topics of that.
        retained: the queues of retained messages.
        wills: of sessions that outlive their connections.
        watchers: the sessions that watch retained messages.
    """

    __slots__ = (
        "_delivered", "_delivered_bytes", "_delivered_heads", "broker", "heads", "names", "retained",
        "settings", "watchers", "wills",
    )  # fmt: skip

    def __init__(self, broker: Broker, settings: MqttSettings) -> None:
        self.broker = broker
        self.settings = settings
        self.retained = RetainedQueues(broker)
        self.wills = Wills(broker)
        self.heads = MessageHeads(self.retained)
        self.names = TopicNames()
        self.watchers = Watchers()
        broker.observers += [RetainedForwarder(broker, self.retained, self.watchers), self.wills]
        # What many subscribers get is read once.
        self._delivered: dict[bytes, DeliveredMessage] = {}
        self._delivered_bytes: i64 = 0
        self._delivered_heads = DeliveredHeads()

    def delivered(self, encoded: bytes) -> DeliveredMessage:
        """What a message is for clients of MQTT; not to be changed.

        Raises:
            DecodeError: it is malformed.
        """
        message = self._delivered.get(encoded)
        if message is None:
            message = self._delivered_heads.message(encoded)
            self._delivered_bytes += len(encoded)
            if len(self._delivered) >= _MOST_DELIVERED or self._delivered_bytes > _MOST_BYTES:
                self._delivered = {}
                self._delivered_bytes = len(encoded)
            self._delivered[encoded] = message
        return message
