"""lastvalue.model.nested_json."""

import json

import pytest

from lastvalue.model.nested_json import MOST_NESTED, NestedTooDeeplyError, parse_json


def nested(levels: int) -> str:
    return '[{"a":' * (levels // 2) + "[" * (levels % 2) + "]" * (levels % 2) + "}]" * (levels // 2)


@pytest.mark.parametrize("text", ["1", '"[[["', '{"a":[1,{"b":null}]}', json.dumps([[]] * 1000)])
def test_a_text_is_parsed_as_json_is(text: str) -> None:
    assert parse_json(text) == parse_json(text.encode()) == json.loads(text)


def test_as_many_lists_and_maps_may_be_in_one_another_as_the_limit_says() -> None:
    text = nested(MOST_NESTED - 1)
    assert parse_json(text.replace("[]", "[[]]")) == json.loads(text.replace("[]", "[[]]"))


@pytest.mark.parametrize("levels", [MOST_NESTED + 1, 901, 100_001])
def test_what_is_nested_more_deeply_is_refused(levels: int) -> None:
    for text in (nested(levels), nested(levels).encode()):
        with pytest.raises(NestedTooDeeplyError, match=f"nested deeper than {MOST_NESTED}"):
            parse_json(text)


def test_what_is_no_json_is_no_json() -> None:
    with pytest.raises(json.JSONDecodeError):
        parse_json("{")
    with pytest.raises(UnicodeDecodeError):
        parse_json(b"\xff")


@pytest.mark.parametrize("text", ["NaN", '{"a": [Infinity]}', "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused_by_name(text: str) -> None:
    for form in (text, text.encode()):
        with pytest.raises(ValueError, match=r"^(NaN|-?Infinity) is not a value of JSON"):
            parse_json(form)
