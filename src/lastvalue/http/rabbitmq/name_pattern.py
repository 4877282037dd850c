"""Regular expressions over names, of a part of the syntax that is matched in linear time.

A pattern that a caller chooses must not hold up the gateway, as repetitions in repetitions would.
"""

import re
from http import HTTPStatus
from typing import Final

from lastvalue.http.problems import FieldProblem

_TOKEN: Final = re.compile(r"\.\*|\.\+|\.|\\[^\w]|[^\\\[\](){}*+?|^$.]")


class NamePattern:
    """A pattern of literals, `.`, `.*` and `.+`, between `^` and `$` where it has these.

    Raises:
        Problem: it has something else.
    """

    def __init__(self, text: str) -> None:
        self._from_start = text.startswith("^")
        self._to_end = text.endswith("$") and not text.endswith("\\$")
        runs: list[str] = [""]
        body = text[self._from_start : len(text) - self._to_end]
        at = 0
        while at < len(body):
            token = _TOKEN.match(body, at)
            if token is None:
                raise FieldProblem(
                    "name",
                    f"name {text!r}: {body[at]!r} is not supported; write ^, $, ., .* and .+ among literals",
                    status=HTTPStatus.BAD_REQUEST,
                )
            at = token.end()
            match token.group():
                case ".*":
                    runs.append("")
                case ".+":
                    runs[-1] += "."
                    runs.append("")
                case each:
                    runs[-1] += each
        self._runs = [re.compile(run, re.DOTALL) for run in runs]

    def admits(self, name: str) -> bool:
        """Whether the pattern occurs in a name."""
        first, *others = self._runs
        found = first.match(name) if self._from_start else first.search(name)
        if found is None:
            return False
        if not self._to_end:
            end = found.end()
            for run in others:
                found = run.search(name, end)
                if found is None:
                    return False
                end = found.end()
            return True
        return self._ends(name, found.end(), others)

    def _ends(self, name: str, end: int, others: list[re.Pattern[str]]) -> bool:
        """Whether the runs follow in a name up to its end."""
        if not others:
            # A single run: the one that reaches the end.
            run = self._runs[0]
            starts = (0,) if self._from_start else range(len(name) + 1)
            return any(run.fullmatch(name, start) for start in starts)
        *middle, last = others
        for run in middle:
            found = run.search(name, end)
            if found is None:
                return False
            end = found.end()
        return any(last.fullmatch(name, start) for start in range(end, len(name) + 1))
