"""What arguments ask for, beside what a queue has."""

import pytest

from lastvalue.queues.spec import LastValue, Limit, QueueSpec
from lastvalue.queues.spec_arguments import contradictions

PRICES = QueueSpec("prices", ordering=LastValue("ticker"), limit=Limit(10))


@pytest.mark.parametrize(
    "arguments",
    [{}, {"lvq_key": "ticker"}, {"qpid.max_count": 10}, {"qpid.last_value_queue_key": "ticker"}],
    ids=str,
)
def test_a_queue_that_has_all_that_is_asked_for_contradicts_nothing(arguments: dict[str, object]) -> None:
    assert contradictions(arguments, PRICES) == ""


def test_a_contradiction_names_the_option_and_both_values() -> None:
    assert "max_messages: wanted 5, has 10" in contradictions({"max_messages": 5}, PRICES)
    assert "priorities: wanted 5, has None" in contradictions({"priorities": 5}, PRICES)
