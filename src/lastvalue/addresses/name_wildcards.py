"""RabbitMQ's permissions are regular expressions over names; ours are patterns in which `*` is any text.

Both directions are exact: an expression that no patterns stand for has no translation.
"""

import re
from collections.abc import Iterable
from typing import Final

RIGHTS_OF: Final = {"configure": ("configure",), "write": ("write",), "read": ("read", "browse", "manage")}
"""Our rights for what RabbitMQ permits; there, purging is reading."""

EVERY_NAME: Final = ".*"
_NOTHING: Final = ("", "^$")
_LITERAL: Final = re.compile(r"(?:[\w\-/ :@#,=~!%&'\"<>;]|\\[^\w*])*")
_GROUP: Final = re.compile(r"\^\(([^()]*)\)\$")
_SPECIAL: Final = re.compile(r"([.\\+*?\[\]^$(){}|])")


def name_wildcards(expression: str) -> list[str] | None:
    """The patterns that together match the same names as a regular expression, or None.

    [RabbitMQ] An expression matches where a part of the name does, unless it says `^` and `$`.
    """
    if expression in _NOTHING:
        return []
    group = _GROUP.fullmatch(expression)
    alternatives = [f"^{each}$" for each in group[1].split("|")] if group else expression.split("|")
    patterns: list[str] = []
    for alternative in alternatives:
        pattern = _pattern(alternative)
        if pattern is None:
            return None
        if pattern:
            patterns.append(pattern)
    return patterns


def name_expression(patterns: Iterable[str]) -> str:
    """The regular expression that matches what one of the patterns does; without patterns it is empty."""
    each = sorted({pattern.strip() for pattern in patterns})
    if "*" in each:
        return EVERY_NAME
    expressions = [".*".join(_SPECIAL.sub(r"\\\1", part) for part in pattern.split("*")) for pattern in each]
    match expressions:
        case []:
            return ""
        case [one]:
            return f"^{one}$"
        case _:
            return f"^({'|'.join(expressions)})$"


def _pattern(expression: str) -> str | None:
    start = expression.startswith("^")
    end = expression.endswith("$") and not expression.endswith("\\$")
    parts = expression[start : len(expression) - end].split(".*")
    if not all(_LITERAL.fullmatch(part) for part in parts):
        return None
    text = "*".join(re.sub(r"\\(.)", r"\1", part) for part in parts)
    text = ("" if start or text.startswith("*") else "*") + text
    return text + ("" if end or text.endswith("*") else "*")
