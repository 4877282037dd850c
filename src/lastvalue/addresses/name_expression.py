"""Regular expressions over names, of a part of the syntax that is matched in linear time.

A pattern that a peer chooses must not hold up the broker, as repetitions in repetitions would.
"""

import re
from typing import Final

from lastvalue.model.errors import InvalidSpecError

LONGEST_EXPRESSION: Final = 255

_TOKEN: Final = re.compile(r"\.\*|\.\+|\.|\\[^\w]|[^\\\[\](){}*+?|^$.]")


class NameExpression:
    """An expression of literals, `.`, `.*` and `.+`, between `^` and `$` where it has these.

    Raises:
        InvalidSpecError: it has something else, or is too long.
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_EXPRESSION:
            raise InvalidSpecError(f"an expression has at most {LONGEST_EXPRESSION} characters")
        self._from_start = text.startswith("^")
        self._to_end = text.endswith("$") and not text.endswith("\\$")
        # What is between two `.*`, with the number of characters that it stands for.
        runs, lengths = [""], [0]
        body = text[self._from_start : len(text) - self._to_end]
        at = 0
        while at < len(body):
            token = _TOKEN.match(body, at)
            if token is None:
                raise InvalidSpecError(
                    f"{text!r}: {body[at]!r} is not supported; write ^, $, ., .* and .+ among literals"
                )
            at = token.end()
            shown = token.group()
            if shown != ".*":
                runs[-1] += "." if shown == ".+" else shown
                lengths[-1] += 1
            if shown in (".*", ".+"):
                runs.append("")
                lengths.append(0)
        self._runs = [re.compile(run, re.DOTALL) for run in runs]
        self._last_length = lengths[-1]

    def admits(self, name: str) -> bool:
        """Whether the expression matches a part of a name."""
        runs, end = self._runs, 0
        if self._from_start:
            found = runs[0].match(name)
            if found is None:
                return False
            runs, end = runs[1:], found.end()
            if self._to_end and not runs:
                return end == len(name)
        for run in runs[:-1] if self._to_end else runs:
            found = run.search(name, end)
            if found is None:
                return False
            end = found.end()
        if not self._to_end:
            return True
        # The last run stands for this many characters, and reaches the end.
        begin = len(name) - self._last_length
        return begin >= end and runs[-1].match(name, begin) is not None
