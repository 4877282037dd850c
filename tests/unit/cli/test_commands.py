"""lastvalue.cli.commands."""

from collections.abc import Callable
from typing import Annotated

import pytest
import typer

from lastvalue.cli.commands import Command, Group, TimeCommand

app = typer.Typer(
    cls=Group, rich_markup_mode="rich", context_settings={"help_option_names": ["-h", "--help"]}
)


@app.command("show", cls=Command)
def show(*, flag: Annotated[bool, typer.Option("--flag", help="JSON: {name: [argument]}.")] = False) -> None:
    """Show [what] there is."""
    print(flag)


@app.command("since", cls=TimeCommand)
def since(start: str, *, end: Annotated[str, typer.Option("--end")] = "now") -> None:
    """Show since when."""
    print(repr(start), repr(end))


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    def run(line: str) -> str:
        app(line.split(), standalone_mode=False)
        return capsys.readouterr().out

    return run


def test_brackets_are_shown_and_flags_have_no_value(call: Callable[[str], str]) -> None:
    shown = call("show -h")
    assert "Show [what] there is." in shown
    assert "JSON: {name: [argument]}." in shown
    assert "<bool>" not in shown
    assert "<bool>" not in call("-h")


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("since -5m", "'-5m' 'now'\n"),
        ("since -1h --end -30s", "'-1h' '-30s'\n"),
        ("since 2026-01-01", "'2026-01-01' 'now'\n"),
    ],
)
def test_a_time_before_now_is_no_option(call: Callable[[str], str], line: str, read: str) -> None:
    assert call(line) == read


def test_a_command_with_times_has_its_short_help_and_no_unknown_options(call: Callable[[str], str]) -> None:
    assert "Show since when." in call("since -h")
    with pytest.raises(typer.TyperException, match="No such option: --bogus"):
        call("since -5m --bogus")
