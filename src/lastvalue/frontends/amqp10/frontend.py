"""One connection's frontend: the engine's events become broker commands."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.broker import Broker
from lastvalue.broker.management import MANAGEMENT_NODE
from lastvalue.broker.reading import HostedQueue, Publisher
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.performatives import (
    SENDER_MIXED,
    SENDER_SETTLED,
    AmqpError,
    Coordinator,
    Rejected,
    Source,
    Target,
)
from lastvalue.frontends.amqp10.confirmations import Confirmations
from lastvalue.frontends.amqp10.management import ManagementNode
from lastvalue.frontends.amqp10.outlet import LinkOutlet, Room, Toucher
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp10.connection import Connection, ConnectionClosed, SessionEnded
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import CreditChanged, DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.session import Link, LinkAttached, LinkDetached, Session, WindowChanged
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.queues.entry import Entry
from lastvalue.queues.subscription import Mode

ENTRY_ANNOTATIONS: Final = "lastvalue:entry-annotations"
"""The capability by which a receiver asks for an entry's sequence, arrival time and updates."""

CREDIT: Final = 2000
"""Messages that a producer may send ahead; topped up at half."""

COPY: Final = "copy"


@final
class Publishing(Publisher):
    """A link that publishes to a queue."""

    __slots__ = ("_touch", "hosted", "link")

    def __init__(self, link: ReceiverLink, hosted: HostedQueue, touch: Toucher) -> None:
        self.link = link
        self.hosted = hosted
        self._touch = touch
        hosted.publishers.append(self)

    def stop(self) -> None:
        """Publish no more."""
        hosted = self.hosted
        hosted.publishers = [other for other in hosted.publishers if other is not self]

    def queue_deleted(self) -> None:
        """Tell the peer that its node is gone; what it has sent meanwhile goes nowhere."""
        self.link.context = None
        self.link.detach(AmqpError(Condition.RESOURCE_DELETED.amqp10, "the queue was deleted"))
        self._touch.touch()


@final
class Frontend(Toucher):
    """What one connection does to the broker.

    `on_touched` is called when the connection wants to take part in the end of the turn.
    The driver calls `handle` after the engine took bytes; once per turn, after the broker's pump, `seal` and
    `confirm`; and `resume` when the transport takes bytes again.
    """

    __slots__ = ("_broker", "_confirmations", "_management", "_on_touched", "_room", "engine", "touched")

    def __init__(self, engine: Connection, broker: Broker, on_touched: Callable[[], None]) -> None:
        self.engine = engine
        self.touched = False
        self._broker = broker
        self._on_touched = on_touched
        self._room = Room(engine.wire)
        self._confirmations = Confirmations()
        self._management = ManagementNode(broker)

    def touch(self) -> None:
        """There is something to write for this connection at the end of the turn."""
        if not self.touched:
            self.touched = True
            self._on_touched()

    # ------------------------------------------------------------------ the turn

    def handle(self, now: i64) -> None:
        """Act on what the engine has seen."""
        self.touch()
        for event in self.engine.events():
            if isinstance(event, Delivery):
                self._take(event, now)
            elif isinstance(event, DeliverySettled):
                outlet = event.link.context
                entry = event.context
                if isinstance(outlet, LinkOutlet) and isinstance(entry, Entry):
                    outlet.settled(entry, event.state, now)
            elif isinstance(event, CreditChanged):
                self._credit_changed(event.link)
            else:
                self._handle_rare(event, now)

    def seal(self, position: int) -> None:
        """This turn's publishes are in the journal up to this position."""
        self._confirmations.seal(position)

    def confirm(self, flushed: int) -> bool:
        """Confirm what has been flushed; true while more waits."""
        self._confirmations.confirm(flushed)
        return self._confirmations.owed

    def set_writable(self, writable: bool) -> None:  # noqa: FBT001 - it is the state
        """Whether the transport takes bytes."""
        self._room.writable = writable

    def resume(self) -> None:
        """The output was written: links that waited for room may go on."""
        room = self._room
        if room.writable and room.stalled:
            stalled = room.stalled
            room.stalled = []
            for outlet in stalled:
                outlet.resume()

    def close(self, now: i64) -> None:
        """The connection is gone: nothing it held stays held."""
        for session in list(self.engine.sessions.values()):
            self._end_session(session, now)

    # ------------------------------------------------------------------ events

    def _take(self, delivery: Delivery, now: i64) -> None:
        link = delivery.link
        node = link.context
        if not isinstance(node, Publishing):
            if isinstance(node, ManagementNode):
                node.take(delivery, now)
            return
        try:
            # A key is read when the queue asks for it, so publishing may meet malformed bytes too.
            taken = self._broker.publish(node.hosted, read_message(delivery.payload), now)
        except DecodeError as fault:
            self._undecodable(delivery, fault)
            return
        if taken:
            if not delivery.settled:
                self._confirmations.add(link, delivery.delivery_id)
        elif not delivery.settled:
            full = AmqpError(
                Condition.RESOURCE_LIMIT_EXCEEDED.amqp10, f"queue {node.hosted.queue.spec.name!r} is full"
            )
            link.settle(delivery.delivery_id, delivery.delivery_id, Rejected(full))

    def _undecodable(self, delivery: Delivery, fault: DecodeError) -> None:
        """A message that cannot be read is rejected; where nobody waits for an outcome, the link ends."""
        error = AmqpError(fault.condition.amqp10, str(fault))
        if delivery.settled:
            delivery.link.detach(error)
        else:
            delivery.link.settle(delivery.delivery_id, delivery.delivery_id, Rejected(error))

    def _credit_changed(self, link: SenderLink) -> None:
        outlet = link.context
        if isinstance(outlet, LinkOutlet):
            outlet.resume()
        elif isinstance(outlet, ManagementNode):
            outlet.send_replies()

    def _handle_rare(self, event: Event, now: i64) -> None:
        if isinstance(event, LinkAttached):
            self._attach(event.link)
        elif isinstance(event, LinkDetached):
            self._release_link(event.link, now)
        elif isinstance(event, WindowChanged):
            for link in event.session.links.values():
                if isinstance(link, SenderLink) and link.credit > 0:
                    self._credit_changed(link)
        elif isinstance(event, SessionEnded):
            self._end_session(event.session, now)
        elif isinstance(event, ConnectionClosed):
            self.close(now)

    def _end_session(self, session: Session, now: i64) -> None:
        for link in list(session.links.values()):
            self._release_link(link, now)

    def _release_link(self, link: Link, now: i64) -> None:
        context = link.context
        link.context = None
        if isinstance(context, LinkOutlet) and context.reading is not None:
            self._broker.stop(context.reading, now)
            context.reading = None
        elif isinstance(context, Publishing):
            context.stop()
        elif isinstance(context, ManagementNode) and isinstance(link, SenderLink):
            context.remove_reply_link(link)

    # ------------------------------------------------------------------ attaching

    def _attach(self, link: Link) -> None:
        try:
            if isinstance(link, SenderLink):
                self._attach_reader(link)
            else:
                self._attach_publisher(link)
        except LastvalueError as error:
            link.refuse(AmqpError(error.condition.amqp10, str(error)))

    def _attach_publisher(self, link: ReceiverLink) -> None:
        remote = link.remote
        target = None if remote is None else remote.target
        if remote is None or isinstance(target, Coordinator) or not isinstance(target, Target):
            raise NodeError(Condition.NOT_IMPLEMENTED, "transactions are not available; attach to a queue")
        if target.dynamic:
            raise NodeError(Condition.NOT_IMPLEMENTED, "dynamic nodes are not available; declare a queue")
        if target.address is None:
            raise NodeError(
                Condition.NOT_IMPLEMENTED, "the anonymous relay is not available; attach to a queue"
            )
        source = remote.source if isinstance(remote.source, Source) else None
        if target.address == MANAGEMENT_NODE:
            link.context = self._management
        else:
            link.context = Publishing(link, self._broker.lookup(target.address), self)
        link.accept(source, Target(address=target.address))
        link.credit_window = CREDIT
        link.add_credit(CREDIT)

    def _attach_reader(self, link: SenderLink) -> None:
        remote = link.remote
        source = None if remote is None else remote.source
        if remote is None or not isinstance(source, Source):
            raise NodeError(Condition.INVALID_FIELD, "a link to receive on names its source")
        if source.dynamic:
            raise NodeError(Condition.NOT_IMPLEMENTED, "dynamic nodes are not available; declare a queue")
        if source.address is None:
            raise NodeError(Condition.INVALID_FIELD, "the source has no address; give the name of a queue")
        if source.address == MANAGEMENT_NODE:
            target = remote.target if isinstance(remote.target, Target) else Target()
            link.context = self._management
            self._management.add_reply_link(link, target.address)
            link.accept(Source(address=source.address), target)
            return
        self._attach_to_queue(link, source)

    def _attach_to_queue(self, link: SenderLink, source: Source) -> None:
        remote = link.remote
        hosted = self._broker.lookup(source.address or "")
        browses = source.distribution_mode == COPY
        mode = SENDER_MIXED if remote is None else remote.snd_settle_mode
        outlet = LinkOutlet(
            link,
            self._room,
            self,
            settles=mode == SENDER_SETTLED or (browses and mode == SENDER_MIXED),
            stamps=remote is not None
            and (
                ENTRY_ANNOTATIONS in source.capabilities or ENTRY_ANNOTATIONS in remote.desired_capabilities
            ),
        )
        target = remote.target if remote is not None else None
        # [1.0 §3.5.8] The filters that are in place are echoed; none is known yet, so none is.
        link.accept(
            Source(
                address=source.address,
                distribution_mode=source.distribution_mode,
                default_outcome=source.default_outcome,
                outcomes=source.outcomes,
                capabilities=(ENTRY_ANNOTATIONS,) if outlet.stamps else (),
            ),
            target,
        )
        if link.attached:
            link.context = outlet
            outlet.reading = self._broker.read(hosted, Mode.BROWSE if browses else Mode.CONSUME, outlet)
            outlet.resume()


@mypyc_attr(native_class=False)
class NodeError(LastvalueError):
    """A link asks for a node that this broker does not have."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition
