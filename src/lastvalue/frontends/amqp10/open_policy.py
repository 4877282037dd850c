"""Who may open a connection: containers that want one at a time, and users that may have so many."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.performatives import AmqpError, Open
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.connection import Connection, OpenPolicy

SOLE_CONNECTION: Final = "sole-connection-for-container"


@final
class SoleContainerPolicy(OpenPolicy):
    """Refuses a container's second connection where both ask to be the only one, as JMS clients do."""

    __slots__ = ("_broker", "_container", "_number")

    def __init__(self, broker: Broker, number: i64) -> None:
        self._broker = broker
        self._number: i64 = number
        self._container = ""

    def refusal(self, remote: Open) -> AmqpError | None:
        """See OpenPolicy."""
        if SOLE_CONNECTION not in remote.desired_capabilities:
            return None
        containers = self._broker.sole_containers
        if containers.setdefault(remote.container_id, int(self._number)) != self._number:
            text = f"container {remote.container_id!r} has a connection, and asked to have one only"
            return AmqpError(
                Condition.INVALID_FIELD.amqp10, text, {Symbol("invalid-field"): Symbol("container-id")}
            )
        self._container = remote.container_id
        return None

    def leave(self) -> None:
        """The connection is over."""
        if self._container:
            self._broker.sole_containers.pop(self._container, None)
            self._container = ""


@final
class UserOpenPolicy(OpenPolicy):
    """Asks another policy, then whether the peer's user may have one more connection."""

    __slots__ = ("_engine", "_enter", "_other")

    def __init__(
        self, engine: Connection, other: OpenPolicy | None, enter: Callable[[str], str | None]
    ) -> None:
        self._engine = engine
        self._other = other
        self._enter = enter

    def refusal(self, remote: Open) -> AmqpError | None:
        """See OpenPolicy."""
        refused = None if self._other is None else self._other.refusal(remote)
        if refused is not None:
            return refused
        text = self._enter(self._engine.identity or "")
        return None if text is None else AmqpError(Condition.RESOURCE_LIMIT_EXCEEDED.amqp10, text)
