import pytest

from lastvalue.config.contexts import Contexts, unfilled


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ("${host}:${port}", "here:5672"),
        ("${unknown}", "${unknown}"),
        ("$host {port}", "$host {port}"),
        ("${url}", "amqp://here:5672"),
        ("${self}", "${self}"),
        (5, 5),
        ({"a": ["${host}", {"b": "${port}"}]}, {"a": ["here", {"b": "5672"}]}),
    ],
)
def test_variables_in_texts_are_replaced_deep_down(value: object, filled: object) -> None:
    variables = {"host": "here", "port": 5672, "url": "amqp://${host}:${port}", "self": "${self}"}
    assert Contexts((variables,)).filled(value) == filled


def test_variables_that_contain_each_other_come_to_an_end() -> None:
    assert Contexts(({"a": "${b}", "b": "${a}"},)).filled("${a}") == "${a}"


def test_the_nearest_context_counts_and_one_that_is_none_is_passed_over() -> None:
    outer = Contexts(({"a": "outer", "b": "outer"},))
    assert outer.within({"a": "inner"}).filled("${a} ${b}") == "inner outer"
    assert outer.within("no context").filled("${a}") == "outer"


def test_every_variable_that_was_asked_for_is_known_whatever_its_context() -> None:
    outer = Contexts(({"a": "${b}"},))
    outer.within({}).filled("${a} ${c}")
    assert outer.used == {"a", "b", "c"}


@pytest.mark.parametrize(("value", "names"), [("${a} and ${b}", ["a", "b"]), ("a", []), (5, [])])
def test_what_is_left_is_named(value: object, names: list[str]) -> None:
    assert unfilled(value) == names
