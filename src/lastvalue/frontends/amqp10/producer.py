"""Links that publish: to a queue, through an exchange or an address, or to each message's `to`."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.authorization import Target
from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.resource_alarms import CREDIT
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.permissions import NotPermittedError
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.forwarder import routing_key
from lastvalue.broker.routing.nodes import Node
from lastvalue.codec.amqp10.message_shape import ShapeLearner
from lastvalue.codec.amqp10.performatives import SENDER_SETTLED, AmqpError
from lastvalue.delivery.output import Output
from lastvalue.delivery.producer import Producer, StopCause
from lastvalue.frontends.amqp10.nodes import NodeError
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import Message, PropertyName
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.retained_outcomes import RetainedOutcomes
from lastvalue.queues.spec import FlowControl

_NO_FLOW: Final = FlowControl()

REJECT_UNROUTABLE: Final = "REJECT_UNROUTABLE"
DISCARD_UNROUTABLE: Final = "DISCARD_UNROUTABLE"
_TO: Final = PropertyName("properties.to")


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
class LinkProducer(Producer):
    """A link that publishes; its peer is stopped by a lack of credit.

    Args:
        link: the peer's.
        target: to which it publishes; None if each message has a `to`.
        owner: of the link.
        capabilities: of the target.
        broker: to which it publishes.
        output: the connection's.

    Attributes:
        retained: the outcomes that its peer may not have received, where they outlive the link.
        shapes: of its messages.
    """

    __slots__ = (
        "_hosted", "_owner", "_rejects", "_target", "_unanswered", "link", "retained", "shapes",
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
        self.shapes = ShapeLearner()
        self._target = target
        self._hosted: HostedQueue | None = None if target is None else target.node.hosted
        self._owner = owner
        # While the store cannot write, a peer that sends settled does not hear why a message is refused.
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

    def destination(self, message: Message) -> Target:
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

    @property
    def has_queue(self) -> bool:
        """Whether all of its messages go to one queue."""
        return self._hosted is not None

    @property
    def has_node(self) -> bool:
        """Whether all of its messages go to one queue or one exchange."""
        return self._target is not None

    def refuses_by_fault(self, settled: bool) -> bool:
        """Whether a fault of the disk refuses a message; a settled one waits, and there is no more credit."""
        self.durable = True
        self.regulated = True
        self._unanswered = self._unanswered or settled
        return not settled

    def rejects_unroutable(self, rejected: bool) -> bool:
        """Whether the link rejects what no queue gets; `rejected`: its exchange does."""
        return rejected if self._rejects is None else self._rejects

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

    def block(self, hosted: HostedQueue) -> None:
        """See Producer; a link to one queue is stopped by its credit."""
        if self._hosted is None:
            super().block(hosted)

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


def key_of(node: Node, message: Message) -> str:
    """The routing key of a message that is published to a node."""
    key = routing_key(message)
    return node.subject if not key and node.subject is not None else key


def unroutable(node: Node, key: str) -> NodeError:
    """The error of a message that no queue gets."""
    return NodeError(Condition.NOT_FOUND, f"no binding of {node.name!r} takes {key!r}")


def widened(node: Node, broker: Broker) -> Node:
    """The node that a producer publishes to: a queue whose name is also an address stands for the address."""
    if node.hosted is not None and broker.exchanges.addresses(node.name):
        return Node(node.name)
    return node
