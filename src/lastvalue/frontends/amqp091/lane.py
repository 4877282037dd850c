"""One channel's commands to the broker, in the order in which they come."""

from collections import deque
from typing import Final, final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.guests import Stay
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
from lastvalue.frontends.amqp091.confirms import Confirms
from lastvalue.frontends.amqp091.consuming import Consuming
from lastvalue.frontends.amqp091.declaring import Declaring
from lastvalue.frontends.amqp091.publishing import Publishing
from lastvalue.frontends.amqp091.setting import Resumable, Setting
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.events import Answered, Called, ChannelEnded, Event, Published, PublishedRun

_EXCHANGE: Final = 40
_QUEUE: Final = 50


@final
class Lane(Resumable):
    """A channel.

    Attributes:
        held: an answer waits for the journal; what comes meanwhile waits behind it.
        confirms: what the peer is owed, where it asked for confirms.
    """

    __slots__ = (
        "_channel",
        "_consuming",
        "_declaring",
        "_method",
        "_number",
        "_publishing",
        "_setting",
        "_waiting",
        "confirms",
        "held",
    )

    def __init__(self, channel: Channel, setting: Setting) -> None:
        self._channel = channel
        self._setting = setting
        self._number: i64 = setting.broker.identify()
        self._consuming = Consuming(channel, setting, self._number)
        self._publishing = Publishing(channel, setting)
        self._declaring = Declaring(setting, self._consuming, self._number)
        self._waiting: deque[Event] = deque()
        self._method = (0, 0)
        self.held: Method | None = None
        self.confirms: Confirms | None = None

    def stay(self) -> Stay:
        """What there is of it, for those who look after the broker."""
        return Stay(self._channel.number, self._consuming.readers())

    # ------------------------------------------------------------------ events

    def take(self, event: Event, now: i64) -> None:
        """Act on what the peer did, or put it behind the answer that waits."""
        if self.held is not None:
            self._waiting.append(event)
            return
        try:
            if isinstance(event, Published | PublishedRun):
                if self._channel.open:
                    self._method = (60, 40)
                    self._publish(event, now)
            elif isinstance(event, Answered):
                if self._channel.open:
                    self._consuming.answer(event, now)
            elif isinstance(event, ChannelEnded):
                self.close(now)
                self._channel.end()
            elif isinstance(event, Called) and self._channel.open:
                self._method = (event.method.index >> 16, event.method.index & 0xFFFF)
                self._call(event.method, now)
        except LastvalueError as fault:
            self._refuse(fault, now)

    def _publish(self, event: Published | PublishedRun, now: i64) -> None:
        if isinstance(event, PublishedRun):
            self._publishing.publish_run(event, now)
        else:
            self._publishing.publish(event, now)

    def _refuse(self, fault: LastvalueError, now: i64) -> None:
        if isinstance(fault, ReplyError):
            code = fault.code
            method = fault.method if fault.method != (0, 0) else self._method
        else:
            method = self._method
            # What the broker refuses ends the channel and leaves the connection's others alone.
            code = fault.condition.amqp091
            if self._setting.modern and code in HARD_OR_OLD:
                code = PRECONDITION_FAILED
        if code in HARD_OR_OLD:
            self._setting.engine.fail(code, str(fault), method)
            return
        self.close(now)
        self._channel.fail(code, str(fault), method)

    def notify(self) -> bool:
        """Tell the peer what became of its consumers; false while an answer has to go before."""
        if self.held is None:
            self._consuming.notify()
        return self.held is None

    def resume(self, now: i64) -> None:
        """What the answer tells of is safe: give it, and go on."""
        answer = self.held
        if answer is None:
            return
        self.held = None
        if self._channel.open:
            self._channel.send(answer)
        while self._waiting and self.held is None:
            self.take(self._waiting.popleft(), now)

    # ------------------------------------------------------------------ methods

    def _call(self, method: Method, now: i64) -> None:
        class_id = method.index >> 16
        if isinstance(method, OldMethod):
            self._call_old(method, now)
        elif class_id in (_QUEUE, _EXCHANGE):
            answer = self._declaring.take(method, now)
            if answer is not None:
                self._answer(answer, self._declaring.kept)
        elif isinstance(method, commands.Basic.Consume):
            self._consuming.consume(method, now)
            self._publishing.replies = self._consuming.replies.encode()
        elif isinstance(method, commands.Basic.Cancel):
            self._consuming.cancel(method, now)
        elif isinstance(method, commands.Basic.Get):
            self._consuming.get(method, now)
        elif isinstance(method, commands.Basic.Qos):
            self._consuming.set_prefetch(method, for_channel=method.global_ or not self._setting.modern)
            self._channel.send(commands.Basic.QosOk())
        elif not self._call_rare(method, now):
            raise ReplyError(COMMAND_INVALID, f"{method.name} is out of place")

    def _call_old(self, method: OldMethod, now: i64) -> None:
        """[0-9, 0-8] Methods that are no more."""
        if method.index == ACCESS_REQUEST:
            # Permissions are by user, and need no ticket.
            self._channel.send(OldMethod(ACCESS_REQUEST_OK, {"ticket": 1}))
        elif method.index == EXCHANGE_BOUND:
            self._channel.send(self._declaring.is_bound(method.fields))
        elif method.index in (RECOVER_ASYNC, RECOVER_SYNC):
            self._put_back(method.fields["requeue"] is True, now)
            # [0-8] This version knows only the one, and answers it.
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
            self._channel.send(commands.Basic.RecoverOk())
        elif isinstance(method, commands.Channel.Flow):
            self._consuming.flowing = method.active is True
            self._channel.send(commands.Channel.FlowOk(self._consuming.flowing))
            self._consuming.wake()
        elif isinstance(method, commands.Confirm.Select):
            self._select_confirms(method)
        elif isinstance(method, commands.Tx.Select):
            self._select_transactions()
        elif isinstance(method, commands.Tx.Commit):
            self._commit(now)
        elif isinstance(method, commands.Tx.Rollback):
            self._roll_back(now)
        else:
            # The peer's answers to what this side asked for.
            return isinstance(method, commands.Channel.FlowOk | commands.Basic.CancelOk)
        return True

    def _answer(self, answer: Method, kept: bool) -> None:  # noqa: FBT001 - compiled, positional
        """Answer; where it tells of what is kept, once that is safe."""
        if kept:
            self.held = answer
            self._setting.owe(self)
        else:
            self._channel.send(answer)

    def _put_back(self, requeue: bool, now: i64) -> None:  # noqa: FBT001 - compiled, positional
        if requeue:
            self._consuming.requeue(now)
        else:
            self._consuming.send_again(now)

    # ------------------------------------------------------------------ confirms and transactions

    def _select_confirms(self, method: commands.Confirm.Select) -> None:
        if self._publishing.transaction is not None:
            raise ReplyError(PRECONDITION_FAILED, "a channel with transactions has no confirms")
        if self.confirms is None:
            self.confirms = self._publishing.confirms = Confirms(self._channel)
        if not method.nowait:
            self._channel.send(commands.Confirm.SelectOk())

    def _select_transactions(self) -> None:
        if self.confirms is not None:
            raise ReplyError(PRECONDITION_FAILED, "a channel with confirms has no transactions")
        if self._publishing.transaction is None:
            self._begin()
        self._channel.send(commands.Tx.SelectOk())

    def _begin(self) -> None:
        self._publishing.transaction = self._consuming.transaction = Transaction()

    def _open_transaction(self) -> Transaction:
        transaction = self._publishing.transaction
        if transaction is None:
            raise ReplyError(PRECONDITION_FAILED, "the channel has no transactions; tx.select begins them")
        return transaction

    def _commit(self, now: i64) -> None:
        transaction = self._open_transaction()
        unroutable = self._publishing.unroutable()
        try:
            self._setting.broker.commit(transaction, now)
        except LastvalueError:
            transaction.roll_back(now)
            self._consuming.rolled_back(now)
            self._begin()
            raise
        self._publishing.give_back(unroutable)
        self._consuming.committed()
        self._begin()
        self._answer(commands.Tx.CommitOk(), True)  # noqa: FBT003 - compiled, positional

    def _roll_back(self, now: i64) -> None:
        self._open_transaction().roll_back(now)
        self._publishing.unroutable()
        self._consuming.rolled_back(now)
        self._begin()
        self._channel.send(commands.Tx.RollbackOk())

    # ------------------------------------------------------------------ the end

    def close(self, now: i64) -> None:
        """The channel is gone: nothing it held stays held. Twice does nothing."""
        transaction = self._publishing.transaction
        if transaction is not None:
            transaction.roll_back(now)
        self.held = None
        self._waiting.clear()
        self._publishing.stop()
        self._consuming.close(now)
        self._setting.broker.ended(self._number, now)
