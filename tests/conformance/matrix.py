"""Builds the table of docs/protocols/amqp-1.0-sections.md from the sections that the tests cite.

    python tests/conformance/matrix.py --write     bring the page up to date
    python tests/conformance/matrix.py --check     say what is wrong or out of date, and fail

A test cites a section by the mark spec("amqp-1.0", section, rule). sections.toml lists every section; there
`not_there` says what of the standard the product does not do.
"""

import ast
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parent
PAGE = TESTS.parent / "docs" / "protocols" / "amqp-1.0-sections.md"
_TABLE = re.compile(r"(<!-- sections -->\n).*?(<!-- end of sections -->)", re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A section of the standard, and what is not done of it."""

    number: str
    title: str
    not_there: str = ""


@dataclass(frozen=True)
class Citation:
    """A rule that a test proves."""

    section: str
    rule: str
    path: Path


def sections() -> list[Section]:
    """What sections.toml says."""
    told = tomllib.loads((HERE / "sections.toml").read_text())["sections"]
    return [
        Section(number, said) if isinstance(said, str) else Section(number, **said)
        for number, said in told.items()
    ]


def citations() -> list[Citation]:
    """What the tests cite, by their files."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text()
        if '.spec("amqp-1.0"' in text or ".spec(\n" in text:
            found += [
                Citation(section, rule, path.relative_to(TESTS)) for section, rule in _cited(ast.parse(text))
            ]
    return found


def _cited(tree: ast.Module) -> list[tuple[str, str]]:
    found = []
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for mark in function.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.spec":
                document, section, rule = (ast.literal_eval(argument) for argument in mark.args)
                if document == "amqp-1.0":
                    found.append((section, rule))
    return found


def faults() -> list[str]:
    """What is wrong, as sentences."""
    cited = {citation.section for citation in citations()}
    known = {section.number for section in sections()}
    found = [f"section {number} is cited and not in sections.toml" for number in sorted(cited - known)]
    for section in sections():
        tested = section.number in cited
        if tested and section.not_there:
            found.append(f"section {section.number} is not there, and tested: one of them")
        if not tested and not section.not_there:
            found.append(f"section {section.number} is in no test: add one, or say `not_there`")
    return found


def table() -> str:
    """The page's table."""
    parts = tomllib.loads((HERE / "sections.toml").read_text())["parts"]
    cited = citations()
    lines: list[str] = []
    part = ""
    for section in sections():
        if section.number[0] != part:
            part = section.number[0]
            lines += [
                "",
                f"### Part {part}: {parts[part]}",
                "",
                "| section | | rules that tests prove | in |",
            ]
            lines.append("|---|---|---|---|")
        mine = [citation for citation in cited if citation.section == section.number]
        rules = "; ".join(dict.fromkeys(citation.rule for citation in mine))
        files = ", ".join(dict.fromkeys(_linked(citation.path) for citation in mine))
        what = rules if mine else f"*not there*: {section.not_there}"
        lines.append(f"| {section.number} | {section.title} | {what.replace('|', chr(92) + '|')} | {files} |")
    return "\n".join([*lines[1:], ""])


def _linked(path: Path) -> str:
    name = path.stem.removeprefix("test_").removeprefix("amqp10_").replace("_", " ")
    return f"[{name}](../../tests/{path})"


def page() -> str:
    """docs/protocols/amqp-1.0-sections.md as it is to be."""
    return _TABLE.sub(lambda found: found[1] + table() + found[2], PAGE.read_text())


def main(asked: list[str]) -> int:
    """Do what is asked; the exit code."""
    if asked == ["--write"]:
        PAGE.write_text(page())
        return 0
    wrong = faults() + ([] if PAGE.read_text() == page() else [f"{PAGE} is out of date: run with --write"])
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
