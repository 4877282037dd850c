import pytest

from lastvalue.model.conditions import CONDITION_BY_SYMBOL, Condition


@pytest.mark.parametrize("condition", Condition)
def test_each_protocol_has_its_spelling_of_a_condition(condition: Condition) -> None:
    assert condition.amqp10.startswith("amqp:")
    assert 300 <= condition.amqp010 < 600
    assert 300 <= condition.amqp091 < 600
    assert 300 <= condition.http < 600


def test_a_condition_is_found_by_its_symbol() -> None:
    assert [CONDITION_BY_SYMBOL[condition.amqp10] for condition in Condition] == list(Condition)


@pytest.mark.parametrize(
    ("condition", "spellings"),
    [
        (Condition.NOT_FOUND, ("amqp:not-found", 404, 404, 404)),
        (Condition.ILLEGAL_STATE, ("amqp:illegal-state", 409, 504, 409)),
        (Condition.MESSAGE_SIZE_EXCEEDED, ("amqp:link:message-size-exceeded", 506, 311, 413)),
    ],
)
def test_the_codes_are_those_of_the_specifications(
    condition: Condition, spellings: tuple[str, int, int, int]
) -> None:
    assert (condition.amqp10, condition.amqp010, condition.amqp091, condition.http) == spellings
