"""lastvalue.frontends.mqtt.retained_queues."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue, RetainedQueues, TopicSelection
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.message import Message
from lastvalue.queues.spec import LastValue, QueueSpec


def message(**properties: object) -> Message:
    return read_message(encode_plain_message(False, properties, b""))


@pytest.mark.parametrize(
    ("pattern", "topic", "key", "properties"),
    [
        ("#", "a/b", "topic", {"topic": "a/b"}),
        ("prices/{symbol}", "prices/X", "symbol", {"symbol": "X"}),
        ("{site}/temp/{device}", "s/temp/d", "site,device", {"site": "s", "device": "d"}),
    ],
)
def test_a_topic_is_a_key_and_back(pattern: str, topic: str, key: str, properties: dict[str, str]) -> None:
    queue = RetainedQueue("q", pattern)
    assert queue.key == key
    assert dict(queue.properties_of(topic, topic.split("/"))) == properties
    assert queue.topic_of(message(**properties)) == topic
    assert queue.fits(queue.spec())


@pytest.mark.parametrize("value", ["", "a/b", "+", "#", None])
def test_a_key_that_is_no_level_has_no_topic(value: str | None) -> None:
    assert RetainedQueue("q", "prices/{symbol}").topic_of(message(symbol=value)) is None


@pytest.mark.parametrize("pattern", ["", "prices", "prices/+", "{a}/#", "prices/{}"])
def test_a_pattern_has_a_level_with_a_name_and_no_wildcard(pattern: str) -> None:
    with pytest.raises(InvalidSpecError, match="is no pattern of topics"):
        RetainedQueue("q", pattern)


def test_the_first_pattern_that_a_topic_has_says_its_queue() -> None:
    queues = RetainedQueues(Broker())
    queues.divide([("a/{x}", "one"), ("{y}/b", "two")])
    assert [queues.of(topic.split("/")).name for topic in ("a/b", "c/b", "c", "a/b/c")] == [
        "one",
        "two",
        "mqtt.retained",
        "mqtt.retained",
    ]


def test_the_queues_of_a_filter_are_those_that_may_have_its_topics() -> None:
    broker = Broker()
    queues = RetainedQueues(broker)
    queues.divide([("a/{x}", "one"), ("b/{y}", "two")])
    assert queues.for_filter(("a", "#"), False) == []
    assert [each.name for each, _ in queues.for_filter(("a", "#"), True)] == ["one", "mqtt.retained"]
    assert not broker.has_queue("two")


def test_a_queue_with_another_key_is_not_used() -> None:
    broker = Broker()
    broker.declare(QueueSpec("mqtt.retained", LastValue("other")), BROKER)
    queues = RetainedQueues(broker)
    assert queues.for_filter(("#",), True) == []
    with pytest.raises(InvalidSpecError, match="not a last-value queue with the key 'topic'"):
        queues.hosted(queues.all[-1])


def test_a_selection_reads_topics_from_keys() -> None:
    selection = TopicSelection(RetainedQueue("q", "prices/{symbol}"), ("prices", "X"))
    assert selection.matches(message(symbol="X"))
    assert not selection.matches(message(symbol="Y"))
    assert not selection.matches(message(other="X"))
