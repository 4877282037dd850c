import pytest

from lastvalue.addresses.errors import InvalidAddressError
from lastvalue.model.conditions import Condition


@pytest.mark.parametrize(
    ("text", "position", "place"),
    [("q; {", 3, (1, 4)), ("q; {\n create", 6, (2, 2)), ("q", None, (None, None))],
)
def test_a_fault_is_told_with_its_line_and_column(
    text: str, position: int | None, place: tuple[int | None, int | None]
) -> None:
    error = InvalidAddressError("expected }", text, position)
    assert (error.line, error.column) == place
    assert str(error).startswith("expected }")
    assert repr(text) in str(error)
    assert error.condition is Condition.INVALID_FIELD


def test_a_long_address_is_shortened_where_it_is_told() -> None:
    error = InvalidAddressError("wrong", "x" * 200)
    assert str(error) == f"wrong in the address '{'x' * 80}...'"
    assert error.text == "x" * 200
