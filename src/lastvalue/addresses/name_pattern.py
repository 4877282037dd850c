"""Patterns of queue and exchange names: `*` matches any text without a dot, `#` any text."""

from typing import Final

from lastvalue.model.errors import InvalidSpecError

LONGEST_PATTERN: Final = 255

_IN_A_WORD: Final = "*"
_ANYTHING: Final = "#"
_OF_REGULAR_EXPRESSIONS: Final = "\\[](){}|^"


def check_pattern(pattern: str) -> None:
    """Refuse a pattern that is too long or looks like a regular expression.

    Raises:
        InvalidSpecError: the pattern is empty, too long, or has characters of regular expressions.
    """
    if not 0 < len(pattern) <= LONGEST_PATTERN:
        raise InvalidSpecError(f"a pattern has 1 to {LONGEST_PATTERN} characters, as in 'prices.*'")
    if any(sign in pattern for sign in _OF_REGULAR_EXPRESSIONS):
        raise InvalidSpecError(
            f"{pattern!r} is a regular expression; write a name in which `*` is anything without a dot "
            "and `#` is anything, as in 'prices.*'"
        )


def name_matches(pattern: str, name: str) -> bool:
    """Whether a name matches a pattern; the cost is at most the product of their lengths."""
    # The places in the pattern that the rest of the name may continue from.
    places = _behind_wildcards(pattern, {0})
    for letter in name:
        reached: set[int] = set()
        for place in places:
            if place == len(pattern):
                continue
            sign = pattern[place]
            if sign == _ANYTHING or (sign == _IN_A_WORD and letter != "."):
                reached.add(place)
            elif sign == letter:
                reached.add(place + 1)
        places = _behind_wildcards(pattern, reached)
        if not places:
            return False
    return len(pattern) in places


def patterns_meet(first: str, second: str) -> bool:
    """Whether some text could match both patterns; both wildcards count as any text."""
    # The places in the second pattern that may be reached with the same text as each place in the first.
    reached = _behind_wildcards(second, {0})
    for sign in first:
        following: set[int] = set()
        for place in reached:
            if sign in (_IN_A_WORD, _ANYTHING):
                following.update(range(place, len(second) + 1))
            elif place < len(second):
                if second[place] in (_IN_A_WORD, _ANYTHING):
                    following.add(place)
                elif second[place] == sign:
                    following.add(place + 1)
        reached = _behind_wildcards(second, following)
    return len(second) in reached


def _behind_wildcards(pattern: str, places: set[int]) -> set[int]:
    """The places, and those after wildcards that match the empty text."""
    reached = set(places)
    for place in places:
        following = place
        while following < len(pattern) and pattern[following] in (_IN_A_WORD, _ANYTHING):
            following += 1
            reached.add(following)
    return reached
