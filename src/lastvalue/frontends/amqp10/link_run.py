"""The messages of a link's deliveries, on their way to its producer's queues."""

from abc import abstractmethod
from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.authorization import Target
from lastvalue.broker.rights.permissions import ImpersonationError
from lastvalue.broker.routing.exchange_spec import Unroutable
from lastvalue.broker.routing.forwarder import routing_key
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.codec.amqp10.performatives import AmqpError, Rejected, TransactionalState
from lastvalue.codec.amqp10.sections import check_head
from lastvalue.codec.amqp10.values import Value
from lastvalue.delivery.producer_run import ProducerRun
from lastvalue.frontends.amqp10.outcomes import LinkConfirmations, takes_rejected
from lastvalue.frontends.amqp10.producer import DestinationError, LinkProducer, key_of, unroutable
from lastvalue.frontends.amqp10.transactions import OpenTransaction
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.session import ACCEPTED
from lastvalue.protocols.amqp10.windows import SERIAL


@mypyc_attr(allow_interpreted_subclasses=True)
class Refusals:
    """Tells peers that their messages are refused."""

    __slots__ = ()

    @abstractmethod
    def refuse(self, delivery: Delivery, error: LastvalueError, now: i64) -> None:
        """Refuse the message at which a delivery stands, or end its link."""
        raise NotImplementedError


@final
class LinkRun(ProducerRun):
    """The messages of a delivery; those that are taken and not settled are confirmed row by row."""

    __slots__ = (
        "_confirmations", "_delivery", "_durable", "_first", "_producer", "_refusals", "_taken", "_target",
    )  # fmt: skip

    def __init__(
        self,
        producer: LinkProducer,
        delivery: Delivery,
        confirmations: LinkConfirmations,
        refusals: Refusals,
        now: i64,
    ) -> None:
        super().__init__(now, producer.sender, producer.detection)
        self._producer = producer
        self._delivery = delivery
        self._confirmations = confirmations
        self._refusals = refusals
        self._target: Target | None = None
        # Taken messages with numbers in a row that are not confirmed.
        self._first: i64 = 0
        self._taken: i64 = 0
        self._durable = False

    def read(self) -> Message | None:
        """See ProducerRun.

        Raises:
            DecodeError: it is malformed.
            LargeStructureError: its head is large.
        """
        delivery = self._delivery
        producer = self._producer
        payload = delivery.payload
        shape = producer.shapes.shape
        if shape is not None and shape.fits(payload):
            message = shape.message(payload)
        else:
            # A key is read when the queue asks for it, so publishing may meet malformed bytes too.
            check_head(payload)
            message = read_message(payload)
            shape = producer.shapes.learn(message)
        retained = producer.retained
        self.shape = shape if retained is None else None
        if retained is not None and not delivery.settled:
            retained.note(delivery.delivery_id, delivery.tag)
        return message

    def destination(self, message: Message) -> Target:
        """See ProducerRun."""
        target = self._producer.destination(message)
        if target.node.hosted is None:
            self.key = key_of(target.node, message)
            self._target = target
        return target

    def goes_along(self) -> bool:
        """See ProducerRun."""
        producer, target, message = self._producer, self._target, self.message
        if producer.has_queue:
            return True
        if target is None or message is None or not producer.has_node:
            return False
        if target.node.exchange is None:
            return True
        key = key_of(target.node, message)
        if key != self.key:
            if not producer.shares_route(self, target, key):
                return False
            self.key = key
        return True

    def gather(self, shape: MessageShape, encodings: list[bytes]) -> None:
        """See ProducerRun; messages with one shape may have different subjects, but all have one or none."""
        producer, target, message = self._producer, self._target, self.message
        is_place = producer.has_queue or (
            producer.has_node
            and target is not None
            and message is not None
            and (target.node.exchange is None or not routing_key(message))
        )
        if is_place:
            self._delivery.gather(shape, encodings)

    def take(self, message: Message, count: i64, durable: bool) -> None:
        """See ProducerRun."""
        del message
        delivery = self._delivery
        if not delivery.settled:
            number = delivery.delivery_id
            left: i64 = count
            while left > 0:
                # After the highest number comes the lowest one.
                row = min(left, SERIAL + 1 - number)
                self._note_taken(number, row, durable)
                number = (number + row) & SERIAL
                left -= row
        if count > 1:
            delivery.skip(count - 1)
        self.over = not delivery.step()

    def _note_taken(self, number: i64, count: i64, durable: bool) -> None:
        if self._taken > 0 and (self._first + self._taken != number or self._durable is not durable):
            self.end()
        if self._taken == 0:
            self._first = number
            self._durable = durable
        self._taken += count

    def end(self) -> None:
        """See ProducerRun: confirm the messages that were taken."""
        if self._taken > 0:
            last = self._first + self._taken - 1
            self._confirmations.add(self._delivery.link, self._first, ACCEPTED, self._durable, last)
            self._taken = 0

    def refuse(self, error: LastvalueError) -> bool:
        """See ProducerRun; of a settled message only what its sender does wrong ends the link."""
        delivery = self._delivery
        if not delivery.settled or isinstance(error, DecodeError | DestinationError | ImpersonationError):
            self._refusals.refuse(delivery, error, self.arrival_ms)
        self.over = not delivery.step()
        # The link ends where a settled message cannot be taken.
        return delivery.link.context is self._producer

    def refuses_by_fault(self) -> bool:
        """See ProducerRun."""
        return self._producer.refuses_by_fault(self._delivery.settled)

    def unroutable(self, rejected: bool) -> LastvalueError | None:
        """See ProducerRun."""
        if self._target is None or not self._producer.rejects_unroutable(rejected):
            return None
        return unroutable(self._target.node, self.key)


@final
class TransactedRun(ProducerRun):
    """The one message of a delivery that a transaction publishes at its commit."""

    __slots__ = ("_delivery", "_opened", "_producer", "_refusals")

    def __init__(
        self,
        producer: LinkProducer,
        delivery: Delivery,
        opened: OpenTransaction,
        refusals: Refusals,
        now: i64,
    ) -> None:
        super().__init__(now, producer.sender, producer.detection)
        self._producer = producer
        self._delivery = delivery
        self._opened = opened
        self._refusals = refusals
        self.transaction = opened.transaction

    def read(self) -> Message | None:
        """See ProducerRun.

        Raises:
            DecodeError: it is malformed.
            LargeStructureError: its head is large.
        """
        check_head(self._delivery.payload)
        return read_message(self._delivery.payload)

    def destination(self, message: Message) -> Target:
        """See ProducerRun; the peer hears now, not at the commit, that no queue gets the message.

        Raises:
            NodeError: no queue gets it, and the link or its exchange rejects such messages.
        """
        producer = self._producer
        target = producer.destination(message)
        node = target.node
        if node.hosted is None:
            self.key = key_of(node, message)
            exchange = node.exchange
            rejected = exchange is not None and exchange.spec.unroutable is Unroutable.REFUSE
            if producer.rejects_unroutable(rejected) and not producer.broker.router.reached(
                node, self.key, message
            ):
                raise unroutable(node, self.key)
        return target

    def goes_along(self) -> bool:
        """See ProducerRun."""
        return False

    def take(self, message: Message, count: i64, durable: bool) -> None:
        """See ProducerRun."""
        del message, count, durable
        delivery = self._delivery
        if not delivery.settled:
            delivery.link.settle(delivery.delivery_id, delivery.delivery_id, self._opened.accepted)
        self.over = True

    def refuse(self, error: LastvalueError) -> bool:
        """See ProducerRun; the transaction can only be rolled back if the peer does not hear it."""
        delivery = self._delivery
        link = delivery.link
        if not delivery.settled and takes_rejected(link):
            rejected = TransactionalState(self._opened.txn_id, Rejected(amqp_error(error, delivery)))
            link.settle(delivery.delivery_id, delivery.delivery_id, rejected)
            return False
        self._opened.transaction.fault = error
        if not delivery.settled or isinstance(error, DestinationError | ImpersonationError):
            self._refusals.refuse(delivery, error, self.arrival_ms)
        return False

    def refuses_by_fault(self) -> bool:
        """See ProducerRun."""
        return self._producer.refuses_by_fault(False)


def amqp_error(fault: LastvalueError, delivery: Delivery) -> AmqpError:
    """The error of a message that is refused.

    [Anonymous Terminus 1.0 §2.2.2] Where its destination is at fault, the error names the delivery.
    """
    info: dict[str, Value] = {**fault.info}
    if isinstance(fault, DestinationError):
        info["delivery-tag"] = delivery.tag
    return AmqpError(fault.condition.amqp10, str(fault), info)
