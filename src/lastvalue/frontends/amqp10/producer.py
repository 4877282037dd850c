"""Links that publish: to a queue, through an exchange or an address, or to each message's `to`."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.authorization import Target
from lastvalue.broker.broker import Broker
from lastvalue.broker.exchange_spec import Unroutable
from lastvalue.broker.forwarder import routing_key
from lastvalue.broker.nodes import Node
from lastvalue.broker.owner import Owner
from lastvalue.broker.permissions import NotPermittedError
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.resource_alarms import CREDIT
from lastvalue.broker.transactions import Transaction
from lastvalue.broker.verbs import Verb
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.amqp10.message_shape import MessageShape, message_shape
from lastvalue.codec.amqp10.performatives import SENDER_SETTLED, AmqpError
from lastvalue.codec.amqp10.sections import check_head
from lastvalue.delivery.output import Output
from lastvalue.delivery.producer import Producer, StopCause, queue_full, refusal
from lastvalue.frontends.amqp10.nodes import NodeError
from lastvalue.frontends.amqp10.outcomes import LinkConfirmations
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, LastvalueError
from lastvalue.model.message import AlikeMessages, Message, MessageRun, PropertyName
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.retained_outcomes import RetainedOutcomes
from lastvalue.protocols.amqp10.session import ACCEPTED
from lastvalue.protocols.amqp10.windows import SERIAL
from lastvalue.queues.spec import FlowControl

_NO_FLOW: Final = FlowControl()

REJECT_UNROUTABLE: Final = "REJECT_UNROUTABLE"
DISCARD_UNROUTABLE: Final = "DISCARD_UNROUTABLE"
_TO: Final = PropertyName("properties.to")
_MOST_UNLIKE: Final = 64
"""So many messages that do not fit a shape are read before another is learnt, at most."""


@mypyc_attr(native_class=False)
class DestinationError(NodeError):
    """The node that a message names by its `to` does not exist, or its sender may not publish to it."""


@final
class ResumingLink:
    """A producer's link that only resumes deliveries of earlier links [1.0 §2.7.3].

    Attributes:
        retained: see LinkProducer.
    """

    __slots__ = ("retained",)

    def __init__(self, retained: RetainedOutcomes | None) -> None:
        self.retained = retained


@final
class ArrivedRun(MessageRun):
    """The messages of a delivery for what their link publishes to.

    Those that are taken are confirmed by `confirm`, where they are not settled.
    """

    __slots__ = (
        "_confirmations",
        "_delivery",
        "_durable",
        "_first",
        "_message",
        "_producer",
        "_shape",
        "_taken",
    )

    def __init__(
        self, producer: "LinkProducer", delivery: Delivery, confirmations: LinkConfirmations
    ) -> None:
        self._producer = producer
        self._delivery = delivery
        self._confirmations = confirmations
        self._message: Message | None = None
        # The shape that the message fits.
        self._shape: MessageShape | None = None
        # Taken messages with numbers in a row that are not confirmed.
        self._first: i64 = 0
        self._taken: i64 = 0
        self._durable = False

    def next(self) -> Message | None:
        """See MessageRun; the delivery stands at the message.

        Raises:
            DecodeError: it is malformed.
            LargeStructureError: its head is large.
        """
        delivery = self._delivery
        producer = self._producer
        before = self._message
        if before is not None:
            if not delivery.settled:
                self._note_taken(delivery.delivery_id, 1, producer.reached_durable and before.durable)
            # It is over, should the next one be malformed.
            self._message = None
            if not delivery.step():
                return None
        payload = delivery.payload
        shape = producer.shape
        if shape is not None and shape.fits(payload):
            message = shape.message(payload)
        else:
            # A key is read when the queue asks for it, so publishing may meet malformed bytes too.
            check_head(payload)
            message = read_message(payload)
            shape = producer.learn_shape(message)
        self._shape = shape
        producer.mark(message)
        if producer.retained is not None and not delivery.settled:
            producer.retained.note(delivery.delivery_id, delivery.tag)
        self._message = message
        return message

    def alike(self, message: Message, name: PropertyName | None) -> AlikeMessages:
        """See MessageRun."""
        shape = self._shape
        producer = self._producer
        encodings = [message.encoded]
        if shape is None or producer.detection is not None or producer.retained is not None:
            return AlikeMessages(message, encodings)
        key_place = None if name is None else shape.key_place(name)
        if name is None or key_place is not None:
            self._delivery.gather(shape, encodings)
        return AlikeMessages(shape.example(message), encodings, key_place)

    def skip(self, count: i64) -> None:
        """See MessageRun."""
        delivery = self._delivery
        message = self._message
        if not delivery.settled and message is not None:
            durable = self._producer.reached_durable and message.durable
            number = delivery.delivery_id
            left: i64 = count
            while left > 0:
                # After the highest number comes the lowest one.
                row = min(left, SERIAL + 1 - number)
                self._note_taken(number, row, durable)
                number = (number + row) & SERIAL
                left -= row
        delivery.skip(count)

    def _note_taken(self, number: i64, count: i64, durable: bool) -> None:
        if self._taken > 0 and (self._first + self._taken != number or self._durable is not durable):
            self.confirm()
        if self._taken == 0:
            self._first = number
            self._durable = durable
        self._taken += count

    def confirm(self) -> None:
        """Confirm the messages that were taken; call it when the run is over, whatever ends it."""
        if self._taken > 0:
            last = self._first + self._taken - 1
            self._confirmations.add(self._delivery.link, self._first, ACCEPTED, self._durable, last)
            self._taken = 0


@final
class LinkProducer(Producer):
    """A link that publishes; its peer is stopped by a lack of credit.

    Args:
        link: the peer's.
        target: to which it publishes; None where each message has a `to`.
        owner: of the link.
        capabilities: of the target.
        broker: to which it publishes.
        output: the connection's.

    Attributes:
        retained: the outcomes that its peer may not have received, where they outlive the link.
        shape: of a message that came, which the next ones may have, or None.
        paused: `take` has left the message at which the delivery stands, and those after it, for later.
    """

    __slots__ = (
        "_hosted", "_learns_after", "_owner", "_rejects", "_target", "_unanswered", "_unlike", "link",
        "paused", "retained", "shape",
    )  # fmt: skip

    def __init__(
        self,
        link: ReceiverLink,
        target: Target | None,
        owner: Owner,
        capabilities: tuple[str, ...],
        broker: Broker,
        output: Output,
    ) -> None:
        super().__init__(broker, owner, output)
        self.link = link
        self.retained: RetainedOutcomes | None = None
        self.shape: MessageShape | None = None
        self.paused = False
        # How many messages did not fit it, and how many of them are read before another is learnt.
        self._unlike: i64 = 0
        self._learns_after: i64 = 1
        self._target = target
        self._hosted: HostedQueue | None = None if target is None else target.node.hosted
        self._owner = owner
        # While the store cannot write, a peer that sends settled is not told why a message is refused.
        self._unanswered = _sends_settled(link)
        self._rejects: bool | None = None
        if REJECT_UNROUTABLE in capabilities:
            self._rejects = True
        elif DISCARD_UNROUTABLE in capabilities:
            self._rejects = False
        self.join_gates()
        if self._hosted is not None:
            broker.join(self._hosted, self)
        elif target is not None and target.node.exchange is not None:
            target.node.exchange.publishers[self] = None

    # ------------------------------------------------------------------ messages

    def take(self, delivery: Delivery, confirmations: LinkConfirmations, now: i64) -> LastvalueError | None:
        """Publish the messages of a delivery; returns why the first refused one is refused, or None.

        The delivery stands at that message. Those before it are taken, and confirmed if they are not settled.

        Raises:
            DecodeError: that message is malformed in a part that the broker reads.
            LastvalueError: its destination does not exist, or it cannot be stored.
        """
        run = ArrivedRun(self, delivery, confirmations)
        target = self._target
        if target is not None and self._hosted is not None and self.broker.alarms.fault is None:
            self.reached_durable = self.durable
            try:
                taken = self.broker.publish_run(target, run, now)
            finally:
                run.confirm()
            return None if taken else queue_full(target.node.name)
        work = self.broker.exchanges.work
        try:
            message = run.next()
            while message is not None:
                if work.is_over:
                    self.paused = True
                    break
                refused = self._take_one(message, delivery.settled, now)
                if refused is not None:
                    return refused
                message = run.next()
        finally:
            run.confirm()
        return None

    def learn_shape(self, message: EncodedMessage) -> MessageShape | None:
        """The shape of a message that does not fit the last one; None where it is not learnt.

        Where few messages fit the shapes that were learnt, fewer are.
        """
        self._unlike += 1
        if self._unlike < self._learns_after:
            return None
        self._unlike = 0
        shape = self.shape
        fits = shape is not None and shape.fitted >= _MOST_UNLIKE
        self._learns_after = 1 if fits else min(2 * self._learns_after, _MOST_UNLIKE)
        self.shape = shape = message_shape(message)
        return shape

    def _take_one(self, message: Message, settled: bool, now: i64) -> LastvalueError | None:
        """Publish a message; why it is refused, or None."""
        target = self._target
        if target is None or self._hosted is None:
            return self._route(message, settled, now)
        self._check_disk(target.node, "", message, settled)
        self.reached_durable = self.durable
        return None if self.broker.publish(target, message, now) else queue_full(target.node.name)

    def _route(self, message: Message, settled: bool, now: i64) -> LastvalueError | None:
        target = self._destination(message)
        node = target.node
        key = _key(node, message)
        self._check_disk(node, key, message, settled)
        routed = self.publish(target, key, message, now)
        if routed.queues == 0 and (routed.refused if self._rejects is None else self._rejects):
            return _unroutable(node, key)
        return refusal(routed)

    def publish_at_commit(self, message: Message, transaction: Transaction, now: i64) -> None:
        """Publish one message at the commit of a transaction.

        Raises:
            LastvalueError: it is malformed, its destination does not exist, or it cannot be stored.
        """
        self.traffic.receive(1, now)
        self.mark(message)
        target = self._destination(message)
        node = target.node
        key = ""
        if node.hosted is None:
            key = _key(node, message)
            if self._rejects_unroutable(node) and not self.broker.reached(node, key, message):
                raise _unroutable(node, key)
        self._check_disk(node, key, message, False)
        transaction.post(target, key, message, now)

    def _check_disk(self, node: Node, key: str, message: Message, settled: bool) -> None:
        """Refuse a message that cannot be stored now.

        A settled message is taken and waits for the disk, but its producer gets no more credit.

        Raises:
            StoreFaultError: the store cannot write.
        """
        fault = self.store_fault(node, key, message)
        if fault is None:
            return
        self.durable = True
        self.regulated = True
        if not settled:
            raise fault
        self._unanswered = True

    def _rejects_unroutable(self, node: Node) -> bool:
        if self._rejects is not None:
            return self._rejects
        return node.exchange is not None and node.exchange.spec.unroutable is Unroutable.REJECT

    def _destination(self, message: Message) -> Target:
        """The target of a message of this link.

        Raises:
            DestinationError: the message names none that it may be published to.
        """
        if self._target is not None:
            return self._target
        address = message.text(_TO)
        if address is None:
            raise DestinationError(
                Condition.PRECONDITION_FAILED, "a message needs a `to` where the link has no target"
            )
        try:
            node = self._find(address)
            if node is not None:
                return self._target_of(node, address)
        except BrokerError as fault:
            refused = DestinationError(fault.condition, str(fault))
            refused.info = fault.info
            raise refused from fault
        raise DestinationError(Condition.NOT_FOUND, f"there is no queue or exchange named {address!r}")

    def _target_of(self, node: Node, address: str) -> Target:
        try:
            return self.targets.of(node)
        except NotPermittedError:
            # Without any right there it is refused as if there was no such node.
            self.broker.authorization.check_address(self._owner, Verb.PUBLISH, address, node)
            raise

    def _find(self, address: str) -> Node | None:
        broker = self.broker
        # The annotation is for mypyc.
        node: Node | None = broker.resolve(address)
        if node is None:
            broker.authorization.check_address(self._owner, Verb.PUBLISH, address, node)
            if broker.missing.create(address, publishing=True, owner=self._owner):
                node = broker.resolve(address)
        return None if node is None else widened(node, broker)

    @property
    def address(self) -> str:
        """The name of what it publishes to; "" is whatever each message says."""
        return "" if self._target is None else self._target.node.name

    # ------------------------------------------------------------------ credit

    def regulate(self) -> None:
        """Set the producer's credit: the usual amount, or what flow control and the alarms leave."""
        link = self.link
        hosted = None if self._hosted is None else self._hosted.taker()
        if hosted is not None:
            self.durable = hosted.queue.spec.durable
        self.regulated = True
        if self._withdraws():
            return
        paced = self.broker.alarms.paced
        usual = min(CREDIT, paced) if self.durable and paced > 0 else CREDIT
        if hosted is not None and hosted.queue.spec.flow != _NO_FLOW:
            self._give_room(hosted, usual)
            return
        self.regulated = False
        link.credit_window = usual
        if link.credit * 2 <= usual:
            link.add_credit(usual - link.credit)

    def _withdraws(self) -> bool:
        """Withdraw the credit of a producer that is stopped; false where nothing stops it.

        In a transaction the producer keeps its credit, and gets no more.
        While the store cannot write, the producer may send one message at a time, whose outcome says why.
        """
        cause = self.stopped_by()
        if cause is None:
            return False
        link = self.link
        link.credit_window = 0
        tries = cause is StopCause.STORE_FAULT and not self._unanswered
        if link.credit > (1 if tries else 0) and not self.keeps_credit():
            link.withdraw_credit()
        if tries and link.credit == 0:
            link.add_credit(1)
        return True

    def _give_room(self, hosted: HostedQueue, usual: i64) -> None:
        """Grant as much credit as a queue with flow control has room for."""
        link = self.link
        queue = hosted.queue
        flow = queue.spec.flow
        # Credit that was granted earlier stays: the peer may have used it already.
        link.credit_window = 0
        if queue.blocked:
            # The queue may be open again by the end of the turn.
            if hosted is self._hosted:
                hosted.stopped = True
            else:
                hosted.hold(self)
            return
        # The message that exceeds the limit is taken; the size of the next one is not known.
        sharers = max(1, len(hosted.publishers))
        room: i64 = 1 if flow.stop_bytes > 0 else (flow.stop_messages + 1 - queue.depth) // sharers
        room = max(1, min(room, usual))
        if link.credit * 2 < room:
            link.add_credit(room - link.credit)

    def flow_queues(self) -> list[HostedQueue]:
        """See Producer."""
        return self.blocked if self._hosted is None else [self._hosted.taker()]

    def may_send(self) -> None:
        """See Publisher."""
        self._unanswered = _sends_settled(self.link)
        before = self.link.credit
        super().may_send()
        if self.link.credit != before:
            self.output.schedule_write()

    def hold(self) -> None:
        """See Publisher: the next message that comes sets the credit."""
        self.regulated = True
        self.link.credit_window = 0

    # ------------------------------------------------------------------ the end

    def detach(self, now: i64) -> None:
        """The link has ended."""
        self._leave()
        if self._hosted is not None:
            self.broker.leave(self._hosted, self, now)

    def _leave(self) -> None:
        self.stop()
        if self.retained is not None:
            self.retained.close()
        if self._target is None:
            return
        self.broker.release(self._target)
        exchange = self._target.node.exchange
        if exchange is not None:
            exchange.publishers.pop(self, None)

    def queue_deleted(self) -> None:
        """Tell the peer that its node is gone; messages that are on their way are dropped."""
        self._leave()
        deleted = "exchange" if self._hosted is None else "queue"
        self.link.context = None
        self.link.detach(AmqpError(Condition.RESOURCE_DELETED.amqp10, f"the {deleted} was deleted"))
        self.output.schedule_write()


def _sends_settled(link: ReceiverLink) -> bool:
    remote = link.remote
    return remote is not None and remote.snd_settle_mode == SENDER_SETTLED


def _key(node: Node, message: Message) -> str:
    key = routing_key(message)
    return node.subject if not key and node.subject is not None else key


def _unroutable(node: Node, key: str) -> NodeError:
    return NodeError(Condition.NOT_FOUND, f"{node.name!r} routes {key!r} to no queue")


def widened(node: Node, broker: Broker) -> Node:
    """The node that a producer publishes to: a queue whose name is also an address stands for the address."""
    if node.hosted is not None and broker.exchanges.addresses(node.name):
        return Node(node.name)
    return node
