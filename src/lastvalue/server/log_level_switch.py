"""Switches the levels of the log, also of a broker that runs."""

import logging
from collections.abc import Iterable, Mapping

from lastvalue.config.log_levels import COMPONENTS, LEVELS, read_levels
from lastvalue.server.log_events import LOG_LEVELS, LOGGER


def switch_log_levels(texts: Iterable[str]) -> None:
    """Let the log have these levels, texts as `--log-level` has them; other components have the level of all.

    Raises:
        LogLevelError: a component or a level does not exist.
    """
    levels = read_levels(texts)
    if set_log_levels(levels):
        shown = [f"{name}={level}" if name else level for name, level in levels.items()]
        LOG_LEVELS.log(levels=" ".join(shown))


def set_log_levels(levels: Mapping[str, str]) -> bool:
    """Set the levels by component, "" for the others, without a line of the log; whether any has changed."""
    before = {name: logging.getLogger(_logger(name)).level for name in ("", *COMPONENTS)}
    after = {name: LEVELS[levels[name]] if name in levels else logging.NOTSET for name in before}
    for name, level in after.items():
        logging.getLogger(_logger(name)).setLevel(level)
    return after != before


def _logger(component: str) -> str:
    return f"{LOGGER}.{component}" if component else LOGGER
