"""Runs scenarios on a broker whose producers speak MQTT, without a socket; readers are those of AMQP 1.0.

A client of MQTT publishes to a topic, whose key binds the queue; it cannot read a queue of that name.
"""

from typing import Any

from mqtt_peer import MqttPeer, mqtt_state
from wired_broker import WiredBroker

from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.bindings import Binding
from lastvalue.codec.mqtt.properties import PropertyId, PropertyValue
from lastvalue.codec.mqtt.reason_codes import FIRST_FAILURE


class MqttBroker(WiredBroker):
    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        self.broker.bind("amq.topic", Binding("q", "to.q"), BROKER, self.now)
        self._publisher = MqttPeer(mqtt_state(self.broker))
        self._publisher.now = self.now
        self._publisher.connect("publisher")

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bool:
        assert not more, f"MQTT cannot say {more}"
        publisher = self._publisher
        publisher.now = self.now
        values: dict[int, PropertyValue] = {PropertyId.PAYLOAD_FORMAT: 1}
        if ttl_ms is not None:
            values[PropertyId.MESSAGE_EXPIRY_S] = ttl_ms // 1000
        publisher.publish("to/q", body.encode(), 1, values=values, user=list(properties.items()))
        ((_, _, reason),) = publisher.acks()
        return reason < FIRST_FAILURE
