"""lastvalue.cli.plain_values."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.main import get_command

from lastvalue.cli.plain_values import plain_value


class Colour(StrEnum):
    """An option of two choices."""

    RED = "red"
    BLUE = "blue"


def shout(text: object) -> str:
    """A parser of an option."""
    if not text:
        raise ValueError("empty")
    return f"{text}!"


def paint(
    words: list[str],
    *,
    name: Annotated[str, typer.Option("--name")] = "x",
    count: Annotated[int, typer.Option("--count", min=1, max=9)] = 2,
    colour: Annotated[Colour, typer.Option("--colour")] = Colour.RED,
    share: Annotated[float, typer.Option("--share")] = 0.5,
    loud: Annotated[str | None, typer.Option("--loud", parser=shout)] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag")] = None,
    place: Annotated[Path | None, typer.Option("--place", dir_okay=False)] = None,
    out: Annotated[Path | None, typer.Option("--out", writable=True)] = None,
    quick: Annotated[bool | None, typer.Option("--quick")] = None,
) -> None:
    """A command with a parameter of each kind."""
    print(words, name, count, colour, share, loud, tag, place, out, quick)


app = typer.Typer()
app.command()(paint)
PARAMETERS: dict[str, Any] = {each.name: each for each in get_command(app).params}
HERE = __file__


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("words", ["a", "b"]), ("name", "EUR"), ("name", "\u20ac"), ("count", "7"), ("count", 3),
        ("colour", "blue"), ("colour", Colour.RED), ("share", 0.5), ("loud", "a"), ("loud", None),
        ("tag", ("a",)), ("tag", None), ("place", HERE), ("quick", None),
    ],
)  # fmt: skip
def test_a_plain_value_is_read_as_typer_reads_it(name: str, given: object) -> None:
    parameter = PARAMETERS[name]
    plain = plain_value(parameter, given)
    assert plain is not None
    read = parameter.process_value(typer.Context(get_command(app)), given)
    assert (plain.value, type(plain.value)) == (read, type(read))


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("words", None), ("words", ()), ("words", ["\udcff"]), ("name", "\udcff"), ("count", "0"),
        ("count", "1_0"), ("count", "9" * 30), ("colour", "green"), ("share", "0.5"), ("loud", ""),
        ("place", "/nowhere"), ("place", str(Path(HERE).parent)), ("out", HERE), ("quick", "yes"),
    ],
)  # fmt: skip
def test_typer_reads_what_is_not_plain(name: str, given: object) -> None:
    assert plain_value(PARAMETERS[name], given) is None
