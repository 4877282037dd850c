"""CORE for the driver of a socket."""

from collections.abc import Callable, Iterator
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.long_commands import Steps
from lastvalue.broker.statistics.connections import ConnectionStatistics
from lastvalue.codec.core.errors import REMOTE_DISCONNECT, SESSION_CREATION_REJECTED
from lastvalue.codec.core.packets import Packet
from lastvalue.delivery.authentication import Authentication
from lastvalue.delivery.protocol_connection import ConnectionContext, EngineConnection, ProtocolConnection
from lastvalue.frontends.core.broker_state import BrokerState, SessionHolder
from lastvalue.frontends.core.connection_state import CoreConnectionState
from lastvalue.frontends.core.session import Session
from lastvalue.frontends.core.suspension import Suspension, ending
from lastvalue.model.conditions import Condition
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.peer_host import peer_host
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.connection import Connection
from lastvalue.protocols.core.events import (
    Command,
    Event,
    PublishedRun,
    ReattachRequested,
    SessionRequested,
)
from lastvalue.protocols.core.options import Options
from lastvalue.protocols.sasl import ANONYMOUS_IDENTITY

_MOST_LOST_NAMES: Final = 2000
"""As many as a connection may have sessions."""


@final
class CoreConnection(EngineConnection[Connection]):
    """See ProtocolConnection.

    Args:
        context: of the connection.
        options: of the engine.
        shared: what all CORE connections share.
        wire_now: the time.
    """

    __slots__ = (
        "_authentication", "_enter", "_entered", "_lost_names", "_numbers", "_sessions", "_state"
    )  # fmt: skip

    def __init__(
        self, context: ConnectionContext, options: Options, shared: BrokerState, wire_now: i64
    ) -> None:
        shared.begin()
        engine = Connection(options, context.authenticator, context.memory, wire_now)
        self._state = CoreConnectionState(context, engine, shared)
        self._enter = context.enter
        self._authentication = context.authentication
        self._entered = False
        self._sessions: dict[Channel, Session] = {}
        # Of sessions that the peer could not attach here; it creates them again when it has logged in.
        self._lost_names: list[str] = []
        super().__init__(context, engine, self._state.output, self._state.confirmations, wire_now)
        self.number = self._state.number
        # Those of earlier connections, whose sessions are here now, too.
        self._numbers: list[int] = [int(self.number)]

    def receive(self, data: bytes, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        super().receive(data, wire_now, now)
        self.input_waiting = self.input_waiting or self._engine.input_waits

    def data_to_send(self) -> bytes:
        """See ProtocolConnection."""
        data = super().data_to_send()
        self.reading_paused = self._engine.reading_paused
        return data

    @property
    def family(self) -> str:
        """See ConnectionHandle."""
        return "CORE"

    def _statistics(self) -> ConnectionStatistics | None:
        """See EngineConnection."""
        engine = self._engine
        if not engine.opened:
            return None
        traffic = self._state.output.traffic
        statistics = ConnectionStatistics(self._state.name, _protocol(engine), engine.identity, traffic)
        statistics.mechanism = engine.mechanism
        for session in self._sessions.values():
            statistics.program = statistics.program or session.client
            statistics.sessions.append(session.statistics())
            statistics.transactions += 1 if session.state.works else 0
        return statistics

    def _close(self, condition: Condition, reason: str) -> None:
        """See EngineConnection."""
        if condition is Condition.CONNECTION_FORCED:
            self._engine.disconnect(reason)
        else:
            self._engine.fail(REMOTE_DISCONNECT, reason)

    def _release(self, now: i64) -> None:
        """See EngineConnection; sessions that their client may attach elsewhere wait for that."""
        sessions = list(self._sessions.values())
        numbers = self._numbers
        self._sessions = {}
        self._numbers = []
        # The connection's memory is given back, so what waits takes its own.
        self._memory.count_open(0)
        waiting: list[Session] = []
        over: list[Session] = []
        for session in sessions:
            (waiting if self._engine.gone and session.suspend() else over).append(session)
        if waiting:
            suspension = Suspension(self._state.shared, waiting, self._client(), numbers)
            suspension.begin(self._engine.ttl_ms, now)
            numbers = []
        steps = Steps(self._ending(over, numbers, now), self.number)
        self._broker.long_commands.begin(steps, now)

    def _ending(self, sessions: list[Session], numbers: list[int], now: i64) -> Iterator[None]:
        """End sessions, and the queues that live as long as these connections."""
        yield from ending(sessions, now)
        for number in numbers:
            self._broker.ended(number, now)

    def suspend(self, now: i64) -> None:
        """Let the sessions wait for another connection: this one is over."""
        self._engine.receive_eof(0)
        self._output.schedule_write()
        self._release(now)

    def _open_bytes(self) -> i64:
        """See EngineConnection: an incomplete packet, and sessions with what is on them."""
        size = self._engine.waiting_bytes
        for session in self._sessions.values():
            size += session.open_bytes
        return size

    # ------------------------------------------------------------------ events

    def _handle(self, now: i64) -> None:
        """See EngineConnection."""
        self._state.output.schedule_write()
        work = self._broker.exchanges.work
        events = self._engine.events()
        for place, event in enumerate(events):
            if work.is_over or not self._take(event, now):
                self._engine.put_back(events[place:])
                break

    def _take(self, event: Event, now: i64) -> bool:
        """Process an event; false where a part of it is still to be processed."""
        if isinstance(event, PublishedRun):
            session = self._sessions.get(event.channel)
            return session is None or session.take_run(event, now)
        if isinstance(event, Command):
            session = self._sessions.get(event.channel)
            if session is not None:
                session.take(event, now)
                if session.ended:
                    del self._sessions[event.channel]
                    self._engine.forget(event.channel)
        elif isinstance(event, SessionRequested):
            self._create(event, now)
        elif isinstance(event, ReattachRequested):
            self._reattach(event.packet)
        return True

    def _create(self, event: SessionRequested, now: i64) -> None:
        if not self._enters(event.identity, event.mechanism):
            return
        self._end_lost(event.identity, now)
        name = event.packet.text("name")
        if event.packet.number("window") > 0 and name in self._state.shared.holders:
            self._engine.refuse(SESSION_CREATION_REJECTED, f"another session has the name {name!r}")
            return
        memory = MemoryAccount(self._broker.memory)
        memory.belong(event.identity)
        channel = self._engine.create(event.packet, event.identity, memory)
        if channel is None:
            memory.close()
            return
        session = Session(self._state, channel, event.packet)
        self._sessions[channel] = session
        if channel.reattaches:
            self._hold(session)

    def _hold(self, session: Session) -> None:
        """Let the client attach a session to another connection."""
        self._state.shared.holders[session.state.name] = self._client()

    def _client(self) -> "_Holder":
        return _Holder(self, peer_host(self._state.peer.address), self._engine.identity, self._authentication)

    def _reattach(self, packet: Packet) -> None:
        """Continue a session whose connection is lost, for a peer of its host that has proved to be its user.

        The packet proves nothing: it has the session's name alone. A client that is refused creates its
        session again, and shows its password with that. The answer says which commands were carried out, so
        it waits until the journal has what they did: the client sends the others again.
        """
        name = packet.text("name")
        holder = self._state.shared.holders.get(name)
        session: Session | None = None
        if isinstance(holder, Suspension) and self._may_take(holder) and self._engine.proves(holder.identity):
            if self._enters(holder.identity, self._engine.mechanism):
                if self._waits(packet, holder, name):
                    return
                session = holder.take(name)
        elif holder is not None and not self._has(holder) and len(self._lost_names) < _MOST_LOST_NAMES:
            self._lost_names.append(name)
        if session is None or not isinstance(holder, Suspension):
            self._engine.refuse_reattachment()
            return
        if self._authentication is not None and holder.authentication is not None:
            self._authentication.follow(holder.authentication)
        self._adopt(holder)
        channel = session.state.channel
        self._engine.reattach(channel, packet.number("last_command"), holder.identity)
        self._hold(session)
        self._sessions[channel] = session
        session.attach(self._state)

    def _waits(self, packet: Packet, holder: Suspension, name: str) -> bool:
        """Whether commands of a session wait for the journal: then it is attached when that has them."""
        waiting = holder.waiting(name)
        if waiting == 0:
            return False

        def go_on(now: int) -> None:
            del now
            holder.stored(name, waiting)
            if not self._engine.finished:
                self._reattach(packet)
                self._state.output.schedule_write()

        self._state.confirmations.answer(go_on)
        return True

    def _has(self, holder: SessionHolder) -> bool:
        return isinstance(holder, _Holder) and holder.connection is self

    def _may_take(self, holder: SessionHolder) -> bool:
        """Whether sessions of this holder can be the peer's: its host is theirs, and their user is valid."""
        return holder.host == peer_host(self._state.peer.address) and not holder.is_revoked

    def _end_lost(self, identity: str, now: i64) -> None:
        """End the sessions that the client has lost and creates again, once it has proved to be their user.

        So what they hold is available at once. A peer without a user proves nothing by that: it ends none
        whose connection lives.
        """
        names, self._lost_names = self._lost_names, []
        for name in names:
            holder = self._state.shared.holders.get(name)
            if holder is None or holder.identity != identity or not self._may_take(holder):
                continue
            if isinstance(holder, _Holder) and identity != ANONYMOUS_IDENTITY:
                holder.connection.suspend(now)
                holder = self._state.shared.holders.get(name)
            session = holder.take(name) if isinstance(holder, Suspension) else None
            if isinstance(holder, Suspension) and session is not None:
                self._adopt(holder)
                session.end(True, now)

    def _adopt(self, holder: Suspension) -> None:
        """Have the temporary queues of a lost connection; a connection without sessions takes its place."""
        own = [number for number in self._numbers if number not in holder.numbers]
        if self._sessions:
            self._numbers = own + holder.numbers
        else:
            self._numbers = holder.numbers + own
            self.number = self._state.number = self._numbers[0]

    def _enters(self, identity: str, mechanism: str) -> bool:
        """Open the connection for the user of its first session; false where it is refused."""
        if self._entered:
            return True
        refusal = self._enter(identity)
        if refusal is not None:
            self._engine.refuse(SESSION_CREATION_REJECTED, refusal)
            return False
        self._entered = True
        self._state.peer.describe(self._state.name, _protocol(self._engine), mechanism)
        return True


@final
class _Holder(SessionHolder):
    """A connection as the holder of its sessions."""

    __slots__ = ("connection",)

    def __init__(
        self, connection: CoreConnection, host: str, identity: str, authentication: Authentication | None
    ) -> None:
        super().__init__(host, identity, authentication)
        self.connection = connection


def _protocol(engine: Connection) -> str:
    return f"CORE {engine.version}"


def opener(options: Options, shared: BrokerState) -> Callable[[ConnectionContext, int], ProtocolConnection]:
    """The function that makes a connection in CORE from its context and the time."""
    return lambda context, wire_now: CoreConnection(context, options, shared, wire_now)
