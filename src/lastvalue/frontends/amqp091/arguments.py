"""Arguments of methods: as the broker takes them, and what of a consumer's it understands."""

from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import i64

from lastvalue.frontends.reader_filters import NO_LOCAL, PRIORITY, ReaderFilters, priority_of
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR
from lastvalue.queues.spec import Readers
from lastvalue.queues.spec_arguments import knows_argument
from lastvalue.queues.subscription import Terms

BROWSE: Final = "x-filter-no-consume"
"""[Broker-J] A consumer with this argument takes nothing away."""

_TRUE: Final = (True, 1, "1", "true", "True")


def known_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a queue's declaration that some dialect knows."""
    return {name: value for name, value in arguments.items() if knows_argument(name)}


def browses(arguments: Mapping[str, Any]) -> bool:
    """Whether a consumer takes nothing away."""
    return arguments.get(BROWSE) in _TRUE


def consumer_terms(
    arguments: Mapping[str, Any],
    no_local: bool,
    readers: Readers,
    container: str,
    now: i64,
) -> Terms:
    """What a consumer asks for: a selector, a replay period, a priority, nothing of its own connection's.

    Raises:
        InvalidSelectorError, InvalidSpecError: an argument's value is none of its kind.
    """
    gathered = ReaderFilters(container, now)
    for name, kind in ((SELECTOR, SELECTOR), (REPLAY_PERIOD, REPLAY_PERIOD), ("no-local", NO_LOCAL)):
        if arguments.get(name) is not None and arguments[name] != "":
            gathered.add(kind, arguments[name])
    if no_local:
        gathered.add(NO_LOCAL, True)
    gathered.add_defaults(readers)
    return gathered.terms(priority_of(arguments.get(PRIORITY)))
