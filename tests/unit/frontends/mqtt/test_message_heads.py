"""lastvalue.frontends.mqtt.message_heads."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.routing.bindings import Binding
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.message_decoder import message_body
from lastvalue.codec.mqtt.packets import Publish
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId, PropertyValue
from lastvalue.codec.mqtt.topic_keys import EXCHANGE
from lastvalue.codec.mqtt.topic_names import TopicNames
from lastvalue.frontends.mqtt.message_heads import MessageHeads
from lastvalue.frontends.mqtt.retained_queues import RetainedQueues
from lastvalue.queues.spec import QueueSpec

NAMES = [TopicNames()]
"""Those of a test."""


def heads() -> MessageHeads:
    NAMES[0] = TopicNames()
    return MessageHeads(RetainedQueues(Broker()))


def publish(topic: str, qos: int = 0, *, retain: bool = False, payload: bytes = b"x") -> Publish:
    made = Publish(topic, payload, qos, qos, NONE)
    made.name = NAMES[0].name_of(topic.encode())
    made.retain = retain
    return made


def learnt(kept: MessageHeads, one: Publish) -> MessageShape | None:
    """The shape of a message, learnt from it."""
    head = kept.of(one, 0)
    return kept.learn(head, one, read_message(head.octets + message_body(one.payload, False)))


def test_a_topic_has_a_head_for_each_qos_retained_or_not() -> None:
    kept = heads()
    kinds = [publish("a/b.c", qos, retain=retain) for qos in range(3) for retain in (False, True)]
    found = [kept.of(each, 0) for each in kinds]
    assert len({id(each) for each in found}) == 6
    assert [kept.of(each, 0) for each in kinds] == found
    assert {(each.topic, each.key) for each in found} == {("a/b.c", "a.b/c")}
    assert [None if each.retained is None else each.retained.name for each in found] == [
        None,
        "mqtt.retained",
    ] * 3


def test_its_octets_with_a_body_are_the_message() -> None:
    content = decode_content(heads().of(publish("a/b", 1, retain=True), 0).octets + message_body(b"x", False))
    assert (content.to, content.subject, content.durable, content.body) == ("amq.topic", "a.b", True, b"x")
    assert content.application_properties == {"topic": "a/b"}


def with_properties(values: dict[int, PropertyValue], encoded: bytes = b"") -> Publish:
    one = publish("a")
    one.properties = Properties(values)
    one.properties.encoded = encoded
    return one


def test_messages_with_the_same_octets_of_properties_have_one_head() -> None:
    kept = heads()
    one = with_properties({PropertyId.CONTENT_TYPE: "text/plain"}, b"text")
    head = kept.of(one, 0)
    assert head.is_kept
    assert kept.of(with_properties({PropertyId.CONTENT_TYPE: "text/plain"}, b"text"), 0) is head
    assert kept.of(with_properties({PropertyId.CONTENT_TYPE: "other"}, b"other"), 0) is not head
    assert kept.of(publish("a"), 0) is not head
    elsewhere = with_properties({PropertyId.CONTENT_TYPE: "text/plain"}, b"text")
    elsewhere.topic = "b"
    assert kept.of(elsewhere, 0) is not head


@pytest.mark.parametrize(
    "one",
    [
        with_properties({PropertyId.CONTENT_TYPE: "text/plain"}),
        # It expires at a time that depends on when it came.
        with_properties({PropertyId.MESSAGE_EXPIRY_S: 5_000_000}, b"expires"),
    ],
)
def test_the_head_of_others_with_properties_is_their_own(one: Publish) -> None:
    kept = heads()
    head = kept.of(one, 0)
    assert not head.is_kept
    assert not head.learns
    assert kept.of(one, 0) is not head


def test_a_payload_that_is_said_to_be_text_is_one() -> None:
    head = heads().of(with_properties({PropertyId.PAYLOAD_FORMAT: 1}, b"format"), 0)
    assert decode_content(head.message("ü".encode())).body == "ü"
    with pytest.raises(MqttError, match="the payload is none"):
        head.message(b"\xff")


def test_topics_of_one_length_have_one_shape_for_small_and_one_for_large_payloads() -> None:
    kept = heads()
    small = learnt(kept, publish("a/1"))
    assert small is not None
    assert learnt(kept, publish("b/2", payload=b"")) is small
    assert kept.of(publish("b/2"), 0).shape_of(b"x" * 255) is small
    assert kept.of(publish("b/2"), 0).shape_of(b"x" * 256) is None
    large = learnt(kept, publish("b/2", payload=b"x" * 256))
    assert large is not None
    assert kept.of(publish("b/2"), 0).shape_of(b"x" * 70_000) is large
    others = [publish("a/10"), publish("a/1", 1), publish("a/1", retain=True)]
    assert len({id(learnt(kept, each)) for each in others} | {id(small), id(large)}) == 5


def test_a_message_that_is_not_worth_comparing_has_no_shape() -> None:
    kept = heads()
    long = "x" * 256 + "/" * 200
    assert kept.of(publish(long), 0) is not kept.of(publish(long), 0)
    wide = publish("ä" * 256, retain=True)
    head = kept.of(wide, 0)
    assert head.learns
    assert learnt(kept, wide) is None
    assert not head.learns


def test_topics_of_the_same_subscriptions_have_one_route_until_something_changes() -> None:
    broker = Broker()
    for name, key in (("one", "a.#"), ("two", "a.b.#")):
        broker.declare(QueueSpec(name))
        broker.bind(EXCHANGE, Binding(name, key), BROKER, 0)
    exchange, kept = broker.exchanges.find(EXCHANGE), heads()
    routes = [
        kept.route_of(kept.of(publish(topic), 0), broker.router, exchange, 1)
        for topic in ("a/1", "a/2", "a/b/1", "c", "d", "$a/1", "$a/2")
    ]
    names = [[each.queue.spec.name for each in route.known.queues or []] for route in routes]
    assert names == [["one"], ["one"], ["one", "two"], [], [], [], []]
    assert routes[0] is routes[1]
    assert routes[3] is routes[4]
    assert routes[5] is not routes[6]
    assert [route.has_queues for route in routes[:4]] == [True, True, True, False]
    one = kept.of(publish("a/1"), 0)
    assert (one.route, one.changes) == (routes[0], 1)
    broker.exchanges.unbind(exchange, "two", "a.b.#")
    kept.route_of(kept.of(publish("a/2"), 0), broker.router, exchange, 2)
    assert [route.known.queues for route in routes] == [None] * 7
    assert kept.route_of(one, broker.router, exchange, 2).known.queues == [broker.lookup("one")]


def test_a_topic_has_so_many_levels() -> None:
    with pytest.raises(MqttError, match="at most 256 levels"):
        heads().of(publish("/" * 256), 0)


def test_a_message_without_a_remembered_name_has_a_head_of_its_own() -> None:
    kept = heads()
    one = publish("a")
    one.name = None
    assert kept.of(one, 0) is not kept.of(one, 0)
    assert not kept.of(one, 0).is_kept
