"""One connection's frontend: the engine's events become broker commands."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.management import MANAGEMENT_NODE
from lastvalue.broker.nodes import Node
from lastvalue.broker.owner import Owner
from lastvalue.broker.permissions import BROWSE, READ, WRITE
from lastvalue.broker.reading import HostedQueue
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
    TransactionalState,
)
from lastvalue.frontends.amqp10.confirmations import Confirmations
from lastvalue.frontends.amqp10.containers import SoleContainer
from lastvalue.frontends.amqp10.coordinating import Coordination
from lastvalue.frontends.amqp10.detection import detection_asked
from lastvalue.frontends.amqp10.management import ManagementNode
from lastvalue.frontends.amqp10.nodes import SHARED_SUBSCRIPTIONS, Attachment, NodeError, Nodes
from lastvalue.frontends.amqp10.outcomes import default_outcome, offered_outcomes
from lastvalue.frontends.amqp10.outlet import LinkOutlet, Room, Toucher
from lastvalue.frontends.amqp10.publishing import CREDIT, Publishing, Relaying, full_error, widened
from lastvalue.frontends.amqp10.reader_terms import check_known, reader_terms
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp10.connection import Connection, ConnectionClosed, SessionEnded
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.sender import CreditChanged, DeliverySettled, DeliveryTransacted, SenderLink
from lastvalue.protocols.amqp10.session import (
    ACCEPTED,
    Link,
    LinkAttached,
    LinkDetached,
    Session,
    WindowChanged,
)
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.queues.entry import Entry
from lastvalue.queues.subscription import Mode

ENTRY_ANNOTATIONS: Final = "lastvalue:entry-annotations"
"""The capability by which a receiver asks for an entry's sequence, arrival time and updates."""

COPY: Final = "copy"


@final
class Frontend(Toucher):
    """What one connection does to the broker.

    `on_touched` is called when the connection wants to take part in the end of the turn.
    A filter that is not known is left out of the answer to its link, or refuses it where that is asked for.
    The driver calls `handle` after the engine took bytes; once per turn, after the broker's pump, `seal` and
    `confirm`; and `resume` when the transport takes bytes again.
    """

    __slots__ = (
        "_attachments",
        "_broker",
        "_confirmations",
        "_coordination",
        "_management",
        "_nodes",
        "_number",
        "_on_touched",
        "_refuses_unknown_filters",
        "_room",
        "_sole",
        "engine",
        "touched",
    )

    def __init__(
        self,
        engine: Connection,
        broker: Broker,
        on_touched: Callable[[], None],
        refuse_unknown_filters: bool = False,  # noqa: FBT001, FBT002 - compiled, positional
    ) -> None:
        self.engine = engine
        self._refuses_unknown_filters = refuse_unknown_filters
        self.touched = False
        self._broker = broker
        self._on_touched = on_touched
        self._room = Room(engine.wire)
        self._confirmations = Confirmations()
        self._coordination = Coordination(broker, self._confirmations)
        self._nodes = Nodes(broker)
        # By the number of its link's object: what is to be undone when the link ends.
        self._attachments: dict[int, tuple[Link, int, Attachment]] = {}
        self._number: i64 = broker.identify()
        self._sole = SoleContainer(broker, self._number)
        engine.gate = self._sole
        self._management = ManagementNode(broker, self._asking)

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
                    if event.state is ACCEPTED and not self._coordination.busy:
                        outlet.settled(entry, event.state, now)
                    else:
                        self._settled(outlet, entry, event, now)
            elif isinstance(event, CreditChanged):
                self._credit_changed(event.link)
            else:
                self._handle_rare(event, now)

    def seal(self, position: int) -> None:
        """This turn's publishes are in the journal up to this position."""
        self._confirmations.seal(position)
        self._management.seal(position)

    def confirm(self, flushed: int) -> bool:
        """Confirm what has been flushed; true while more waits."""
        self._confirmations.confirm(flushed)
        self._management.confirm(flushed)
        return self._confirmations.owed or self._management.owed

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
        for link, _, _ in list(self._attachments.values()):
            self._release_link(link, now)
        self._broker.ended(self._number, now)
        self._sole.leave()

    # ------------------------------------------------------------------ events

    def _take(self, delivery: Delivery, now: i64) -> None:
        link = delivery.link
        node = link.context
        if delivery.state is not None or not isinstance(node, Publishing):
            self._take_otherwise(delivery, now)
            return
        try:
            # A key is read when the queue asks for it, so publishing may meet malformed bytes too.
            message = read_message(delivery.payload)
            message.origin = node.origin
            if node.detection is not None:
                node.detection.mark(message)
            if node.regulated:
                node.check_disk(message, delivery.settled)
            taken = self._broker.publish(node.hosted, message, now)
        except LastvalueError as fault:
            self._unusable(delivery, fault)
            if node.regulated:
                node.grant()
            return
        if node.regulated:
            node.grant()
        if taken:
            if not delivery.settled:
                self._confirmations.add(link, delivery.delivery_id, node.keeps and message.durable)
        elif not delivery.settled:
            self._reject(delivery, full_error(node.hosted.queue.spec.name))

    def _take_otherwise(self, delivery: Delivery, now: i64) -> None:
        """Take what is part of a transaction, or does not go straight to a queue."""
        node = delivery.link.context
        if isinstance(node, Coordination | ManagementNode):
            node.take(delivery, now)
        elif isinstance(delivery.state, TransactionalState):
            self._post(delivery, delivery.state, now)
        elif delivery.state is not None:
            # [1.0 §2.7.5] No other state means anything to a queue.
            delivery.state = None
            self._take(delivery, now)
        elif isinstance(node, Relaying):
            self._relay(node, delivery, now)

    def _post(self, delivery: Delivery, state: TransactionalState, now: i64) -> None:
        """Take a message that is published at the commit of its transaction."""
        link = delivery.link
        node = link.context
        try:
            known = self._coordination.find(state.txn_id)
        except LastvalueError as fault:
            error = AmqpError(fault.condition.amqp10, str(fault))
            if delivery.settled:
                link.detach(error)
            else:
                self._reject(delivery, error)
            return
        try:
            message = read_message(delivery.payload)
            if isinstance(node, Publishing):
                message.origin = node.origin
                if node.detection is not None:
                    node.detection.mark(message)
                node.check_disk(message, False)  # noqa: FBT003 - compiled, positional
                known.transaction.post(Node(node.hosted.queue.spec.name, node.hosted), "", message, now)
            elif isinstance(node, Relaying):
                node.post(message, known.transaction, now)
        except LastvalueError as fault:
            if delivery.settled:
                known.transaction.fault = fault
            else:
                error = AmqpError(fault.condition.amqp10, str(fault))
                link.settle(
                    delivery.delivery_id,
                    delivery.delivery_id,
                    TransactionalState(state.txn_id, Rejected(error)),
                )
            return
        finally:
            if isinstance(node, Publishing | Relaying) and node.regulated:
                node.grant()
        if not delivery.settled:
            link.settle(delivery.delivery_id, delivery.delivery_id, known.accepted)

    def _settled(self, outlet: LinkOutlet, entry: Entry, event: DeliverySettled, now: i64) -> None:
        """A delivery's outcome that is not simply accepted, or may have had one in a transaction."""
        state = event.state
        if isinstance(state, TransactionalState):
            self._retire(event.link, entry, state, event.delivery_id, now, settled=True)
            return
        self._coordination.settled_outside(entry)
        outlet.settled(entry, state, now)

    def _retire(
        self,
        link: SenderLink,
        entry: object,
        state: TransactionalState,
        delivery_id: i64,
        now: i64,
        *,
        settled: bool,
    ) -> None:
        if not isinstance(entry, Entry):
            return
        try:
            self._coordination.retire(link, entry, state, delivery_id, settled)
        except LastvalueError as fault:
            link.detach(AmqpError(fault.condition.amqp10, str(fault)))
            self._release_link(link, now)

    def _relay(self, node: Relaying, delivery: Delivery, now: i64) -> None:
        try:
            message = read_message(delivery.payload)
            error = node.take(message, delivery.settled, now)
        except LastvalueError as fault:
            self._unusable(delivery, fault)
            return
        finally:
            if node.regulated:
                node.grant()
        if delivery.settled:
            return
        if error is None:
            self._confirmations.add(delivery.link, delivery.delivery_id, node.kept and message.durable)
        else:
            self._reject(delivery, error)

    def _reject(self, delivery: Delivery, error: AmqpError) -> None:
        delivery.link.settle(delivery.delivery_id, delivery.delivery_id, Rejected(error))

    def _unusable(self, delivery: Delivery, fault: LastvalueError) -> None:
        """A message that cannot be read is rejected; where nobody waits for an outcome, the link ends."""
        error = AmqpError(fault.condition.amqp10, str(fault))
        if not delivery.settled:
            self._reject(delivery, error)
        elif isinstance(fault, DecodeError):
            delivery.link.detach(error)

    def _credit_changed(self, link: SenderLink) -> None:
        outlet = link.context
        if isinstance(outlet, LinkOutlet):
            outlet.resume()
        elif isinstance(outlet, ManagementNode):
            outlet.send_replies()

    def _handle_rare(self, event: Event, now: i64) -> None:
        if isinstance(event, LinkAttached):
            self._attach(event.session, event.link, now)
        elif isinstance(event, LinkDetached):
            self._release_link(event.link, now, closed=event.closed)
        elif isinstance(event, WindowChanged):
            for link in event.session.links.values():
                if isinstance(link, SenderLink) and link.credit > 0:
                    self._credit_changed(link)
        elif isinstance(event, DeliveryTransacted):
            self._retire(event.link, event.context, event.state, event.delivery_id, now, settled=False)
        elif isinstance(event, SessionEnded):
            self._end_session(event.session, now)
        elif isinstance(event, ConnectionClosed):
            self.close(now)

    def _end_session(self, session: Session, now: i64) -> None:
        for link in list(session.links.values()):
            self._release_link(link, now)
        number = session.context
        if isinstance(number, int):
            session.context = None
            self._broker.ended(number, now)

    def _release_link(self, link: Link, now: i64, *, closed: bool = False) -> None:
        context = link.context
        link.context = None
        if isinstance(context, LinkOutlet) and context.reading is not None:
            self._coordination.part_from(context.reading)
            context.abandon(now)
            self._broker.stop(context.reading, now)
            context.reading = None
        elif isinstance(context, Coordination) and isinstance(link, ReceiverLink):
            context.end(link, now)
        elif isinstance(context, Publishing):
            context.stop(now)
        elif isinstance(context, Relaying):
            context.stop()
        elif isinstance(context, ManagementNode) and isinstance(link, SenderLink):
            context.remove_reply_link(link)
        attached = self._attachments.pop(id(link), None)
        if attached is not None:
            _, number, made = attached
            self._nodes.release(made, now, closed=closed)
            self._broker.ended(number, now)

    # ------------------------------------------------------------------ attaching

    def owner(self, session: Session | None = None, link: i64 = 0) -> Owner:
        """Who asks for something on this connection."""
        number: i64 = 0
        if session is not None:
            if not isinstance(session.context, int):
                session.context = self._broker.identify()
            number = session.context
        remote = self.engine.remote
        container = "" if remote is None else remote.container_id
        return Owner(self._number, number, link, container, self.engine.identity or "")

    def _asking(self, link: ReceiverLink) -> Owner:
        """Who sends a request on this link."""
        return self.owner(self.engine.sessions.get(link.terms.channel))

    def _attach(self, session: Session, link: Link, now: i64) -> None:
        number = self._broker.identify()
        owner = self.owner(session, number)
        try:
            if isinstance(link, SenderLink):
                self._attach_reader(link, owner, now)
            else:
                self._attach_publisher(link, owner)
        except LastvalueError as error:
            link.refuse(AmqpError(error.condition.amqp10, str(error)))
            self._release_link(link, now)
            self._broker.ended(number, now)

    def _permit(self, action: str, name: str) -> None:
        access = self._broker.access
        if access is not None:
            access.check(self.engine.identity or "", action, name)

    def _keep(self, link: Link, number: i64, attachment: Attachment) -> None:
        """Remember what is to be undone when the link ends."""
        if attachment.lasts:
            self._attachments[id(link)] = (link, number, attachment)

    def _attach_publisher(self, link: ReceiverLink, owner: Owner) -> None:
        remote = link.remote
        target = None if remote is None else remote.target
        source = remote.source if remote is not None and isinstance(remote.source, Source) else None
        if isinstance(target, Coordinator):
            self._coordination.accept(link, source)
            return
        if remote is None or not isinstance(target, Target):
            raise NodeError(Condition.INVALID_FIELD, "a link to send on names its target")
        detection = detection_asked(remote)
        answer = target
        if target.address == MANAGEMENT_NODE:
            link.context = self._management
            answer = Target(address=target.address)
        elif target.address is None and not target.dynamic:
            link.context = Relaying(link, None, owner, target.capabilities, self._broker, self)
            link.context.detection = detection
            answer = Target(capabilities=target.capabilities)
        else:
            made = self._nodes.for_target(target, owner)
            self._keep(link, owner.link, made)
            self._permit(WRITE, made.node.name)
            node = widened(made.node, self._broker)
            if node.hosted is not None:
                link.context = Publishing(link, node.hosted, owner.container, self._broker, self)
                link.context.detection = detection
            else:
                link.context = Relaying(link, node, owner, target.capabilities, self._broker, self)
                link.context.detection = detection
            answer = replace(target, address=made.address, dynamic_node_properties=made.properties)
        if detection is None:
            link.accept(source, answer)
        else:
            offered, properties = detection.capabilities(), detection.properties()
            link.accept(source, answer, offered_capabilities=offered, properties=properties)
        if isinstance(link.context, Publishing | Relaying):
            link.context.grant()
        else:
            link.credit_window = CREDIT
            link.add_credit(CREDIT)

    def _attach_reader(self, link: SenderLink, owner: Owner, now: i64) -> None:
        remote = link.remote
        source = None if remote is None else remote.source
        made: Attachment | None = None
        if source is None or (isinstance(source, Source) and source.address is None and not source.dynamic):
            # [1.0 §2.6.3] A link that is resumed need not name its source.
            made = self._nodes.resumed(owner, link.name)
            source = Source(address=made.address, expiry_policy="never")
        if remote is None or not isinstance(source, Source):
            raise NodeError(Condition.INVALID_FIELD, "a link to receive on names its source")
        if source.address == MANAGEMENT_NODE:
            target = remote.target if isinstance(remote.target, Target) else Target()
            link.context = self._management
            self._management.add_reply_link(link, target.address)
            link.accept(Source(address=source.address), target)
            return
        if made is None:
            opened = self.engine.remote
            self._nodes.shares_by_client = (
                opened is not None and SHARED_SUBSCRIPTIONS in opened.desired_capabilities
            )
            made = self._nodes.for_source(source, owner, link.name)
        self._keep(link, owner.link, made)
        hosted = made.node.hosted
        if hosted is not None:
            self._attach_to_queue(link, source, made, hosted, owner, now)

    def _attach_to_queue(
        self,
        link: SenderLink,
        source: Source,
        made: Attachment,
        hosted: HostedQueue,
        owner: Owner,
        now: i64,
    ) -> None:
        remote = link.remote
        browses = made.browse or (source.distribution_mode == COPY and not made.private)
        mode = SENDER_MIXED if remote is None else remote.snd_settle_mode
        self._permit(BROWSE if browses else READ, made.node.name)
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
        outlet.default = default_outcome(source.default_outcome)
        grouping = hosted.queue.spec.grouping
        if grouping is not None and grouping.first_key is not None:
            outlet.first_key = grouping.first_key
        readers = hosted.queue.spec.readers
        terms, filters = reader_terms(source, remote, readers, owner.container, now)
        in_place = {**made.filters, **filters}
        if self._refuses_unknown_filters:
            check_known(source, in_place)
        reading_mode = Mode.BROWSE if browses else Mode.CONSUME
        outlet.reading = self._broker.read(hosted, reading_mode, outlet, terms, owner, now)
        # [1.0 §3.5.8] The filters that are in place are echoed.
        answer = replace(
            source,
            address=made.address,
            dynamic_node_properties=made.properties,
            filter=in_place,
            default_outcome=outlet.default,
            outcomes=offered_outcomes(source.outcomes),
            capabilities=_capabilities(source, stamps=outlet.stamps),
        )
        link.accept(answer, remote.target if remote is not None else None)
        if link.attached:
            link.context = outlet
            outlet.resume()
        else:
            self._broker.stop(outlet.reading, now)
            outlet.reading = None


def _capabilities(source: Source, *, stamps: bool) -> tuple[str, ...]:
    """What of the source's capabilities there is."""
    kept = tuple(each for each in source.capabilities if each != ENTRY_ANNOTATIONS)
    return (*kept, ENTRY_ANNOTATIONS) if stamps else kept
