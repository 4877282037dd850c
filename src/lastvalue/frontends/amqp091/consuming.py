"""What one channel reads: its consumers, what it gets, and what it has not acknowledged."""

from typing import Final, final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.guests import Reader
from lastvalue.broker.permissions import BROWSE, READ
from lastvalue.broker.reading import HostedQueue, Nobody, Reading
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp091.errors import (
    ACCESS_REFUSED,
    NOT_ALLOWED,
    NOT_FOUND,
    PRECONDITION_FAILED,
    ReplyError,
)
from lastvalue.codec.amqp091.leaving import Leaving, leaving
from lastvalue.codec.amqp091.plain_values import plain
from lastvalue.codec.amqp091.reply_to import REPLY_TO
from lastvalue.frontends.amqp091.arguments import browses, consumer_terms
from lastvalue.frontends.amqp091.consumer import Consumer, Deliveries, Unsettled, Window, placed
from lastvalue.frontends.amqp091.replies import reply_queue
from lastvalue.frontends.amqp091.setting import Setting
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.events import ACCEPT, DISCARD, Answered
from lastvalue.queues.entry import ACQUIRED
from lastvalue.queues.subscription import Mode, Outcome

_OUTCOMES: Final = (Outcome.ACCEPTED, Outcome.REJECTED, Outcome.MODIFIED_FAILED)
"""By ACCEPT, DISCARD and REQUEUE: what is put back counts as a delivery that failed."""

_FAILED: Final = Outcome.MODIFIED_FAILED


_NOBODY: Final = Nobody()


@final
class Consuming(Deliveries):
    """The reading side of a channel.

    Attributes:
        transaction: what acknowledgements wait for, or None where they count at once.
        queue: the name of the queue that was declared last.
        replies: the name of the queue for replies, where there was one.
    """

    __slots__ = (
        "_cancelled",
        "_consumers",
        "_number",
        "_prefetch",
        "_retired",
        "_setting",
        "_tag",
        "_tags",
        "_unsettled",
        "queue",
        "replies",
        "transaction",
    )

    def __init__(self, channel: Channel, setting: Setting, number: i64) -> None:
        super().__init__(channel)
        self.transaction: Transaction | None = None
        self.queue = ""
        self.replies = ""
        self._setting = setting
        self._number: i64 = number
        self._prefetch: tuple[int, int] = (0, 0)
        self._consumers: dict[str, Consumer] = {}
        # The tags of those whose queue is gone, which the peer has not been told.
        self._cancelled: list[str] = []
        self._unsettled: dict[int, Unsettled] = {}
        # Acknowledged in the open transaction.
        self._retired: list[Unsettled] = []
        self._tag: i64 = 0
        self._tags = 0

    def readers(self) -> list[Reader]:
        """Its consumers, for those who look after the broker."""
        return [
            Reader(consumer.tag, consumer.reading, consumer.settles)
            for consumer in self._consumers.values()
            if consumer.reading is not None
        ]

    # ------------------------------------------------------------------ deliveries

    def next_tag(self) -> i64:
        """The next delivery's tag."""
        self._tag += 1
        return self._tag

    def hold(self, unsettled: Unsettled) -> None:
        """Remember a delivery until it is acknowledged."""
        self._unsettled[unsettled.tag] = unsettled
        consumer = unsettled.consumer
        if consumer is not None:
            consumer.window.add(unsettled.size)
            self.window.add(unsettled.size)

    def answer(self, event: Answered, now: i64) -> None:
        """End deliveries.

        Raises:
            ReplyError: there is none of the tag.
        """
        unsettled = self._unsettled
        if not event.multiple:
            one = unsettled.pop(event.tag, None)
            if one is None:
                raise _unknown(event.tag, event.how)
            self._end(one, event.how, now)
        else:
            # [basic.ack] The tag 0 is all there are.
            if event.tag > self._tag:
                raise _unknown(event.tag, event.how)
            for each in self._up_to(event.tag):
                del unsettled[each.tag]
                self._end(each, event.how, now)
        self.wake()

    def _up_to(self, tag: i64) -> list[Unsettled]:
        found: list[Unsettled] = []
        for each in self._unsettled.values():
            if 0 < tag < each.tag:
                break
            found.append(each)
        return found

    def _end(self, one: Unsettled, how: i64, now: i64) -> None:
        self._free(one)
        transaction = self.transaction
        if transaction is None:
            one.settle(_OUTCOMES[how], now)
            return
        transaction.retire(one.reading, one.entry, _OUTCOMES[how], False)  # noqa: FBT003 - compiled, positional
        self._retired.append(one)

    def _free(self, one: Unsettled) -> None:
        if one.consumer is not None:
            one.consumer.window.take_back(one.size)
            self.window.take_back(one.size)

    def wake(self) -> None:
        """There may be room in the windows."""
        for consumer in self._consumers.values():
            if consumer.reading is not None:
                consumer.reading.wake()

    def committed(self) -> None:
        """The transaction was committed: what was acknowledged in it is gone."""
        self._retired = []

    def rolled_back(self, now: i64) -> None:
        """The transaction was rolled back: what was acknowledged in it is not."""
        for one in self._retired:
            if self._setting.modern:
                self.hold(one)
            else:
                # [Broker-J] It is delivered again.
                one.settle(_FAILED, now)
        self._retired = []
        self._unsettled = dict(sorted(self._unsettled.items()))

    def requeue(self, now: i64) -> None:
        """Put back what is not acknowledged [basic.recover]."""
        held = list(self._unsettled.values())
        self._unsettled = {}
        for one in held:
            self._free(one)
            one.settle(_FAILED, now)
        self.wake()

    def send_again(self, now: i64) -> None:
        """Deliver what is not acknowledged to its consumers again; what they are gone from is put back."""
        held = list(self._unsettled.values())
        self._unsettled = {}
        for one in held:
            self._free(one)
            consumer = one.consumer
            if consumer is None or consumer.reading is None:
                one.settle(_FAILED, now)
            else:
                consumer.send(one.entry, leaving(one.entry.message.encoded), one.reading, True)  # noqa: FBT003 - compiled, positional

    # ------------------------------------------------------------------ consumers

    def set_prefetch(self, method: commands.Basic.Qos, *, for_channel: bool) -> None:
        """How much may be out unacknowledged: on the channel as a whole, or of each further consumer."""
        if for_channel:
            self.window.most = method.prefetch_count
            self.window.most_bytes = method.prefetch_size
            self.wake()
        else:
            self._prefetch = (method.prefetch_count, method.prefetch_size)

    def consume(self, method: commands.Basic.Consume, now: i64) -> None:
        """Add a consumer.

        Raises:
            ReplyError, LastvalueError: it cannot be.
        """
        arguments = plain(method.arguments)
        hosted = self._replies(method) if method.queue == REPLY_TO else self.find(method.queue)
        name = hosted.queue.spec.name
        tag = method.consumer_tag or self._new_tag()
        if tag in self._consumers:
            raise ReplyError(NOT_ALLOWED, f"the channel has a consumer {tag!r} already", (60, 20))
        browse = browses(arguments)
        self._setting.permit(BROWSE if browse else READ, name)
        check_not_exclusive(hosted)
        if method.exclusive and not browse and has_consumers(hosted):
            raise ReplyError(
                ACCESS_REFUSED, f"queue {name!r} has consumers: none can have it for itself", (60, 20)
            )
        consumer = Consumer(self, self._setting, tag, name, Window(*self._prefetch))
        consumer.exclusive = method.exclusive
        grouping = hosted.queue.spec.grouping
        if grouping is not None and grouping.first_key:
            consumer.first_key = grouping.first_key.encode()
        terms = consumer_terms(
            arguments, method.no_local, hosted.queue.spec.readers, self._setting.container, now
        )
        link = self._setting.broker.identify()
        owner = self._setting.owner(self._number, link)
        mode = Mode.BROWSE if browse else Mode.CONSUME
        reading = self._setting.broker.read(hosted, mode, consumer, terms, owner, now)
        # What is shown to a browser stays: there is nothing to acknowledge where it is not asked for.
        consumer.settles = method.no_ack
        consumer.reading = reading
        self._consumers[tag] = consumer
        if not method.nowait:
            self.channel.send(commands.Basic.ConsumeOk(tag))
        reading.wake()

    def _replies(self, method: commands.Basic.Consume) -> HostedQueue:
        """[RabbitMQ] The queue for replies, made for this consumer."""
        if not method.no_ack:
            raise ReplyError(PRECONDITION_FAILED, f"{REPLY_TO!r} is consumed without acknowledging", (60, 20))
        spec = reply_queue(self._number)
        broker = self._setting.broker
        if broker.has_queue(spec.name):
            raise ReplyError(PRECONDITION_FAILED, f"the channel consumes {REPLY_TO!r} already", (60, 20))
        broker.declare(spec, self._setting.owner(self._number))
        self.replies = spec.name
        return broker.lookup(spec.name)

    def _new_tag(self) -> str:
        self._tags += 1
        return f"amq.ctag-{self._number}-{self._tags}"

    def cancel(self, method: commands.Basic.Cancel, now: i64) -> None:
        """End a consumer; what it has not acknowledged it may still."""
        consumer = self._consumers.pop(method.consumer_tag or "", None)
        if consumer is not None:
            self._stop(consumer, now)
        if not method.nowait:
            self.channel.send(commands.Basic.CancelOk(method.consumer_tag or ""))

    def _stop(self, consumer: Consumer, now: i64) -> None:
        reading = consumer.reading
        if reading is None:
            return
        consumer.reading = None
        for one in [*self._unsettled.values(), *self._retired]:
            if one.reading is reading:
                keep(one)
        self._setting.broker.stop(reading, now)

    def cancelled(self, consumer: Consumer) -> None:
        """A consumer's queue is gone: the peer is told, where it wants to be."""
        self._consumers.pop(consumer.tag, None)
        if self.channel.open and self._setting.engine.capable("consumer_cancel_notify"):
            # Behind the answer to the method that deleted the queue.
            self._cancelled.append(consumer.tag)
            self._setting.notifies = True
            self._setting.touch()

    def notify(self) -> None:
        """Tell the peer of consumers whose queues are gone."""
        tags = self._cancelled
        self._cancelled = []
        if self.channel.open:
            for tag in tags:
                self.channel.send(commands.Basic.Cancel(tag, nowait=True))

    # ------------------------------------------------------------------ get

    def get(self, method: commands.Basic.Get, now: i64) -> None:
        """Answer with the next message, or that there is none.

        Raises:
            ReplyError, LastvalueError: the queue cannot be read.
        """
        hosted = self.find(method.queue)
        self._setting.permit(READ, hosted.queue.spec.name)
        check_not_exclusive(hosted)
        self._setting.broker.check_reader(hosted, self._setting.owner(self._number))
        reading = Reading(hosted, Mode.CONSUME, _NOBODY)
        try:
            self._give(reading, method, now)
        finally:
            # It is held without its reader, so that no basic.get counts as a consumer.
            reading.close(now)

    def _give(self, reading: Reading, method: commands.Basic.Get, now: i64) -> None:
        queue = reading.hosted.queue
        entry = queue.next(reading.subscription, now)
        message: Leaving | None = None
        while entry is not None and message is None:
            try:
                message = leaving(entry.message.encoded)
            except LastvalueError:
                # Another protocol let it pass; here it cannot be written.
                reading.settle(entry, Outcome.REJECTED, now)
                entry = queue.next(reading.subscription, now)
        if entry is None or message is None:
            self.channel.send(commands.Basic.GetEmpty())
            return
        place = placed(message, queue.spec.name.encode(), self._setting.broker.exchanges)
        content = (place, message.header(entry.delivery_count), message.body)
        tag = self.next_tag()
        self.channel.give(tag, entry.delivery_count > 0, content, int(queue.available))
        if method.no_ack:
            reading.settle(entry, Outcome.ACCEPTED, now)
            return
        one = Unsettled(tag, entry, reading, None, len(message.body))
        self.hold(one)
        keep(one)

    # ------------------------------------------------------------------ names and the end

    def find(self, name: str) -> HostedQueue:
        """The queue of that name; none is the one that the channel declared last.

        Raises:
            ReplyError: none was declared.
            QueueNotFoundError: there is none of that name.
        """
        if not name and not self.queue:
            code = NOT_FOUND if self._setting.modern else NOT_ALLOWED
            raise ReplyError(code, "no queue is named, and the channel has declared none")
        return self._setting.broker.lookup(name or self.queue)

    def close(self, now: i64) -> None:
        """The channel is gone: nothing it held stays held."""
        self.transaction = None
        self.rolled_back(now)
        held = list(self._unsettled.values())
        self._unsettled = {}
        for one in held:
            one.settle(_FAILED, now)
        consumers = list(self._consumers.values())
        self._consumers = {}
        for consumer in consumers:
            self._stop(consumer, now)


def keep(one: Unsettled) -> None:
    """Hold an entry without its reader, which goes."""
    reading = one.reading
    if one.entry.state == ACQUIRED and reading.subscription.mode is Mode.CONSUME:
        reading.hosted.queue.keep(one.entry)


def check_not_exclusive(hosted: HostedQueue) -> None:
    """Refuse to read what a consumer has for itself.

    Raises:
        ReplyError: one has.
    """
    for reading in hosted.readings:
        outlet = reading.outlet
        if isinstance(outlet, Consumer) and outlet.exclusive:
            raise ReplyError(
                ACCESS_REFUSED, f"queue {hosted.queue.spec.name!r} is in exclusive use of a consumer"
            )


def has_consumers(hosted: HostedQueue) -> bool:
    """Whether anybody takes messages from a queue."""
    return any(reading.subscription.mode is Mode.CONSUME for reading in hosted.readings)


def _unknown(tag: i64, how: i64) -> ReplyError:
    method = 80 if how == ACCEPT else 90 if how == DISCARD else 120
    return ReplyError(PRECONDITION_FAILED, f"unknown delivery tag {tag}", (60, method))
