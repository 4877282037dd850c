"""lastvalue.codec.mqtt.topic_keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.patterns import PatternTree
from lastvalue.codec.mqtt.topic_keys import (
    filter_pattern,
    key_topic,
    matches,
    overlaps,
    reply_address,
    reply_topic,
    topic_key,
)

LEVELS = st.sampled_from(["a", "b", "", "v1.2", "$x"])
TOPICS = st.lists(LEVELS, min_size=1, max_size=4).map("/".join).filter(bool)
FILTERS = st.tuples(
    st.lists(st.one_of(LEVELS, st.just("+")), min_size=1, max_size=4), st.sampled_from([[], ["#"]])
).map(lambda parts: [*parts[0], *parts[1]])


@given(topic=TOPICS)
def test_a_topic_is_one_key_and_back(topic: str) -> None:
    assert key_topic(topic_key(topic)) == topic
    assert reply_topic(reply_address(topic)) == topic


@pytest.mark.parametrize("key", ["", "a.+", "a#", "a\0b"])
def test_no_topic_has_such_a_key(key: str) -> None:
    assert key_topic(key) is None


@pytest.mark.parametrize("address", ["a.b", "amq.topic", "/queues/q", "amq.topic/#"])
def test_other_addresses_for_replies_are_no_topics(address: str) -> None:
    assert reply_topic(address) is None


@given(topic=TOPICS, levels=FILTERS)
def test_a_topic_that_a_filter_matches_has_a_key_that_its_pattern_matches(
    topic: str, levels: list[str]
) -> None:
    tree = PatternTree(empty_words=True)
    tree.add(filter_pattern(levels), Binding("q", ""))
    routed = bool(tree.match(topic_key(topic)))
    reserved = topic.startswith("$") and levels[0] in ("+", "#")
    assert matches(levels, topic.split("/")) is (routed and not reserved)


@given(topic=TOPICS, first=FILTERS, second=FILTERS)
def test_filters_that_match_one_topic_overlap(topic: str, first: list[str], second: list[str]) -> None:
    levels = topic.split("/")
    if matches(first, levels) and matches(second, levels):
        assert overlaps(first, second)


@pytest.mark.parametrize(
    ("first", "second", "overlap"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a/c", False),
        ("a/+", "a/c", True),
        ("a/b", "a/b/#", True),
        ("a/b", "a/b/c", False),
        ("a/b/c/#", "a", False),
        ("#", "a/b", True),
    ],
)
def test_filters_overlap_where_a_topic_may_have_both(first: str, second: str, overlap: bool) -> None:
    assert overlaps(first.split("/"), second.split("/")) is overlap
    assert overlaps(second.split("/"), first.split("/")) is overlap
