"""One connection's frontend: the engine's commands become broker commands."""

from collections.abc import Callable
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.connections import ConnectionStatistics
from lastvalue.broker.owner import Owner
from lastvalue.codec.amqp010.command_layouts import MESSAGE_TRANSFER
from lastvalue.codec.amqp010.layouts import Layout, Record
from lastvalue.delivery.confirmations import Confirmations
from lastvalue.delivery.output import Output
from lastvalue.frontends.amqp010.broker_state import Answer, BrokerState
from lastvalue.frontends.amqp010.declarations import Declarations
from lastvalue.frontends.amqp010.errors import NOT_IMPLEMENTED, CommandError, code_of
from lastvalue.frontends.amqp010.producer import CommandConfirmations, ConnectionProducer, complete_run
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.frontends.amqp010.transactions import Transactions
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp010.connection import Connection, ConnectionClosed, ConnectionOpened
from lastvalue.protocols.amqp010.session import (
    BUSY,
    Command,
    CommandsCompleted,
    MessagesTransferred,
    Session,
    SessionAttached,
    SessionEnded,
)
from lastvalue.protocols.engine import QPID_JAVA

SUBSCRIPTION_BYTES: Final = 4096
UNSETTLED_BYTES: Final = 256
"""The memory of a subscription and of an unsettled delivery."""


@final
class Frontend:
    """What one connection does to the broker.

    `on_schedule` is called when the connection wants to take part in the end of the turn.

    Attributes:
        container: the name that the broker gave it.
    """

    __slots__ = (
        "_broker",
        "_broker_state",
        "_declarations",
        "_producer",
        "_states",
        "_transactions",
        "confirmations",
        "container",
        "engine",
        "number",
        "output",
    )

    def __init__(
        self, engine: Connection, broker_state: BrokerState, on_schedule: Callable[[], None]
    ) -> None:
        self.engine = engine
        self._broker_state = broker_state
        self._broker = broker_state.broker
        self.output = Output(engine.wire, on_schedule)
        self.number: i64 = self._broker.identify()
        self.container = f"amqp-0-10:{self.number}"
        self.confirmations: CommandConfirmations = Confirmations(complete_run)
        self._declarations = Declarations(broker_state)
        owner = Owner(self.number, 0, 0, self.container)
        self._producer = ConnectionProducer(broker_state, owner, self.confirmations, self.output)
        self._transactions = Transactions(broker_state, self.confirmations, engine.wire.memory)
        self._states: dict[Session, SessionState] = {}
        broker_state.begin()

    def states(self) -> list[SessionState]:
        """The sessions that are attached."""
        return list(self._states.values())

    @property
    def open_bytes(self) -> i64:
        """The memory of what the peer has open: also subscriptions and what it has not settled."""
        size: i64 = self.engine.open_bytes
        for state in self._states.values():
            size += len(state.consumers) * SUBSCRIPTION_BYTES + state.unsettled.held * UNSETTLED_BYTES
        return size

    def statistics(self) -> ConnectionStatistics | None:
        """What there is of the connection now; None while it is not open."""
        handshake = self.engine.handshake
        if not handshake.opened or self.engine.finished:
            return None
        statistics = ConnectionStatistics(
            self.container, "AMQP 0-10", handshake.identity, self.output.traffic
        )
        statistics.mechanism = handshake.mechanism
        statistics.properties = dict(handshake.client)
        statistics.program = str(handshake.client.get("qpid.client_process", ""))
        statistics.sessions = [state.statistics() for state in self._states.values()]
        if statistics.sessions:
            # A connection publishes as a whole; its first session shows that.
            statistics.sessions[0].links.append(self._producer.statistics("", ""))
        return statistics

    # ------------------------------------------------------------------ the turn

    def handle(self, now: i64) -> None:
        """Act on what the engine has seen."""
        self.output.schedule_write()
        for event in self.engine.events():
            if isinstance(event, MessagesTransferred):
                self._publish(event, now)
            elif isinstance(event, Command):
                self._carry_out(event, now)
            elif isinstance(event, CommandsCompleted):
                state = self._states.get(event.session)
                if state is not None:
                    state.completed(event.runs, now)
            elif isinstance(event, SessionAttached):
                self._attach(event.session)
            elif isinstance(event, SessionEnded):
                self._end(event.session, now)
            elif isinstance(event, ConnectionOpened):
                self._broker_state.tell("clientConnect", self._peer())
            elif isinstance(event, ConnectionClosed):
                self._broker_state.tell("clientDisconnect", self._peer())
                self.close(now)

    def _peer(self) -> dict[str, Any]:
        handshake = self.engine.handshake
        return {"rhost": self.container, "user": handshake.identity, "properties": handshake.client}

    def answer_management(self, now: i64) -> None:
        """Carry out the turn's management requests; their answers wait for the journal."""
        management = self._broker_state.management
        if management is None:
            return
        answers = management.answer(self.number, now)
        if answers:
            # What was done for them is recorded in the next turn.
            self.confirmations.answer(lambda sent: self._send(answers, sent))
            self.output.schedule_write()

    def _send(self, answers: list[Answer], now: i64) -> None:
        """Send what management answers."""
        management = self._broker_state.management
        if management is not None:
            for answer in answers:
                management.send(answer, now)

    def close(self, now: i64) -> None:
        """The connection is gone: nothing it held stays held."""
        if self._broker_state.management is not None:
            # What was asked for is done; nobody is there to hear of it.
            self._broker_state.management.answer(self.number, now)
        for session in list(self._states):
            self._end(session, now)
        self._producer.close()
        self._broker.ended(self.number, now)

    # ------------------------------------------------------------------ sessions

    def _attach(self, session: Session) -> None:
        identity = self.engine.identity
        if not self._broker_state.claim(identity, session.name, session):
            session.refuse(BUSY)
            return
        owner = Owner(self.number, self._broker.identify(), 0, self.container, identity)
        self._producer.begin(owner)
        self._producer.names_queues = self.engine.handshake.client.get("product") == QPID_JAVA
        self._states[session] = SessionState(session, owner, self._broker_state, self.output)
        session.accept()

    def _end(self, session: Session, now: i64) -> None:
        state = self._states.pop(session, None)
        if state is None:
            return
        self._transactions.leave(state, now)
        state.end(now)
        self._broker_state.let_go(self.engine.identity, session.name, session)

    # ------------------------------------------------------------------ commands

    def _publish(self, run: MessagesTransferred, now: i64) -> None:
        state = self._states.get(run.session)
        if state is None:
            return
        producer = self._producer
        traffic = self._broker_state.traffic(run.destination)
        at: i64 = 0
        count: i64 = len(run.headers)
        try:
            while at < count:
                producer.take(state, traffic, run, at, now)
                at += 1
        except LastvalueError as fault:
            producer.traffic.refuse()
            self._fail(run.session, run.first + at, MESSAGE_TRANSFER, fault, now)

    def _carry_out(self, command: Command, now: i64) -> None:
        state = self._states.get(command.session)
        if state is None:
            return
        try:
            self._other(state, command, now)
        except LastvalueError as fault:
            self._fail(command.session, command.number, command.record.layout, fault, now)

    def _fail(self, session: Session, number: i64, layout: Layout, fault: LastvalueError, now: i64) -> None:
        session.fail(number, layout, code_of(fault), str(fault))
        self._end(session, now)

    def _other(self, state: SessionState, command: Command, now: i64) -> None:
        """A command that is no transfer."""
        group = command.record.layout.code >> 8
        if group == 4:
            self._message(state, command, now)
        elif group in (7, 8):
            self._declare(state, command, now)
        elif group in (5, 6):
            self._transactions.take(state, command, now)
        else:
            raise CommandError(NOT_IMPLEMENTED, f"{command.record.layout.name} is not carried out here")

    def _message(self, state: SessionState, command: Command, now: i64) -> None:  # noqa: C901 - a table
        record = command.record
        match record.layout.name:
            case "message.accept":
                state.accept(record.ranges("transfers"), now)
                if state.transaction is None:
                    # What left a durable queue is complete when it is safe.
                    self.confirmations.add(command.session, command.number, None, True)
                    return
            case "message.release":
                state.release(record.ranges("transfers"), record.has("set_redelivered"), now)
            case "message.reject":
                state.reject(record.ranges("transfers"), now)
                # What went to an alternate is complete when it is safe there.
                self.confirmations.add(command.session, command.number, None, True)
                return
            case "message.acquire":
                command.session.result(command.number, state.acquire(record.ranges("transfers"), now))
                return
            case "message.subscribe":
                state.subscribe(record, now)
            case "message.cancel":
                state.cancel(record, now)
            case "message.set-flow-mode":
                state.set_flow_mode(record)
            case "message.flow":
                state.flow(record, now)
            case "message.flush":
                state.flush(command)
                return
            case "message.stop":
                state.stop(record)
            case _:
                raise CommandError(NOT_IMPLEMENTED, f"{record.layout.name} is not carried out here")
        command.session.complete(command.number)

    def _declare(self, state: SessionState, command: Command, now: i64) -> None:  # noqa: C901 - a table
        record = command.record
        owner = state.owner
        declarations = self._declarations
        result: Record | None = None
        match record.layout.name:
            case "queue.declare":
                declarations.declare_queue(record, owner)
            case "queue.delete":
                declarations.delete_queue(record, owner, now)
            case "queue.purge":
                declarations.purge_queue(record, owner)
            case "queue.query":
                result = declarations.query_queue(record, owner)
            case "exchange.declare":
                declarations.declare_exchange(record, owner)
            case "exchange.delete":
                declarations.delete_exchange(record, owner)
            case "exchange.query":
                result = declarations.query_exchange(record, owner)
            case "exchange.bind":
                declarations.bind(record, owner, now)
            case "exchange.unbind":
                declarations.unbind(record, owner)
            case _:
                result = declarations.bound(record, owner)
        if result is None:
            self.confirmations.add(command.session, command.number, None, True)
        else:
            command.session.result(command.number, result)
