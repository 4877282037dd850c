"""The table of queue options, and what makes a declaration of them."""

import pytest

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.options import OPTIONS, differences, spec_from_arguments, spec_to_arguments
from lastvalue.queues.spec import LastValue, Limit, QueueSpec, Standard, WhenFull

LVQ = QueueSpec("q", LastValue("symbol", "n"), Limit(5, 1000, WhenFull.DROP_OLDEST), 10, 20, durable=True)


def test_a_queue_without_options_is_a_standard_queue_without_limits() -> None:
    assert spec_from_arguments("q", {}) == QueueSpec("q", Standard(), Limit())


@pytest.mark.parametrize(
    "arguments",
    [
        {"lvq_key": "symbol"},
        {"qpid.last_value_queue_key": "symbol"},
        {"lvqKey": "symbol"},
        {"last-value-key": "symbol"},
        {"type": "lvq", "lvqKey": "symbol"},
        {"lvq_key": "symbol", "lvqKey": "symbol"},
    ],
)
def test_every_spelling_of_the_key_makes_the_same_queue(arguments: dict[str, object]) -> None:
    assert spec_from_arguments("q", arguments) == QueueSpec("q", LastValue("symbol"))


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        ({"max_messages": 5}, Limit(5)),
        ({"qpid.max_count": "5"}, Limit(5)),
        ({"maximumQueueDepthMessages": -1}, Limit()),
        ({"qpid.max_count": 5, "qpid.policy_type": "RING"}, Limit(5, 0, WhenFull.DROP_OLDEST)),
    ],
)
def test_numbers_may_be_text_and_no_limit_may_be_minus_one(
    arguments: dict[str, object], limit: Limit
) -> None:
    assert spec_from_arguments("q", arguments).limit == limit


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"lvq_kee": "k"}, "did you mean 'lvq_key'"),
        ({"zzz": 1}, "known are type, lvq_key"),
        ({"max_messages": "many"}, "expected number .messages."),
        ({"max_messages": True}, "expected number"),
        ({"max_messages": -5}, "0 .no limit."),
        ({"durable": "perhaps"}, "expected true or false"),
        ({"when_full": "explode"}, "one of reject, drop-oldest"),
        ({"lvq_key": 5}, "expected text"),
        ({"lvq_key": ""}, "lvq_key is empty"),
        ({"type": "lvq"}, "needs lvq_key"),
        ({"type": "standard", "lvq_key": "k"}, "leave it out for type 'standard'"),
        ({"order_by": "n"}, "order_by needs lvq_key"),
        ({"lvq_key": "a", "lvqKey": "b"}, "one option with two values"),
        ({"minimum_ttl_ms": 10, "maximum_ttl_ms": 5}, "exceeds maximum_ttl_ms"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(arguments: dict[str, object], text: str) -> None:
    with pytest.raises(InvalidSpecError, match=text):
        spec_from_arguments("q", arguments)


@pytest.mark.parametrize("name", ["", "$management", "x" * 256])
def test_a_name_that_no_queue_may_have_is_refused(name: str) -> None:
    with pytest.raises(InvalidSpecError):
        QueueSpec(name)


@pytest.mark.parametrize("spec", [QueueSpec("q"), LVQ])
def test_the_arguments_of_a_declaration_make_it_again(spec: QueueSpec) -> None:
    assert spec_from_arguments("q", spec_to_arguments(spec)) == spec


def test_differences_name_the_option_and_both_values() -> None:
    other = QueueSpec("q", LastValue("ticker"))
    assert differences(QueueSpec("q", LastValue("symbol")), other) == "lvq_key: wanted 'symbol', has 'ticker'"
    assert differences(LVQ, LVQ) == ""


def test_no_spelling_means_two_options() -> None:
    spellings = [spelling for option in OPTIONS for spelling in option.spellings]
    assert len(spellings) == len(set(spellings))
