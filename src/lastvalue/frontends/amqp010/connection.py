"""AMQP 0-10 for the driver of a socket: the engine's commands become commands of the broker."""

from collections.abc import Callable
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.statistics.connections import ConnectionStatistics
from lastvalue.codec.amqp010.command_layouts import MESSAGE_TRANSFER
from lastvalue.codec.amqp010.errors import NOT_IMPLEMENTED, CommandError, code_of
from lastvalue.codec.amqp010.layouts import Layout
from lastvalue.delivery.confirmations import Confirmations
from lastvalue.delivery.consumer import FAULT
from lastvalue.delivery.output import Output
from lastvalue.delivery.protocol_connection import ConnectionContext, EngineConnection, ProtocolConnection
from lastvalue.frontends.amqp010.broker_state import Answer, BrokerState
from lastvalue.frontends.amqp010.declarations import Declarations
from lastvalue.frontends.amqp010.producer import CommandConfirmations, ConnectionProducer, complete_run
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.frontends.amqp010.transactions import Transactions
from lastvalue.frontends.amqp010.transfer_run import TransferRun
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import LINK_BYTES, UNSETTLED_BYTES
from lastvalue.protocols.amqp010.connection import Connection, ConnectionClosed, ConnectionOpened, Options
from lastvalue.protocols.amqp010.session import (
    BUSY,
    Command,
    CommandsCompleted,
    MessagesTransferred,
    Session,
    SessionAttached,
    SessionEnded,
    TransferBegan,
)
from lastvalue.protocols.amqp010.wire import Event
from lastvalue.protocols.engine import QPID_JAVA

_RECORDED: Final = frozenset(
    (
        "message.acquire", "message.reject", "tx.commit", "dtx.prepare", "dtx.commit", "dtx.rollback",
        "queue.declare", "queue.delete", "queue.purge", "exchange.declare", "exchange.delete",
        "exchange.bind", "exchange.unbind",
    )
)  # fmt: skip
"""Commands that are complete when the journal has what they did; message.accept is without a transaction."""


_PROCESS: Final = "qpid.client_process"


@final
class Amqp010Connection(EngineConnection[Connection]):
    """See ProtocolConnection.

    Args:
        context: of the connection.
        options: of the engine.
        broker_state: what the connections of the broker share.
        wire_now: when the connection was made.
    """

    __slots__ = (
        "_broker_state", "_container", "_declarations", "_producer", "_states", "_transactions"
    )  # fmt: skip

    def __init__(
        self, context: ConnectionContext, options: Options, broker_state: BrokerState, wire_now: i64
    ) -> None:
        engine = Connection(options, context.authenticator, context.enter, context.memory, wire_now)
        confirmations: CommandConfirmations = Confirmations(complete_run)
        output = Output(engine.wire, context.on_schedule)
        super().__init__(context, engine, output, confirmations, wire_now)
        self._broker_state = broker_state
        self.number = self._broker.identify()
        self._container = f"amqp-0-10:{self.number}"
        self._declarations = Declarations(broker_state)
        owner = Owner(self.number, 0, 0, self._container, "", context.peer)
        self._producer = ConnectionProducer(broker_state, owner, confirmations, output)
        self._transactions = Transactions(broker_state, context.memory)
        self._states: dict[Session, SessionState] = {}
        broker_state.begin()

    def states(self) -> list[SessionState]:
        """The sessions that are attached."""
        return list(self._states.values())

    # ------------------------------------------------------------------ EngineConnection

    def advance(self, wire_now: i64, now: i64) -> None:
        """See ProtocolConnection."""
        if self._broker_state.advance(wire_now, now):
            self._output.schedule_write()
        super().advance(wire_now, now)

    def next_deadline(self) -> i64:
        """See ProtocolConnection."""
        return min(self._engine.next_deadline(), self._broker_state.next_deadline())

    def seal(self, position: int, now: i64) -> None:
        """See ProtocolConnection: also carry out the turn's management requests."""
        super().seal(position, now)
        for consumer in self._output.take_failed():
            self._end_by_fault(consumer, now)
        management = self._broker_state.management
        answers = [] if management is None else management.answer(self.number, now)
        if answers:
            # What was done for them is recorded in the next turn.
            self._confirmations.answer(lambda sent: self._send(answers, sent))
            self._output.schedule_write()

    def _end_by_fault(self, consumer: Receiver, now: i64) -> None:
        """End the session of a consumer that a fault has ended: nothing less has a code."""
        for session, state in list(self._states.items()):
            if consumer in state.consumers.values():
                session.end_by_fault(Condition.INTERNAL_ERROR.amqp010, FAULT)
                self._end(session, now)

    def _send(self, answers: list[Answer], now: i64) -> None:
        """Send what management answers."""
        management = self._broker_state.management
        if management is not None:
            for answer in answers:
                management.send(answer, now)

    @property
    def family(self) -> str:
        """See ConnectionHandle."""
        return "AMQP 0-10"

    def _statistics(self) -> ConnectionStatistics | None:
        """See EngineConnection."""
        handshake = self._engine.handshake
        if not handshake.opened or self._engine.finished:
            return None
        statistics = ConnectionStatistics(
            self._container, "AMQP 0-10", handshake.identity, self._output.traffic
        )
        statistics.mechanism = handshake.mechanism
        statistics.properties = dict(handshake.client)
        statistics.program = str(handshake.client.get(_PROCESS, ""))
        for state in self._states.values():
            statistics.sessions.append(state.statistics())
            transaction = state.transaction
            statistics.transactions += 1 if transaction is not None and transaction.has_work else 0
        if statistics.sessions:
            # A connection publishes as a whole; its first session shows that.
            statistics.sessions[0].links.append(self._producer.statistics("", ""))
        return statistics

    def _open_bytes(self) -> i64:
        """See EngineConnection: also subscriptions, and what the peer has not settled."""
        size: i64 = self._engine.open_bytes
        for state in self._states.values():
            size += len(state.consumers) * LINK_BYTES + state.unsettled.count * UNSETTLED_BYTES
        return size

    def _close(self, condition: Condition, reason: str) -> None:
        """See EngineConnection."""
        self._engine.close(condition.amqp010, reason)

    def _release(self, now: i64) -> None:
        """See EngineConnection."""
        if self._broker_state.management is not None:
            # What was asked for is done; nobody is there to hear of it.
            self._broker_state.management.answer(self.number, now)
        for session in list(self._states):
            self._end(session, now)
        self._producer.close()
        self._broker.ended(self.number, now)

    # ------------------------------------------------------------------ events

    def _handle(self, now: i64) -> None:
        """See EngineConnection: sessions begin and end in their places among the commands."""
        self._output.schedule_write()
        self._take_events(now)
        while not self._broker.exchanges.work.is_over:
            if (self._engine.ending_waits and self._puts_end_off()) or not self._engine.go_on():
                break
            self._take_events(now)
        self._take_events(now)

    def _take_events(self, now: i64) -> None:
        work = self._broker.exchanges.work
        events = self._engine.events()
        for place, event in enumerate(events):
            if work.is_over:
                self._engine.put_back(events[place:])
                return
            if isinstance(event, MessagesTransferred):
                self._publish(event, now)
                if event.taken < len(event.headers):
                    self._engine.put_back(events[place:])
                    return
            else:
                self._take_event(event, now)

    def _take_event(self, event: Event, now: i64) -> None:
        if isinstance(event, TransferBegan):
            self._check(event, now)
        elif isinstance(event, Command):
            self._take_command(event, now)
        elif isinstance(event, CommandsCompleted):
            state = self._states.get(event.session)
            if state is not None:
                state.completed(event.runs, now)
        elif isinstance(event, SessionAttached):
            self._attach(event.session)
        elif isinstance(event, SessionEnded):
            self._end(event.session, now)
        elif isinstance(event, ConnectionOpened):
            handshake = self._engine.handshake
            self._identity.describe(self._container, "AMQP 0-10", handshake.mechanism)
            self._identity.name_client(handshake.client, str(handshake.client.get(_PROCESS, "")))
            self._broker_state.tell("clientConnect", self._peer())
        elif isinstance(event, ConnectionClosed):
            self._broker_state.tell("clientDisconnect", self._peer())
            self._release(now)

    def _peer(self) -> dict[str, Any]:
        handshake = self._engine.handshake
        return {"rhost": self._container, "user": handshake.identity, "properties": handshake.client}

    def _attach(self, session: Session) -> None:
        identity = self._engine.identity
        if not self._broker_state.claim(identity, session.name, session):
            session.refuse(BUSY)
            return
        owner = Owner(self.number, self._broker.identify(), 0, self._container, identity, self._identity)
        self._producer.begin(owner)
        self._producer.names_queues = self._engine.handshake.client.get("product") == QPID_JAVA
        self._states[session] = SessionState(session, owner, self._broker_state, self._output)
        session.accept()

    def _end(self, session: Session, now: i64) -> None:
        state = self._states.pop(session, None)
        if state is None:
            return
        self._transactions.leave(state, now)
        state.end(now)
        self._broker_state.let_go(self._engine.identity, session.name, session)

    # ------------------------------------------------------------------ commands

    def _publish(self, transfers: MessagesTransferred, now: i64) -> None:
        """Publish messages until the routing of a piece of input is over; `taken` says how many."""
        state = self._states.get(transfers.session)
        count: i64 = len(transfers.headers)
        if state is None:
            transfers.taken = count
            return
        traffic = self._broker_state.traffic(transfers.destination)
        run = TransferRun(self._producer, state, traffic, transfers, now)
        try:
            self._producer.give(run, now)
            transfers.taken = run.at
        except LastvalueError as fault:
            transfers.taken = count
            self._fail(transfers.session, transfers.first + run.at, MESSAGE_TRANSFER, fault, now)

    def _check(self, begun: TransferBegan, now: i64) -> None:
        """Refuse a message that its peer may not publish before its body has come."""
        if begun.session not in self._states:
            return
        try:
            self._producer.check(self._broker_state.traffic(begun.destination).exchange, begun.header)
        except LastvalueError as fault:
            self._producer.traffic.refuse()
            self._fail(begun.session, begun.number, MESSAGE_TRANSFER, fault, now)

    def _take_command(self, command: Command, now: i64) -> None:
        state = self._states.get(command.session)
        if state is None:
            return
        try:
            self._carry_out(state, command, now)
        except LastvalueError as fault:
            self._fail(command.session, command.number, command.record.layout, fault, now)

    def _fail(self, session: Session, number: i64, layout: Layout, fault: LastvalueError, now: i64) -> None:
        if isinstance(fault, NotLeaderError):
            # connection.redirect is an answer to connection.open alone; its text is in the close.
            self._engine.close(fault.condition.amqp010, str(fault))
        else:
            session.fail(number, layout, code_of(fault), str(fault))
        self._end(session, now)

    def _carry_out(self, state: SessionState, command: Command, now: i64) -> None:
        """Carry a command out, and complete it now, or when the journal has what it did."""
        layout = command.record.layout
        group = layout.code >> 8
        if group == 4:
            result = state.take(command, now)
        elif group in (7, 8):
            result = self._declarations.take(command.record, state.owner, now)
        elif group in (5, 6):
            result = self._transactions.take(state, command.record, now)
        else:
            raise CommandError(NOT_IMPLEMENTED, f"{layout.name} is not carried out here")
        name = layout.name
        if name in _RECORDED or (name == "message.accept" and state.transaction is None):
            self._confirmations.add(command.session, command.number, result, True)
        elif result is not None:
            command.session.result(command.number, result)
        elif name != "message.flush":
            # message.flush is complete when the credit is used.
            command.session.complete(command.number)


def opener(
    options: Options, broker_state: BrokerState
) -> Callable[[ConnectionContext, int], ProtocolConnection]:
    """The function that makes a connection in AMQP 0-10 from its context and the time."""
    return lambda context, wire_now: Amqp010Connection(context, options, broker_state, wire_now)
