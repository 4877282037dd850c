"""What the channels of one connection share."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.broker import Broker
from lastvalue.broker.owner import Owner
from lastvalue.broker.queue_host import Publisher
from lastvalue.delivery.confirmations import Confirmations
from lastvalue.delivery.output import Output
from lastvalue.frontends.amqp091.confirms import ChannelConfirmations, confirm_run
from lastvalue.protocols.amqp091.connection import Connection


@final
class ConnectionState:
    """The broker, the engine, and whether the connection takes output.

    Attributes:
        number: the connection's, of the broker.
        unknown_ignored: arguments of declarations that nobody knows are left out, instead of refused.
        confirmations: what waits for the journal.
        now: the time of the queues when bytes last came.
        output: what is written to the peer.
        notifies: some channel has to tell of queues that are gone.
    """

    __slots__ = (
        "_stopped_by",
        "broker",
        "confirmations",
        "container",
        "engine",
        "notifies",
        "now",
        "number",
        "output",
        "unknown_ignored",
    )

    def __init__(
        self,
        broker: Broker,
        engine: Connection,
        on_schedule: Callable[[], None],
        unknown_ignored: bool,
    ) -> None:
        self.broker = broker
        self.engine = engine
        self.unknown_ignored = unknown_ignored
        self.number: i64 = broker.identify()
        self.container = f"amqp-0-9-1 connection {self.number}"
        self.output = Output(engine.output, on_schedule)
        self.notifies = False
        self.confirmations: ChannelConfirmations = Confirmations(confirm_run)
        self.now: i64 = 0
        self._stopped_by: dict[Publisher, None] = {}

    @property
    def modern(self) -> bool:
        """[RabbitMQ] In AMQP 0-9-1 a prefetch is of each consumer, and a refusal ends a channel."""
        return self.engine.output.dialect.modern

    def stop_reading(self, publisher: Publisher, stops: bool) -> None:
        """Read nothing from the peer while any of its channels says so; it is told, where it wants to be."""
        engine = self.engine
        before = engine.reading_paused
        if stops:
            self._stopped_by[publisher] = None
        else:
            self._stopped_by.pop(publisher, None)
        engine.reading_paused = bool(self._stopped_by)
        if engine.reading_paused is before:
            return
        if engine.opened and engine.capable("connection.blocked"):
            blocked = commands.Connection.Blocked("memory or the disk is short")
            engine.send(blocked if engine.reading_paused else commands.Connection.Unblocked())
        self.output.schedule_write()

    def owner(self, session: i64 = 0, link: i64 = 0) -> Owner:
        """Who asks for something on this connection."""
        return Owner(self.number, session, link, self.container, self.engine.identity)
