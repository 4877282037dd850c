"""One source of messages: what stops it, where its messages go, and why the broker refuses one."""

from abc import abstractmethod
from enum import Enum
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.authorization import Target
from lastvalue.broker.broker import Broker
from lastvalue.broker.publisher import Publisher
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.queue_warnings import UNORDERED
from lastvalue.broker.resource_alarms import StoreFaultError
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.routing.known_routes import KnownRoute
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.routing.router import RoutingResult
from lastvalue.broker.statistics.connections import LinkStatistics, Traffic
from lastvalue.broker.targets import Targets
from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.delivery.duplicate_detection import DuplicateDetection
from lastvalue.delivery.output import Output
from lastvalue.delivery.producer_run import ProducerRun, RepeatedRun
from lastvalue.delivery.sender import Sender
from lastvalue.model.errors import LastvalueError, ResourceLimitError
from lastvalue.model.message import AlikeMessages, Message


class StopCause(Enum):
    """Why a producer has to wait."""

    MEMORY = "memory"
    STORE_FAULT = "store-fault"
    STORE = "store"
    SHUTDOWN = "shutdown"
    QUEUE = "queue"


WITHOUT_ROOM: Final = (StopCause.MEMORY, StopCause.STORE, StopCause.STORE_FAULT)
"""If one of these causes stops a peer that keeps publishing, the peer is not read."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Producer(Publisher):
    """What a link, a session or a channel publishes; each protocol says how its peer is stopped.

    Args:
        broker: to which it publishes.
        owner: who publishes.
        output: its connection's.

    Attributes:
        detection: how queues recognise its duplicates, where it asks for that.
        durable: it has published to durable queues, so that the disk may stop it.
        origin: the container that its messages are of.
        output: its connection's.
        sender: who publishes, as its messages say.
        regulated: `regulate` must run: what stops the producer may have changed.
        blocked: queues that it has published to and whose flow control stops it.
        targets: the rights to publish that it has asked for.
        traffic: the messages that it has published.
    """

    __slots__ = (
        "_told_unordered",
        "blocked",
        "broker",
        "detection",
        "durable",
        "origin",
        "output",
        "regulated",
        "sender",
        "targets",
        "traffic",
    )

    def __init__(self, broker: Broker, owner: Owner, output: Output) -> None:
        self.broker = broker
        self.origin = owner.container
        self.sender = Sender(broker.authorization, owner)
        self.output = output
        self.targets = Targets(broker, owner)
        self.traffic = Traffic(output.traffic)
        self._told_unordered = False
        self.detection: DuplicateDetection | None = None
        self.durable = False
        self.regulated = False
        self.blocked: list[HostedQueue] = []

    # ------------------------------------------------------------------ messages

    @final
    def give(self, run: ProducerRun, now: i64) -> bool:
        """Publish a run's messages; false if some are left because those before caused much routing.

        Every protocol asks in this order: is it readable, and whose is it; where does it go, and may the
        producer publish there; can the disk take it; is it part of a transaction; does its queue take it
        and those behind it, or each queue that it is routed to. Then what stops the producer is looked at,
        and the peer hears that a message is refused; what is taken, it hears at the end of the turn.

        Raises:
            LastvalueError: a message is refused, and the peer hears that otherwise than for each message.
        """
        work = self.broker.exchanges.work
        try:
            while not run.over:
                if work.is_over:
                    return False
                error: LastvalueError | None
                try:
                    error = self._give(run, now)
                except LastvalueError as fault:
                    error = fault
                if self.regulated:
                    self.regulate()
                if error is not None:
                    self.traffic.refuse()
                    run.pass_by()
                    if not run.refuse(error):
                        break
        finally:
            self.traffic.receive(run.received, now)
            run.end()
        return True

    def _give(self, run: ProducerRun, now: i64) -> LastvalueError | None:
        """Publish the message at which a run stands, and those that one queue takes with it.

        Returns the reason the first refused message was refused, or None; those before it were taken.
        """
        message = run.message
        if message is None:
            message = run.read_next()
        run.forget_route()
        target = None if message is None else run.destination(message)
        if message is None or target is None:
            return None
        run.is_placed = True
        target.check()
        fault = None if self.broker.alarms.fault is None else self._store_fault(target.node, run.key, message)
        if fault is not None and run.refuses_by_fault():
            return fault
        if run.transaction is not None:
            run.transaction.post(target, run.key, message, now)
            run.durable = run.blocked = False
            run.take_one()
            return None
        node = target.node
        if node.hosted is not None:
            return self._enqueue(run, message, target.taker(), now)
        exchange = node.exchange
        if len(node.more_keys) == 0:
            router = self.broker.router
            route = run.route
            if route is None:
                route = router.route_at(node.name) if exchange is None else router.route_of(exchange, run.key)
                run.route = route
            takers = route.takers()
            if takers:
                return self._publish(run, message, route, takers, now)
        return self._route(run, message, target, now)

    def _publish(
        self, run: ProducerRun, message: Message, route: KnownRoute, takers: list[HostedQueue], now: i64
    ) -> LastvalueError | None:
        """Publish the messages that a route leads to the same queues; why one is refused, or None."""
        routed = run.routed
        error: LastvalueError | None
        try:
            if len(takers) == 1:
                error = self._enqueue(run, message, takers[0], now)
            else:
                error = self._repeat(run, message, takers, now)
        except LastvalueError as fault:
            error = fault
        count = run.routed - routed
        self.broker.exchanges.work.spend(count * len(takers))
        # A message that cannot be read, or may not go there, has not come to the exchange.
        route.count(count if error is None or not run.is_placed else count + 1)
        return error

    @final
    def shares_route(self, run: ProducerRun, target: Target | None, key: str) -> bool:
        """Whether the exchange of a target gives messages with a key where the one before in a run went."""
        route = run.route
        exchange = None if target is None else target.node.exchange
        return (
            route is not None
            and exchange is not None
            and self.broker.router.route_of(exchange, key) is route
            and route.queues is not None
        )

    def _route(self, run: ProducerRun, message: Message, target: Target, now: i64) -> LastvalueError | None:
        """Publish the message at which a run stands to its queues; why it is refused, or None."""
        routed = self.broker.route(target, run.key, message, now)
        self.note_queues(routed)
        if routed.unordered is not None:
            self._tell_unordered(routed.unordered)
        error = refusal(routed)
        if error is None and routed.queues == 0:
            error = run.unroutable(routed.refused)
        if error is None:
            run.durable = routed.durable
            run.blocked = bool(routed.blocked)
            run.take_one()
        return error

    def _enqueue(
        self, run: ProducerRun, message: Message, hosted: HostedQueue, now: i64
    ) -> LastvalueError | None:
        """Publish the messages that one queue takes; why the one at which the run stands then is refused."""
        run.durable = hosted.queue.spec.durable
        run.hosted = hosted
        counts = hosted.queue.contents.counts
        incomparable = counts.incomparable
        try:
            hosted.mark_changed()
            if self.broker.alarms.fault is None:
                taken = hosted.take_run(message, run, now)
            else:
                # The disk may not take the next one.
                taken = hosted.take(message, now)
                if taken:
                    run.take_one()
        finally:
            run.hosted = None
            if run.durable and not self.durable:
                self._notice_durable()
            if counts.incomparable != incomparable:
                self._tell_unordered(hosted)
            if hosted.watched and hosted.queue.blocked:
                self.block(hosted)
        return None if taken else queue_full(hosted.queue.spec.name)

    def _repeat(
        self, run: ProducerRun, message: Message, queues: list[HostedQueue], now: i64
    ) -> LastvalueError | None:
        """Publish the messages that each of several queues takes."""
        if self.broker.alarms.fault is None:
            alike = run.alike(message, None, None)
            most = max(1, self.broker.exchanges.work.left // len(queues))
            del alike.encodings[most if all(_takes_runs(each, run.shape) for each in queues) else 1 :]
        else:
            # The disk may not take the next one.
            alike = AlikeMessages(message, [message.encoded])
        run.durable = run.blocked = False
        for hosted in queues:
            hosted.mark_changed()
            counts = hosted.queue.contents.counts
            incomparable = counts.incomparable
            hosted.take_run(message, RepeatedRun(alike, run.shape), now)
            if counts.incomparable != incomparable:
                self._tell_unordered(hosted)
            run.durable = run.durable or hosted.queue.spec.durable
            if hosted.watched and hosted.queue.blocked:
                run.blocked = True
                self.block(hosted)
        if run.durable and not self.durable:
            self._notice_durable()
        if len(alike.encodings) > 1:
            run.skip(len(alike.encodings) - 1)
        run.take_one()
        return None

    def _tell_unordered(self, hosted: HostedQueue) -> None:
        """Have the log say, once, that a queue cannot compare the order of what this producer sends."""
        if not self._told_unordered:
            self._told_unordered = True
            hosted.warnings.tell(hosted.queue.spec.name, UNORDERED, self.origin)

    def _store_fault(self, node: Node, key: str, message: Message) -> StoreFaultError | None:
        """Why the disk does not take a message now that would come to a durable queue, or None."""
        fault = self.broker.alarms.fault
        if fault is None or not message.durable:
            return None
        for hosted in self.broker.router.reached(node, key, message):
            if hosted.queue.spec.durable:
                return fault.with_traceback(None)
        return None

    # ------------------------------------------------------------------ what stops it

    @final
    def join_gates(self) -> None:
        """Have the broker's gates stop it from now on."""
        self.broker.alarms.join(self)

    @final
    def stopped_by(self) -> StopCause | None:
        """What stops it now, or None."""
        alarms = self.broker.alarms
        if alarms.memory_alarm:
            return StopCause.MEMORY
        if self.durable and alarms.fault is not None:
            return StopCause.STORE_FAULT
        if self.durable and alarms.store_alarm:
            return StopCause.STORE
        if alarms.shutdown:
            return StopCause.SHUTDOWN
        return StopCause.QUEUE if self.blocked else None

    @final
    def waits_for(self) -> str:
        """See Publisher."""
        cause = self.stopped_by()
        return "" if cause is None else cause.value

    @final
    def keeps_credit(self) -> bool:
        """Whether no credit may be withdrawn from its peer: a transaction is open on the connection.

        Messages that the peer has sent in it would wait in its buffer, and its commit would overtake them.
        """
        return self.output.transactions > 0

    @final
    def statistics(self, name: str, node: str) -> LinkStatistics:
        """What there is of it now."""
        statistics = LinkStatistics(name, "producer", node, self.traffic)
        alarms = self.broker.alarms
        cause = self.stopped_by()
        since_ms: i64 = 0
        if cause is StopCause.MEMORY:
            since_ms = alarms.memory_since_ms
        elif cause is StopCause.STORE_FAULT:
            since_ms = alarms.fault_since_ms
        elif cause is StopCause.STORE:
            since_ms = alarms.store_since_ms
        elif cause is StopCause.SHUTDOWN:
            since_ms = alarms.shutdown_since_ms
        else:
            stopping = [hosted for hosted in self.flow_queues() if hosted.queue.blocked]
            if stopping:
                cause = StopCause.QUEUE
                since_ms = min([hosted.stopped_since_ms for hosted in stopping])
        if cause is not None:
            statistics.waits_for = cause.value
            statistics.waits_since_ms = since_ms
        return statistics

    def flow_queues(self) -> list[HostedQueue]:
        """The queues whose flow control may stop it."""
        return self.blocked

    @abstractmethod
    def regulate(self) -> None:
        """Stop the peer, or let it send, by what stops the producer now."""
        raise NotImplementedError

    def may_send(self) -> None:
        """See Publisher."""
        self.blocked = [
            hosted for hosted in self.blocked if hosted.queue.blocked and not hosted.ownership.ending
        ]
        for hosted in self.blocked:
            hosted.hold(self)
        self.regulate()

    def hold(self) -> None:
        """See Publisher."""
        self.regulated = True

    def queue_deleted(self) -> None:
        """See Publisher."""

    @final
    def stop(self) -> None:
        """Publish no more."""
        self.broker.alarms.leave(self)
        for hosted in self.blocked:
            hosted.held.pop(self, None)
        self.blocked = []
        self.targets.release()

    @final
    def note_queues(self, routed: RoutingResult) -> None:
        """A message has come to queues: whether the disk, and their flow control, may stop it."""
        if routed.durable and not self.durable:
            self._notice_durable()
        for hosted in routed.blocked:
            self.block(hosted)

    def _notice_durable(self) -> None:
        self.durable = True
        self.regulated = True

    def block(self, hosted: HostedQueue) -> None:
        """Flow control of a queue to which it has published stops it until the queue opens."""
        if hosted not in self.blocked:
            hosted.hold(self)
            self.blocked.append(hosted)
            self.regulated = True


def refusal(routed: RoutingResult) -> LastvalueError | None:
    """Why a queue did not take a message, or None; a message that no queue gets is not refused here."""
    if routed.fault is not None:
        return routed.fault
    return queue_full(routed.full[0]) if routed.full else None


def _takes_runs(hosted: HostedQueue, shape: MessageShape | None) -> bool:
    """Whether a queue takes all messages of a shape without reading them, so that none of them ends a run."""
    fast_path = hosted.queue.fast_path
    if fast_path is None or shape is None:
        return False
    return fast_path.key is None or shape.key_place(fast_path.key, fast_path.order_by) is not None


def queue_full(name: str) -> ResourceLimitError:
    """The error of a message for which a queue has no room."""
    return ResourceLimitError(f"queue {name!r} is full")
