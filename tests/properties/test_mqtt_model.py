"""MQTT beside AMQP, compared with a model that knows no queue: who gets what, and what is retained.

Topics have few names, so that filters overlap; each message has a body of its own, and all that an act causes
is compared after it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from mqtt_peer import MqttPeer, mqtt_state

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.nodes import Node
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.mqtt.packet_types import PacketType
from lastvalue.codec.mqtt.packets import Publish

TOPICS = st.sampled_from(["a", "a/b", "a/c", "b", "b/c"])
FILTERS = st.sampled_from(["a", "a/+", "a/#", "#", "b/c", "+/c"])
CLIENTS = st.sampled_from(["one", "two"])
QOS = st.integers(0, 2)
Delivery = tuple[str, bytes, int, bool]
"""Topic, body, QoS, and whether it is said to be retained."""

ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("publish"), TOPICS, QOS, st.booleans(), st.booleans()),
        st.tuples(st.just("publish_over_amqp"), TOPICS, st.booleans()),
        st.tuples(st.just("put_over_amqp"), TOPICS, st.booleans(), st.booleans()),
        st.tuples(st.just("subscribe"), CLIENTS, FILTERS, QOS, st.booleans()),
        st.tuples(st.just("unsubscribe"), CLIENTS, FILTERS),
        st.tuples(st.just("leave"), CLIENTS),
        st.tuples(st.just("come_back"), CLIENTS),
    ),
    min_size=8,
    max_size=30,
)


def is_for(text: str, topic: str) -> bool:
    """Whether a filter matches a topic, level by level."""
    wanted, levels = text.split("/"), topic.split("/")
    if wanted[-1] == "#":
        wanted, levels = wanted[:-1], levels[: len(wanted) - 1]
    return len(wanted) == len(levels) and all(
        one in ("+", other) for one, other in zip(wanted, levels, strict=True)
    )


@dataclass
class Known:
    """What a client is, as the model knows it: by filter the QoS, and whether it watches."""

    subscriptions: dict[str, tuple[int, bool]] = field(default_factory=dict)
    here: bool = True
    waiting: list[Delivery] = field(default_factory=list)


class Model:
    def __init__(self) -> None:
        self.retained: dict[str, tuple[bytes, int]] = {}
        self.clients = {"one": Known(), "two": Known()}

    def deliver(self, topic: str, body: bytes, qos: int, *, retained: bool) -> None:
        for client in self.clients.values():
            found = [each for text, each in client.subscriptions.items() if is_for(text, topic)]
            watching = [each for each in found if each[1] and retained and client.here and body]
            others = [each[0] for each in found if each not in watching]
            if others:
                client.waiting.append((topic, body, min(qos, max(others)), False))
            client.waiting += [(topic, body, 0, False) for _ in watching]

    def retain(self, topic: str, body: bytes, qos: int) -> None:
        self.retained.pop(topic, None)
        if body:
            self.retained[topic] = (body, qos)


class World:
    """The broker and its clients, and the model that does the same."""

    def __init__(self) -> None:
        self.broker = Broker()
        self.state = mqtt_state(self.broker)
        self.model = Model()
        self.bodies = 0
        self.writer = MqttPeer(self.state)
        self.writer.connect("writer")
        self.peers = {name: MqttPeer(self.state) for name in self.model.clients}
        for name, peer in self.peers.items():
            peer.connect(name, 1000, clean_start=False)

    def body(self, *, empty: bool = False) -> bytes:
        self.bodies += 1
        return b"" if empty else b"%d" % self.bodies

    # ------------------------------------------------------------------ acts

    def publish(self, topic: str, qos: int, retain: bool, empty: bool) -> None:
        body = self.body(empty=empty)
        self.writer.publish(topic, body, qos, retain=retain)
        for kind, number, _ in self.writer.acks():
            if kind is PacketType.PUBREC:
                self.writer.answer(PacketType.PUBREL, number)
        if retain:
            self.model.retain(topic, body, qos)
        self.model.deliver(topic, body, qos, retained=retain)

    def publish_over_amqp(self, topic: str, durable: bool) -> None:
        body, key = self.body(), topic.replace("/", ".")
        node = Node("amq.topic", None, self.broker.exchanges.find("amq.topic"))
        message = read_message(
            encode_content(MessageContent(subject=key, durable=durable, body=body.decode()))
        )
        self.broker.route(self.broker.target(node, BROKER), key, message, self.writer.now)
        self.model.deliver(topic, body, int(durable), retained=False)

    def put_over_amqp(self, topic: str, durable: bool, empty: bool) -> None:
        body = self.body(empty=empty)
        if not self.broker.has_queue("mqtt.retained"):
            return
        content = MessageContent(
            application_properties={"topic": topic}, durable=durable, body=body.decode() if body else b""
        )
        target = self.broker.queue_target("mqtt.retained", BROKER)
        self.broker.publish(target, read_message(encode_content(content)), self.writer.now)
        self.model.retain(topic, body, int(durable))
        self.model.deliver(topic, body, int(durable), retained=True)

    def subscribe(self, name: str, text: str, qos: int, every: bool) -> None:
        client = self.model.clients[name]
        if not client.here:
            return
        self.peers[name].subscribe(text, qos=qos, user=[("lastvalue-delivery", "every")] if every else [])
        watches = qos == 0 and not every
        client.subscriptions[text] = (qos, watches)
        client.waiting += [
            (topic, body, 0 if watches else min(qos, of), True)
            for topic, (body, of) in self.model.retained.items()
            if is_for(text, topic)
        ]

    def unsubscribe(self, name: str, text: str) -> None:
        client = self.model.clients[name]
        if client.here:
            self.peers[name].unsubscribe(text)
            client.subscriptions.pop(text, None)

    def leave(self, name: str) -> None:
        if self.model.clients[name].here:
            self.peers[name].lost()
            self.model.clients[name].here = False

    def come_back(self, name: str) -> None:
        client = self.model.clients[name]
        if not client.here:
            peer = self.peers[name] = MqttPeer(self.state)
            assert peer.connect(name, 1000, clean_start=False).session_present
            client.here = True

    # ------------------------------------------------------------------ comparing

    def compare(self) -> None:
        for peer in (self.writer, *self.peers.values()):
            peer.turn()
        for name, client in self.model.clients.items():
            if client.here:
                expected, client.waiting = client.waiting, []
                assert sorted(self.got(self.peers[name])) == sorted(expected), name

    def got(self, peer: MqttPeer) -> list[Delivery]:
        found: list[Delivery] = []
        while messages := peer.take_all(Publish):
            for each in messages:
                found.append((each.topic, each.payload, int(each.qos), each.retain))
                if each.qos == 1:
                    peer.answer(PacketType.PUBACK, int(each.packet_id))
                elif each.qos == 2:
                    peer.answer(PacketType.PUBREC, int(each.packet_id))
                    peer.answer(PacketType.PUBCOMP, int(each.packet_id))
        return found

    def kept(self) -> dict[str, bytes]:
        if not self.broker.has_queue("mqtt.retained"):
            return {}
        found: dict[str, bytes] = {}
        for entry in self.broker.lookup("mqtt.retained").queue.entries():
            content = decode_content(entry.encoded)
            body: Any = content.body
            found[str(content.application_properties["topic"])] = (
                body.encode() if isinstance(body, str) else body
            )
        return found


@given(acts=ACTS)
def test_everybody_gets_what_the_model_says(acts: list[tuple[Any, ...]]) -> None:
    world = World()
    for name, *arguments in acts:
        act: Callable[..., None] = getattr(world, name)
        act(*arguments)
        world.compare()
        assert world.kept() == {topic: body for topic, (body, _) in world.model.retained.items()}
    for name in world.peers:
        world.come_back(name)
        world.compare()
    depths = [queue.depth for queue in world.broker.queues() if queue.spec.name.startswith("$subscription")]
    assert depths == [0] * len(depths)
