"""The table of foreign suites in docs/conformance.md: a row for each, written by the programs beside this."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "docs" / "conformance.md"
BEGIN: Final = "<!-- suites: `make suites` writes it -->\n"
END: Final = "<!-- end of suites -->\n"
_HEAD: Final = ("| client | suite | passed | left out |", "|---|---|---|---|")


@dataclass(frozen=True)
class Row:
    """What a suite came to.

    Attributes:
        client: its name and version.
        suite: what of its tests was run.
        left_out: what is not run, and why.
    """

    client: str
    suite: str
    run: int
    passed: int
    left_out: str = ""

    def __str__(self) -> str:
        return f"| {self.client} | `{self.suite}` | {self.passed} of {self.run} | {self.left_out} |"


def block(text: str) -> str:
    """The part of a page that is the table, with its marks; an empty table where the page has none."""
    _, begin, rest = text.partition(BEGIN)
    table, end, _ = rest.partition(END)
    return begin + table + end if end else BEGIN + END


def with_rows(text: str, rows: Iterable[Row]) -> str:
    """A page whose table has these rows; those of other suites stay."""
    before = block(text)
    kept = {_key(line): line for line in before.splitlines() if line.startswith("| ") and line not in _HEAD}
    new = {_key(str(row)): str(row) for row in rows}
    lines = [*_HEAD, *(line for _, line in sorted({**kept, **new}.items()))]
    return text.replace(before, BEGIN + "\n".join(lines) + "\n" + END)


def write(rows: Iterable[Row]) -> None:
    """Put rows into the page."""
    PAGE.write_text(with_rows(PAGE.read_text(), rows))


def _key(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.split("|")[1:3])
