"""lastvalue.cli.clock."""

import json
from collections.abc import Callable

import pytest

from lastvalue.cli.exits import UsageError
from lastvalue.cli.options import parsed_duration_ms

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


@pytest.mark.usefixtures("url")
@pytest.mark.parametrize(
    ("option", "ttl_ms"), [("--ttl 10", 10_000), ("--ttl 10s", 10_000), ("--ttl 1.5h", 5_400_000)]
)
def test_an_option_takes_a_duration_or_seconds(lastvalue: Lastvalue, option: str, ttl_ms: int) -> None:
    lastvalue("queue add prices")
    assert lastvalue(f"send prices x {option}")[0] == 0
    (found,) = [json.loads(line) for line in lastvalue("browse prices -o jsonl")[1].splitlines()]
    assert found["ttl_ms"] == ttl_ms


@pytest.mark.usefixtures("url")
def test_an_option_in_milliseconds_takes_a_duration_too(lastvalue: Lastvalue) -> None:
    assert lastvalue("queue add prices --maximum-ttl-ms 1500 --default-ttl-ms 0.5s")[0] == 0
    assert lastvalue("queue set prices --maximum-ttl-ms 1m")[0] == 0
    shown = json.loads(lastvalue("queue show prices -o json")[1])["options"]
    assert (shown["maximum_ttl_ms"], shown["default_ttl_ms"]) == (60_000, 500)
    code, _, errors = lastvalue("queue set prices --maximum-ttl-ms soon")
    assert (code, "or a duration such as 500ms, 10s, 5m, 1h or 1d" in errors) == (1, True)
    code, _, errors = lastvalue("send prices x --ttl soon")
    assert (code, "'soon' is not a duration; expected for example 500ms" in errors) == (2, True)
    assert lastvalue("send prices x --ttl 0")[0] == 2
