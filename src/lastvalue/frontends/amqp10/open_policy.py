"""Which connections are let in: sole connections of a container, and as many as a user may have."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.containers import ContainerConnection
from lastvalue.broker.rights.owner import PeerIdentity
from lastvalue.codec.amqp10.performatives import AmqpError, Open
from lastvalue.codec.amqp10.values import Symbol, UInt, Value
from lastvalue.delivery.output import Output
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import OpenPolicy

SOLE_CONNECTION: Final = "sole-connection-for-container"
PROTOCOL: Final = "AMQP 1.0"
_DETECTION_POLICY: Final = "sole-connection-detection-policy"
_STRONG: Final = 0
_ENFORCEMENT_POLICY: Final = "sole-connection-enforcement-policy"
_REFUSE_CONNECTION: Final = 0
_CLOSE_EXISTING: Final = 1
_UNKNOWN: Final = -1
_POLICIES: Final = (_REFUSE_CONNECTION, _CLOSE_EXISTING)
_ENFORCEMENT: Final = "sole-connection-enforcement"


@final
class _Open(ContainerConnection):
    """This connection, for one of its container that comes later."""

    __slots__ = ("_broker", "_engine", "_output")

    def __init__(
        self, broker: Broker, engine: Connection, output: Output, container: str, asked: int | None
    ) -> None:
        super().__init__(container, asked)
        self._broker = broker
        self._engine = engine
        self._output = output

    @property
    def user(self) -> str:
        """See ContainerConnection."""
        return self._engine.identity or ""

    def give_way(self) -> None:
        """See ContainerConnection."""
        text = "another connection of the container takes the place of this one"
        self._engine.close(AmqpError(Condition.RESOURCE_LOCKED.amqp10, text, {Symbol(_ENFORCEMENT): True}))
        self._output.schedule_write()
        self._broker.connections.containers.leave(self)


@final
class ServerOpenPolicy(OpenPolicy):
    """Allows a container one connection where one of its connections asks for that, as JMS clients do.

    [Connection Uniqueness 1.0 §2.3] The policy of the connection that asked first decides: the second one is
    refused, or the first one is closed if it is the same user's.

    Attributes:
        peer: what is known of it.
        enter: called last with the user: why it may not have another connection, or None if it may.
    """

    __slots__ = ("_broker", "_engine", "_number", "_open", "_output", "enter", "peer")

    def __init__(
        self, engine: Connection, broker: Broker, output: Output, number: i64, peer: PeerIdentity
    ) -> None:
        self._number: i64 = number
        self.peer = peer
        self.enter: Callable[[str], str | None] | None = None
        self._engine = engine
        self._broker = broker
        self._output = output
        self._open: _Open | None = None

    def refusal(self, remote: Open) -> AmqpError | None:
        """See OpenPolicy."""
        container = remote.container_id
        asked = _asked(remote)
        if asked is not None and asked not in _POLICIES:
            text = f"{_ENFORCEMENT_POLICY} is the uint 0 (refuse-connection) or 1 (close-existing)"
            return AmqpError(Condition.INVALID_FIELD.amqp10, text)
        rivals = self._broker.connections.containers.rivals(container, self._user, asked is not None)
        if not all(self._gives_way(each, asked) for each in rivals):
            text = f"container {container!r} has a connection, and is to have one only"
            return AmqpError(
                Condition.INVALID_FIELD.amqp10, text, {Symbol("invalid-field"): Symbol("container-id")}
            )
        self.peer.describe(connection_name(self._number), PROTOCOL, self._engine.mechanism)
        said = {str(name): value for name, value in (remote.properties or {}).items()}
        self.peer.name_client(said, container)
        reason = self.admit(self._user)
        if reason is not None:
            return AmqpError(Condition.RESOURCE_LIMIT_EXCEEDED.amqp10, reason)
        for rival in rivals:
            rival.give_way()
        self._open = _Open(self._broker, self._engine, self._output, container, asked)
        self._broker.connections.containers.enter(self._open)
        return None

    @property
    def _user(self) -> str:
        return self._engine.identity or ""

    def admit(self, user: str) -> str | None:
        """See OpenPolicy."""
        return None if self.enter is None else self.enter(user)

    def _gives_way(self, present: ContainerConnection, asked: int | None) -> bool:
        """Whether this connection closes the one that there is: another user's could be shut out by that."""
        policy = asked if present.enforcement is None else present.enforcement
        return policy == _CLOSE_EXISTING and present.user == self._user

    def properties(self, remote: Open) -> dict[str, Value]:
        """[Connection Uniqueness 1.0 §2.2] The policies in force for the peer, if it asks for them."""
        asked = _asked(remote)
        if asked is None or asked not in _POLICIES:
            return {}
        return {_DETECTION_POLICY: UInt(_STRONG), _ENFORCEMENT_POLICY: UInt(asked)}

    def leave(self) -> None:
        """The connection is over."""
        if self._open is not None:
            self._broker.connections.containers.leave(self._open)
        self._open = None


def _asked(remote: Open) -> int | None:
    """The enforcement policy that the peer asks for; None if it does not want to be alone."""
    if SOLE_CONNECTION not in remote.desired_capabilities:
        return None
    policy = (remote.properties or {}).get(Symbol(_ENFORCEMENT_POLICY))
    if policy is None:
        return _REFUSE_CONNECTION
    return policy if isinstance(policy, int) else _UNKNOWN


def connection_name(number: i64) -> str:
    """The name of the connection of that number, for people."""
    return f"amqp-1.0:{number}"
