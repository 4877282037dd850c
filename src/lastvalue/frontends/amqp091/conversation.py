"""AMQP 0-9-1 as the driver of a socket sees it: the engine, its channels, and the answers that wait."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.connections import ConnectionStatistics
from lastvalue.codec.amqp091.errors import NOT_ALLOWED
from lastvalue.codec.amqp091.plain_values import plain
from lastvalue.frontends.amqp091.lane import Lane
from lastvalue.frontends.amqp091.setting import Setting
from lastvalue.frontends.conversation import Contact, Conversation
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.connection import Connection
from lastvalue.protocols.amqp091.events import ChannelOpened, ConnectionEnded, ConnectionOpened, Event
from lastvalue.protocols.amqp091.options import Options


@final
class Amqp091Conversation(Conversation):
    """See Conversation.

    Args:
        contact: whom with.
        options: of the engine.
        ignore_unknown_arguments: arguments of declarations that nobody knows are left out, not refused.
        wire_now: the time.
    """

    __slots__ = ("_engine", "_enter", "_lanes", "_setting")

    def __init__(
        self,
        contact: Contact,
        options: Options,
        ignore_unknown_arguments: bool,  # noqa: FBT001 - compiled, positional
        wire_now: i64,
    ) -> None:
        super().__init__()
        self.since_ms = wire_now
        self._engine = Connection(options, contact.authenticator, wire_now)
        self._setting = Setting(contact.broker, self._engine, contact.on_touched, ignore_unknown_arguments)
        self._enter = contact.enter
        self._lanes: dict[Channel, Lane] = {}
        contact.broker.connections.join(self)

    # ------------------------------------------------------------------ the driver's calls

    def receive(self, data: bytes, wire_now: i64, now: i64) -> None:
        """See Conversation."""
        self.bytes_in += len(data)
        self._engine.receive(data, wire_now)
        self._handle(now)

    def advance(self, wire_now: i64, now: i64) -> None:
        """See Conversation."""
        self._engine.advance(wire_now)
        self._handle(now)

    def next_deadline(self) -> i64:
        """See Conversation."""
        return self._engine.next_deadline()

    def seal(self, position: int) -> None:
        """See Conversation."""
        self._setting.output.write_scheduled = False
        self._setting.confirmations.seal(position)

    def confirm(self, flushed: int) -> bool:
        """See Conversation."""
        confirmations = self._setting.confirmations
        confirmations.confirm(flushed)
        self._look()
        return confirmations.owed

    def data_to_send(self) -> bytes:
        """See Conversation."""
        if self._setting.notifies:
            told = [lane.notify() for lane in self._lanes.values()]
            self._setting.notifies = not all(told)
        data = self._engine.data_to_send()
        self.bytes_out += len(data)
        self.finished = self._engine.finished
        self.deaf = self._engine.deaf
        return data

    def set_writable(self, writable: bool) -> None:  # noqa: FBT001 - it is the state
        """See Conversation."""
        self._setting.output.writable = writable

    def resume(self) -> None:
        """See Conversation."""
        self._setting.output.resume()

    def statistics(self) -> ConnectionStatistics | None:
        """See ConnectionHandle."""
        engine = self._engine
        if not engine.opened:
            return None
        name = f"amqp-0-9-1:{self._setting.number}"
        traffic = self._setting.output.traffic
        statistics = ConnectionStatistics(name, engine.output.dialect.name, engine.identity, traffic)
        statistics.mechanism = engine.mechanism
        statistics.properties = plain(engine.peer)
        statistics.program = str(statistics.properties.get("product", ""))
        statistics.bytes_in, statistics.bytes_out = self.bytes_in, self.bytes_out
        statistics.since_ms = self.since_ms
        statistics.sessions = [lane.statistics() for lane in self._lanes.values()]
        return statistics

    def shut_down(self, reason: str) -> None:
        """See Conversation."""
        self._engine.shut_down(reason)
        self._setting.output.schedule_write()

    def lost(self, wire_now: i64, now: i64) -> None:
        """See Conversation."""
        del wire_now
        self._close_lanes(now)
        self._setting.broker.ended(self._setting.number, now)
        self._setting.broker.connections.leave(self)

    # ------------------------------------------------------------------ events

    def _handle(self, now: i64) -> None:
        self._setting.now = now
        self._setting.output.schedule_write()
        for event in self._engine.events():
            lane = self._lanes.get(event.channel)
            if lane is not None:
                lane.take(event, now)
            else:
                self._take(event, now)
        self._look()

    def _take(self, event: Event, now: i64) -> None:
        if isinstance(event, ChannelOpened):
            self._forget_gone()
            self._lanes[event.channel] = Lane(event.channel, self._setting)
        elif isinstance(event, ConnectionOpened):
            self._let_in()
        elif isinstance(event, ConnectionEnded):
            self._close_lanes(now)
            self._engine.end()

    def _let_in(self) -> None:
        refusal = self._enter(self._engine.identity)
        if refusal is None:
            self._engine.accept()
        else:
            self._engine.fail(NOT_ALLOWED, refusal, (10, 40))

    def _look(self) -> None:
        """Where the connection is over, so are its channels."""
        if self._lanes and not self._engine.opened:
            self._close_lanes(self._setting.now)

    def _forget_gone(self) -> None:
        for channel in [channel for channel in self._lanes if channel.gone]:
            del self._lanes[channel]

    def _close_lanes(self, now: i64) -> None:
        lanes = self._lanes
        self._lanes = {}
        for lane in lanes.values():
            lane.close(now)


def opener(options: Options, *, ignore_unknown_arguments: bool) -> Callable[[Contact, int], Conversation]:
    """What begins a conversation in AMQP 0-9-1, told the contact and the time."""
    return lambda contact, wire_now: Amqp091Conversation(contact, options, ignore_unknown_arguments, wire_now)
