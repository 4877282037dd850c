"""Links that publish: to a queue, or to wherever an exchange, an address or each message says."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.alternates import routing_key
from lastvalue.broker.broker import Broker
from lastvalue.broker.exchange_spec import Unroutable
from lastvalue.broker.gates import CREDIT, Gates
from lastvalue.broker.nodes import Node
from lastvalue.broker.owner import Owner
from lastvalue.broker.permissions import CONFIGURE, WRITE
from lastvalue.broker.reading import HostedQueue, Publisher
from lastvalue.broker.routing import Routed
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp10.performatives import SENDER_SETTLED, AmqpError
from lastvalue.frontends.amqp10.detection import Detection
from lastvalue.frontends.amqp10.nodes import NodeError
from lastvalue.frontends.amqp10.resuming import Retained
from lastvalue.frontends.output import Toucher
from lastvalue.model.conditions import Condition
from lastvalue.model.message import Message, PropertyName
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.queues.spec import FlowControl

_NO_FLOW: Final = FlowControl()

REJECT_UNROUTABLE: Final = "REJECT_UNROUTABLE"
DISCARD_UNROUTABLE: Final = "DISCARD_UNROUTABLE"
_TO: Final = PropertyName("properties.to")


def _stopped(link: ReceiverLink, gates: Gates, keeps: bool, unanswered: bool) -> bool:  # noqa: FBT001 - compiled, positional
    """Take from a producer the credit that the broker's gates do not leave it; whether they leave it less.

    While the disk takes nothing it may send one message at a time, so that it hears why that is refused. Who
    sends settled would not hear it: `unanswered`.
    """
    faulty = keeps and gates.fault is not None
    if not faulty and not gates.stops(keeps):
        return False
    link.credit_window = 0
    if gates.memory_shut or not faulty or unanswered:
        link.withdraw_credit()
        return True
    if link.credit > 1:
        link.withdraw_credit()
    if link.credit == 0:
        link.add_credit(1)
    return True


def _usual(gates: Gates, keeps: bool) -> i64:  # noqa: FBT001 - compiled, positional
    """The credit of a producer that nothing stops."""
    return min(CREDIT, gates.paced) if keeps and gates.paced > 0 else CREDIT


def _give(link: ReceiverLink, credit: i64) -> None:
    """Let a producer have so much credit from now on, topped up at half; what it has beyond it keeps."""
    link.credit_window = credit
    if link.credit * 2 <= credit:
        link.add_credit(credit - link.credit)


def _sends_settled(link: ReceiverLink) -> bool:
    remote = link.remote
    return remote is not None and remote.snd_settle_mode == SENDER_SETTLED


class LinkPublisher(Publisher):
    """A link that publishes to something.

    Attributes:
        detection: how its messages are known again, where it asks for that.
        retained: what its peer may not have heard of, where that is kept when the link ends.
        special: there is either of these.
        keeps: it publishes to durable queues, so that what is published is confirmed when it is safe.
        regulated: credit is given message by message, as flow control or the broker's gates allow.
    """

    __slots__ = (
        "_broker",
        "_touch",
        "_unanswered",
        "detection",
        "keeps",
        "link",
        "regulated",
        "retained",
        "special",
    )

    def __init__(self, link: ReceiverLink, broker: Broker, touch: Toucher) -> None:
        self.link = link
        self.detection: Detection | None = None
        self.retained: Retained | None = None
        self.special = False
        self.keeps = False
        self.regulated = False
        self._broker = broker
        self._touch = touch
        self._unanswered = _sends_settled(link)
        broker.gates.join(self)

    @final
    def specialise(self, detection: Detection | None, retained: Retained | None) -> None:
        """Its link asks for more than to publish."""
        self.detection = detection
        self.retained = retained
        self.special = detection is not None or retained is not None

    def grant(self) -> None:
        """Give the producer credit: as much as is usual, or what flow control and the gates leave it."""
        raise NotImplementedError

    def may_send(self) -> None:
        """Flow control or a gate has opened, or is another."""
        self._unanswered = _sends_settled(self.link)
        before = self.link.credit
        self.grant()
        if self.link.credit != before:
            self._touch.touch()

    def hold(self) -> None:
        """A gate is shut: credit is looked at with the next message that comes."""
        self.regulated = True
        self.link.credit_window = 0

    def _lose_node(self, text: str) -> None:
        """Tell the peer that its node is gone; what it has sent meanwhile goes nowhere."""
        self.link.context = None
        self.link.detach(AmqpError(Condition.RESOURCE_DELETED.amqp10, text))
        self._touch.touch()


@final
class Publishing(LinkPublisher):
    """A link that publishes to a queue.

    Attributes:
        node: what the queue's name stands for.
        origin: the container that it is of.
    """

    __slots__ = ("hosted", "node", "origin")

    def __init__(
        self, link: ReceiverLink, hosted: HostedQueue, origin: str, broker: Broker, touch: Toucher
    ) -> None:
        super().__init__(link, broker, touch)
        self.hosted = hosted
        self.node = Node(hosted.queue.spec.name, hosted)
        self.origin = origin
        self.keeps = hosted.queue.spec.durable
        broker.join(hosted, self)

    def note(self, message: Message, delivery: Delivery) -> None:
        """Do what a special link asks for with each message.

        Raises:
            DecodeError, DuplicateIdError: as `Detection.mark`.
        """
        if self.detection is not None:
            self.detection.mark(message)
        if self.retained is not None and not delivery.settled:
            self.retained.note(delivery.delivery_id, delivery.tag)

    def grant(self) -> None:
        """See LinkPublisher."""
        link = self.link
        queue = self.hosted.queue
        flow = queue.spec.flow
        self.keeps = queue.spec.durable
        self.regulated = True
        if _stopped(link, self._broker.gates, self.keeps, self._unanswered):
            return
        usual = _usual(self._broker.gates, self.keeps)
        self.regulated = flow != _NO_FLOW
        if not self.regulated:
            _give(link, usual)
            return
        # What it has of other times it keeps: a peer may have used it already.
        link.credit_window = 0
        if queue.blocked:
            # Where it is not for long, the end of the turn finds it open again.
            self.hosted.stopped = True
            return
        # The message that goes beyond the limit is taken; of bytes nobody knows how many the next one has.
        room = 1 if flow.stop_bytes > 0 else (flow.stop_messages + 1 - queue.depth) // self._sharers()
        room = max(1, min(room, usual))
        if link.credit * 2 < room:
            link.add_credit(room - link.credit)

    def _sharers(self) -> i64:
        return max(1, len(self.hosted.publishers))

    def check_disk(self, message: Message, settled: bool) -> None:  # noqa: FBT001 - compiled, positional
        """Refuse what cannot be kept now; of interest while the link is regulated.

        What is settled is taken and waits for the disk with the rest, but its producer gets no more credit.

        Raises:
            StoreFaultError: the disk takes nothing.
        """
        fault = self._broker.gates.fault
        if fault is not None and self.keeps and message.durable:
            if not settled:
                raise fault.with_traceback(None)
            self._unanswered = True

    def stop(self, now: i64) -> None:
        """Publish no more."""
        self._broker.gates.leave(self)
        self._broker.leave(self.hosted, self, now)

    def queue_deleted(self) -> None:
        """See Publisher."""
        self._broker.gates.leave(self)
        self._lose_node("the queue was deleted")


@final
class Reconciling:
    """A link of a publisher that is only to go on with deliveries of earlier ones [1.0 §2.7.3].

    Attributes:
        retained: as that of Publishing.
    """

    __slots__ = ("retained",)

    def __init__(self, retained: Retained | None) -> None:
        self.retained = retained


@final
class Relaying(LinkPublisher):
    """A link that publishes to an exchange or an address, or without a node to what each message is sent to.

    Args:
        link: the peer's.
        node: where to; None is wherever `to` says.
        owner: who sends.
        capabilities: of the target.

    Attributes:
        kept: the last message came to a durable queue, and is confirmed when it is safe.
    """

    __slots__ = ("_blocked", "_owner", "_rejects", "kept", "node")

    def __init__(
        self,
        link: ReceiverLink,
        node: Node | None,
        owner: Owner,
        capabilities: tuple[str, ...],
        broker: Broker,
        touch: Toucher,
    ) -> None:
        super().__init__(link, broker, touch)
        self.node = node
        self.kept = False
        self._owner = owner
        self._blocked: list[HostedQueue] = []
        self._rejects: bool | None = None
        if REJECT_UNROUTABLE in capabilities:
            self._rejects = True
        elif DISCARD_UNROUTABLE in capabilities:
            self._rejects = False
        if node is not None and node.exchange is not None:
            node.exchange.publishers.append(self)

    def grant(self) -> None:
        """See LinkPublisher; none while a queue that it has published to is blocked."""
        link = self.link
        self.regulated = True
        if _stopped(link, self._broker.gates, self.keeps, self._unanswered):
            return
        if self._blocked:
            link.credit_window = 0
            link.withdraw_credit()
            return
        self.regulated = False
        _give(link, _usual(self._broker.gates, self.keeps))

    def stop(self) -> None:
        """Publish no more."""
        self._broker.gates.leave(self)
        for hosted in self._blocked:
            hosted.held.pop(self, None)
        if self.node is not None and self.node.exchange is not None:
            exchange = self.node.exchange
            exchange.publishers = [other for other in exchange.publishers if other is not self]

    def may_send(self) -> None:
        """See Publisher."""
        self._blocked = [
            hosted for hosted in self._blocked if hosted.queue.blocked and not hosted.tenure.ending
        ]
        super().may_send()

    def queue_deleted(self) -> None:
        """See Publisher."""
        self.stop()
        self._lose_node("the exchange was deleted")

    def take(self, message: Message, settled: bool, now: i64) -> AmqpError | None:  # noqa: FBT001 - compiled, positional
        """Publish one message; why it is rejected, or None.

        Raises:
            DecodeError: the message is malformed where it has to be read.
            LastvalueError: it has nowhere to go, or cannot be kept.
        """
        self._mark(message)
        node = self._destination(message)
        key = _key(node, message)
        self._check_disk(node, key, message, settled)
        routed = self._broker.route(node, key, message, now)
        self._note(routed)
        return self._told(node, key, routed)

    def _check_disk(self, node: Node, key: str, message: Message, settled: bool) -> None:  # noqa: FBT001 - compiled, positional
        """Refuse what cannot be kept now."""
        fault = self._broker.gates.fault
        if fault is None or not message.durable:
            return
        for hosted in self._broker.reached(node, key, message):
            if hosted.queue.spec.durable:
                self.keeps = True
                self.regulated = True
                if not settled:
                    raise fault.with_traceback(None)
                self._unanswered = True

    def _note(self, routed: Routed) -> None:
        """Remember what the message reached, as far as it is a reason to stop the producer."""
        self.kept = routed.kept
        if routed.kept and not self.keeps:
            self.keeps = True
            self.regulated = True
        for hosted in routed.blocked:
            hosted.hold(self)
            self._blocked = [*self._blocked, hosted]
            self.regulated = True

    def _told(self, node: Node, key: str, routed: Routed) -> AmqpError | None:
        if routed.fault is not None:
            return AmqpError(routed.fault.condition.amqp10, str(routed.fault))
        if routed.full:
            return full_error(routed.full[0])
        if routed.queues == 0 and (routed.refused if self._rejects is None else self._rejects):
            return _error(Condition.NOT_FOUND, f"{node.name!r} routes {key!r} to no queue")
        return None

    def post(self, message: Message, transaction: Transaction, now: i64) -> None:
        """Publish one message at the commit of a transaction.

        Raises:
            LastvalueError: it is malformed, has nowhere to go, or cannot be kept.
        """
        self._mark(message)
        node = self._destination(message)
        key = _key(node, message)
        if self._rejects_unroutable(node) and not self._broker.reached(node, key, message):
            raise NodeError(Condition.NOT_FOUND, f"{node.name!r} routes {key!r} to no queue")
        self._check_disk(node, key, message, False)  # noqa: FBT003 - compiled, positional
        transaction.post(node, key, message, now)

    def _mark(self, message: Message) -> None:
        """Note on a message whose it is, and what it is known by."""
        message.origin = self._owner.container
        if self.detection is not None:
            self.detection.mark(message)

    def _rejects_unroutable(self, node: Node) -> bool:
        if self._rejects is not None:
            return self._rejects
        return node.exchange is not None and node.exchange.spec.unroutable is Unroutable.REJECT

    def _destination(self, message: Message) -> Node:
        """Where a message goes that comes on this link."""
        if self.node is not None:
            return self.node
        address = message.text(_TO)
        if address is None:
            raise NodeError(Condition.PRECONDITION_FAILED, "the message has no `to`; the link has no target")
        node = self._found(address)
        if node is None:
            raise NodeError(Condition.NOT_FOUND, f"there is no queue or exchange named {address!r}")
        access = self._broker.access
        if access is not None:
            access.check(self._owner.principal, WRITE, node.name)
        return node

    def _may_make(self, name: str) -> bool:
        access = self._broker.access
        return access is None or access.allows(self._owner.principal, CONFIGURE, name)

    def _found(self, address: str) -> Node | None:
        node = self._broker.resolve(address)
        access = self._broker.access
        may_make = access is None or access.allows(self._owner.principal, CONFIGURE, address)
        if (
            node is None
            and may_make
            and self._broker.create_missing(address, publishing=True, owner=self._owner)
        ):
            node = self._broker.resolve(address)
        return None if node is None else widened(node, self._broker)


def _key(node: Node, message: Message) -> str:
    key = routing_key(message)
    return node.subject if not key and node.subject is not None else key


def widened(node: Node, broker: Broker) -> Node:
    """The node as a producer means it: a queue whose name matches a wildcard address is that address too."""
    if node.hosted is not None and broker.exchanges.addresses(node.name):
        return Node(node.name)
    return node


def full_error(name: str) -> AmqpError:
    """What the producer of a message is told that a queue has no room for."""
    return _error(Condition.RESOURCE_LIMIT_EXCEEDED, f"queue {name!r} is full")


def _error(condition: Condition, text: str) -> AmqpError:
    return AmqpError(condition.amqp10, text)
