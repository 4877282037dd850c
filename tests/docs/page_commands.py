"""The commands that a page prints, in their order, each with the output that is printed below it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
_BLOCK: Final = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")
_SHELLS: Final = ("", "sh", "console")
_PROGRAMS: Final = (
    "lastvalue", "apt-get", "cd", "chgrp", "curl", "g++", "groupadd", "helm", "install", "kubectl", "make",
    "perf", "pip", "podman", "printf", "python", "python3", "spark-class", "systemctl", "tail",
    ".venv-compiled/bin/python",
)  # fmt: skip
_COMMAND: Final = re.compile(rf"(\$ )?([A-Z_]+=\S.*?)?({'|'.join(map(re.escape, _PROGRAMS))}) ")


@dataclass(frozen=True)
class PageCommand:
    """A command of a page.

    Attributes:
        text: what the shell gets.
        output: the lines that are printed below it; none where none are printed.
        block: the first line of its block.
    """

    text: str
    output: tuple[str, ...]
    block: str


def name_of(page: Path) -> str:
    """The page's path in the project."""
    return str(page.relative_to(ROOT))


def blocks_of(page: Path) -> list[str]:
    """The page's blocks of commands."""
    found = _BLOCK.findall(page.read_text())
    return [block for language, block in found if language in _SHELLS and _COMMAND.match(block)]


def configurations_of(page: Path) -> list[str]:
    """The page's blocks of configuration."""
    return [block for language, block in _BLOCK.findall(page.read_text()) if language == "toml"]


def commands_of(page: Path) -> Iterator[PageCommand]:
    """The page's commands."""
    for block in blocks_of(page):
        lines = block.replace("\\\n", " ").splitlines()
        first = lines[0]
        if first.startswith("$ "):
            yield from _with_output(lines)
        else:
            for line in lines:
                if text := _without_comment(line):
                    yield PageCommand(text, (), first)


def _with_output(lines: list[str]) -> Iterator[PageCommand]:
    """The commands of a block with prompts, each with the lines up to the next prompt."""
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield PageCommand(_without_comment(lines[start][2:]), tuple(lines[start + 1 : end]), lines[0])


def _without_comment(line: str) -> str:
    return re.sub(r"(^|\s+)# .*$", "", line).strip()
