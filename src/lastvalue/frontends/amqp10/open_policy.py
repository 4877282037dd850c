"""Which connections are let in: sole connections of a container, and as many as a user may have."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.connections import SoleConnection
from lastvalue.broker.owner import PeerIdentity
from lastvalue.codec.amqp10.performatives import AmqpError, Open
from lastvalue.codec.amqp10.values import Symbol, UInt, Value
from lastvalue.delivery.output import Output
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.open_policy import OpenPolicy

SOLE_CONNECTION: Final = "sole-connection-for-container"
_DETECTION_POLICY: Final = "sole-connection-detection-policy"
_STRONG: Final = 0
PROTOCOL: Final = "AMQP 1.0"
_ENFORCEMENT_POLICY: Final = "sole-connection-enforcement-policy"
_CLOSE_EXISTING: Final = 1
_ENFORCEMENT: Final = "sole-connection-enforcement"


@final
class _Sole(SoleConnection):
    """This connection, for one of its container that comes later."""

    __slots__ = ("_engine", "_output", "container")

    def __init__(self, engine: Connection, output: Output, container: str) -> None:
        self._engine = engine
        self._output = output
        self.container = container

    @property
    def user(self) -> str:
        """See SoleConnection."""
        return self._engine.identity or ""

    def give_way(self) -> None:
        """See SoleConnection."""
        text = "another connection of the container takes the place of this one"
        self._engine.close(AmqpError(Condition.RESOURCE_LOCKED.amqp10, text, {Symbol(_ENFORCEMENT): True}))
        self._output.schedule_write()


@final
class ServerOpenPolicy(OpenPolicy):
    """Allows a container one connection where its connections ask for that, as JMS clients do.

    [Connection Uniqueness 1.0 §2.3] The second one is refused, or closes the first one where it asks for
    that and is the same user's.

    Attributes:
        peer: what is known of it.
        enter: called last with the user: why it may not have another connection, or None where it may.
    """

    __slots__ = ("_broker", "_engine", "_number", "_output", "_sole", "enter", "peer")

    def __init__(
        self, engine: Connection, broker: Broker, output: Output, number: i64, peer: PeerIdentity
    ) -> None:
        self._number: i64 = number
        self.peer = peer
        self.enter: Callable[[str], str | None] | None = None
        self._engine = engine
        self._broker = broker
        self._output = output
        self._sole: _Sole | None = None

    def refusal(self, remote: Open) -> AmqpError | None:
        """See OpenPolicy."""
        container = remote.container_id
        asks = SOLE_CONNECTION in remote.desired_capabilities
        present = self._broker.sole_containers.get(container) if asks else None
        if present is not None and not self._replaces(present, remote):
            text = f"container {container!r} has a connection, and asked to have one only"
            return AmqpError(
                Condition.INVALID_FIELD.amqp10, text, {Symbol("invalid-field"): Symbol("container-id")}
            )
        self.peer.describe(connection_name(self._number), PROTOCOL, self._engine.mechanism)
        said = {str(name): value for name, value in (remote.properties or {}).items()}
        self.peer.name_client(said, container)
        reason = self.admit(self._engine.identity or "")
        if reason is not None:
            return AmqpError(Condition.RESOURCE_LIMIT_EXCEEDED.amqp10, reason)
        if asks:
            if present is not None:
                present.give_way()
            self._sole = _Sole(self._engine, self._output, container)
            self._broker.sole_containers[container] = self._sole
        return None

    def admit(self, user: str) -> str | None:
        """See OpenPolicy."""
        return None if self.enter is None else self.enter(user)

    def _replaces(self, present: SoleConnection, remote: Open) -> bool:
        """Whether this connection closes the one that there is: another user's could be shut out by that."""
        policy = (remote.properties or {}).get(Symbol(_ENFORCEMENT_POLICY))
        return policy == _CLOSE_EXISTING and present.user == (self._engine.identity or "")

    def properties(self, remote: Open) -> dict[str, Value]:
        """[Connection Uniqueness 1.0 §2.2] Every other connection of the container is detected."""
        if SOLE_CONNECTION not in remote.desired_capabilities:
            return {}
        return {_DETECTION_POLICY: UInt(_STRONG)}

    def leave(self) -> None:
        """The connection is over."""
        containers, sole = self._broker.sole_containers, self._sole
        if sole is not None and containers.get(sole.container) is sole:
            del containers[sole.container]
        self._sole = None


def connection_name(number: i64) -> str:
    """The name of the connection of that number, for people."""
    return f"amqp-1.0:{number}"
