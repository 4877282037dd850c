import pytest

from lastvalue.model.conditions import Condition
from lastvalue.selectors.errors import InvalidSelectorError


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("a = = 1", 4, "column 5 of the selector 'a = = 1': wrong"),
        ("a = 1\nAND =", 10, "line 2, column 5 of the selector 'a = 1\\nAND =': wrong"),
        ("a", None, "the selector 'a': wrong"),
        ("x" * 81, None, f"the selector '{'x' * 80}...': wrong"),
    ],
)
def test_a_fault_is_told_with_its_place_and_the_text(text: str, position: int | None, message: str) -> None:
    error = InvalidSelectorError("wrong", text, position)
    assert str(error) == message
    assert (error.text, error.fault, error.position) == (text, "wrong", position)
    assert error.condition is Condition.INVALID_FIELD
