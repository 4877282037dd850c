"""lastvalue.frontends.mqtt.subscription_table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.packets import Subscription
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topic_keys import matches
from lastvalue.frontends.mqtt.subscription_table import (
    NEVER_WATCHED,
    ClientSubscription,
    SubscriptionTable,
    bound_subscription,
    requested_subscription,
)


def requested(asked: Subscription, **user: str) -> ClientSubscription:
    properties = Properties({PropertyId.SUBSCRIPTION_IDENTIFIER: 7}, list(user.items()))
    return requested_subscription(asked, properties)


def wanted(text: str, qos: int = 0, **user: str) -> ClientSubscription:
    return requested(Subscription(text, qos), **user)


ALL_OF_IT = (
    *("as_published", "filter", "identifier", "no_local", "qos", "rate", "text"),
    *("watched_after", "watches"),
)


@pytest.mark.parametrize(
    ("asked", "user"),
    [
        (Subscription("a/+"), {}),
        (Subscription("a/+", 2, True, True, 2), {}),
        (Subscription("a", 1), {"lastvalue-delivery": "watch", "lastvalue-rate": "0.5"}),
        (Subscription("$share/g/a/#", 1), {}),
    ],
)
def test_a_binding_has_all_of_a_subscription(asked: Subscription, user: dict[str, str]) -> None:
    subscription = requested(asked, **user)
    again = bound_subscription(subscription.binding("q").arguments)
    assert again is not None
    assert [getattr(again, name) for name in ALL_OF_IT] == [getattr(subscription, name) for name in ALL_OF_IT]


def test_a_binding_of_another_protocol_is_no_subscription() -> None:
    assert bound_subscription({"x-match": "all"}) is None


@pytest.mark.parametrize(
    ("text", "user", "reason"),
    [
        ("a/#/b", {}, ReasonCode.TOPIC_FILTER_INVALID),
        ("a/*", {}, ReasonCode.TOPIC_FILTER_INVALID),
        ("/".join("a" * 255), {}, ReasonCode.TOPIC_FILTER_INVALID),
        ("a", {"lastvalue-rate": "fast"}, ReasonCode.IMPLEMENTATION_ERROR),
        ("a", {"lastvalue-rate": "0"}, ReasonCode.IMPLEMENTATION_ERROR),
        ("a", {"lastvalue-delivery": "some"}, ReasonCode.IMPLEMENTATION_ERROR),
    ],
)
def test_what_cannot_be_subscribed_to_has_a_reason(
    text: str, user: dict[str, str], reason: ReasonCode
) -> None:
    with pytest.raises(MqttError) as caught:
        requested(Subscription(text), **user)
    assert caught.value.reason is reason


@pytest.mark.parametrize(
    ("text", "qos", "user", "watches"),
    [
        ("a", 0, {}, True),
        ("a", 1, {}, False),
        ("a", 0, {"lastvalue-delivery": "every"}, False),
        ("a", 2, {"lastvalue-delivery": "watch"}, True),
        ("$share/g/a", 0, {}, False),
    ],
)
def test_retained_messages_are_watched_at_qos_0_or_where_the_client_says_so(
    text: str, qos: int, user: dict[str, str], watches: bool
) -> None:
    assert wanted(text, qos, **user).watches is watches


def test_a_topic_is_for_the_filters_that_match_it_but_the_shared_ones() -> None:
    table = SubscriptionTable()
    for text in ("a/#", "a/b", "+/b", "c", "$share/g/a/b"):
        table.put(wanted(text))
    assert {each.text for each in table.of_topic("a/b")} == {"a/#", "a/b", "+/b"}
    table.remove("a/#")
    assert {each.text for each in table.of_topic("a/b")} == {"a/b", "+/b"}
    assert table.remove("a/#") is None
    assert len(table) == 4


def test_a_session_only_watches_a_topic_if_all_of_its_subscriptions_to_it_do() -> None:
    table = SubscriptionTable()
    watching, every, shared = wanted("a/+"), wanted("a/b", 1), wanted("$share/g/a/#")
    watching.watched_after = 7
    table.put(watching)
    table.put(shared)
    assert table.only_watch("a/b")
    table.put(every)
    assert [table.only_watch(topic) for topic in ("a/b", "a/c", "d")] == [False, True, True]
    table.remove("a/b")
    assert table.only_watch("a/b")
    watching.watched_after = NEVER_WATCHED
    table.forget_watches()
    assert [table.only_watch(topic) for topic in ("a/b", "d")] == [False, True]


LEVELS = st.sampled_from(["a", "b", "", "$a"])
FILTERS = st.tuples(st.lists(st.one_of(LEVELS, st.just("+")), min_size=1, max_size=4), st.booleans())


@given(st.lists(st.tuples(FILTERS, st.booleans()), max_size=12), st.lists(LEVELS, min_size=1, max_size=4))
def test_the_filters_that_are_found_are_those_that_match(
    acts: list[tuple[tuple[list[str], bool], bool]], topic: list[str]
) -> None:
    table = SubscriptionTable()
    present: dict[str, ClientSubscription] = {}
    for (levels, ends), puts in acts:
        text = "/".join([*levels, "#"] if ends else levels) or "#"
        if puts:
            present[text] = wanted(text)
            table.put(present[text])
        else:
            assert table.remove(text) is present.pop(text, None)
    expected = {text for text, each in present.items() if matches(each.filter.levels, topic)}
    for _ in range(2):
        assert {each.text for each in table.of_topic("/".join(topic))} == expected
    for text in list(present):
        table.remove(text)
    assert len(table) == 0
    assert table.of_topic("/".join(topic)) == []
