"""lastvalue.cli.clock."""

import json
from collections.abc import Callable

import pytest

from lastvalue.cli.clock import parsed_duration_ms
from lastvalue.cli.exits import UsageError

Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("500ms", 500),
        ("10s", 10_000),
        ("10", 10_000),
        ("1.5m", 90_000),
        ("1h", 3_600_000),
        ("1d", 86_400_000),
    ],
)
def test_a_duration_has_a_unit(text: str, milliseconds: int) -> None:
    assert parsed_duration_ms(text) == milliseconds


@pytest.mark.parametrize("text", ["", "ten", "-5s", "5w", "s"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="expected for example 500ms"):
        parsed_duration_ms(text)


@pytest.mark.usefixtures("url")
def test_the_time_of_the_system_is_shown_and_not_moved(lastvalue: Lastvalue) -> None:
    assert json.loads(lastvalue("clock show -o json")[1])["now_ms"] > 1_700_000_000_000
    code, _, errors = lastvalue("clock advance 1s")
    assert (code, "--clock manual" in errors) == (1, True)
