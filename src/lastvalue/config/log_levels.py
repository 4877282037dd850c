"""Levels of the log by component, as `--log-level` and the file have them."""

import logging
from collections.abc import Iterable
from enum import Enum
from typing import Final

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

COMPONENTS: Final = (
    "audit", "clock", "config", "connection", "consumer", "disk", "gateway", "log", "memory", "queue",
    "server", "snapshot", "store", "tls", "users",
)  # fmt: skip
"""The first words of the names of events."""

LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
DEFAULT_LEVEL: Final = "info"
_IN_WORDS: Final = (
    f"one or more of LEVEL and COMPONENT=LEVEL, with LEVEL one of {', '.join(LEVELS)}, "
    f"and COMPONENT one of {', '.join(COMPONENTS)}"
)
LEVEL_FORM: Final = (f"(({'|'.join(COMPONENTS)})=)?({'|'.join(LEVELS)})", _IN_WORDS)
"""The form of one level: a pattern, and in words."""


class LogFormat(Enum):
    """How the lines of the log are written; AUTO is text on a terminal and JSON elsewhere."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"


class LogLevelError(LastvalueError):
    """A level or a component does not exist."""

    condition = Condition.INVALID_FIELD


def read_levels(texts: Iterable[str]) -> dict[str, str]:
    """The names of levels by component, of texts such as `info` and `store=debug`; "" is all the others.

    The audit has its own level, so that a quieter log does not lose it.

    Raises:
        LogLevelError: a component or a level does not exist.
    """
    levels = {"": DEFAULT_LEVEL, "audit": DEFAULT_LEVEL}
    for text in texts:
        component, _, level = text.rpartition("=")
        if level not in LEVELS or component not in ("", *COMPONENTS):
            raise LogLevelError(f"{text!r} is no level of the log; expected {_IN_WORDS}")
        levels[component] = level
    return levels
