"""Parameters of a call, and values as Java prints them."""

import pytest

from lastvalue.compat.artemis.management.management_call import ManagementError, number, shown_in_java, text


@pytest.mark.parametrize(("value", "expected"), [(5, 5), ("5", 5), ("-1", -1)])
def test_a_number_may_be_a_text(value: object, expected: int) -> None:
    assert number(value, "count") == expected


@pytest.mark.parametrize("value", [True, "x", None, 0.5, "²", "--5", "9" * 5000])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ManagementError, match=r"count is .*; expected a whole number"):
        number(value, "count")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(ManagementError, match="name is 5; expected text"):
        text(5, "name")


@pytest.mark.parametrize(("value", "shown"), [(None, "null"), (True, "true"), (5, "5"), ("Aa", "Aa")])
def test_values_are_printed_as_in_java(value: object, shown: str) -> None:
    assert shown_in_java(value) == shown
