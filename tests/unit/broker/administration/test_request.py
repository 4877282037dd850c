"""lastvalue.broker.administration.request."""

from typing import Any

import pytest

from lastvalue.broker.administration.request import Request, text_in, unknown_operation, whole_number_in
from lastvalue.model.errors import InvalidSpecError


def test_an_unknown_operation_is_refused_with_what_would_be_right() -> None:
    refusal = unknown_operation(Request("FLY"), "READ or ADVANCE")
    assert (refusal.status, refusal.condition) == (501, "amqp:not-implemented")
    assert refusal.description == "unknown operation 'FLY'; expected READ or ADVANCE"


def test_a_number_that_a_body_lacks_is_the_default() -> None:
    assert whole_number_in({}, "limit", 7, 1, 9) == 7
    assert [whole_number_in({"limit": value}, "limit", 7, 1, 9) for value in (1, 9)] == [1, 9]
    assert whole_number_in({"limit": 2**80}, "limit", 7) == 2**80


@pytest.mark.parametrize("value", [0, 10, True, 5.0, "5", None])
def test_what_is_no_number_of_the_range_is_refused(value: Any) -> None:
    with pytest.raises(InvalidSpecError, match=r"limit is .*; expected 1 to 9"):
        whole_number_in({"limit": value}, "limit", 7, 1, 9)


def test_a_number_without_an_upper_bound_is_told_so() -> None:
    with pytest.raises(InvalidSpecError, match="limit is -1; expected a whole number from 0"):
        whole_number_in({"limit": -1}, "limit", 7)


def test_a_text_that_a_body_lacks_is_empty_and_what_is_none_is_refused() -> None:
    assert (text_in({}, "after"), text_in({"after": "b"}, "after")) == ("", "b")
    with pytest.raises(InvalidSpecError, match="after is 5; expected text"):
        text_in({"after": 5}, "after")
