"""One channel: its events become commands of the broker, in their order."""

from collections import deque
from typing import Final, final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.rights.permissions import ImpersonationError
from lastvalue.broker.statistics.connections import SessionStatistics
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp091.dialects import (
    ACCESS_REQUEST,
    ACCESS_REQUEST_OK,
    CHANNEL_OK,
    EXCHANGE_BOUND,
    PING,
    PONG,
    RECOVER_ASYNC,
    RECOVER_OK,
    RECOVER_SYNC,
    Method,
    OldMethod,
)
from lastvalue.codec.amqp091.errors import (
    COMMAND_INVALID,
    HARD_OR_OLD,
    PRECONDITION_FAILED,
    ReplyError,
)
from lastvalue.delivery.consumer import FAULT
from lastvalue.frontends.amqp091.channel_run import ChannelRun
from lastvalue.frontends.amqp091.connection_state import Amqp091ConnectionState
from lastvalue.frontends.amqp091.consumers import ChannelConsumers
from lastvalue.frontends.amqp091.declarations import Declarations
from lastvalue.frontends.amqp091.producer import ChannelProducer
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import LINK_BYTES, SESSION_BYTES, UNSETTLED_BYTES
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.events import (
    Answered,
    Called,
    ChannelEnded,
    Event,
    PublishBegun,
    Published,
    PublishedRun,
)
from lastvalue.protocols.amqp091.publisher_confirms import PublisherConfirms

_EXCHANGE: Final = 40
_QUEUE: Final = 50


@final
class ChannelHandler:
    """Handles a channel's events.

    Attributes:
        pending_answer: the answer that waits for the journal, or None; later events wait for it.
    """

    __slots__ = (
        "_channel",
        "_consumers",
        "_declarations",
        "_method",
        "_number",
        "_producer",
        "_state",
        "_waiting",
        "_waiting_bytes",
        "pending_answer",
    )

    def __init__(self, channel: Channel, state: Amqp091ConnectionState) -> None:
        self._channel = channel
        self._state = state
        self._number: i64 = state.broker.identify()
        self._consumers = ChannelConsumers(channel, state, self._number)
        self._producer = ChannelProducer(channel, state)
        self._declarations = Declarations(state, self._consumers, self._number)
        self._waiting: deque[Event] = deque()
        self._waiting_bytes: i64 = 0
        self._method = (0, 0)
        self.pending_answer: Method | None = None

    def statistics(self) -> SessionStatistics:
        """The channel's statistics, with those of its links."""
        number = self._channel.number
        links = [*self._consumers.statistics(), self._producer.statistics("", "")]
        return SessionStatistics(str(number), number, links, self._consumers.deliveries.unsettled.held)

    @property
    def in_transaction(self) -> bool:
        """Whether its transaction has work that is not committed."""
        transaction = self._producer.transaction
        return transaction is not None and transaction.has_work

    @property
    def open_bytes(self) -> i64:
        """The memory that the channel takes, with its consumers and what its peer has not settled."""
        consumers = self._consumers
        size: i64 = SESSION_BYTES + self._waiting_bytes + consumers.count * LINK_BYTES
        return size + consumers.deliveries.unsettled.count * UNSETTLED_BYTES

    # ------------------------------------------------------------------ events

    def take(self, event: Event, now: i64) -> bool:
        """Process an event, or keep it until the waiting answer is sent.

        False is that messages of a run are left, because those before them have caused much routing.
        """
        if self.pending_answer is not None:
            self._keep(event)
            return True
        try:
            if isinstance(event, Published | PublishedRun | PublishBegun):
                if self._channel.open:
                    self._method = (60, 40)
                    return self._publish(event, now)
            elif isinstance(event, Answered):
                if self._channel.open:
                    self._consumers.answer(event, now)
            elif isinstance(event, ChannelEnded):
                self.close(now)
                self._channel.end()
            elif isinstance(event, Called) and self._channel.open:
                self._method = (event.method.index >> 16, event.method.index & 0xFFFF)
                self._call(event.method, now)
        except LastvalueError as fault:
            self._refuse(fault, now)
        return True

    def stop_publishing(self) -> bool:
        """Let the alarms stop the peer before its next message; false where the channel is closed."""
        if self._channel.open:
            self._producer.join()
        return self._channel.open

    def _keep(self, event: Event) -> None:
        self._waiting.append(event)
        if isinstance(event, Published):
            self._waiting_bytes += len(event.body)
        elif isinstance(event, PublishedRun):
            self._waiting_bytes += sum([len(each) for each in event.messages])

    def _publish(self, event: Published | PublishedRun | PublishBegun, now: i64) -> bool:
        if isinstance(event, PublishBegun):
            self._producer.begin(event.head)
            return True
        run = ChannelRun(self._producer, event, now)
        try:
            given = self._producer.give(run, now)
        finally:
            if self._producer.transaction is None:
                self._producer.end_copies()
        if given:
            return True
        if isinstance(event, PublishedRun):
            event.drop(run.at)
        return False

    def _refuse(self, fault: LastvalueError, now: i64) -> None:
        if isinstance(fault, NotLeaderError):
            # All of what the peer wants to change is elsewhere: clients go to the next broker that they know.
            self._state.engine.fail(fault.condition.amqp091, str(fault), self._method)
            return
        if isinstance(fault, ReplyError):
            code = fault.code
            method = fault.method if fault.method != (0, 0) else self._method
        else:
            method = self._method
            # A refusal of the broker ends the channel, and leaves the other channels alone.
            code = fault.condition.amqp091
            if isinstance(fault, ImpersonationError):
                # [RabbitMQ] 403 is for what the user may not do at all.
                code = PRECONDITION_FAILED
            if self._state.modern and code in HARD_OR_OLD:
                code = PRECONDITION_FAILED
        if code in HARD_OR_OLD:
            self._state.engine.fail(code, str(fault), method)
            return
        self.close(now)
        self._channel.fail(code, str(fault), method)

    def end_by_fault(self, consumer: Receiver, now: i64) -> None:
        """Close the channel if a fault has ended this consumer of it: nothing less has a code."""
        if self._channel.open and self._consumers.has(consumer):
            self.close(now)
            self._channel.fail(Condition.INTERNAL_ERROR.amqp091, FAULT)

    @property
    def is_answering(self) -> bool:
        """Whether an answer waits for the journal."""
        return self.pending_answer is not None

    def notify(self) -> bool:
        """Notify the peer of cancelled consumers; false while an answer has to precede that."""
        if self.pending_answer is None:
            self._consumers.notify()
        return self.pending_answer is None

    def resume(self, now: i64) -> None:
        """The journal has what the answer confirms: send it, and process the events that waited."""
        answer = self.pending_answer
        if answer is None:
            return
        self.pending_answer = None
        if self._channel.open:
            self._channel.send(answer)
        if self._waiting:
            # These events may have something to record or to confirm.
            self._state.output.schedule_write()
        while self._waiting and not self.is_answering:
            event = self._waiting.popleft()
            while not self.take(event, now):
                self._state.broker.exchanges.work.begin()
        if not self._waiting:
            self._waiting_bytes = 0

    # ------------------------------------------------------------------ methods

    def _call(self, method: Method, now: i64) -> None:
        class_id = method.index >> 16
        if isinstance(method, OldMethod):
            self._call_old(method, now)
        elif class_id in (_QUEUE, _EXCHANGE):
            answer = self._declarations.take(method, now)
            if answer is not None:
                self._answer(answer, self._declarations.durable)
        elif isinstance(method, commands.Basic.Consume):
            self._consumers.consume(method, now)
            self._producer.replies = self._consumers.replies.encode()
        elif isinstance(method, commands.Basic.Cancel):
            self._consumers.cancel(method, now)
        elif isinstance(method, commands.Basic.Get):
            self._consumers.get(method, now)
        elif isinstance(method, commands.Basic.Qos):
            self._consumers.set_prefetch(method)
            self._channel.send(commands.Basic.QosOk())
        elif not self._call_rare(method, now):
            raise ReplyError(COMMAND_INVALID, f"{method.name} is out of place")

    def _call_old(self, method: OldMethod, now: i64) -> None:
        """Carry out a method that only 0-9 and 0-8 have."""
        if method.index == ACCESS_REQUEST:
            # Permissions belong to users, so tickets mean nothing.
            self._channel.send(OldMethod(ACCESS_REQUEST_OK, {"ticket": 1}))
        elif method.index == EXCHANGE_BOUND:
            self._channel.send(self._declarations.is_bound(method.fields))
        elif method.index in (RECOVER_ASYNC, RECOVER_SYNC):
            self._put_back(method.fields["requeue"] is True, now)
            # [0-8] This version has only one of them, and answers it.
            if method.index == RECOVER_SYNC or self._channel.version == (8, 0):
                self._channel.send(OldMethod(RECOVER_OK))
        elif method.index == PING:
            self._channel.send(OldMethod(CHANNEL_OK))
            self._channel.send(OldMethod(PONG))
        elif method.index != CHANNEL_OK:
            raise ReplyError(COMMAND_INVALID, f"{method.name} is out of place")

    def _call_rare(self, method: Method, now: i64) -> bool:
        if isinstance(method, commands.Basic.Recover):
            self._put_back(method.requeue is True, now)
            self._answer(
                commands.Basic.RecoverOk(), self._state.broker.long_commands.runs_for(self._state.number)
            )
        elif isinstance(method, commands.Channel.Flow):
            self._consumers.deliveries.flowing = method.active is True
            self._channel.send(commands.Channel.FlowOk(self._consumers.deliveries.flowing))
            self._consumers.wake()
        elif isinstance(method, commands.Confirm.Select):
            self._select_confirms(method)
        elif isinstance(method, commands.Tx.Select):
            self._select_transactions()
        elif isinstance(method, commands.Tx.Commit):
            self._commit(now)
        elif isinstance(method, commands.Tx.Rollback):
            self._roll_back(now)
        else:
            # The peer's answers to methods of this side.
            return isinstance(method, commands.Channel.FlowOk | commands.Basic.CancelOk)
        return True

    def _answer(self, answer: Method, durable: bool) -> None:
        """Send an answer, or hold it until the journal has what it confirms."""
        if durable:
            self.pending_answer = answer
            self._state.confirmations.answer(self.resume)
        else:
            self._channel.send(answer)

    def _put_back(self, requeue: bool, now: i64) -> None:
        if requeue:
            self._consumers.requeue(now)
        else:
            self._consumers.send_again(now)

    # ------------------------------------------------------------------ confirms and transactions

    def _select_confirms(self, method: commands.Confirm.Select) -> None:
        if self._producer.transaction is not None:
            raise ReplyError(
                PRECONDITION_FAILED,
                "the channel has transactions; confirms need another channel",
            )
        if self._producer.confirms is None:
            self._producer.confirms = PublisherConfirms(self._channel)
        if not method.nowait:
            self._channel.send(commands.Confirm.SelectOk())

    def _select_transactions(self) -> None:
        if self._producer.confirms is not None:
            raise ReplyError(
                PRECONDITION_FAILED,
                "the channel has confirms; transactions need another channel",
            )
        if self._producer.transaction is None:
            transaction = Transaction(self._state.memory)
            self._producer.transaction = self._consumers.deliveries.transaction = transaction
        self._channel.send(commands.Tx.SelectOk())

    def _open_transaction(self) -> Transaction:
        transaction = self._producer.transaction
        if transaction is None:
            raise ReplyError(PRECONDITION_FAILED, "the channel has no transactions; send tx.select first")
        return transaction

    def _commit(self, now: i64) -> None:
        transaction = self._open_transaction()
        unroutable = self._producer.unroutable()
        try:
            self._state.broker.commit(transaction, now)
        except LastvalueError:
            self._consumers.rolled_back(now)
            raise
        finally:
            self._producer.end_copies()
        self._producer.give_all_back(unroutable)
        self._consumers.committed()
        self._answer(commands.Tx.CommitOk(), True)

    def _roll_back(self, now: i64) -> None:
        self._open_transaction().roll_back(now)
        self._producer.unroutable()
        self._producer.end_copies()
        self._consumers.rolled_back(now)
        self._channel.send(commands.Tx.RollbackOk())

    # ------------------------------------------------------------------ the end

    def close(self, now: i64) -> None:
        """The channel is gone: release everything that it held. A second call does nothing."""
        transaction = self._producer.transaction
        if transaction is not None:
            transaction.roll_back(now)
        self.pending_answer = None
        self._waiting.clear()
        self._waiting_bytes = 0
        self._producer.close()
        self._consumers.close(now)
        self._state.broker.ended(self._number, now)
