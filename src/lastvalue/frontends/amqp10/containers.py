"""Containers that want one connection at a time: JMS clients by their client id."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.performatives import AmqpError, Open
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.connection import Gate

SOLE_CONNECTION: Final = "sole-connection-for-container"


@final
class SoleContainer(Gate):
    """Refuses a container's second connection where both ask to be the only one."""

    __slots__ = ("_broker", "_container", "_number")

    def __init__(self, broker: Broker, number: i64) -> None:
        self._broker = broker
        self._number: i64 = number
        self._container = ""

    def refusal(self, remote: Open) -> AmqpError | None:
        """See Gate."""
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
