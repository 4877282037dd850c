"""Definitions: events for the journal about durable nodes, bindings and prepared transactions."""

import base64
from collections.abc import Mapping
from typing import Any, Final, final

from lastvalue.broker.rights.owner import lasting_container
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, exchange_to_arguments
from lastvalue.queues.spec import Lifetime, QueueSpec
from lastvalue.queues.spec_arguments import spec_to_arguments

QUEUE: Final = "queue"
EXCHANGE: Final = "exchange"
BINDING: Final = "binding"
BRANCH: Final = "branch"
"""The kind of a prepared transaction."""

CREATOR: Final = "lastvalue:creator"
"""The argument of a queue's or an exchange's definition that names the user who declared it."""


@final
class Definition:
    """A durable node, a binding or a branch; without arguments it says that this one was deleted.

    A queue has a `spec`, and its arguments are made when they are read: nobody reads those of a restored one.
    """

    __slots__ = ("_arguments", "_spec", "kind", "name")

    def __init__(
        self, kind: str, name: str, arguments: Mapping[str, Any] | None, spec: QueueSpec | None = None
    ) -> None:
        self.kind = kind
        self.name = name
        self._arguments = arguments
        self._spec = spec

    @property
    def arguments(self) -> Mapping[str, Any] | None:
        """The arguments of its declaration, or None."""
        if self._spec is None or self._arguments is None:
            return self._arguments
        return {**spec_to_arguments(self._spec), **self._arguments}


_NONE: Final[list[Definition]] = []


@final
class Definitions:
    """The outbox of durable nodes that were declared or deleted; it ignores nodes that are not durable."""

    __slots__ = ("_outbox",)

    def __init__(self) -> None:
        self._outbox: list[Definition] = []

    def drain(self) -> list[Definition]:
        """The definitions since the last call, oldest first."""
        drained = self._outbox
        if len(drained) == 0:
            return _NONE
        self._outbox = []
        return drained

    @property
    def waiting(self) -> bool:
        """Whether `drain` would return any."""
        return bool(self._outbox)

    def queue_declared(self, spec: QueueSpec, creator: str) -> None:
        """A user declared a queue, or its options were changed; "" is the broker itself."""
        if survives(spec):
            arguments = {CREATOR: creator} if creator else {}
            self._outbox.append(Definition(QUEUE, spec.name, arguments, spec))

    def queue_deleted(self, spec: QueueSpec) -> None:
        """A queue was deleted."""
        if survives(spec):
            self._outbox.append(Definition(QUEUE, spec.name, None))

    def exchange_declared(self, spec: ExchangeSpec, creator: str | None = None) -> None:
        """A user declared an exchange, or its options were changed; None is the broker itself."""
        if spec.durable:
            arguments = exchange_to_arguments(spec)
            if creator is not None:
                arguments[CREATOR] = creator
            self._outbox.append(Definition(EXCHANGE, spec.name, arguments))

    def exchange_deleted(self, spec: ExchangeSpec) -> None:
        """An exchange was deleted."""
        if spec.durable:
            self._outbox.append(Definition(EXCHANGE, spec.name, None))

    def bound(self, exchange: str, binding: Binding) -> None:
        """A node was bound; only bindings between durable nodes are recorded."""
        arguments: dict[str, Any] = {
            "exchange": exchange,
            "destination": binding.destination,
            "key": binding.key,
            "to_exchange": binding.to_exchange,
            "arguments": {
                name: storable_value(value)
                for name, value in binding.arguments.items()
                if not isinstance(value, bytes)
            },
            "octets": {
                name: base64.b64encode(value).decode()
                for name, value in binding.arguments.items()
                if isinstance(value, bytes)
            },
            "excluded": lasting_container(binding.excluded),
        }
        if binding.creator is not None:
            arguments["creator"] = binding.creator
        self._outbox.append(Definition(BINDING, _binding_name(exchange, binding), arguments))

    def unbound(self, exchange: str, binding: Binding) -> None:
        """A binding was removed."""
        self._outbox.append(Definition(BINDING, _binding_name(exchange, binding), None))

    def prepared(self, branch: str, kept: Mapping[str, Any]) -> None:
        """A transaction waits to be committed or rolled back."""
        self._outbox.append(Definition(BRANCH, branch, kept))

    def ended(self, branch: str) -> None:
        """A prepared transaction was committed or rolled back."""
        self._outbox.append(Definition(BRANCH, branch, None))


def stored_binding(arguments: Mapping[str, Any]) -> Binding:
    """The binding that the arguments of its definition say."""
    octets = {name: base64.b64decode(text) for name, text in arguments.get("octets", {}).items()}
    binding = Binding(
        arguments["destination"],
        arguments["key"],
        {**arguments["arguments"], **octets},
        arguments["to_exchange"],
        arguments.get("excluded", ""),
    )
    binding.creator = arguments.get("creator")
    return binding


def storable_value(value: Any) -> Any:
    """A value that JSON has; any other one as text, since no exchange reads it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [storable_value(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): storable_value(item) for name, item in value.items()}
    return str(value)


def survives(spec: QueueSpec) -> bool:
    """Whether a queue survives a restart: it is durable, and no connection, session or link ends it."""
    return spec.durable and spec.lifetime not in _ENDS_WITH_ITS_OWNER


_ENDS_WITH_ITS_OWNER: Final = (
    Lifetime.CONNECTION_CLOSE,
    Lifetime.SESSION_END,
    Lifetime.CREATING_LINK_CLOSE,
)


def _binding_name(exchange: str, binding: Binding) -> str:
    kind = "exchange" if binding.to_exchange else "queue"
    return f"{exchange}\x00{kind}\x00{binding.destination}\x00{binding.key}"
