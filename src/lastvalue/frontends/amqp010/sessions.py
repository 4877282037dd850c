"""What a session has: subscriptions, deliveries, a transaction; and the commands about them."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.owner import Owner
from lastvalue.broker.permissions import BROWSE, READ
from lastvalue.broker.reading import HostedQueue
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp010.layouts import Ranges, Record
from lastvalue.codec.amqp010.tables import MESSAGE_ACQUIRED
from lastvalue.frontends.amqp010.branches import Branch
from lastvalue.frontends.amqp010.credit import WINDOW_MODE
from lastvalue.frontends.amqp010.domain import Domain
from lastvalue.frontends.amqp010.faults import (
    ILLEGAL_ARGUMENT,
    LOCKED,
    NOT_ALLOWED,
    NOT_FOUND,
    NOT_IMPLEMENTED,
    CommandError,
)
from lastvalue.frontends.amqp010.outlet import (
    NONE,
    NOT_ACQUIRED,
    Delivery,
    Room,
    Subscription,
)
from lastvalue.frontends.output import Toucher
from lastvalue.frontends.reader_filters import NO_LOCAL, ReaderFilters
from lastvalue.protocols.amqp010.session import Command, Session
from lastvalue.queues.claiming import claim
from lastvalue.queues.entry import ACQUIRED
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR
from lastvalue.queues.subscription import Mode, Outcome, Terms

_ACCEPTED: Final = Outcome.ACCEPTED
SELECTOR_ARGUMENTS: Final = ("x-apache-selector", "x-filter-jms-selector")


@final
class SessionState:
    """One session of one connection.

    Attributes:
        session: the engine's.
        owner: as whom it asks the broker.
        subscriptions: by destination.
        deliveries: what was sent and is not done with, by the id of its transfer.
        transaction: what the session does is part of it; None where each command stands for itself.
        accepted: ids of deliveries that are accepted in the transaction.
        distributed: it was selected for branches of distributed transactions.
        branch: that it works in, and whose transaction it has, or None.
        suspended: branches that it will work in again.
    """

    __slots__ = (
        "_domain",
        "_room",
        "_touch",
        "accepted",
        "branch",
        "deliveries",
        "distributed",
        "owner",
        "session",
        "subscriptions",
        "suspended",
        "transaction",
    )

    def __init__(self, session: Session, owner: Owner, domain: Domain, room: Room, touch: Toucher) -> None:
        self.session = session
        self.owner = owner
        self.subscriptions: dict[str, Subscription] = {}
        self.deliveries: dict[int, Delivery] = {}
        self.transaction: Transaction | None = None
        self.accepted: list[int] = []
        self.distributed = False
        self.branch: Branch | None = None
        self.suspended: list[Branch] = []
        self._domain = domain
        self._room = room
        self._touch = touch

    # ------------------------------------------------------------------ subscriptions

    def subscribe(self, record: Record, now: i64) -> None:
        """message.subscribe."""
        name = record.text("queue")
        destination = record.text("destination")
        if not name:
            raise CommandError(ILLEGAL_ARGUMENT, "message.subscribe names no queue; it needs one")
        if destination in self.subscriptions:
            raise CommandError(
                NOT_ALLOWED,
                f"the session has a subscription {destination!r}; cancel that, or use another name",
            )
        if record.text("resume_id"):
            raise CommandError(NOT_IMPLEMENTED, "messages are not resumed: leave out resume-id")
        broker = self._domain.broker
        hosted = broker.lookup(name)
        acquires = record.number("acquire_mode") != NOT_ACQUIRED
        self._permit(READ if acquires else BROWSE, name)
        exclusive = record.has("exclusive")
        self._check_alone(hosted, name, exclusive, acquires)
        subscription = Subscription(
            self.session, destination, self.deliveries, self._room, self._touch, self._domain.writer
        )
        subscription.queue_name = name
        subscription.exclusive = exclusive
        subscription.accepts = record.number("accept_mode") != NONE
        sequence_name = self._domain.queue_arguments.get(name, {}).get("qpid.queue_msg_sequence")
        if isinstance(sequence_name, str):
            subscription.sequence_name = sequence_name
        grouping = hosted.queue.spec.grouping
        if grouping is not None and grouping.first_key is not None:
            subscription.first_key = grouping.first_key
        subscription.arguments = dict(record.map("arguments"))
        mode = Mode.CONSUME if acquires else Mode.BROWSE
        terms = self._terms(subscription.arguments, hosted, now)
        reading = broker.read(hosted, mode, subscription, terms, self.owner, now)
        subscription.reading = reading
        subscription.acquires = reading.subscription.mode is Mode.CONSUME
        self.subscriptions[destination] = subscription
        self._domain.joined(hosted, subscription)
        told = {"qName": name, "dest": destination, "excl": exclusive, "args": subscription.arguments}
        self._domain.tell("subscribe", told)

    def _permit(self, action: str, name: str) -> None:
        access = self._domain.broker.access
        if access is not None:
            access.check(self.owner.principal, action, name)

    def _check_alone(self, hosted: HostedQueue, name: str, exclusive: bool, acquires: bool) -> None:  # noqa: FBT001 - compiled, positional
        """Refuse a subscription beside an exclusive one, and an exclusive one beside others."""
        taken = any(other.exclusive for other in self._domain.subscriptions(hosted))
        others = any(each.subscription.mode is Mode.CONSUME for each in hosted.readings)
        if (taken and acquires) or (exclusive and others):
            raise CommandError(LOCKED, f"queue {name!r} has a subscription that shares it with no other")

    def _terms(self, arguments: dict[str, object], hosted: HostedQueue, now: i64) -> Terms:
        gathered = ReaderFilters(self.owner.container, now)
        for name in SELECTOR_ARGUMENTS:
            selector = arguments.get(name)
            if selector:
                gathered.add(SELECTOR, selector)
        period = arguments.get(REPLAY_PERIOD)
        if period is not None:
            gathered.add(REPLAY_PERIOD, period)
        readers = hosted.queue.spec.readers
        for name, kind, argument in readers.filters:
            if name not in gathered.types:
                gathered.add(kind, argument)
        if readers.no_local:
            gathered.add(NO_LOCAL, True)  # noqa: FBT003 - a value
        priority = arguments.get("x-priority")
        return gathered.terms(priority if isinstance(priority, int) else 0)

    def find(self, record: Record) -> Subscription:
        """The subscription that a command names."""
        destination = record.text("destination")
        subscription = self.subscriptions.get(destination)
        if subscription is None:
            raise CommandError(NOT_FOUND, f"the session has no subscription {destination!r}")
        return subscription

    def cancel(self, record: Record, now: i64) -> None:
        """message.cancel: what was delivered stays the peer's."""
        subscription = self.find(record)
        del self.subscriptions[subscription.destination]
        for delivery in self.deliveries.values():
            held = delivery.subscription is subscription and delivery.acquired and not delivery.ended
            if held and delivery.entry.state == ACQUIRED:
                subscription.reading_of.hosted.queue.keep(delivery.entry)
        self._stop(subscription, now)

    def _stop(self, subscription: Subscription, now: i64) -> None:
        deleted = subscription.ended
        subscription.ended = True
        reading = subscription.reading_of
        self._domain.left(reading.hosted, subscription)
        self._domain.tell("unsubscribe", {"dest": subscription.destination})
        if not deleted:
            self._domain.branches.part_from(reading)
            self._domain.broker.stop(reading, now)

    def set_flow_mode(self, record: Record) -> None:
        """message.set-flow-mode."""
        self.find(record).credit.window = record.number("flow_mode") == WINDOW_MODE

    def flow(self, record: Record, now: i64) -> None:
        """message.flow."""
        subscription = self.find(record)
        subscription.credit.add(record.number("unit"), record.number("value"))
        subscription.has_more_credit(now)

    def stop(self, record: Record) -> None:
        """message.stop: nothing more comes until there is credit again."""
        self.find(record).credit.cancel()

    def flush(self, command: Command) -> None:
        """message.flush: complete when the credit is used, or there is nothing more."""
        subscription = self.find(command.record)
        subscription.flushes.append(int(command.number))
        if subscription.ended:
            subscription.queue_deleted()
        else:
            subscription.resume()

    # ------------------------------------------------------------------ deliveries

    def chosen(self, ranges: Ranges) -> list[tuple[int, Delivery]]:
        """The deliveries of these ids that are not done with, as they were sent."""
        deliveries = self.deliveries
        found: list[tuple[int, Delivery]] = []
        for first, last in self.session.numbers_sent(ranges):
            if last - first < len(deliveries):
                for number in range(first, last + 1):
                    delivery = deliveries.get(number)
                    if delivery is not None:
                        found.append((number, delivery))
            else:
                found += [each for each in deliveries.items() if first <= each[0] <= last]
        return found

    def accept(self, ranges: Ranges, now: i64) -> None:
        """message.accept: what is accepted leaves its queue, in a transaction at its commit."""
        for number, delivery in self.chosen(ranges):
            if self.transaction is not None and delivery.acquired:
                if not delivery.ended:
                    reading = delivery.subscription.reading_of
                    self.transaction.retire(
                        reading, delivery.entry, Outcome.ACCEPTED, self.branch is not None
                    )
                    if self.branch is None:
                        self.accepted.append(number)
                    else:
                        # It is the branch's now, and the session may end.
                        self._forget(number, delivery)
                continue
            delivery.settle(_ACCEPTED, now)
            self._forget(number, delivery)

    def release(self, ranges: Ranges, redelivered: bool, now: i64) -> None:  # noqa: FBT001 - compiled
        """message.release: available again, told to have been delivered before where that is asked."""
        outcome = Outcome.MODIFIED_FAILED if redelivered else Outcome.RELEASED
        for number, delivery in self.chosen(ranges):
            delivery.settle(outcome, now)
            self._forget(number, delivery)

    def reject(self, ranges: Ranges, now: i64) -> None:
        """message.reject: it goes to its queue's alternate."""
        for number, delivery in self.chosen(ranges):
            delivery.settle(Outcome.REJECTED, now)
            self._forget(number, delivery)

    def acquire(self, ranges: Ranges, now: i64) -> Record:
        """message.acquire: take from their queues what was only shown; those that could be taken."""
        acquired: Ranges = []
        for number, delivery in self.chosen(ranges):
            hosted = delivery.subscription.reading_of.hosted
            if delivery.acquired or not claim(hosted.queue, delivery.entry, now):
                continue
            hosted.touch()
            delivery.acquired = True
            low = number % 2**32
            acquired.append((low, low))
            if not delivery.subscription.accepts:
                delivery.settle(Outcome.ACCEPTED, now)
                self._forget(number, delivery)
        return Record(MESSAGE_ACQUIRED, {"transfers": acquired})

    def completed(self, runs: Ranges, now: i64) -> None:
        """The peer has completed transfers: in a window there is room for more."""
        deliveries = self.deliveries
        widened: dict[Subscription, None] = {}
        for first, last in runs:
            if last - first < len(deliveries):
                numbers = [number for number in range(first, last + 1) if number in deliveries]
            else:
                numbers = [number for number in deliveries if first <= number <= last]
            for number in numbers:
                delivery = deliveries[number]
                if not delivery.completed:
                    self._complete(number, delivery, widened)
        for subscription in widened:
            subscription.has_more_credit(now)

    def _complete(self, number: int, delivery: Delivery, widened: dict[Subscription, None]) -> None:
        delivery.completed = True
        subscription = delivery.subscription
        if subscription.credit.window:
            subscription.credit.complete(delivery.size_bytes, delivery.epoch)
            widened[subscription] = None
        if delivery.ended or not (delivery.acquired or subscription.accepts):
            self._forget(number, delivery)

    def _forget(self, number: int, delivery: Delivery) -> None:
        """A delivery is settled: a window waits for its completion, too."""
        delivery.ended = True
        if delivery.completed or not delivery.subscription.credit.window:
            self.deliveries.pop(number, None)

    def commit_done(self, now: i64) -> None:
        """The transaction has been committed: what was accepted in it is settled."""
        for number in self.accepted:
            delivery = self.deliveries.get(number)
            if delivery is not None:
                delivery.settle(Outcome.ACCEPTED, now)
                self._forget(number, delivery)
        self.accepted = []

    # ------------------------------------------------------------------ the end

    def end(self, now: i64) -> None:
        """The session is over: what it holds is available again, told to have been delivered before."""
        if self.transaction is not None:
            self.transaction.roll_back(now)
            self.transaction = None
        for delivery in self.deliveries.values():
            delivery.settle(Outcome.MODIFIED_FAILED, now)
        self.deliveries.clear()
        for subscription in self.subscriptions.values():
            self._stop(subscription, now)
        self.subscriptions = {}
        self._domain.broker.ended(self.owner.session, now)
