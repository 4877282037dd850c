"""Filters that say how a reader's own queue is bound to an exchange."""

from collections.abc import Mapping
from typing import Any, Final, final

from lastvalue.broker.exchange_spec import ExchangeType
from lastvalue.codec.amqp10.values import Described, Value
from lastvalue.frontends.amqp10.node_request import plain_arguments

_KEY_FILTERS: Final[tuple[str | int, ...]] = (
    "apache.org:legacy-amqp-direct-binding:string",
    0x0000468C00000000,
    "apache.org:legacy-amqp-topic-binding:string",
    0x0000468C00000001,
)
_HEADERS_FILTERS: Final[tuple[str | int, ...]] = (
    "apache.org:legacy-amqp-headers-binding:map",
    0x0000468C00000002,
)


@final
class SubscriptionBinding:
    """How a subscription is bound.

    Attributes:
        key: the binding key.
        arguments: of the binding.
        filters: the filters that said so, to be echoed.
    """

    __slots__ = ("arguments", "filters", "key")

    def __init__(self, key: str) -> None:
        self.key = key
        self.arguments: dict[str, Any] = {}
        self.filters: dict[str, Value] = {}


def subscription_binding(
    subject: str | None, kind: ExchangeType, filters: Mapping[str, Value]
) -> SubscriptionBinding:
    """How a reader's queue is bound: by a filter, else by the subject of the address, else to everything."""
    everything = "#" if kind is ExchangeType.TOPIC else ""
    found = SubscriptionBinding(everything if subject is None else subject)
    for name, wanted in filters.items():
        if not isinstance(wanted, Described):
            continue
        descriptor = wanted.descriptor
        if descriptor in _KEY_FILTERS and isinstance(wanted.value, str):
            found.key = str(wanted.value)
            found.filters[name] = wanted
        elif descriptor in _HEADERS_FILTERS and isinstance(wanted.value, Mapping):
            found.arguments.update(plain_arguments(wanted.value))
            found.filters[name] = wanted
    if kind is ExchangeType.HEADERS and "x-match" not in found.arguments:
        found.arguments["x-match"] = "all"
    return found
