"""However the bytes of an MQTT client are cut into reads, the outcome is the same."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from mqtt_peer import MqttPeer, mqtt_state

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_311, PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    Packet,
    Ping,
    Publish,
    Subscribe,
    Subscription,
    Unsubscribe,
    Will,
)
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId

TOPICS = st.sampled_from(["a/1", "a/2", "a/10", "b", "p/X", "p/Y", "secret/X", "/" * 256, "é"])
"""Of one length and of several; for those below `secret` there is no right, and one has too many levels."""
RULES = (
    "all amq.topic", "all mqtt.retained", "all p", "all $subscription/*", "all $subscription/anonymous/*"
)  # fmt: skip


@st.composite
def publishes(draw: st.DrawFn) -> Publish:
    qos = draw(st.integers(0, 2))
    payload = draw(st.sampled_from([b"", b"1", b"2", b"x" * 254, b"x" * 256, b"y" * 300]))
    made = Publish(draw(TOPICS), payload, qos, draw(st.integers(1, 4)) if qos else 0, NONE)
    made.retain = draw(st.booleans())
    made.duplicate = qos > 0 and draw(st.booleans())
    if draw(st.integers(0, 9)) == 0:
        made.properties = Properties({PropertyId.CONTENT_TYPE: "text/plain"}, [("u", "1")])
    return made


PACKETS = st.lists(
    st.one_of(
        publishes(),
        publishes(),
        publishes(),
        st.integers(1, 4).map(lambda number: Ack(PacketType.PUBREL, number)),
        st.just(Ping(PacketType.PINGREQ)),
        st.sampled_from(["a/+", "#"]).map(lambda text: Subscribe(9, (Subscription(text, 1),))),
        st.just(Unsubscribe(8, ("a/+",))),
    ),
    min_size=1,
    max_size=20,
)
CUTS = st.lists(st.floats(0, 1), max_size=8)


class World:
    """A broker with somebody who gets all, and somebody who publishes and may subscribe."""

    def __init__(self, level: int, lasts: bool) -> None:
        self.broker = Broker(all_effects=False)
        permissions = Permissions(tuple(parse_rule(each) for each in RULES))
        self.broker.authorization.permissions = lambda user: permissions
        state = mqtt_state(self.broker, topics=[("p/{symbol}", "p"), ("secret/{symbol}", "secret")])
        self.reader, self.watcher = MqttPeer(state), MqttPeer(state)
        self.reader.connect("reader", 1000, clean_start=False)
        self.reader.subscribe("#", qos=2, user=[("lastvalue-delivery", "every")])
        self.reader.lost()
        self.watcher.connect("watcher")
        self.watcher.subscribe(Subscription("a/#", retain_as_published=True))
        self.writer = MqttPeer(state, level)
        self.writer.connect("writer", 1000 if lasts and level == LEVEL_5 else 0, will=Will("b", b"will"))
        self.heard: list[Packet] = []

    def read(self, data: bytes) -> None:
        """Read a piece, and have a turn."""
        self.writer.raw(data)
        self.heard += self.writer.heard
        self.writer.heard = []

    def acks(self, kind: PacketType) -> list[Ack]:
        """The answers of this type, which come in the order of what they answer."""
        return [each for each in self.heard if isinstance(each, Ack) and each.packet_type is kind]

    def outcome(self) -> dict[str, Any]:
        """What the broker has, and what its clients heard, once the client has vanished."""
        ended = self.writer.conversation.finished
        self.writer.lost()
        watched = self.watcher.take_all(Publish)
        # What the writer gets of its own depends on when it is sent.
        queues = {
            queue.spec.name: queue
            for queue in self.broker.queues()
            if not queue.spec.name.endswith("/writer/mqtt")
        }
        exchange = self.broker.exchanges.find("amq.topic")
        return {
            "held": {name: [each.encoded for each in queue.entries()] for name, queue in queues.items()},
            "counts": {name: (queue.published, queue.sequence) for name, queue in queues.items()},
            "exchange": (exchange.received, exchange.unrouted),
            # Which retained values a watch shows depends on when it is looked at.
            "newest": {each.topic: each.payload for each in watched if each.retain},
            "passing": [(each.topic, each.payload) for each in watched if not each.retain],
            # A connection that ends has no answers any more.
            "acks": ended or {kind: self.acks(kind) for kind in PacketType},
        }


@given(st.sampled_from([LEVEL_311, LEVEL_5]), st.booleans(), PACKETS, CUTS)
def test_the_outcome_does_not_depend_on_the_reads(
    level: int, lasts: bool, packets: list[Packet], cuts: list[float]
) -> None:
    encoded = [encode_packet(each, level) for each in packets]
    data = b"".join(encoded)
    whole, single, cut = World(level, lasts), World(level, lasts), World(level, lasts)
    whole.read(data)
    for each in encoded:
        single.read(each)
    places = sorted({0, len(data), *(int(each * len(data)) for each in cuts)})
    for start, end in pairwise(places):
        cut.read(data[start:end])
    expected = single.outcome()
    assert whole.outcome() == expected
    assert cut.outcome() == expected
