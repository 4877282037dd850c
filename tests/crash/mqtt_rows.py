"""What MQTT's clients leave behind at a broker: sessions, retained messages, groups, wills."""

from typing import Final

from node_steps import BEFORE, Clients, Declare, Row, Send
from raw_mqtt import RawMqtt, published
from served_broker import HOST
from waiting import wait_until

from lastvalue.codec.mqtt.packets import Ack, Connect, Disconnect, Will
from lastvalue.codec.mqtt.properties import Properties, PropertyId

_EXPIRY_S: Final = 3600


def _entered(it: Clients, client_id: str, will: Will | None = None) -> RawMqtt:
    """A client whose session lasts."""
    client = RawMqtt(HOST, it.port)
    it.ends(client.socket.close)
    properties = Properties({PropertyId.SESSION_EXPIRY_S: _EXPIRY_S})
    client.enter(Connect(5, client_id, clean_start=False, will=will, properties=properties))
    return client


def _left(client: RawMqtt) -> None:
    client.say(Disconnect())
    client.socket.close()


def subscribed(client_id: str, topic_filter: str) -> Declare:
    """A session that is away, with a subscription."""

    def declare(it: Clients) -> None:
        client = _entered(it, client_id)
        client.subscribe(topic_filter, qos=1)
        _left(client)

    return declare


def sent(topic: str, *, retain: bool = False) -> Send:
    """Publishes at QoS 1; a retained text has a topic of its own."""

    def send(it: Clients, text: str) -> None:
        client = _entered(it, "writer")
        client.say(published(f"{topic}/{text}" if retain else topic, text.encode(), 1, 1, retain=retain))
        client.expect(Ack)
        _left(client)

    return send


def willed(topic: str, queue: str) -> Send:
    """A client whose will is the text; before the restart it stays connected."""

    def send(it: Clients, text: str) -> None:
        client = _entered(it, "mortal", Will(topic, text.encode(), 1))
        if text != BEFORE:
            client.socket.close()
            wait_until(lambda: text in it.texts(queue))

    return send


def _session(client_id: str) -> str:
    return f"$subscription/anonymous/{client_id}/mqtt"


MQTT: Final = [
    Row("MQTT", "session", subscribed("away", "mqtt/topic"), sent("mqtt/topic"), _session("away")),
    Row("MQTT", "retained message", lambda it: None, sent("mqtt/kept", retain=True), "mqtt.retained"),
    Row(
        "MQTT", "shared subscription", subscribed("member", "$share/g/mqtt/shared"), sent("mqtt/shared"),
        "mqtt.shared/g/mqtt/shared",
    ),
    Row(
        "MQTT", "will", subscribed("heir", "mqtt/will"), willed("mqtt/will", _session("heir")),
        _session("heir"),
    ),
]  # fmt: skip
