"""lastvalue.model.jsonable."""

import json
from math import inf, nan
from uuid import UUID

import pytest

from lastvalue.model.jsonable import compact_json, jsonable, strict_json


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({1: b"\x01"}, {"1": "AQ=="}),
        ((1, None, True, 2.5), [1, None, True, 2.5]),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ({"a": [nan, inf, (-inf,)]}, {"a": ["NaN", "Infinity", ["-Infinity"]]}),
    ],
)
def test_every_value_has_a_form_in_json(value: object, form: object) -> None:
    assert jsonable(value) == form


def test_json_whose_numbers_no_double_has_stays_json() -> None:
    assert (
        compact_json(json.loads('{"a": 1e999, "ä": [-1e999, 1.5]}'))
        == '{"a":"Infinity","ä":["-Infinity",1.5]}'
    )


def test_any_form_of_json_is_without_odd_numbers() -> None:
    odd = {"a": (nan, UUID(int=1)), "b": [1.5, {"c": -inf}]}
    assert json.loads(strict_json(odd, default=str), parse_constant=pytest.fail) == {
        "a": ["NaN", str(UUID(int=1))],
        "b": [1.5, {"c": "-Infinity"}],
    }
