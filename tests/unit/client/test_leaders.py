"""Who has a queue, and a key of it."""

import pytest

from lastvalue.client.leaders import Leaders, divided_keys, leaders_in, partition_number
from lastvalue.client.values import Key
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.key_partition import key_partition


@pytest.mark.parametrize(
    ("answer", "leaders", "count"),
    [
        ({"leaders": ["one:1,two:2", "three:3"], "own": 1}, Leaders([["one:1", "two:2"], ["three:3"]], 1), 2),
        ({"leaders": [], "own": -1}, Leaders([], -1), 1),
        ({"leaders": ["one:1"]}, Leaders([["one:1"]], -1), 1),
        (None, Leaders((), -1), 1),
    ],
)
def test_the_brokers_are_what_one_of_them_answers(answer: object, leaders: Leaders, count: int) -> None:
    assert leaders_in(answer) == leaders
    assert leaders_in(answer).count == count


@pytest.mark.parametrize(
    ("leaders", "asked"),
    [
        (Leaders([["one:1"], ["two:2"]], 1), [False, True]),
        (Leaders([["one:1"], ["two:2"]], -1), [False, False]),
        (Leaders((), -1), [True, True]),
    ],
)
def test_the_broker_that_was_asked_is_one_of_them_or_the_only_one(
    leaders: Leaders, asked: list[bool]
) -> None:
    assert [leaders.is_asked(number) for number in range(2)] == asked


def test_keys_are_divided_as_the_brokers_divide_them() -> None:
    octets: dict[Key, bytes] = {"A": b"A", "B": b"B", "C": b"C", 5: b"i5"}
    parts = divided_keys(octets, 3)
    assert {key: number for number, part in parts.items() for key in part} == {
        key: key_partition(each, 3) for key, each in octets.items()
    }


def test_any_key_is_at_the_only_broker_and_others_divide_texts_and_integers_alone() -> None:
    assert divided_keys([True, "A", b"x"], 1) == {0: [True, "A", b"x"]}
    with pytest.raises(InvalidSpecError, match="True is no key of a partitioned queue"):
        partition_number(True, 2)
