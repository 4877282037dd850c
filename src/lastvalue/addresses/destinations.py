"""Destinations as Artemis writes them: name?parameter=value&parameter=value, and address::queue."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from urllib.parse import unquote

from lastvalue.addresses.errors import InvalidAddressError
from lastvalue.addresses.tokens import MAX_LENGTH

ParameterValue: TypeAlias = str | int | bool

_NUMBER: Final = re.compile("[+-]?[0-9]{1,19}")
_ROUTING_TYPES: Final = ("ANYCAST", "MULTICAST")


@dataclass(frozen=True, slots=True)
class Destination:
    """A destination's parts.

    Attributes:
        address: the part before `::`, or the whole name.
        queue: the part after `::`, which names one queue of the address, or None.
        parameters: the known parameters, converted to their types.
        ignored: the names of unknown parameters.
    """

    address: str
    queue: str | None = None
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The queue to read from or write to."""
        return self.address if self.queue is None else self.queue


def parse_destination(text: str) -> Destination:
    """Parse a destination; parameters are percent-decoded, and the last one of a name counts.

    Raises:
        InvalidAddressError: the destination has no name or exceeds MAX_LENGTH, or a parameter's value has the
            wrong type.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidAddressError(f"{len(text)} characters; at most {MAX_LENGTH} are allowed", text)
    name, _, query = text.partition("?")
    address, fully_qualified, queue = name.partition("::")
    if not address or (fully_qualified and not queue):
        raise InvalidAddressError("a destination must be name, name?parameter=value or address::queue", text)
    parameters: dict[str, ParameterValue] = {}
    ignored: list[str] = []
    for pair in filter(None, query.split("&")):
        key, _, written = pair.partition("=")
        parameter, value = _decoded(key, text), _decoded(written, text)
        read = _PARAMETERS.get(parameter)
        if read is None:
            ignored.append(parameter)
        else:
            parameters[parameter] = read(parameter, value, text)
    return Destination(address, queue if fully_qualified else None, parameters, tuple(ignored))


def destination_arguments(destination: Destination) -> dict[str, ParameterValue]:
    """The parameters that declare a queue, as arguments of its declaration."""
    return {
        name: value
        for name, value in destination.parameters.items()
        if name not in _NO_ARGUMENTS and (value or not isinstance(value, str))
    }


def _decoded(written: str, text: str) -> str:
    try:
        return unquote(written, errors="strict")
    except UnicodeDecodeError:
        raise InvalidAddressError(f"{written!r} is not percent-encoded UTF-8", text) from None


def _text(name: str, value: str, text: str) -> str:
    del name, text
    return value.strip()


def _flag(name: str, value: str, text: str) -> bool:
    # [Artemis] Every text except "true" is false.
    del name, text
    return value.lower() == "true"


def _number(name: str, value: str, text: str) -> int:
    if not _NUMBER.fullmatch(value):
        raise InvalidAddressError(f"parameter {name!r} is {value!r}; expected a whole number", text)
    return int(value)


def _routing_type(name: str, value: str, text: str) -> str:
    if value.upper() not in _ROUTING_TYPES:
        expected = " or ".join(_ROUTING_TYPES)
        raise InvalidAddressError(f"parameter {name!r} is {value!r}; expected {expected}", text)
    return value.upper()


_PARAMETERS: Final[dict[str, Callable[[str, str, str], ParameterValue]]] = {
    "routing-type": _routing_type,
    "filter-string": _text,
    "durable": _flag,
    "max-consumers": _number,
    "exclusive": _flag,
    "group-rebalance": _flag,
    "group-rebalance-pause-dispatch": _flag,
    "group-buckets": _number,
    "group-first-key": _text,
    "last-value": _flag,
    "last-value-key": _text,
    "non-destructive": _flag,
    "purge-on-no-consumers": _flag,
    "consumers-before-dispatch": _number,
    "delay-before-dispatch": _number,
    "consumer-priority": _number,
    "auto-delete": _flag,
    "auto-delete-delay": _number,
    "auto-delete-message-count": _number,
    "ring-size": _number,
    "enabled": _flag,
}

_NO_ARGUMENTS: Final = frozenset({"routing-type", "consumer-priority", "auto-delete-message-count"})
"""Parameters of the address or of the consumer, and one that queues here do not have."""
