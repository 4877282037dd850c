"""The kinds of nodes of MQTT: what clients have who come back, and what others find."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from node_steps import BEFORE, Clients, Declare, Row, Send, sent091
from raw_mqtt import RawMqtt, published
from served_broker import HOST
from waiting import wait_until

from lastvalue.broker.queue_names import subscription_queue
from lastvalue.client import QueueNotFoundError
from lastvalue.codec.mqtt.packet_types import LEVEL_5
from lastvalue.codec.mqtt.packets import Ack, Connect, Disconnect, Will
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.frontends.mqtt.retained_queues import DEFAULT_QUEUE

_DAY_S: Final = 86_400


def _session(client_id: str) -> str:
    return subscription_queue("anonymous", client_id, "mqtt")


@contextmanager
def _client(it: Clients, client_id: str, expiry_s: int = 0) -> Iterator[RawMqtt]:
    """A client that goes away in order."""
    properties = Properties({PropertyId.SESSION_EXPIRY_S: expiry_s})
    with RawMqtt(HOST, it.port) as client:
        client.enter(Connect(LEVEL_5, client_id, clean_start=expiry_s == 0, properties=properties))
        yield client
        client.say(Disconnect())


def _subscribed(client_id: str, *filters: str) -> Declare:
    """A session that lasts, with these subscriptions, whose client is away."""

    def subscribe(it: Clients) -> None:
        with _client(it, client_id, _DAY_S) as client:
            client.subscribe(*filters, qos=1)

    return subscribe


def _joined(client_id: str, topic_filter: str, queue: str) -> Declare:
    """As `_subscribed`, once: a member that comes back takes what waits for its group into its session."""
    subscribe = _subscribed(client_id, topic_filter)

    def join(it: Clients) -> None:
        try:
            it.own.queue(queue).info()
        except QueueNotFoundError:
            subscribe(it)

    return join


def _published(topic: str, *, retain: bool = False) -> Send:
    """A message at QoS 1, at a topic that ends in its text if it is retained."""

    def publish(it: Clients, text: str) -> None:
        place = f"{topic}/{text}" if retain else topic
        with _client(it, "rows publisher") as client:
            client.say(published(place, text.encode(), 1, 1, retain=retain))
            client.expect(Ack)

    return publish


def _willed(topic: str, queue: str) -> Send:
    """A client whose will is the text; before the restart it stays connected."""

    def send(it: Clients, text: str) -> None:
        client = RawMqtt(HOST, it.port)
        it.ends(client.socket.close)
        properties = Properties({PropertyId.SESSION_EXPIRY_S: _DAY_S})
        will = Will(topic, text.encode(), 1)
        client.enter(Connect(LEVEL_5, "mortal", clean_start=False, will=will, properties=properties))
        if text != BEFORE:
            client.socket.close()
            wait_until(lambda: text in it.texts(queue))

    return send


def enter_passing(it: Clients) -> None:
    """Have a session that ends with its connection, which nobody closes."""
    client = RawMqtt(HOST, it.port)
    it.ends(client.socket.close)
    client.enter(Connect(LEVEL_5, "passing"))
    client.subscribe("rows/#", qos=1)


_SHARED: Final = "mqtt.shared/group/rows/shared/#"
MQTT_PASSING: Final = _session("passing")
MQTT: Final = [
    Row("MQTT", "session", _subscribed("row", "rows/session/#"), _published("rows/session"), _session("row")),
    Row(
        "MQTT", "shared subscription", _joined("sharer", "$share/group/rows/shared/#", _SHARED),
        _published("rows/shared"), _SHARED,
    ),
    Row("MQTT", "retained", lambda _: None, _published("rows/retained", retain=True), DEFAULT_QUEUE),
    Row(
        "MQTT", "will", _subscribed("heir", "rows/will"), _willed("rows/will", _session("heir")),
        _session("heir"),
    ),
    Row(
        "MQTT", "what AMQP publishes", _subscribed("reader of AMQP", "rows/amqp/#"),
        sent091("amq.topic", "rows.amqp"), _session("reader of AMQP"),
    ),
]  # fmt: skip
