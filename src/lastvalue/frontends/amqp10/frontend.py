"""One connection's frontend: the engine's events become broker commands."""

from collections.abc import Callable, Iterator
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import HANDLED_AT_ONCE, HANDLED_IN_A_STEP, STEPS, LongCommand, Steps
from lastvalue.broker.rights.owner import PeerIdentity
from lastvalue.broker.routing.routing_work import RoutingWork
from lastvalue.codec.amqp10.performatives import (
    AmqpError,
    DeliveryState,
    Rejected,
    TransactionalState,
)
from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.delivery.output import Output
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.frontends.amqp10.link_resumption import DETACHED, SESSION_ENDED, SuspendedReader
from lastvalue.frontends.amqp10.link_run import LinkRun, Refusals, TransactedRun, amqp_error
from lastvalue.frontends.amqp10.links import Links, retained_on
from lastvalue.frontends.amqp10.open_policy import ServerOpenPolicy
from lastvalue.frontends.amqp10.outcomes import LinkConfirmations, takes_rejected
from lastvalue.frontends.amqp10.producer import LinkProducer, ResumingLink
from lastvalue.frontends.amqp10.requests import RequestNode
from lastvalue.frontends.amqp10.transactions import TransactionCoordinator
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.protocols.amqp10.connection import Connection, ConnectionClosed
from lastvalue.protocols.amqp10.receiver import Delivery, DeliveryResumed, ReceiverLink
from lastvalue.protocols.amqp10.sender import (
    AcquisitionAsked,
    CreditChanged,
    DeliveriesAccepted,
    DeliverySettled,
    DeliveryTransacted,
    SenderLink,
)
from lastvalue.protocols.amqp10.session import (
    ACCEPTED,
    Link,
    LinkAttached,
    LinkDetached,
    Session,
    SessionEnded,
    SettledBySender,
    SettlementAsked,
    WindowChanged,
)
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.queues.entry import Entry

_NO_DELIVERIES: Final[list[Delivery]] = []
_NO_EVENTS: Final[list[Event]] = []


@final
class Frontend(Refusals):
    """Translates one connection's events into commands of the broker.

    The driver calls `handle` after the engine took bytes; once per turn, after the broker's pump, `seal` and
    `confirm` of its confirmations; and `resume` when the transport takes bytes again.

    Args:
        engine: the connection's.
        broker: which gets the commands.
        on_schedule: called when there is something to write at the end of the turn.
        refuse_unknown_filters: refuse a link that asks for an unknown filter.
        peer: what is known of it; the frontend adds what it says when it opens.

    Attributes:
        number: the connection's, of the broker's `identify`.
    """

    __slots__ = (
        "_broker",
        "_ending",
        "_made_links",
        "_put_off",
        "_refuses_unknown_filters",
        "confirmations",
        "engine",
        "number",
        "open_policy",
        "output",
    )

    def __init__(
        self,
        engine: Connection,
        broker: Broker,
        on_schedule: Callable[[], None],
        refuse_unknown_filters: bool = False,
        peer: PeerIdentity | None = None,
    ) -> None:
        identity = PeerIdentity() if peer is None else peer
        self.engine = engine
        self._broker = broker
        # It is replaced, never changed: most connections share one that is empty.
        self._put_off: list[Event] = _NO_EVENTS
        # The end of a session with very many links, which precedes the events put off.
        self._ending: Iterator[None] | None = None
        self.output = Output(engine.wire, on_schedule)
        self.confirmations: LinkConfirmations = Confirmations(_confirm_run)
        self._refuses_unknown_filters = refuse_unknown_filters
        # Most of very many connections are idle, and many of them have no link.
        self._made_links: Links | None = None
        self.number: i64 = broker.identify()
        self.open_policy = ServerOpenPolicy(engine, broker, self.output, self.number, identity)
        engine.open_policy = self.open_policy

    @property
    def _links(self) -> Links:
        """The connection's links."""
        links = self._made_links
        if links is None:
            links = self._made_links = Links(
                self.engine,
                self._broker,
                self.output,
                self.confirmations,
                self.open_policy.peer,
                self.number,
                self._refuses_unknown_filters,
            )
        return links

    @property
    def transactions(self) -> i64:
        """How many of the connection's transactions have work that is not committed."""
        links = self._made_links
        return 0 if links is None or links.transactions is None else links.transactions.with_work

    # ------------------------------------------------------------------ the turn

    def handle(self, now: i64) -> None:
        """Process the engine's events; very many of them in several turns."""
        events = self.engine.events()
        waits = bool(self._put_off) or self._ending is not None
        self._broker.exchanges.work.begin()
        if waits:
            self._put_off = self._put_off + events
        elif _part(events, HANDLED_AT_ONCE) == len(events):
            self._take_events(events, now)
            if self._ending is not None or self._put_off:
                self._broker.long_commands.begin(_Events(self, self._broker.exchanges.work), now)
        else:
            self._put_off = events
            self._broker.long_commands.begin(_Events(self, self._broker.exchanges.work), now)

    def go_on(self, now: i64) -> bool:
        """Process a part of the events that were put off; whether there are more."""
        ending = self._ending
        self._broker.exchanges.work.begin()
        if ending is None:
            part = _part(self._put_off, HANDLED_IN_A_STEP)
            events = self._put_off[:part]
            del self._put_off[:part]
            self._take_events(events, now)
        elif next(ending, _OVER) is _OVER:
            self._ending = None
        return bool(self._put_off) or self._ending is not None

    def _take_events(self, events: list[Event], now: i64) -> None:
        """Process events, up to one that takes several turns, as the end of a session or much routing do."""
        work = self._broker.exchanges.work
        for place in range(len(events)):
            event = events[place]
            if work.is_over:
                self._put_off = events[place:] + self._put_off
                return
            if isinstance(event, Delivery):
                left = self._take(event, now)
                if left:
                    self._put_off = [*left, *events[place + 1 :], *self._put_off]
                    return
            elif isinstance(event, DeliverySettled):
                self._take_outcome(event, now)
            elif isinstance(event, DeliveriesAccepted):
                self._accept(event, now)
            elif isinstance(event, CreditChanged):
                self._flowed(event.link, now)
            else:
                self._handle_rare(event, now)
                if self._ending is not None:
                    self._put_off = events[place + 1 :] + self._put_off
                    return

    def _take_outcome(self, event: DeliverySettled, now: i64) -> None:
        consumer = event.link.context
        entry = event.context
        if isinstance(consumer, LinkConsumer) and isinstance(entry, Entry):
            if event.state is ACCEPTED and self.output.transactions == 0:
                consumer.take_outcome(entry, event.state, now)
            else:
                self._settled(consumer, entry, event, now)
        elif isinstance(consumer, SuspendedReader):
            self._settled_when_detached(consumer, event, now)

    def _accept(self, event: DeliveriesAccepted, now: i64) -> None:
        link = event.link
        consumer = link.context
        if isinstance(consumer, LinkConsumer) and self.output.transactions == 0:
            consumer.accept(event.contexts, now)
            return
        for number, context in zip(event.numbers, event.contexts, strict=True):
            self._take_outcome(DeliverySettled(link, number, context, ACCEPTED), now)

    def resume(self) -> None:
        """The output has been written: serve the links that waited for room."""
        wire = self.engine.wire
        if wire.streaming and self.output.writable:
            self.output.schedule_write()
        if wire.events:
            self._take_window_events()
        self.output.resume()

    def _take_window_events(self) -> None:
        """Sessions whose window the output has opened may send on."""
        events = self.engine.events()
        self.engine.wire.events = [event for event in events if not isinstance(event, WindowChanged)]
        for event in events:
            if isinstance(event, WindowChanged):
                self._window_changed(event.session)

    def close(self, now: i64) -> None:
        """The connection is gone: release everything that it held, in steps, after the events put off."""
        self._broker.long_commands.begin(Steps(self._leave(now), self.number), now)

    def _leave(self, now: i64) -> Iterator[None]:
        links = self._made_links
        if links is not None:
            yield from links.close(now)
        self._broker.ended(self.number, now)
        self.open_policy.leave()
        self.engine.open_policy = None

    # ------------------------------------------------------------------ events

    def _take(self, delivery: Delivery, now: i64) -> list[Delivery]:
        """Process a delivery; returns what of it is left for later."""
        link = delivery.link
        producer = link.context
        if delivery.state is not None or not isinstance(producer, LinkProducer):
            return self._take_each([*delivery.each()], now)
        run = LinkRun(producer, delivery, self.confirmations, self, now)
        return _NO_DELIVERIES if producer.give(run, now) else [delivery]

    def _take_each(self, deliveries: list[Delivery], now: i64) -> list[Delivery]:
        """Process deliveries one by one; returns those that are left for later."""
        for place, each in enumerate(deliveries):
            if self._broker.exchanges.work.is_over:
                return deliveries[place:]
            self._take_otherwise(each, now)
        return _NO_DELIVERIES

    def _take_otherwise(self, delivery: Delivery, now: i64) -> None:
        """Process a delivery of a transaction, or one that is not for a queue."""
        node = delivery.link.context
        if isinstance(node, TransactionCoordinator | RequestNode):
            node.take(delivery, now)
        elif isinstance(node, ResumingLink):
            # [1.0 §2.7.3] A receiver that sent an incomplete map detaches with an error.
            text = "an unsettled map is incomplete: detach, and attach again to send new messages"
            delivery.link.detach(AmqpError(Condition.ILLEGAL_STATE.amqp10, text), closed=False)
            self._links.suspend(delivery.link, DETACHED, now)
            self._links.release(delivery.link, now)
        elif not isinstance(node, LinkProducer):
            return  # The link has ended.
        elif isinstance(delivery.state, TransactionalState):
            self._post(delivery, node, delivery.state, now)
        elif delivery.state is not None:
            # [1.0 §2.7.5] Other states have no meaning for a queue.
            delivery.state = None
            self._take(delivery, now)

    def _post(self, delivery: Delivery, producer: LinkProducer, state: TransactionalState, now: i64) -> None:
        """Process a message that is published at the commit of its transaction."""
        try:
            opened = self._links.coordinator.find(state.txn_id)
        except LastvalueError as fault:
            self.refuse(delivery, fault, now)
        else:
            producer.give(TransactedRun(producer, delivery, opened, self, now), now)

    def _settled(self, consumer: LinkConsumer, entry: Entry, event: DeliverySettled, now: i64) -> None:
        """Settle a delivery that is not just accepted, or that may have an outcome in a transaction."""
        state = event.state
        if isinstance(state, TransactionalState):
            self._retire(event.link, entry, state, event.delivery_id, now, settled=True)
            return
        self._links.settled_outside(entry)
        consumer.take_outcome(entry, state, now)

    def _settled_when_detached(self, suspended: SuspendedReader, event: DeliverySettled, now: i64) -> None:
        """[1.0 §2.7.6] Settle a delivery of a link that is detached and not closed."""
        entry = event.context
        if isinstance(entry, Entry) and suspended.settles(event.delivery_id, entry):
            self._settled(suspended.consumer, entry, event, now)

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
            self._links.coordinator.retire(link, entry, state, delivery_id, settled)
        except LastvalueError as fault:
            suspended = link.context
            if isinstance(suspended, SuspendedReader):
                if suspended.settles(delivery_id, entry):
                    suspended.consumer.take_outcome(entry, None, now)
            else:
                self._end_link(link, AmqpError(fault.condition.amqp10, str(fault)), now)

    def refuse(self, delivery: Delivery, error: LastvalueError, now: i64) -> None:
        """See Refusals; [1.0 §3.5.3] detach a link that does not take rejections."""
        if self._links.send_away(error):
            return
        sent = amqp_error(error, delivery)
        if delivery.settled or not takes_rejected(delivery.link):
            self._end_link(delivery.link, sent, now)
            return
        state = Rejected(sent)
        delivery.link.settle(delivery.delivery_id, delivery.delivery_id, state)
        retained = retained_on(delivery.link)
        if retained is not None:
            retained.note(delivery.delivery_id, delivery.tag, state)
            retained.sent(delivery.delivery_id, delivery.delivery_id, state)

    def _resume_delivery(self, delivery: Delivery) -> None:
        """[1.0 §2.6.13] Send the outcome of a known delivery again; others are ignored."""
        retained = retained_on(delivery.link)
        if retained is None or delivery.tag not in retained.known:
            return
        state = retained.known.pop(delivery.tag)
        if delivery.settled:
            return
        retained.note(delivery.delivery_id, delivery.tag, state)
        if state is None:
            # It is safe when what came later is safe.
            self.confirmations.add(delivery.link, delivery.delivery_id, ACCEPTED, True)
        else:
            delivery.link.settle(delivery.delivery_id, delivery.delivery_id, state)
            retained.sent(delivery.delivery_id, delivery.delivery_id, state)

    def _end_link(self, link: Link, error: AmqpError, now: i64) -> None:
        link.detach(error)
        self._links.release(link, now)

    def _flowed(self, link: SenderLink, now: i64) -> None:
        """A flow of a link has come, which may ask for more than credit."""
        told, consumer = link.told, link.context
        link.told = None
        if told is not None and isinstance(consumer, LinkConsumer):
            try:
                consumer.change_watch(told)
            except InvalidSpecError as error:
                self._end_link(link, AmqpError(error.condition.amqp10, str(error)), now)
                return
        self._credit_changed(link)

    def _credit_changed(self, link: SenderLink) -> None:
        consumer = link.context
        if isinstance(consumer, LinkConsumer):
            consumer.resume()
        elif isinstance(consumer, RequestNode):
            consumer.send_replies()

    def _window_changed(self, session: Session) -> None:
        for link in session.links.values():
            if isinstance(link, SenderLink) and link.credit > 0:
                self._credit_changed(link)

    def _refuse_acquisition(self, link: SenderLink, now: i64) -> None:
        text = "messages cannot be acquired in a transaction; leave txn-id out of the flow, and settle in one"
        self._end_link(link, AmqpError(Condition.NOT_IMPLEMENTED.amqp10, text), now)

    def _settle_when_safe(self, asked: SettlementAsked) -> None:
        self.confirmations.answer(lambda _: asked.session.settle_sent(asked.first, asked.last, asked.state))

    def _handle_rare(self, event: Event, now: i64) -> None:  # noqa: C901 - one branch per event
        if isinstance(event, LinkAttached):
            self._links.attach(event.session, event.link, now)
        elif isinstance(event, LinkDetached):
            if event.closed or event.error is not None or not self._links.suspend(event.link, DETACHED, now):
                orderly = event.error is None
                self._links.release(event.link, now, closed=event.closed, orderly=orderly)
        elif isinstance(event, WindowChanged):
            self._window_changed(event.session)
        elif isinstance(event, DeliveryTransacted):
            self._retire(event.link, event.context, event.state, event.delivery_id, now, settled=False)
        elif isinstance(event, AcquisitionAsked):
            self._refuse_acquisition(event.link, now)
        elif isinstance(event, SessionEnded):
            ending = self._links.end_session(event.session, SESSION_ENDED, now)
            if next(ending, _OVER) is not _OVER:
                self._ending = ending
        elif isinstance(event, DeliveryResumed):
            self._resume_delivery(event.delivery)
        elif isinstance(event, SettlementAsked):
            self._settle_when_safe(event)
        elif isinstance(event, SettledBySender):
            _forget_outcomes(event)
        elif isinstance(event, ConnectionClosed):
            self.close(now)


_OVER: Final = object()


@final
class _Events(LongCommand):
    """The events of one connection, when there are very many, as one disposition may cause them."""

    __slots__ = ("_frontend", "_work")

    def __init__(self, frontend: Frontend, work: RoutingWork) -> None:
        super().__init__(frontend.number, STEPS)
        self._frontend = frontend
        self._work = work

    def step(self, now: i64) -> bool:
        """See LongCommand."""
        more = self._frontend.go_on(now)
        self.pauses = self._work.is_over
        return more


def _confirm_run(run: Run[ReceiverLink, DeliveryState]) -> None:
    """Send a publisher the outcome of its deliveries."""
    link = run.source
    if not link.link_state.live:
        return
    link.settle(run.first, run.last, run.outcome)
    retained = retained_on(link)
    if retained is not None:
        retained.sent(run.first, run.last, run.outcome)


def _forget_outcomes(event: SettledBySender) -> None:
    """A publisher has settled these deliveries, so their outcomes need not be retained."""
    for link in event.session.links.values():
        retained = retained_on(link)
        if retained is not None:
            retained.settled(event.first, event.last)


def _part(events: list[Event], most: i64) -> i64:
    """How many of the first events are processed at once: `most`, deliveries that end together each."""
    left: i64 = most
    count: i64 = 0
    for event in events:
        if left <= 0:
            break
        left -= len(event.numbers) if isinstance(event, DeliveriesAccepted) else 1
        count += 1
    return count
