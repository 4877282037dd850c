"""The terms of a consumer that the arguments of basic.consume ask for."""

from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import i64

from lastvalue.broker.routing.bindings import NO_LOCAL_ARGUMENT
from lastvalue.delivery.reader_filters import PRIORITY, ReaderFilters
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import Terms

BROWSE: Final = "x-filter-no-consume"
"""[Broker-J] A consumer with this argument browses."""

AUTO_CLOSE: Final = "x-filter-auto-close"
"""[Broker-J] A consumer with this argument ends when it has been sent all that the queue has for it."""

_TRUE: Final = (True, 1, "1", "true", "True")


def browses(arguments: Mapping[str, Any]) -> bool:
    """Whether a consumer browses: its messages stay on the queue."""
    return arguments.get(BROWSE) in _TRUE


def ends_when_empty(arguments: Mapping[str, Any]) -> bool:
    """Whether a consumer ends when it has been sent all that there is."""
    return arguments.get(AUTO_CLOSE) in _TRUE


def consumer_terms(
    arguments: Mapping[str, Any],
    no_local: bool,
    readers: Readers,
    container: str,
    now: i64,
) -> Terms:
    """What a consumer asks for: a selector, a replay period, a priority, nothing of its own connection's.

    Raises:
        InvalidSelectorError, InvalidSpecError: an argument cannot have this value.
    """
    filters = ReaderFilters(container, now)
    for name, kind in ((SELECTOR, SELECTOR), (REPLAY_PERIOD, REPLAY_PERIOD), ("no-local", NO_LOCAL_ARGUMENT)):
        if arguments.get(name) is not None and arguments[name] != "":
            filters.add(kind, arguments[name])
    if PRIORITY in arguments and arguments[PRIORITY] is None:
        # [RabbitMQ] Void is no number.
        raise InvalidSpecError(f"{PRIORITY} has no value; expected a whole number")
    if no_local:
        filters.add(NO_LOCAL_ARGUMENT, True)
    return filters.terms(readers, arguments.get(PRIORITY))
