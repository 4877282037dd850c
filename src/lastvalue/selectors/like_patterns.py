"""The patterns of LIKE, and how texts are matched with them: in time proportional to the text."""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

MAX_SOUGHT: Final = 16
"""Characters of a part between two % signs that has a `_`: what each place of the text may cost."""

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
    check_sought(parts, "%", "_")
    return parts


def check_sought(parts: list[Part], text_sign: str, character_sign: str) -> None:
    """Refuse a pattern of these parts if one of them would take too long to find.

    Args:
        parts: the parts of the pattern.
        text_sign: stands for any text, in the error.
        character_sign: stands for any one character, in the error.

    Raises:
        ValueError: a part between two signs for any text has a sign for any character, and is too long.
    """
    for part in parts[1:-1]:
        if None in part and len(part) > MAX_SOUGHT:
            raise ValueError(
                f"between two {text_sign} signs there are {len(part)} characters with a {character_sign} "
                f"among them; at most {MAX_SOUGHT} are allowed"
            )


def like_matcher(pattern: str, escape: str | None) -> Callable[[str], bool]:
    """Whether a text matches a pattern of LIKE as a whole.

    Raises:
        ValueError: as `pattern_parts`.
    """
    return parts_matcher(pattern_parts(pattern, escape))


def parts_matcher(parts: list[Part]) -> Callable[[str], bool]:
    """Whether a text consists of these parts, with any text between them.

    Each part is matched at its first place only, so the time is proportional to the text.
    """
    first, *others = parts
    if not others:
        whole = _compiled(first).fullmatch
        return lambda text: whole(text) is not None
    begins, ends = _at_start(first), _at_end(others[-1])
    start, tail = len(first), len(others[-1])
    finders = [(_finder(part), len(part)) for part in others[:-1] if part]

    def matches(text: str) -> bool:
        at, end = start, len(text) - tail
        if end < at or not begins(text) or not ends(text):
            return False
        for find, size in finders:
            found = find(text, at, end)
            if found < 0:
                return False
            at = found + size
        return True

    return matches


def _at_start(part: Part) -> Callable[[str], bool]:
    literal = _literal(part)
    if literal is not None:
        return lambda text: text.startswith(literal)
    match = _compiled(part).match
    return lambda text: match(text) is not None


def _at_end(part: Part) -> Callable[[str], bool]:
    literal, size = _literal(part), len(part)
    if literal is not None:
        return lambda text: text.endswith(literal)
    match = _compiled(part).match
    return lambda text: match(text, len(text) - size) is not None


def _finder(part: Part) -> Callable[[str, int, int], int]:
    """Finds the first place of a part in a range of a text; less than 0 if it has none."""
    literal = _literal(part)
    if literal is not None:
        # Unlike the search for an expression, this takes no longer for a text that nearly matches everywhere.
        return lambda text, at, end: text.find(literal, at, end)
    search = _compiled(part).search

    def find(text: str, at: int, end: int) -> int:
        found = search(text, at, end)
        return -1 if found is None else found.start()

    return find


def _literal(part: Part) -> str | None:
    """The part as a text, or None if it has a sign for any character."""
    characters = [character for character in part if character is not None]
    return "".join(characters) if len(characters) == len(part) else None


def _compiled(part: Part) -> re.Pattern[str]:
    return re.compile("".join(["." if each is None else re.escape(each) for each in part]), re.DOTALL)
