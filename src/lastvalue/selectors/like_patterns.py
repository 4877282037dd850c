"""The patterns of LIKE as regular expressions that match in time proportional to text and pattern."""

import re


def pattern_parts(pattern: str, escape: str | None) -> list[list[str | None]]:
    """The parts of the pattern between its % signs: characters, and None for any one character.

    Raises:
        ValueError: the pattern ends with the escape character, which then escapes nothing.
    """
    parts: list[list[str | None]] = [[]]
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
    return parts


def like_expression(pattern: str, escape: str | None) -> re.Pattern[str]:
    """The regular expression that a text must fully match.

    Each part matches at its first place only: `(?>...)` forbids backtracking.

    Raises:
        ValueError: the pattern ends with the escape character.
    """
    first, *others = [_part(part) for part in pattern_parts(pattern, escape)]
    if not others:
        return re.compile(first, re.DOTALL)
    middle = "".join([f"(?>.*?{part})" for part in others[:-1] if part])
    return re.compile(f"{first}{middle}.*{others[-1]}", re.DOTALL)


def _part(part: list[str | None]) -> str:
    return "".join(["." if character is None else re.escape(character) for character in part])
