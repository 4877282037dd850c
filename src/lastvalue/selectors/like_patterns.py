"""The patterns of LIKE, and how texts are matched with them: in time proportional to the text."""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

MAX_SOUGHT: Final = 16
"""Characters of a part between two % signs that has a `_`: each place of the text may cost so many."""

Part: TypeAlias = list[str | None]


def pattern_parts(pattern: str, escape: str | None) -> list[Part]:
    """The parts of the pattern between its % signs: characters, and None for any one character.

    Raises:
        ValueError: the pattern ends with the escape character, which then escapes nothing, or a part
            between two % signs has a `_` and is too long to be sought.
    """
    parts: list[Part] = [[]]
    characters = iter(pattern)
    for character in characters:
        if character == escape:
            escaped = next(characters, None)
            if escaped is None:
                raise ValueError(f"the pattern ends with its escape character {escape!r}")
            parts[-1].append(escaped)
        elif character == "%":
            parts.append([])
        else:
            parts[-1].append(None if character == "_" else character)
    for part in parts[1:-1]:
        if None in part and len(part) > MAX_SOUGHT:
            raise ValueError(
                f"between two % signs there are {len(part)} characters with a _ among them; "
                f"at most {MAX_SOUGHT} are allowed"
            )
    return parts


def like_matcher(pattern: str, escape: str | None) -> Callable[[str], bool]:
    """Whether a text matches a pattern as a whole. Each part matches at its first place only.

    Raises:
        ValueError: as `pattern_parts`.
    """
    first, *others = pattern_parts(pattern, escape)
    sought = [part for part in others[:-1] if part]
    if not sought:
        rest = f".*{_expression(others[-1])}" if others else ""
        whole = re.compile(_expression(first) + rest, re.DOTALL).fullmatch
        return lambda text: whole(text) is not None
    begins, ends = _compiled(first), _compiled(others[-1])
    finders = [(_finder(part), len(part)) for part in sought]
    start, tail = len(first), len(others[-1])

    def matches(text: str) -> bool:
        at, end = start, len(text) - tail
        if end < at or begins.match(text) is None or ends.match(text, end) is None:
            return False
        for find, size in finders:
            found = find(text, at, end)
            if found < 0:
                return False
            at = found + size
        return True

    return matches


def _finder(part: Part) -> Callable[[str, int, int], int]:
    """Finds the first place of a part in a range of a text; less than 0 where it has none."""
    literal = "".join([character for character in part if character is not None])
    if len(literal) == len(part):
        # Unlike the search for an expression, this takes no longer for a text that nearly matches everywhere.
        return lambda text, at, end: text.find(literal, at, end)
    search = _compiled(part).search

    def find(text: str, at: int, end: int) -> int:
        found = search(text, at, end)
        return -1 if found is None else found.start()

    return find


def _compiled(part: Part) -> re.Pattern[str]:
    return re.compile(_expression(part), re.DOTALL)


def _expression(part: Part) -> str:
    return "".join(["." if character is None else re.escape(character) for character in part])
