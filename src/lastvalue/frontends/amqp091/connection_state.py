"""The state that the channels of one connection share."""

from typing import final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.publisher import Publisher
from lastvalue.broker.rights.owner import Owner
from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.delivery.connection_state import ConnectionState
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.protocols.amqp091.connection import Connection
from lastvalue.protocols.amqp091.publisher_confirms import PublisherConfirms


@final
class Amqp091ConnectionState(ConnectionState):
    """The state of one connection, with its engine.

    Attributes:
        name: of the connection, for people.
        container: the name of the connection as an origin of messages.
        unknown_ignored: unknown arguments of declarations are ignored rather than refused.
        confirmations: confirms and answers that wait for the journal.
        notifies: a channel has consumers whose queues are gone, and has not notified the peer.
    """

    __slots__ = (
        "_asked_to_wait", "confirmations", "container", "engine", "name", "notifies", "unknown_ignored"
    )  # fmt: skip

    def __init__(self, context: ConnectionContext, engine: Connection, unknown_ignored: bool) -> None:
        super().__init__(context, engine.output)
        self.engine = engine
        self.unknown_ignored = unknown_ignored
        self.name = f"amqp-0-9-1:{self.number}"
        self.container = f"amqp-0-9-1 connection {self.number}"
        self.notifies = False
        self.confirmations: Confirmations[PublisherConfirms, bool] = Confirmations(_confirm_run)
        self._asked_to_wait = False

    @property
    def modern(self) -> bool:
        """[RabbitMQ] In AMQP 0-9-1 a refusal of the broker ends the channel, not the connection."""
        return self.engine.output.dialect.modern

    @property
    def qpid(self) -> bool:
        """Whether Broker-J's rules hold: in AMQP 0-9 and 0-8, and for Qpid's client in AMQP 0-9-1."""
        return self.engine.qpid_java or not self.engine.output.dialect.modern

    def stop_reading(self, publisher: Publisher, stops: bool) -> None:
        """Stop or resume reading from the peer: it stops while any producer stops it."""
        engine = self.engine
        before = engine.reading_paused
        engine.reading_paused = self.is_stopped(publisher, stops)
        if engine.reading_paused is before:
            return
        if not self._asked_to_wait:
            blocked = commands.Connection.Blocked("memory or disk space is low")
            self._tell(blocked if engine.reading_paused else commands.Connection.Unblocked())

    def ask_to_wait(self, reason: str) -> None:
        """Ask a peer that publishes to wait until the connection ends; what it still sends is taken."""
        if not self._asked_to_wait:
            self._asked_to_wait = True
            self._tell(commands.Connection.Blocked(reason))

    def _tell(self, blocked: commands.Connection.Blocked | commands.Connection.Unblocked) -> None:
        if self.engine.opened and self.engine.capable("connection.blocked"):
            self.engine.send(blocked)
        self.output.schedule_write()

    def owner(self, session: i64 = 0, link: i64 = 0) -> Owner:
        """The owner of what this connection, a channel or a consumer of it does."""
        return Owner(self.number, session, link, self.container, self.engine.identity, self.peer)


def _confirm_run(run: Run[PublisherConfirms, bool]) -> None:
    """Confirm a run of messages to their publisher."""
    run.source.confirm(run.first, run.last, run.outcome)
