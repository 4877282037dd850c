"""The table of queue options, and what makes a declaration of them."""

from pathlib import Path

import pytest

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.options import OPTIONS, Option, differences, spec_from_arguments, spec_to_arguments
from lastvalue.queues.spec import LARGEST, LastValue, Limit, QueueSpec, Standard, WhenFull

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
        ({"qpid.max_size": 100}, Limit(0, 100)),
        ({"x-qpid-capacity": "100"}, Limit(0, 100)),
        ({"max_messages": 5, "qpid.max_count": "5"}, Limit(5)),
        ({"max_messages": LARGEST}, Limit(LARGEST)),
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
        ({"max-messages": 5}, "did you mean 'max_messages'"),
        ({"qpid.max_cuont": 5}, "did you mean 'qpid.max_count'"),
        ({"zzz": 1}, "known are type, lvq_key"),
        ({"max_messages": "many"}, "expected number .messages."),
        ({"max_messages": True}, "expected number"),
        ({"max_messages": None}, "expected number"),
        ({"max_messages": "1_0"}, "expected number"),
        ({"max_messages": "\u0663"}, "expected number"),
        ({"qpid.max_size": "3.14159"}, "expected number .bytes."),
        ({"qpid.max_size": 2.5}, "'qpid.max_size' is 2.5; expected number"),
        ({"maximum_ttl_ms": "10s"}, "expected number .milliseconds."),
        ({"max_messages": -5}, "0 .no limit."),
        ({"max_messages": -1}, "0 .no limit."),
        ({"qpid.max_count": "-1"}, "0 .no limit."),
        ({"maximumQueueDepthMessages": -2}, "0 .no limit."),
        ({"max_messages": LARGEST + 1}, "0 .no limit."),
        ({"max_bytes": "9" * 20}, "0 .no limit."),
        ({"max_bytes": "9" * 5000}, "expected number .bytes."),
        ({"maximum_ttl_ms": 2**63}, "0 .off. to"),
        ({"durable": 1}, "expected true or false"),
        ({"type": "sorted"}, "one of standard, lvq"),
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


def test_arguments_name_the_type_and_what_is_not_default() -> None:
    assert spec_to_arguments(QueueSpec("q", LastValue("k"))) == {"type": "lvq", "lvq_key": "k"}


def test_a_flag_may_be_text() -> None:
    assert spec_from_arguments("q", {"durable": "True"}).durable


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: str(option.name))
def test_every_option_says_in_a_sentence_what_it_is(option: Option) -> None:
    assert option.sentence.endswith(".")


@pytest.mark.pure
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: str(option.name))
def test_the_reference_page_has_every_option_with_its_spellings(option: Option) -> None:
    page = Path(__file__).parents[3] / "docs" / "queues" / "README.md"
    (row,) = [line for line in page.read_text().splitlines() if line.startswith(f"| `{option.name}` |")]
    default = "" if option.default is None else f"`{str(option.default).lower()}`"
    foreign = [
        ", ".join(f"`{spelling}`" for spelling in spellings)
        for spellings in (option.qpid_cpp, option.broker_j, option.artemis)
    ]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[2:] == [default, option.sentence, *foreign]
    assert option.unit in cells[1]
