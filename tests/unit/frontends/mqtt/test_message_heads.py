"""lastvalue.frontends.mqtt.message_heads."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.message_decoder import message_body
from lastvalue.codec.mqtt.packets import Publish
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId
from lastvalue.frontends.mqtt.message_heads import MOST_HEADS, UNKNOWN, MessageHeads
from lastvalue.frontends.mqtt.retained_queues import RetainedQueues
from lastvalue.queues.spec import QueueSpec


def heads() -> MessageHeads:
    return MessageHeads(RetainedQueues(Broker()))


def publish(topic: str, qos: int = 0, *, retain: bool = False, payload: bytes = b"x") -> Publish:
    made = Publish(topic, payload, qos, qos, NONE)
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


def test_the_head_of_a_message_with_properties_is_its_own() -> None:
    kept = heads()
    one = publish("a")
    one.properties = Properties({PropertyId.CONTENT_TYPE: "text/plain"})
    head = kept.of(one, 0)
    assert not head.is_kept
    assert not head.learns
    assert kept.of(one, 0) is not head


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
    long = publish("x" * 256 + "/" * 200)
    assert kept.of(long, 0) is not kept.of(long, 0)
    wide = publish("ä" * 256, retain=True)
    head = kept.of(wide, 0)
    assert head.learns
    assert learnt(kept, wide) is None
    assert not head.learns


def test_queues_are_forgotten_once_something_has_changed() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    queues = [broker.lookup("q")]
    kept = heads()
    one, two = kept.of(publish("a"), 0), kept.of(publish("b"), 0)
    kept.keep_route(one, queues, 1)
    kept.keep_route(two, [], 1)
    assert (one.queues, one.changes, two.queues, two.changes) == (queues, 1, [], 1)
    kept.keep_route(two, queues, 2)
    assert (one.queues, one.changes, two.queues, two.changes) == (None, UNKNOWN, queues, 2)


def test_a_topic_has_so_many_levels() -> None:
    with pytest.raises(MqttError, match="at most 256 levels"):
        heads().of(publish("/" * 256), 0)


def test_only_so_many_heads_are_kept() -> None:
    kept = heads()
    first = kept.of(publish("first"), 0)
    for number in range(MOST_HEADS):
        kept.of(publish(f"{number}"), 0)
    assert kept.of(publish("first"), 0) is not first
