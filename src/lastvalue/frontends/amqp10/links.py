"""The links of one connection: how they attach to nodes, and how they end."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target as Granted
from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import ENDED_IN_A_STEP
from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.resource_alarms import CREDIT
from lastvalue.broker.rights.owner import Owner, PeerIdentity
from lastvalue.broker.suspended_links import Key
from lastvalue.broker.watches.watch import goes_by_sequence
from lastvalue.codec.amqp10.performatives import (
    SENDER_MIXED,
    SENDER_SETTLED,
    AmqpError,
    Attach,
    Coordinator,
    Source,
    Target,
)
from lastvalue.codec.amqp10.values import Value
from lastvalue.delivery.output import Output
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.frontends.amqp10.duplicate_detection import (
    DUPLICATE_DETECTION,
    detection_asked,
    detection_properties,
)
from lastvalue.frontends.amqp10.link_resumption import (
    CONNECTION_CLOSED,
    DETACHED,
    LinkResumption,
    SuspendedReader,
    actual_source,
    actual_target,
    may_be_resumed,
    retained_by,
)
from lastvalue.frontends.amqp10.nodes import SHARED_SUBSCRIPTIONS, Attachment, NodeError, Nodes
from lastvalue.frontends.amqp10.outcomes import LinkConfirmations, default_outcome, offered_outcomes
from lastvalue.frontends.amqp10.producer import LinkProducer, ResumingLink, widened
from lastvalue.frontends.amqp10.reader_terms import check_known, reader_terms
from lastvalue.frontends.amqp10.request_nodes import REQUEST_ADDRESSES, RequestNodes
from lastvalue.frontends.amqp10.requests import RequestNode
from lastvalue.frontends.amqp10.transactions import TransactionCoordinator
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.retained_outcomes import RetainedOutcomes
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.session import Link, Session
from lastvalue.protocols.amqp10.unsettled_map import map_room, unsettled_map
from lastvalue.queues.entry import Entry
from lastvalue.queues.subscription import Mode

CONNECTION_REDIRECTED: Final = "QpidJMS"
"""[Qpid JMS 2.7] It follows amqp:connection:redirect, and takes amqp:link:redirect for a plain failure."""
ENTRY_ANNOTATIONS: Final = "lastvalue:entry-annotations"
"""The capability by which a receiver asks for each entry's sequence, arrival time and updates."""

COPY: Final = "copy"


@final
class Links:
    """Attaches and releases a connection's links.

    Args:
        engine: the connection's.
        broker: that has the nodes.
        output: the connection's.
        confirmations: the connection's.
        peer: what is known of it.
        number: the connection's, of the broker's `identify`.
        refuse_unknown_filters: refuse a link that asks for an unknown filter.

    Attributes:
        transactions: the connection's; None as long as it has had none.
    """

    __slots__ = (
        "_attachments",
        "_broker",
        "_confirmations",
        "_engine",
        "_nodes",
        "_number",
        "_output",
        "_peer",
        "_refuses_unknown_filters",
        "_request_nodes",
        "_resumption",
        "transactions",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a connection that its links use
        self,
        engine: Connection,
        broker: Broker,
        output: Output,
        confirmations: LinkConfirmations,
        peer: PeerIdentity,
        number: i64,
        refuse_unknown_filters: bool,
    ) -> None:
        self._peer = peer
        self._number: i64 = number
        self._engine = engine
        self._broker = broker
        self._output = output
        self._confirmations = confirmations
        self._refuses_unknown_filters = refuse_unknown_filters
        self._nodes = Nodes(broker)
        self._resumption = LinkResumption(broker, self._nodes)
        # By the id of its link: what ends with the link. Few links have that, requests or transactions.
        self._attachments: dict[int, tuple[Link, int, Attachment]] | None = None
        self._request_nodes: RequestNodes | None = None
        self.transactions: TransactionCoordinator | None = None

    @property
    def coordinator(self) -> TransactionCoordinator:
        """The connection's transactions."""
        if self.transactions is None:
            self.transactions = TransactionCoordinator(self._broker, self._confirmations, self._output)
        return self.transactions

    def settled_outside(self, entry: Entry) -> None:
        """A delivery is settled in no transaction."""
        if self.transactions is not None:
            self.transactions.settled_outside(entry)

    def _part_from(self, reader: QueueReader) -> None:
        if self.transactions is not None:
            self.transactions.part_from(reader)

    def _requests_at(self, address: str | None) -> RequestNode | None:
        """The node that answers requests at an address, or None."""
        if address not in REQUEST_ADDRESSES:
            return None
        if self._request_nodes is None:
            self._request_nodes = RequestNodes(
                self._engine, self._broker, self._requester, self._confirmations
            )
        return self._request_nodes.node_at(address)

    def close(self, now: i64) -> Iterator[None]:
        """The connection is gone: only what its peer may resume stays. It is done in steps."""
        for session in list(self._engine.sessions.values()):
            yield from self.end_session(session, CONNECTION_CLOSED, now)
        for link, _, _ in list((self._attachments or {}).values()):
            self.release(link, now)
        self._resumption.connection_closed(now)
        if self._request_nodes is not None:
            self._request_nodes.close()

    def end_session(self, session: Session, event: i64, now: i64) -> Iterator[None]:
        """A session has ended, or its connection with it, and so have its links; in steps."""
        for ended, link in enumerate(list(session.links.values()), 1):
            if not self.suspend(link, event, now):
                self.release(link, now)
            if ended % ENDED_IN_A_STEP == 0:
                yield
        self._resumption.session_ended(session, event, now)
        number = session.context
        if isinstance(number, int):
            session.context = None
            self._broker.ended(number, now)

    def _key(self, link: Link) -> Key:
        """The key under which a link is resumed."""
        remote = self._engine.remote
        container = "" if remote is None else remote.container_id
        return (self._engine.identity or "", container, link.name, isinstance(link, SenderLink))

    def suspend(self, link: Link, event: i64, now: i64) -> bool:
        """A link ends without being closed: true where its reader is suspended."""
        context = link.context
        if isinstance(link, ReceiverLink):
            retained = retained_on(link)
            if retained is not None:
                self._resumption.suspend_writer(self._key(link), link, retained, event, now)
            return False
        if not isinstance(context, LinkConsumer) or context.reader is None:
            return False
        attached = None if self._attachments is None else self._attachments.get(id(link))
        number, attachment = (0, None) if attached is None else (attached[1], attached[2])
        self._part_from(context.reader)
        suspended = self._resumption.suspend_reader(
            self._key(link), link, context, number, attachment, event, now
        )
        if suspended is None:
            return False
        link.context = None
        session = self._engine.sessions.get(link.link_state.channel)
        if event == DETACHED and session is not None:
            self._resumption.take_outcomes(suspended, link, session)
        self._take_attachment(link)
        return True

    def _take_attachment(self, link: Link) -> tuple[Link, int, Attachment] | None:
        return None if self._attachments is None else self._attachments.pop(id(link), None)

    def release(self, link: Link, now: i64, *, closed: bool = False, orderly: bool = False) -> None:
        """A link has ended: release what it held, and end what goes with it.

        Args:
            link: the link.
            now: the time.
            closed: the peer closed the link, and did not only detach it.
            orderly: the peer detached the link without an error.
        """
        context = link.context
        link.context = None
        if isinstance(context, LinkConsumer) and context.reader is not None:
            self._part_from(context.reader)
            context.abandon(now, orderly)
            self._broker.stop(context.reader, now)
            context.reader = None
            session = self._engine.sessions.get(link.link_state.channel)
            if session is not None and link.link_state.live:
                session.drop_unsettled(link)
        elif isinstance(context, TransactionCoordinator) and isinstance(link, ReceiverLink):
            context.end(link, now)
        elif isinstance(context, LinkProducer):
            context.detach(now)
        elif isinstance(context, RequestNode) and isinstance(link, SenderLink):
            context.remove_reply_link(link)
        attached = self._take_attachment(link)
        if attached is not None:
            _, number, attachment = attached
            self._nodes.release(attachment, now, closed=closed)
            self._broker.ended(number, now)

    # ------------------------------------------------------------------ attaching

    def owner(self, session: Session | None = None, link: i64 = 0) -> Owner:
        """The owner of what this connection, a session or a link of it does."""
        number: i64 = 0
        if session is not None:
            if not isinstance(session.context, int):
                session.context = self._broker.identify()
            number = session.context
        remote = self._engine.remote
        container = "" if remote is None else remote.container_id
        return Owner(self._number, number, link, container, self._engine.identity or "", self._peer)

    def _requester(self, link: ReceiverLink) -> Owner:
        """The owner that sends requests on a link."""
        return self.owner(self._engine.sessions.get(link.link_state.channel))

    def attach(self, session: Session, link: Link, now: i64) -> None:
        """Attach a link of the peer's to its node, or refuse it."""
        number = self._broker.identify()
        owner = self.owner(session, number)
        try:
            if isinstance(link, SenderLink):
                session.settles_later = session.joins_accepted = True
                self._attach_reader(link, owner, now)
            else:
                self._attach_publisher(session, link, owner, now)
        except LastvalueError as error:
            if not self.send_away(error):
                link.refuse(AmqpError(error.condition.amqp10, str(error), error.info))
            self.release(link, now)
            self._broker.ended(number, now)

    def send_away(self, fault: LastvalueError) -> bool:
        """Whether the connection was closed because its client goes to the leader only then."""
        remote = self._engine.remote
        if (
            fault.condition is not Condition.LINK_REDIRECT
            or remote is None
            or remote.properties.get("product") != CONNECTION_REDIRECTED
        ):
            return False
        self._engine.close(AmqpError(Condition.REDIRECT.amqp10, str(fault), fault.info))
        return True

    def _survives(self, attachment: Attachment, hosted: HostedQueue) -> bool:
        """Whether a reader has a subscription that survives a restart."""
        subscribed = attachment.private or attachment.subscription != ""
        return subscribed and hosted.queue.spec.durable and self._broker.stores

    def _keep(self, link: Link, number: i64, attachment: Attachment) -> None:
        """Remember what ends with the link."""
        if attachment.lasts:
            self._remember(link, number, attachment)

    def _remember(self, link: Link, number: i64, attachment: Attachment) -> None:
        if self._attachments is None:
            self._attachments = {}
        self._attachments[id(link)] = (link, number, attachment)

    def _attach_publisher(self, session: Session, link: ReceiverLink, owner: Owner, now: i64) -> None:
        remote = link.remote
        target = None if remote is None else remote.target
        source = remote.source if remote is not None and isinstance(remote.source, Source) else None
        if isinstance(target, Coordinator):
            opened = self._engine.remote
            self.coordinator.product = None if opened is None else opened.properties.get("product")
            self.coordinator.accept(link, source)
            return
        if remote is None or not isinstance(target, Target):
            raise NodeError(Condition.INVALID_FIELD, "the attach of a sender needs a target")
        requests = self._requests_at(target.address)
        if requests is not None:
            link.context = requests
            link.accept(source, Target(address=target.address))
            _let_send(link)
            return
        granted: Granted | None = None
        answer = Target(capabilities=target.capabilities)
        if target.address is not None or target.dynamic:
            attachment = self._nodes.for_target(target, owner, now)
            self._keep(link, owner.link, attachment)
            granted = self._broker.target(widened(attachment.node, self._broker), owner)
            answer = replace(
                actual_target(target),
                address=attachment.address,
                dynamic_node_properties=attachment.properties,
            )
        self._publish(session, link, remote, answer, (granted, owner, target))

    def _publish(
        self,
        session: Session,
        link: ReceiverLink,
        remote: Attach,
        answer: Target,
        rights: tuple[Granted | None, Owner, Target],
    ) -> None:
        """Let a peer publish to a node, or resume what it has published."""
        granted, owner, target = rights
        source = remote.source if isinstance(remote.source, Source) else None
        detection = detection_asked(remote)
        hosted = None if granted is None else granted.node.hosted
        detects = detection is not None or (hosted is not None and hosted.queue.duplicates.detects)
        capabilities = (DUPLICATE_DETECTION,) if detects else ()
        properties: dict[str, Value] = {} if detection is None else detection_properties(detection)
        unsettled: dict[Value, Value] | None = None
        incomplete = False
        retained = retained_by(link, target)
        if retained is not None:
            session.keeps_outcomes = session.keeps_outcomes or retained.second
            retained.known = self._resumption.writer(self._key(link), remote)
            room = map_room(self._engine.wire.max_frame_size, link.name, answer, source, properties)
            unsettled, incomplete = unsettled_map(retained.known, room)
            if not incomplete:
                retained.known = {tag: state for tag, state in retained.known.items() if tag in unsettled}
        if incomplete or remote.incomplete_unsettled:
            link.context = ResumingLink(retained)
        else:
            producer = LinkProducer(link, granted, owner, target.capabilities, self._broker, self._output)
            producer.detection = detection
            producer.retained = retained
            link.context = producer
        link.accept(
            source,
            answer,
            offered_capabilities=capabilities,
            properties=properties,
            unsettled=unsettled,
            incomplete_unsettled=incomplete,
        )
        if isinstance(link.context, LinkProducer):
            link.context.regulate()
        else:
            _let_send(link)

    def _attach_reader(self, link: SenderLink, owner: Owner, now: i64) -> None:
        remote = link.remote
        source = None if remote is None else remote.source
        attachment: Attachment | None = None
        if remote is not None and (source is None or isinstance(source, Source)):
            suspended = self._resumption.reader(self._key(link), source, remote, now)
            if suspended is not None:
                self._take_up(link, suspended, remote, now)
                return
        if source is None or (isinstance(source, Source) and source.address is None and not source.dynamic):
            # [1.0 §2.6.3] A resumed link may leave out its source.
            attachment, source = self._nodes.resumed(owner, link.name)
        if remote is None or not isinstance(source, Source):
            raise NodeError(Condition.INVALID_FIELD, "the attach of a receiver needs a source")
        requests = self._requests_at(source.address)
        if requests is not None:
            target = remote.target if isinstance(remote.target, Target) else Target()
            link.context = requests
            requests.add_reply_link(link, target.address)
            link.accept(Source(address=source.address), target)
            return
        if attachment is None:
            opened = self._engine.remote
            self._nodes.shares_by_client = (
                opened is not None and SHARED_SUBSCRIPTIONS in opened.desired_capabilities
            )
            attachment = self._nodes.for_source(remote, source, owner, now)
        self._keep(link, owner.link, attachment)
        hosted = attachment.node.hosted
        if hosted is not None:
            self._attach_to_queue(link, source, attachment, hosted, owner, now)

    def _take_up(self, link: SenderLink, suspended: SuspendedReader, remote: Attach, now: i64) -> None:
        """[1.0 §2.6.4] Resume a reader on a new link."""
        consumer = suspended.consumer
        reader = consumer.reader
        if reader is None:
            raise NodeError(Condition.RESOURCE_DELETED, "the queue of the link was deleted")
        try:
            self._broker.authorization.check_reader(reader.hosted, reader.subscription.mode, reader.owner)
        except LastvalueError:
            suspended.expire(now)
            raise
        answer = consumer.answer
        room = map_room(self._engine.wire.max_frame_size, link.name, answer, remote.target)
        match = suspended.compare(remote, room, now)
        consumer.take_up(link, self._output, match.resumptions)
        if match.partial:
            consumer.resume_only(match.left)
        if suspended.attachment is not None:
            self._remember(link, suspended.link_number, suspended.attachment)
        link.keeps = True
        link.context = consumer
        link.accept(answer, remote.target, unsettled=match.named, incomplete_unsettled=match.incomplete)
        consumer.resume()

    def _attach_to_queue(
        self,
        link: SenderLink,
        source: Source,
        attachment: Attachment,
        hosted: HostedQueue,
        owner: Owner,
        now: i64,
    ) -> None:
        remote = link.remote
        copies = attachment.browse or (source.distribution_mode == COPY and not attachment.private)
        mode = SENDER_MIXED if remote is None else remote.snd_settle_mode
        consumer = LinkConsumer(
            link,
            self._output,
            settles=mode == SENDER_SETTLED or (copies and mode == SENDER_MIXED),
            stamps=remote is not None
            and (
                ENTRY_ANNOTATIONS in source.capabilities or ENTRY_ANNOTATIONS in remote.desired_capabilities
            ),
        )
        consumer.default = default_outcome(source.default_outcome)
        consumer.source = source
        consumer.settle_mode = mode
        link.keeps = may_be_resumed(source)
        readers = hosted.queue.spec.readers
        terms, filters = reader_terms(source, remote, readers, owner.container, now, bound=attachment.private)
        in_place = {**attachment.filters, **filters}
        if self._refuses_unknown_filters:
            check_known(source, in_place)
        if terms.after_ms >= 0 and not goes_by_sequence(hosted.queue):
            name = hosted.queue.spec.name
            text = f"a browser of queue {name!r} cannot continue where it was: its order has no places"
            raise NodeError(Condition.NOT_IMPLEMENTED, text)
        if terms.watch is not None and not (copies or attachment.private):
            raise NodeError(Condition.NOT_ALLOWED, "who watches a queue takes copies: distribution-mode copy")
        reader_mode = Mode.BROWSE if copies or terms.watch is not None else Mode.CONSUME
        consumer.read(self._broker.read(hosted, reader_mode, consumer, terms, owner, now))
        consumer.specialise()
        # [1.0 §3.5.8] The answer names the filters that are in place.
        answer = replace(
            actual_source(source, self._survives(attachment, hosted)),
            address=attachment.address,
            dynamic_node_properties=attachment.properties,
            filter=in_place,
            default_outcome=consumer.default,
            outcomes=offered_outcomes(source.outcomes),
            capabilities=_capabilities(source, stamps=consumer.stamps),
        )
        consumer.answer = answer
        link.context = consumer
        if attachment.subscription:
            link.link_state.close_refusal = lambda: _read_by_others(hosted, consumer)
        link.accept(answer, remote.target if remote is not None else None)
        if link.attached:
            if remote is not None and remote.incomplete_unsettled:
                consumer.resume_only({})
            consumer.resume()
        elif consumer.reader is not None:
            link.context = None
            self._broker.stop(consumer.reader, now)
            consumer.reader = None


def _read_by_others(hosted: HostedQueue, consumer: LinkConsumer) -> AmqpError | None:
    """[JMS 2.0 §8.3.5] Why closing the reader's link leaves its subscription, or None if it ends."""
    if all(reader is consumer.reader for reader in hosted.readers):
        return None
    text = f"subscription {hosted.queue.spec.name!r} has other readers, so it stays; close those first"
    return AmqpError(Condition.RESOURCE_LOCKED.amqp10, text)


def _let_send(link: ReceiverLink) -> None:
    link.credit_window = CREDIT
    link.add_credit(CREDIT)


def retained_on(link: Link) -> RetainedOutcomes | None:
    """The outcomes that a publisher's link retains, or None."""
    node = link.context
    if isinstance(node, LinkProducer):
        return node.retained
    return node.retained if isinstance(node, ResumingLink) else None


def _capabilities(source: Source, *, stamps: bool) -> tuple[str, ...]:
    """The source's capabilities, as far as this broker has them."""
    capabilities = tuple(each for each in source.capabilities if each != ENTRY_ANNOTATIONS)
    return (*capabilities, ENTRY_ANNOTATIONS) if stamps else capabilities
