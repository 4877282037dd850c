"""lastvalue.model.jsonable."""

from uuid import UUID

import pytest

from lastvalue.model.jsonable import jsonable


@pytest.mark.parametrize(
    ("value", "json"),
    [
        ({1: b"\x01"}, {"1": "AQ=="}),
        ((1, None, True, 2.5), [1, None, True, 2.5]),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ],
)
def test_every_value_has_a_form_in_json(value: object, json: object) -> None:
    assert jsonable(value) == json
