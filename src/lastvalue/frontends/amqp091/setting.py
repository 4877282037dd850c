"""What the channels of one connection share."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.broker import Broker
from lastvalue.broker.owner import Owner
from lastvalue.broker.reading import Outlet, Publisher, Reading
from lastvalue.frontends.output import OUTPUT_ROOM
from lastvalue.protocols.amqp091.connection import Connection


class Resumable:
    """A channel that waits until the journal has what its answer tells of."""

    __slots__ = ()

    def resume(self, now: i64) -> None:
        """The journal has it."""
        raise NotImplementedError


@final
class Setting:
    """The broker, the engine, and whether the connection takes output.

    Attributes:
        number: the connection's, of the broker.
        unknown_ignored: arguments of declarations that nobody knows are left out, instead of refused.
        owed: channels whose answers wait for the journal, since the last `seal`.
        writable: the transport takes bytes.
        notifies: some channel has to tell of queues that are gone.
        stalled: consumers that would have sent more.
    """

    __slots__ = (
        "_on_touched",
        "_stopped_by",
        "broker",
        "container",
        "engine",
        "notifies",
        "number",
        "owed",
        "stalled",
        "touched",
        "unknown_ignored",
        "writable",
    )

    def __init__(
        self,
        broker: Broker,
        engine: Connection,
        on_touched: Callable[[], None],
        unknown_ignored: bool,  # noqa: FBT001 - compiled, positional
    ) -> None:
        self.broker = broker
        self.engine = engine
        self.unknown_ignored = unknown_ignored
        self.number: i64 = broker.identify()
        self.container = f"amqp-0-9-1 connection {self.number}"
        self.writable = True
        self.touched = False
        self.stalled: list[Stalling] = []
        self.notifies = False
        self.owed: list[Resumable] = []
        self._on_touched = on_touched
        self._stopped_by: dict[Publisher, None] = {}

    @property
    def modern(self) -> bool:
        """[RabbitMQ] In AMQP 0-9-1 a prefetch is of each consumer, and a refusal ends a channel."""
        return self.engine.output.dialect.modern

    def touch(self) -> None:
        """There is something to write for this connection at the end of the turn."""
        if not self.touched:
            self.touched = True
            self._on_touched()

    def owe(self, lane: Resumable) -> None:
        """A channel's answer waits for the journal."""
        self.owed.append(lane)

    def stop_reading(self, publisher: Publisher, stops: bool) -> None:  # noqa: FBT001 - compiled, positional
        """Read nothing from the peer while any of its channels says so; it is told, where it wants to be."""
        engine = self.engine
        before = engine.deaf
        if stops:
            self._stopped_by[publisher] = None
        else:
            self._stopped_by.pop(publisher, None)
        engine.deaf = bool(self._stopped_by)
        if engine.deaf is before:
            return
        if engine.opened and engine.capable("connection.blocked"):
            blocked = commands.Connection.Blocked("memory or the disk is short")
            engine.send(blocked if engine.deaf else commands.Connection.Unblocked())
        self.touch()

    def owner(self, session: i64 = 0, link: i64 = 0) -> Owner:
        """Who asks for something on this connection."""
        return Owner(self.number, session, link, self.container, self.engine.identity)

    def permit(self, action: str, name: str) -> None:
        """Let the peer do something.

        Raises:
            NotPermittedError: it may not.
        """
        access = self.broker.access
        if access is not None:
            access.check(self.engine.identity, action, name)

    def has_room(self, consumer: "Stalling") -> bool:
        """Whether a message may be written now; else the consumer is woken when it may."""
        if self.writable and self.engine.output.size < OUTPUT_ROOM:
            return True
        if not consumer.stalled:
            consumer.stalled = True
            self.stalled.append(consumer)
        return False

    def resume(self) -> None:
        """The output was written."""
        if self.writable and self.stalled:
            stalled = self.stalled
            self.stalled = []
            for consumer in stalled:
                consumer.stalled = False
                if consumer.reading is not None:
                    consumer.reading.wake()


class Stalling(Outlet):
    """Who waits for room in the output.

    Attributes:
        reading: what it reads; None once that is over.
        stalled: it is among those that are woken.
    """

    __slots__ = ("reading", "stalled")

    def __init__(self) -> None:
        self.reading: Reading | None = None
        self.stalled = False
