"""Filters of CORE and selectors of JMS say the same."""

import pytest

from lastvalue.frontends.core.filter_text import filter_text_of, jms_selector
from lastvalue.selectors import InvalidSelectorError

pytestmark = pytest.mark.pure


@pytest.mark.parametrize(
    ("filter_text", "selector"),
    [
        ("color='AMQPriority'", "color='AMQPriority'"),
        ("AMQPriority > 4", "JMSPriority > 4"),
        ("AMQDurable='NON_DURABLE'", "JMSDeliveryMode='NON_PERSISTENT'"),
        ("AMQUserID = 'ID:it''s' AND kind='DURABLE'", "JMSMessageID = 'ID:it''s' AND kind='DURABLE'"),
        ("myAMQPriority = 1", "myAMQPriority = 1"),
    ],
)
def test_a_filter_becomes_a_selector_and_back(filter_text: str, selector: str) -> None:
    assert jms_selector(filter_text) == selector
    assert filter_text_of(selector) == filter_text


@pytest.mark.parametrize("text", ["TRUE > 0", "color = 'red' AND NOT (a OR number <= false)"])
def test_the_order_of_a_boolean_is_refused(text: str) -> None:
    with pytest.raises(InvalidSelectorError, match="a boolean has no order"):
        jms_selector(text)


def test_booleans_are_compared_for_equality() -> None:
    assert jms_selector("a = TRUE OR b <> FALSE") == "a = TRUE OR b <> FALSE"
