"""The reading side of one channel: consumers, basic.get and acknowledgements."""

from collections.abc import Callable, Iterator
from typing import Final, final

from mypy_extensions import i64
from pamqp import commands

from lastvalue.broker.long_commands import ENDED_IN_A_STEP, Steps
from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.queue_names import reply_queue
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.statistics.connections import LinkStatistics
from lastvalue.codec.amqp091.errors import (
    ACCESS_REFUSED,
    NOT_ALLOWED,
    NOT_FOUND,
    PRECONDITION_FAILED,
    ReplyError,
)
from lastvalue.codec.amqp091.message_encoder import MessageEncoder
from lastvalue.codec.amqp091.plain_values import plain
from lastvalue.codec.amqp091.reply_to import REPLY_TO
from lastvalue.delivery.consumer import note_passed_over
from lastvalue.delivery.unsettled import UnsettledDelivery, keep_held, settle_all
from lastvalue.delivery.window import prefetch_window
from lastvalue.frontends.amqp091.connection_state import Amqp091ConnectionState
from lastvalue.frontends.amqp091.consumer import ChannelConsumer, encode_entry, placed, too_large
from lastvalue.frontends.amqp091.consumer_terms import browses, consumer_terms, ends_when_empty
from lastvalue.frontends.amqp091.deliveries import ChannelDeliveries
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.events import Answered
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Outcome

_FAILED: Final = Outcome.MODIFIED_FAILED


@final
class ChannelConsumers:
    """A channel's consumers and their deliveries.

    Attributes:
        channel: the channel.
        deliveries: that the channel was sent.
        queue: the name of the queue that the channel declared last.
        replies: the name of the channel's queue for direct replies, or "".
    """

    __slots__ = (
        "_cancelled",
        "_consumers",
        "_number",
        "_prefetch",
        "_state",
        "_tags",
        "channel",
        "deliveries",
        "queue",
        "replies",
    )

    def __init__(self, channel: Channel, state: Amqp091ConnectionState, number: i64) -> None:
        self.channel = channel
        self.deliveries = ChannelDeliveries(channel, self.cancelled, state.qpid)
        self.queue = ""
        self.replies = ""
        self._state = state
        self._number: i64 = number
        self._prefetch: tuple[int, int] = (0, 0)
        self._consumers: dict[str, ChannelConsumer] = {}
        # Tags of consumers whose queue is gone; the peer does not know yet.
        self._cancelled: list[str] = []
        self._tags = 0

    def statistics(self) -> list[LinkStatistics]:
        """The statistics of its consumers."""
        links = [consumer.statistics(tag) for tag, consumer in self._consumers.items()]
        return [link for link in links if link is not None]

    @property
    def count(self) -> int:
        """The number of consumers."""
        return len(self._consumers)

    def has(self, consumer: Receiver) -> bool:
        """Whether a consumer is one of the channel's."""
        return consumer in self._consumers.values()

    # ------------------------------------------------------------------ deliveries

    def answer(self, event: Answered, now: i64) -> None:
        """Settle deliveries by the peer's answer.

        Raises:
            ReplyError: the tag is unknown.
        """
        deliveries = self.deliveries
        named = deliveries.named(event)
        if len(named) == 1 or deliveries.transaction is not None:
            for each in named:
                deliveries.end(each, event.how, now)
            self.wake()
        else:
            how = event.how
            self._end_all(named, lambda each, now: deliveries.end(each, how, now), now)

    def _end_all(
        self, deliveries: list[UnsettledDelivery], end: Callable[[UnsettledDelivery, i64], None], now: i64
    ) -> None:
        owner = self._state.broker.long_commands, self._state.number
        settle_all(deliveries, end, lambda _: self.wake(), owner, now)

    def wake(self) -> None:
        """Serve the consumers in turn: there may be room in the windows, and they share the channel's."""
        last = self._consumers.pop(self.deliveries.last, None) if len(self._consumers) > 1 else None
        if last is not None:
            self._consumers[last.tag] = last
        for consumer in self._consumers.values():
            consumer.wake()

    def committed(self) -> None:
        """The transaction was committed: what was acknowledged in it makes room for more."""
        self.deliveries.committed()
        self.wake()

    def rolled_back(self, now: i64) -> None:
        """The transaction was rolled back: undo its acknowledgements."""
        self.deliveries.rolled_back(now)

    def requeue(self, now: i64) -> None:
        """Requeue the unacknowledged messages [basic.recover]."""
        self._end_all(self.deliveries.take_all(), lambda each, now: each.settle(_FAILED, now), now)

    def send_again(self, now: i64) -> None:
        """Send unacknowledged messages to their consumers again; requeue those whose consumer is gone."""
        self._end_all(self.deliveries.take_all(), self._send_one_again, now)

    def _send_one_again(self, delivery: UnsettledDelivery, now: i64) -> None:
        consumer = delivery.consumer
        entry = delivery.entry
        if entry is not None and isinstance(consumer, ChannelConsumer) and consumer.reader is not None:
            message = encode_entry(entry, self._state.engine.qpid_java)
            if consumer.send(entry, message, True, now):
                return
        delivery.settle(_FAILED, now)

    # ------------------------------------------------------------------ consumers

    def set_prefetch(self, method: commands.Basic.Qos) -> None:
        """Limit the unacknowledged messages of the channel, or of each consumer that is added later.

        [RabbitMQ] The latter without `global`; [Broker-J] the channel in any case.
        """
        if method.global_ or self._state.qpid:
            self.deliveries.window.set_prefetch(method.prefetch_count, method.prefetch_size)
            self.wake()
        else:
            self._prefetch = (method.prefetch_count, method.prefetch_size)

    def consume(self, method: commands.Basic.Consume, now: i64) -> None:
        """Add a consumer.

        Raises:
            ReplyError, LastvalueError: the request is refused.
        """
        arguments = plain(method.arguments)
        browse = browses(arguments)
        verb = Verb.BROWSE if browse else Verb.CONSUME
        hosted = self._reply_queue(method) if method.queue == REPLY_TO else self.find(method.queue, verb)
        name = hosted.queue.spec.name
        tag = method.consumer_tag or self._new_tag()
        if tag in self._consumers:
            raise ReplyError(NOT_ALLOWED, f"the channel already has a consumer {tag!r}; use another tag")
        check_not_exclusive(hosted)
        if method.exclusive and not browse and hosted.consumers > 0:
            raise ReplyError(ACCESS_REFUSED, f"queue {name!r} has consumers, so none can be exclusive")
        consumer = ChannelConsumer(self.deliveries, self._state, tag, name, prefetch_window(*self._prefetch))
        consumer.exclusive = method.exclusive
        consumer.on_exhausted = self._exhausted if ends_when_empty(arguments) else None
        terms = consumer_terms(
            arguments, method.no_local, hosted.queue.spec.readers, self._state.container, now
        )
        link = self._state.broker.identify()
        owner = self._state.owner(self._number, link)
        mode = Mode.BROWSE if browse else Mode.CONSUME
        reader = self._state.broker.read(hosted, mode, consumer, terms, owner, now)
        # A browser has nothing to acknowledge: its messages stay on the queue.
        consumer.settles = method.no_ack
        consumer.read(reader)
        self._consumers[tag] = consumer
        if not method.nowait:
            self.channel.send(commands.Basic.ConsumeOk(tag))
        reader.wake()

    def _reply_queue(self, method: commands.Basic.Consume) -> HostedQueue:
        """[RabbitMQ] A new queue for direct replies to this consumer."""
        if not method.no_ack:
            raise ReplyError(PRECONDITION_FAILED, f"{REPLY_TO!r} needs a consumer with no-ack")
        broker = self._state.broker
        owner = self._state.owner(self._number)
        # The queue goes with its consumer.
        arguments = {"exclusive": "connection", "lifetime": "delete-on-no-outbound-links"}
        spec = spec_from_arguments(reply_queue(owner.principal, self._number), arguments)
        if broker.has_queue(spec.name):
            raise ReplyError(PRECONDITION_FAILED, f"the channel already consumes {REPLY_TO!r}")
        broker.declare(spec, owner)
        self.replies = spec.name
        return broker.lookup(spec.name)

    def _new_tag(self) -> str:
        self._tags += 1
        return f"amq.ctag-{self._number}-{self._tags}"

    def cancel(self, method: commands.Basic.Cancel, now: i64) -> None:
        """End a consumer; the peer may still acknowledge its messages."""
        consumer = self._consumers.pop(method.consumer_tag or "", None)
        if consumer is not None:
            self._leave(consumer, now)
        if not method.nowait:
            self.channel.send(commands.Basic.CancelOk(method.consumer_tag or ""))

    def _leave(self, consumer: ChannelConsumer, now: i64) -> None:
        """End a consumer whose peer may still acknowledge its messages."""
        if consumer.reader is not None:
            keep_held(consumer.reader)
            self._stop(consumer, now)

    def _stop(self, consumer: ChannelConsumer, now: i64) -> None:
        reader = consumer.reader
        if reader is not None:
            consumer.reader = None
            self._state.broker.stop(reader, now)

    def _exhausted(self, tag: str, now: i64) -> None:
        """[Broker-J] A consumer that ends then has been sent all: answer as if the peer had cancelled it."""
        self._leave(self._consumers.pop(tag), now)
        self.channel.send(commands.Basic.CancelOk(tag))

    def cancelled(self, tag: str) -> None:
        """A consumer's queue is gone: notify a peer that has the capability consumer_cancel_notify."""
        self._consumers.pop(tag, None)
        if self.channel.open and self._state.engine.capable("consumer_cancel_notify"):
            # The notification follows the answer to the method that deleted the queue.
            self._cancelled.append(tag)
            self._state.notifies = True
            self._state.output.schedule_write()

    def notify(self) -> None:
        """Notify the peer of consumers whose queues are gone."""
        tags = self._cancelled
        self._cancelled = []
        if self.channel.open:
            for tag in tags:
                self.channel.send(commands.Basic.Cancel(tag, nowait=True))

    # ------------------------------------------------------------------ get

    def get(self, method: commands.Basic.Get, now: i64) -> None:
        """Answer with the next message, or with get-empty.

        Raises:
            ReplyError, LastvalueError: the queue cannot be read.
        """
        hosted = self.find(method.queue)
        check_not_exclusive(hosted)
        # [RabbitMQ] What has come belongs to the consumers that wait for it.
        hosted.pump(now)
        reader = self._state.broker.take_next(hosted, self._state.owner(self._number), now)
        try:
            self._send_next(reader, method, now)
        finally:
            # The delivery is kept without its reader, so that basic.get does not count as a consumer.
            reader.close(now)
            # [RabbitMQ] But it is a use.
            self._state.broker.count_unused(hosted, now)

    def _send_next(self, reader: QueueReader, method: commands.Basic.Get, now: i64) -> None:
        queue = reader.hosted.queue
        entry = queue.next(reader.subscription, now)
        while entry is None and reader.subscription.scans_on:
            entry = queue.next(reader.subscription, now)
        message: MessageEncoder | None = None
        while entry is not None and message is None:
            try:
                message = encode_entry(entry, self._state.engine.qpid_java)
                cause = too_large(self.channel)
            except LastvalueError as fault:
                # AMQP 0-9-1 cannot carry this message of another protocol.
                cause = str(fault)
            if message is None or not self.channel.fits(message.header(entry.delivery_count)):
                message = None
                note_passed_over(reader.hosted, cause)
                reader.exclude(entry)
                reader.settle(entry, Outcome.RELEASED, now)
                entry = queue.next(reader.subscription, now)
        if entry is None or message is None:
            self.channel.send(commands.Basic.GetEmpty())
            return
        place = placed(message, queue.spec.name.encode(), self._state.broker.exchanges)
        content = (place, message.header(entry.delivery_count), message.body)
        tag = self.deliveries.next_tag()
        self.channel.give(tag, entry.delivery_count > 0, content, int(queue.available))
        if method.no_ack:
            reader.settle(entry, Outcome.ACCEPTED, now)
            return
        delivery = UnsettledDelivery(tag, entry, reader, None, len(message.body))
        self.deliveries.add(delivery)
        delivery.keep()

    # ------------------------------------------------------------------ names and the end

    def find(self, name: str, verb: Verb = Verb.CONSUME) -> HostedQueue:
        """The queue of a name for a verb; see `named`.

        Raises:
            BrokerError: the queue does not exist, or the caller may not do that with it.
        """
        authorization = self._state.broker.authorization
        return authorization.find(self._state.owner(self._number), verb, self.named(name))

    def named(self, name: str) -> str:
        """The name of a queue; "" means the queue that the channel declared last.

        Raises:
            ReplyError: the name is empty, and the channel has not declared a queue.
        """
        if not name and not self.queue:
            code = NOT_FOUND if self._state.modern else NOT_ALLOWED
            raise ReplyError(code, "the method names no queue, and the channel has not declared one")
        return name or self.queue

    def close(self, now: i64) -> None:
        """The channel is gone: release everything that it held."""
        self.deliveries.transaction = None
        self.rolled_back(now)
        consumers = list(self._consumers.values())
        long_commands, connection = self._state.broker.long_commands, self._state.number
        self._consumers = {}
        for consumer in consumers:
            if consumer.reader is not None:
                consumer.reader.retire()
        settle_all(
            self.deliveries.take_all(),
            lambda each, now: each.settle(_FAILED, now),
            lambda now: long_commands.begin(Steps(self._stopping(consumers, now), connection), now),
            (long_commands, connection),
            now,
        )
        # Channels are freed at once, not by the garbage collector.
        self.deliveries.on_cancelled = _ignore

    def _stopping(self, consumers: list[ChannelConsumer], now: i64) -> Iterator[None]:
        for stopped, consumer in enumerate(consumers, 1):
            self._stop(consumer, now)
            if stopped % ENDED_IN_A_STEP == 0:
                yield


def _ignore(tag: str) -> None:
    del tag


def check_not_exclusive(hosted: HostedQueue) -> None:
    """Refuse to read a queue that has an exclusive consumer.

    Raises:
        ReplyError: it has one.
    """
    if hosted.exclusive_reader is not None:
        raise ReplyError(
            ACCESS_REFUSED, f"queue {hosted.queue.spec.name!r} is in exclusive use of a consumer"
        )
