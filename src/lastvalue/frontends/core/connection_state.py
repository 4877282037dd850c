"""The state that the sessions of one connection share."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.publisher import Publisher
from lastvalue.broker.rights.owner import Owner
from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.delivery.connection_state import ConnectionState
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.frontends.core.broker_state import BrokerState
from lastvalue.frontends.core.replies import Replies
from lastvalue.protocols.core.connection import Connection


@final
class CoreConnectionState(ConnectionState):
    """The state of one connection, with its engine.

    Attributes:
        shared: what all CORE connections share.
        name: of the connection, for people.
        confirmations: answers and confirmations that wait for the journal.
    """

    __slots__ = ("confirmations", "container", "engine", "name", "shared")

    def __init__(self, context: ConnectionContext, engine: Connection, shared: BrokerState) -> None:
        super().__init__(context, engine.output)
        self.shared = shared
        self.engine = engine
        self.name = f"core:{self.number}"
        self.container = self.name
        self.confirmations: Confirmations[Replies, bool] = Confirmations(_confirm_run)

    def stop_reading(self, publisher: Publisher, stops: bool) -> None:
        """Stop or resume reading from the peer: it stops while any producer stops it."""
        self.engine.reading_paused = self.is_stopped(publisher, stops)
        self.output.schedule_write()

    def owner(self, session: i64 = 0, link: i64 = 0) -> Owner:
        """The owner of what this connection, a session or a consumer of it does."""
        return Owner(self.number, session, link, self.container, self.engine.identity, self.peer)


def _confirm_run(run: Run[Replies, bool]) -> None:
    """What a run of commands has done is in the journal."""
    run.source.send(run.last - run.first + 1)
