"""Where the keys of a TOML document are: a fault names a key by its path, and people look for a line."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and array indices, from the top of the document."""

_BLANK: Final = re.compile(r"(?:\s|#[^\n]*)*")
_WORD: Final = re.compile(r"""[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*""")
_PART: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|' r"'''.*?'''|" r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'|" r"#[^\n]*|.", re.DOTALL
)


class TomlLines:
    """The lines of a document's keys, and the names of its tables.

    Args:
        text: the document; if it is no TOML, nothing is found in it.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        self._document: Mapping[str, Any] = {}
        try:
            self._document = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            return
        self._read(text)

    def line_of(self, path: Sequence[str | int]) -> int | None:
        """The line of the key at a path, counted from 1, or of what it is part of; None if none is here."""
        for length in range(len(path), 0, -1):
            line = self._lines.get(tuple(path[:length]))
            if line is not None:
                return line
        return None

    def name_of(self, path: Sequence[str | int]) -> str | None:
        """The `name` of the table of an array that a path leads into, such as a queue's."""
        if len(path) < 2 or not isinstance(path[1], int):
            return None
        tables = self._document.get(str(path[0]))
        table = tables[path[1]] if isinstance(tables, list) and path[1] < len(tables) else None
        name = table.get("name") if isinstance(table, dict) else None
        return name if isinstance(name, str) else None

    def _read(self, text: str) -> None:
        table: Path = ()
        counts: dict[Path, int] = {}
        at, line = 0, 1
        while True:
            blank = _BLANK.match(text, at)
            start = at if blank is None else blank.end()
            line += text.count("\n", at, start)
            if start == len(text):
                return
            if text[start] == "[":
                is_array = text.startswith("[[", start)
                names, _ = _names(text, start + (2 if is_array else 1))
                table = _table(names, counts, is_array=is_array)
                self._lines[table] = line
                at = text.find("\n", start)
                if at < 0:
                    return
                continue
            names, at = _names(text, start)
            for length in range(1, len(names) + 1):
                self._lines.setdefault((*table, *names[:length]), line)
            end = _end_of_value(text, at)
            line += text.count("\n", start, end)
            at = end


def _names(text: str, at: int) -> tuple[list[str], int]:
    """The names of a dotted key at a place, and where it ends."""
    names: list[str] = []
    while (word := _WORD.match(text, at)) is not None:
        names.append(next(part for part in word.groups() if part is not None))
        at = word.end()
        if not text.startswith(".", at):
            break
        at += 1
    return names, at


def _table(names: Sequence[str], counts: dict[Path, int], *, is_array: bool) -> Path:
    """The path of a table whose header has these names; `counts` has the tables of each array."""
    path: Path = ()
    for number, name in enumerate(names):
        path = (*path, name)
        if is_array and number == len(names) - 1:
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path = (*path, counts[path] - 1)
    return path


def _end_of_value(text: str, at: int) -> int:
    """The end of the line with the end of a value, which may go on over several lines."""
    depth = 0
    while at < len(text) and (part := _PART.match(text, at)) is not None:
        sign = part[0]
        if sign == "\n" and depth == 0:
            break
        depth += (sign in "[{") - (sign in "]}")
        at = part.end()
    return at
