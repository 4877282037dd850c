"""The state that the sessions of one connection share."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.publisher import Publisher
from lastvalue.broker.rights.owner import Owner
from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.delivery.output import Output
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.frontends.core.broker_state import BrokerState
from lastvalue.frontends.core.replies import Replies
from lastvalue.protocols.core.connection import Connection


@final
class CoreConnectionState:
    """The broker, the engine and the output of one connection.

    Attributes:
        shared: what all CORE connections share.
        number: the connection's, of the broker's `identify`.
        name: of the connection, for people.
        peer: what is known of it.
        memory: of the connection.
        confirmations: answers and confirmations that wait for the journal.
        output: of the connection.
    """

    __slots__ = (
        "_stopped_by", "broker", "confirmations", "container", "engine", "memory", "name", "number",
        "output", "peer", "shared",
    )  # fmt: skip

    def __init__(self, context: ConnectionContext, engine: Connection, shared: BrokerState) -> None:
        broker = context.broker
        self.broker = broker
        self.shared = shared
        self.engine = engine
        self.memory = context.memory
        self.peer = context.peer
        self.number: i64 = broker.identify()
        self.name = f"core:{self.number}"
        self.container = self.name
        self.output = Output(engine.output, context.on_schedule)
        self.confirmations: Confirmations[Replies, bool] = Confirmations(_confirm_run)
        self._stopped_by: dict[Publisher, None] = {}

    def stop_reading(self, publisher: Publisher, stops: bool) -> None:
        """Stop or resume reading from the peer: it stops while any producer stops it."""
        if stops:
            self._stopped_by[publisher] = None
        else:
            self._stopped_by.pop(publisher, None)
        self.engine.reading_paused = bool(self._stopped_by)
        self.output.schedule_write()

    def owner(self, session: i64 = 0, link: i64 = 0) -> Owner:
        """The owner of what this connection, a session or a consumer of it does."""
        return Owner(self.number, session, link, self.container, self.engine.identity, self.peer)


def _confirm_run(run: Run[Replies, bool]) -> None:
    """What a run of commands has done is in the journal."""
    run.source.send(run.last - run.first + 1)
