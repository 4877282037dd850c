"""The broker's description of an exchange."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BindingInfo:
    """A binding: the queue or exchange that gets an exchange's messages, and the key."""

    destination: str
    key: str = ""
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExchangeInfo:
    """An exchange's declaration, bindings and counts.

    Attributes:
        type: direct, topic, fanout, headers or address.
        options: as `declare_exchange` takes them.
        received: messages that were published to it.
        unrouted: messages of them that no queue got.
    """

    name: str
    type: str
    options: Mapping[str, object] = field(default_factory=dict)
    bindings: tuple[BindingInfo, ...] = ()
    received: int = 0
    unrouted: int = 0


def exchange_info(described: object) -> ExchangeInfo:
    """Decode the management node's description of an exchange; missing fields are empty or 0."""
    fields = _mapping(described)
    options = _mapping(fields.get("options"))
    bindings = fields.get("bindings")
    return ExchangeInfo(
        name=str(fields.get("name", "")),
        type=str(options.get("type", "")),
        options=options,
        bindings=tuple(map(_binding_info, bindings)) if isinstance(bindings, list) else (),
        received=_count(fields.get("received")),
        unrouted=_count(fields.get("unrouted")),
    )


def _binding_info(described: object) -> BindingInfo:
    fields = _mapping(described)
    return BindingInfo(
        str(fields.get("destination", "")), str(fields.get("key", "")), _mapping(fields.get("arguments"))
    )


def _mapping(value: object) -> dict[str, object]:
    return {str(name): item for name, item in value.items()} if isinstance(value, dict) else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
