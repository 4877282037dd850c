"""What arguments ask for, beside what a queue has."""

import pytest

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec import LastValue, Limit, QueueSpec
from lastvalue.queues.spec_arguments import contradictions, spec_from_arguments, stored_spec

PRICES = QueueSpec("prices", ordering=LastValue("ticker"), limit=Limit(10))


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"lvq_key": "ticker"},
        {"qpid.max_count": 10},
        {"qpid.last_value_queue_key": "ticker"},
        {"virtual_host": "prod"},
    ],
    ids=str,
)
def test_a_queue_that_has_all_that_is_asked_for_contradicts_nothing(arguments: dict[str, object]) -> None:
    assert contradictions(arguments, PRICES) == ""


def test_a_contradiction_names_the_option_and_both_values() -> None:
    assert "max_messages: wanted 5, has 10" in contradictions({"max_messages": 5}, PRICES)
    assert "priorities: wanted 5, has 0" in contradictions({"priorities": 5}, PRICES)


def test_a_declaration_has_a_bounded_number_of_arguments() -> None:
    with pytest.raises(InvalidSpecError, match="20000 arguments; a queue has at most 256"):
        spec_from_arguments("q", {f"k{number}": number for number in range(20_000)})


def test_a_refusal_names_some_of_very_many_faults() -> None:
    with pytest.raises(InvalidSpecError) as refused:
        spec_from_arguments("q", {f"unknown{number}": number for number in range(200)})
    assert str(refused.value).count("unknown queue option") == 10
    with pytest.raises(InvalidSpecError) as wrong:
        spec_from_arguments("q", {"max_messages": ["x"] * 10_000})
    assert len(str(wrong.value)) < 400


def test_queues_with_the_same_options_share_what_these_make_and_others_do_not() -> None:
    options = {"lvq_key": "k", "max_messages": 5, "durable": True}
    one, other = spec_from_arguments("one", options), spec_from_arguments("other", options)
    assert (one.name, other.name, one.limit is other.limit) == ("one", "other", True)
    assert spec_from_arguments("third", {**options, "max_messages": 6}).limit == Limit(messages=6)


def test_a_store_of_an_earlier_version_may_spell_an_option_in_another_way() -> None:
    earlier = {"x-max-length": 5}
    assert stored_spec("q", earlier) == spec_from_arguments("q", earlier)
    with pytest.raises(InvalidSpecError, match="unknown queue option 'max_mesages'"):
        stored_spec("q", {"max_mesages": 5})
