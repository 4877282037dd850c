"""AMQP 0-9-1 for the driver of a socket."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.statistics.connections import ConnectionStatistics
from lastvalue.codec.amqp091.errors import NOT_ALLOWED
from lastvalue.codec.amqp091.plain_values import plain
from lastvalue.delivery.protocol_connection import ConnectionContext, EngineConnection, ProtocolConnection
from lastvalue.frontends.amqp091.channel_handler import ChannelHandler
from lastvalue.frontends.amqp091.connection_state import Amqp091ConnectionState
from lastvalue.model.conditions import Condition
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.connection import Connection
from lastvalue.protocols.amqp091.events import (
    ChannelEnded,
    ChannelOpened,
    ConnectionEnded,
    ConnectionOpened,
    Event,
    PublishBegun,
    Published,
    PublishedRun,
)
from lastvalue.protocols.amqp091.options import Options


@final
class Amqp091Connection(EngineConnection[Connection]):
    """See ProtocolConnection.

    Args:
        context: of the connection.
        options: of the engine.
        ignore_unknown_arguments: ignore unknown arguments of declarations rather than refuse them.
        wire_now: the time.
    """

    __slots__ = ("_enter", "_handlers", "_publish_waits", "_put_off", "_state")

    def __init__(
        self,
        context: ConnectionContext,
        options: Options,
        ignore_unknown_arguments: bool,
        wire_now: i64,
    ) -> None:
        engine = Connection(options, context.authenticator, context.memory, wire_now)
        self._state = Amqp091ConnectionState(context, engine, ignore_unknown_arguments)
        self._enter = context.enter
        self._handlers: dict[Channel, ChannelHandler] = {}
        # What is processed when the peer has read the answers to what came before, after much routing, or
        # when there is memory again.
        self._put_off: list[Event] = []
        self._publish_waits = False
        super().__init__(context, engine, self._state.output, self._state.confirmations, wire_now)
        self.number = self._state.number

    def seal(self, position: int, now: i64) -> None:
        """See ProtocolConnection: also close the channels of consumers that a fault has ended."""
        super().seal(position, now)
        for consumer in self._output.take_failed():
            for handler in list(self._handlers.values()):
                handler.end_by_fault(consumer, now)

    def confirm(self, flushed: int, now: i64) -> bool:
        """See ProtocolConnection."""
        super().confirm(flushed, now)
        self._close_if_over(now)
        return self._confirmations.unconfirmed

    def data_to_send(self) -> bytes:
        """See ProtocolConnection."""
        if self._state.notifies:
            notified = [handler.notify() for handler in self._handlers.values()]
            self._state.notifies = not all(notified)
        data = super().data_to_send()
        self.reading_paused = self._engine.reading_paused
        return data

    @property
    def family(self) -> str:
        """See ConnectionHandle."""
        return "AMQP 0-9-1"

    def _waits_for_memory(self) -> bool:
        """See EngineConnection."""
        return self._publish_waits and self._engine.reading_paused

    def _statistics(self) -> ConnectionStatistics | None:
        """See EngineConnection."""
        engine = self._engine
        if not engine.opened:
            return None
        traffic = self._state.output.traffic
        statistics = ConnectionStatistics(
            self._state.name, engine.output.dialect.name, engine.identity, traffic
        )
        statistics.mechanism = engine.mechanism
        statistics.properties = plain(engine.peer)
        statistics.program = str(statistics.properties.get("product", ""))
        for handler in self._handlers.values():
            statistics.sessions.append(handler.statistics())
            statistics.transactions += 1 if handler.in_transaction else 0
        return statistics

    def _close(self, condition: Condition, reason: str) -> None:
        """See EngineConnection."""
        self._engine.fail(condition.amqp091, reason)

    def _release(self, now: i64) -> None:
        """See EngineConnection."""
        self._close_handlers(now)
        self._broker.ended(self._state.number, now)

    def _open_bytes(self) -> i64:
        """See EngineConnection: an incomplete frame, and channels with what is on them."""
        size = self._engine.waiting_bytes
        for handler in self._handlers.values():
            size += handler.open_bytes
        return size

    # ------------------------------------------------------------------ events

    def _handle(self, now: i64) -> None:
        """See EngineConnection."""
        self._state.output.schedule_write()
        output = self._state.output
        events = self._engine.events()
        if self._put_off:
            events = self._put_off + events
            self._put_off = []
        work = self._broker.exchanges.work
        short = self._broker.alarms.memory_alarm
        self._publish_waits = False
        for done, event in enumerate(events):
            ends = isinstance(event, ConnectionEnded | ChannelEnded)
            waits = output.holds_answers or work.is_over or (ends and self._puts_end_off())
            if waits or (short and self._puts_publish_off(event)):
                self._put_off = events[done:]
                break
            handler = self._handlers.get(event.channel)
            if handler is None:
                self._take(event, now)
            elif not handler.take(event, now):
                self._put_off = events[done:]
                break
        self._close_if_over(now)

    def _puts_publish_off(self, event: Event) -> bool:
        """[RabbitMQ] Whether this is a message that waits for memory, with all behind it."""
        if isinstance(event, Published):
            # Without its encoding it has begun by a PublishBegun.
            begins = event.message != b""
        else:
            begins = isinstance(event, PublishBegun | PublishedRun)
        handler = self._handlers.get(event.channel) if begins else None
        self._publish_waits = handler is not None and handler.stop_publishing()
        return self._publish_waits

    def _take(self, event: Event, now: i64) -> None:
        if isinstance(event, ChannelOpened):
            self._forget_gone()
            self._handlers[event.channel] = ChannelHandler(event.channel, self._state)
        elif isinstance(event, ConnectionOpened):
            self._open(now)
            # With the answer the engine reads what the peer sent ahead of it.
            self._handle(now)
        elif isinstance(event, ConnectionEnded):
            self._close_handlers(now)
            self._engine.end()

    def _open(self, now: i64) -> None:
        engine = self._engine
        peer = self._state.peer
        peer.describe(self._state.name, engine.output.dialect.name, engine.mechanism)
        peer.name_client(plain(engine.peer))
        refusal = self._enter(engine.identity)
        if refusal is None:
            engine.accept(now)
        else:
            engine.fail(NOT_ALLOWED, refusal, (10, 40))

    def _close_if_over(self, now: i64) -> None:
        """Close the channels where the connection is over."""
        if self._handlers and not (self._engine.opened or self._engine.ending):
            self._close_handlers(now)

    def _forget_gone(self) -> None:
        for channel in [channel for channel in self._handlers if channel.gone]:
            del self._handlers[channel]

    def _close_handlers(self, now: i64) -> None:
        handlers = self._handlers
        self._handlers = {}
        for handler in handlers.values():
            handler.close(now)


def opener(
    options: Options, *, ignore_unknown_arguments: bool
) -> Callable[[ConnectionContext, int], ProtocolConnection]:
    """The function that makes a connection in AMQP 0-9-1 from its context and the time."""
    return lambda context, wire_now: Amqp091Connection(context, options, ignore_unknown_arguments, wire_now)
