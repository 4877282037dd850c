"""The unacknowledged deliveries of one channel."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp091.errors import PRECONDITION_FAILED, ReplyError
from lastvalue.delivery.unsettled import UnsettledDeliveries, UnsettledDelivery
from lastvalue.delivery.window import prefetch_window
from lastvalue.protocols.amqp091.channel import Channel
from lastvalue.protocols.amqp091.events import ACCEPT, DISCARD, Answered
from lastvalue.queues.subscription import Outcome

_OUTCOMES: Final = (Outcome.ACCEPTED, Outcome.REJECTED, Outcome.MODIFIED_FAILED)
"""By ACCEPT, DISCARD and REQUEUE; requeueing counts as a failed delivery."""

_FAILED: Final = Outcome.MODIFIED_FAILED


@final
class ChannelDeliveries:
    """The deliveries of a channel, by their tags.

    Args:
        qpid: see `Amqp091ConnectionState`.

    Attributes:
        channel: the channel.
        on_cancelled: called with the tag of a consumer whose queue is gone.
        flowing: the peer takes deliveries [channel.flow].
        window: limits the unacknowledged deliveries of all consumers together.
        transaction: that acknowledgements are part of, or None if they count at once.
        unsettled: the unacknowledged deliveries.
        last: the tag of the consumer that was sent the last of them.
    """

    __slots__ = (
        "_qpid",
        "_tag",
        "channel",
        "flowing",
        "last",
        "on_cancelled",
        "transaction",
        "unsettled",
        "window",
    )

    def __init__(self, channel: Channel, on_cancelled: Callable[[str], None], qpid: bool) -> None:
        self._qpid = qpid
        self.channel = channel
        self.on_cancelled = on_cancelled
        self.flowing = True
        self.window = prefetch_window(0, 0)
        self.transaction: Transaction | None = None
        self.unsettled = UnsettledDeliveries()
        self.last = ""
        self._tag: i64 = 0

    def next_tag(self) -> i64:
        """The next delivery's tag."""
        self._tag += 1
        return self._tag

    def add(self, delivery: UnsettledDelivery) -> None:
        """Remember a delivery until it is acknowledged."""
        self.unsettled.add(delivery)
        consumer = delivery.consumer
        if consumer is not None:
            consumer.window.spend(delivery.size_bytes)
            self.window.spend(delivery.size_bytes)

    def named(self, event: Answered) -> list[UnsettledDelivery]:
        """The deliveries that the peer's answer names, which are done with: the caller ends them.

        Raises:
            ReplyError: the tag is unknown.
            TransactionSizeError: they do not fit into the transaction; they stay as they are.
        """
        unsettled = self.unsettled
        if not event.multiple:
            self._check_room(1)
            delivery = unsettled.remove(event.tag)
            if delivery is None:
                raise _unknown(event.tag, event.how)
            return [delivery]
        # [basic.ack] The tag 0 means all deliveries.
        if event.tag > self._tag:
            raise _unknown(event.tag, event.how)
        named = unsettled.between(1, event.tag or self._tag)
        if event.tag > 0 and not self._qpid and (not named or named[-1].number != event.tag):
            # [RabbitMQ] It is settled already.
            raise _unknown(event.tag, event.how)
        self._check_room(len(named))
        for each in named:
            unsettled.remove(each.number)
        return named

    def _check_room(self, count: i64) -> None:
        if self.transaction is not None:
            self.transaction.check_size(count)

    def end(self, delivery: UnsettledDelivery, how: i64, now: i64) -> None:
        """End a delivery, or note in the transaction how it ends."""
        transaction = self.transaction
        if transaction is None or self._qpid:
            self._restore(delivery)
        if transaction is None or (self._qpid and how != ACCEPT):
            # [Broker-J] A message that is rejected is not part of the transaction.
            delivery.settle(_OUTCOMES[how], now)
        else:
            # [RabbitMQ] Its room in the windows is free when the transaction is committed.
            self.unsettled.retire(delivery, _OUTCOMES[how], transaction, False)

    def _restore(self, delivery: UnsettledDelivery) -> None:
        """Give the delivery's room back to the windows."""
        consumer = delivery.consumer
        if consumer is not None:
            consumer.window.restore(delivery.size_bytes, delivery.epoch)
            self.window.restore(delivery.size_bytes, 0)

    def take_all(self) -> list[UnsettledDelivery]:
        """Take out all unacknowledged deliveries; the caller settles them."""
        taken = self.unsettled.take_all()
        for delivery in taken:
            self._restore(delivery)
        return taken

    def committed(self) -> None:
        """The transaction was committed: forget what was acknowledged in it."""
        retired = self.unsettled.take_retired()
        if not self._qpid:
            for delivery in retired:
                self._restore(delivery)

    def rolled_back(self, now: i64) -> None:
        """The transaction was rolled back: its deliveries are unacknowledged again, or requeued."""
        retired = self.unsettled.take_retired()
        if not self._qpid:
            for delivery in retired:
                self.unsettled.add(delivery)
            if retired:
                self.unsettled.sort()
            return
        for delivery in retired:
            delivery.settle(_FAILED, now)


def _unknown(tag: i64, how: i64) -> ReplyError:
    method = 80 if how == ACCEPT else 90 if how == DISCARD else 120
    return ReplyError(PRECONDITION_FAILED, f"unknown delivery tag {tag}", (60, method))
