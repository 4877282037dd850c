"""Which connections are let in: sole connections of a container, and as many as a user may have."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.performatives import AmqpError, Open
from lastvalue.codec.amqp10.values import Symbol, UInt, Value
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.connection import Connection, OpenPolicy

SOLE_CONNECTION: Final = "sole-connection-for-container"
_DETECTION_POLICY: Final = "sole-connection-detection-policy"
_STRONG: Final = 0


@final
class ServerOpenPolicy(OpenPolicy):
    """Refuses a container's second connection where both ask to be the only one, as JMS clients do.

    Attributes:
        enter: called last with the user; why it may not have another connection, or None where it may.
    """

    __slots__ = ("_broker", "_container", "_engine", "_number", "enter")

    def __init__(self, engine: Connection, broker: Broker, number: i64) -> None:
        self.enter: Callable[[str], str | None] | None = None
        self._engine = engine
        self._broker = broker
        self._number: i64 = number
        self._container = ""

    def refusal(self, remote: Open) -> AmqpError | None:
        """See OpenPolicy."""
        container = remote.container_id
        if SOLE_CONNECTION in remote.desired_capabilities:
            if self._broker.sole_containers.setdefault(container, int(self._number)) != self._number:
                text = f"container {container!r} has a connection, and asked to have one only"
                return AmqpError(
                    Condition.INVALID_FIELD.amqp10, text, {Symbol("invalid-field"): Symbol("container-id")}
                )
            self._container = container
        reason = None if self.enter is None else self.enter(self._engine.identity or "")
        return None if reason is None else AmqpError(Condition.RESOURCE_LIMIT_EXCEEDED.amqp10, reason)

    def properties(self, remote: Open) -> dict[str, Value]:
        """[Connection Uniqueness 1.0 §2.2] Every other connection of the container is detected."""
        if SOLE_CONNECTION not in remote.desired_capabilities:
            return {}
        return {_DETECTION_POLICY: UInt(_STRONG)}

    def leave(self) -> None:
        """The connection is over."""
        if self._container:
            self._broker.sole_containers.pop(self._container, None)
            self._container = ""
