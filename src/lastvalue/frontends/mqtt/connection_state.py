"""The state that the parts of one connection share."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.packet_types import PacketType
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.delivery.connection_state import ConnectionState
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.frontends.mqtt.broker_state import BrokerState
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.mqtt.connection import Connection


def reason_of(error: LastvalueError) -> ReasonCode:
    """The reason code of an error; the engine says another where a packet cannot have it."""
    return error.reason if isinstance(error, MqttError) else ReasonCode(error.condition.mqtt)


@final
class Result:
    """What becomes of a message from the peer, and a text that says more."""

    __slots__ = ("reason", "text")

    def __init__(self, reason: ReasonCode, text: str = "") -> None:
        self.reason = reason
        self.text = text


TAKEN: Final = Result(ReasonCode.SUCCESS)
TAKEN_BY_NOBODY: Final = Result(ReasonCode.NO_MATCHING_SUBSCRIBERS)


@final
class MqttConnectionState(ConnectionState):
    """The state of one connection, with its engine.

    Attributes:
        shared: what all MQTT connections share.
        name: of the connection, for people.
        client_id: of the peer, once it has one.
        confirmations: PUBACK and PUBREC by packet identifiers, and other answers, that wait for the journal.
    """

    __slots__ = ("client_id", "confirmations", "engine", "name", "shared")

    def __init__(self, context: ConnectionContext, engine: Connection, shared: BrokerState) -> None:
        super().__init__(context, engine.output)
        self.shared = shared
        self.engine = engine
        self.name = f"mqtt:{self.number}"
        self.client_id = ""
        self.confirmations: Confirmations[PacketType, Result] = Confirmations(self._confirm_run)

    @property
    def container(self) -> str:
        """The client as an origin of messages, and as the owner of its queues."""
        return f"mqtt:{self.client_id}"

    def end(self, reason: ReasonCode, text: str) -> None:
        """Disconnect the peer."""
        self.engine.disconnect(reason, text)
        self.output.schedule_write()

    def owner(self, link: i64 = 0) -> Owner:
        """The owner of what this connection, or a reader of it, does."""
        return Owner(self.number, 0, link, self.container, self.engine.identity, self.peer)

    def _confirm_run(self, run: Run[PacketType, Result]) -> None:
        """Confirm a run of messages."""
        result = run.outcome
        if not result.text:
            self.engine.acknowledge_all(run.source, run.first, run.last, result.reason)
            return
        for packet_id in range(run.first, run.last + 1):
            self.engine.acknowledge(run.source, packet_id, result.reason, result.text)
