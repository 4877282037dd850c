"""Filters of a source that say how a subscription's queue is bound to an exchange, and the way back."""

from collections.abc import Mapping
from typing import Any, Final, final

from lastvalue.broker.routing.bindings import FALSE, NO_LOCAL_ARGUMENT, SELECTOR_ARGUMENT, Binding
from lastvalue.broker.routing.exchange_spec import ExchangeType
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.codec.amqp10.performatives import Source
from lastvalue.codec.amqp10.values import Described, Symbol, Value
from lastvalue.delivery.reader_filters import selector_text
from lastvalue.frontends.amqp10.node_request import plain_arguments
from lastvalue.frontends.amqp10.reader_terms import NO_LOCAL_SYMBOL, SELECTOR_SYMBOL, filter_of
from lastvalue.queues.filters import SELECTOR

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


_HEADERS_SYMBOL: Final = "apache.org:legacy-amqp-headers-binding:map"
NEVER_EXPIRES: Final = "never"


@final
class SubscriptionBinding:
    """How a subscription is bound.

    Attributes:
        key: the binding key.
        arguments: of the binding; `admission`: those of them that are a selector or no-local.
        filters: those that the key and the conditions of a headers exchange come from, for the answer.
    """

    __slots__ = ("admission", "arguments", "filters", "key")

    def __init__(self, key: str) -> None:
        self.key = key
        self.arguments: dict[str, Any] = {}
        self.admission: dict[str, Any] = {}
        self.filters: dict[str, Value] = {}


def subscription_binding(
    subject: str | None, kind: ExchangeType, filters: Mapping[str, Value]
) -> SubscriptionBinding:
    """The binding of a reader's queue: by a filter, else by the address' subject, else to everything.

    Selectors and no-local become its arguments: what they exclude never enters the queue.

    Raises:
        InvalidSpecError: a selector is not text.
    """
    binding = SubscriptionBinding(_everything(kind) if subject is None else subject)
    selectors: list[str] = []
    for name, described in filters.items():
        type_name, value = filter_of(name, described)
        if type_name == SELECTOR:
            selectors.append(selector_text(value))
        elif type_name == NO_LOCAL_ARGUMENT and value not in FALSE:
            binding.admission[NO_LOCAL_ARGUMENT] = True
        if not isinstance(described, Described):
            continue
        descriptor = described.descriptor
        if descriptor in _KEY_FILTERS and isinstance(described.value, str):
            binding.key = str(described.value)
            binding.filters[name] = described
        elif descriptor in _HEADERS_FILTERS and isinstance(described.value, Mapping):
            binding.arguments.update(plain_arguments(described.value))
            binding.filters[name] = described
    if selectors:
        joined = selectors[0] if len(selectors) == 1 else " AND ".join(f"({each})" for each in selectors)
        binding.admission[SELECTOR_ARGUMENT] = joined
    binding.arguments.update(binding.admission)
    if kind is ExchangeType.HEADERS and "x-match" not in binding.arguments:
        binding.arguments["x-match"] = "all"
    return binding


def remembered_source(exchange: Exchange, binding: Binding, capabilities: tuple[str, ...]) -> Source:
    """The source of a subscription that stays, which its binding has by `subscription_binding`."""
    name, kind = exchange.spec.name, exchange.spec.type
    filters: dict[str, Value] = {}
    conditions: dict[str, Value] = {}
    for argument, value in binding.arguments.items():
        if argument == SELECTOR_ARGUMENT:
            filters["jms-selector"] = Described(Symbol(SELECTOR_SYMBOL), value)
        elif argument == NO_LOCAL_ARGUMENT:
            filters["no-local"] = Described(Symbol(NO_LOCAL_SYMBOL), [])
        else:
            conditions[argument] = value
    if kind is ExchangeType.HEADERS:
        filters["headers"] = Described(Symbol(_HEADERS_SYMBOL), conditions)
    return Source(
        address=name if binding.key == _everything(kind) else f"{name}/{binding.key}",
        expiry_policy=NEVER_EXPIRES,
        distribution_mode="copy",
        filter=filters,
        capabilities=capabilities,
    )


def _everything(kind: ExchangeType) -> str:
    """The key by which a subscription gets everything."""
    return "#" if kind is ExchangeType.TOPIC else ""
