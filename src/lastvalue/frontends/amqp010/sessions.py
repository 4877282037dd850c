"""What a session has: subscriptions, deliveries, a transaction; and the commands about them."""

from collections.abc import Callable, Iterator
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.long_commands import ENDED_IN_A_STEP, HANDLED_IN_A_STEP, Steps
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.statistics.connections import SessionStatistics
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp010.command_layouts import MESSAGE_ACQUIRED
from lastvalue.codec.amqp010.encoder import MOST_RUNS
from lastvalue.codec.amqp010.errors import (
    ILLEGAL_ARGUMENT,
    LOCKED,
    NOT_ALLOWED,
    NOT_FOUND,
    NOT_IMPLEMENTED,
    CommandError,
)
from lastvalue.codec.amqp010.layouts import Ranges, Record
from lastvalue.delivery.branches import Branch
from lastvalue.delivery.output import Output
from lastvalue.delivery.reader_filters import PRIORITY, ReaderFilters
from lastvalue.delivery.unsettled import UnsettledDeliveries, UnsettledDelivery, keep_held, settle_all
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.consumer import NONE, NOT_ACQUIRED, SessionConsumer
from lastvalue.model.errors import LastvalueError
from lastvalue.protocols.amqp010.session import Command, Session
from lastvalue.queues.filters import REPLAY_PERIOD, SELECTOR
from lastvalue.queues.subscription import Mode, Outcome, Terms

_ACCEPTED: Final = Outcome.ACCEPTED
_MESSAGES: Final = 0
_WINDOW_MODE: Final = 1
SELECTOR_ARGUMENTS: Final = ("x-apache-selector", "x-filter-jms-selector")


@final
class SessionState:
    """One session of one connection.

    Attributes:
        session: the engine's.
        owner: as whom it asks the broker.
        consumers: by destination.
        unsettled: what was sent and is not done with, by the id of its transfer.
        transaction: what the session does is part of it; None if each command stands for itself.
        distributed: it was selected for branches of distributed transactions.
        branch: that it works in, and whose transaction it has, or None.
        suspended: branches that it will work in again.
    """

    __slots__ = (
        "_broker_state",
        "_output",
        "branch",
        "consumers",
        "distributed",
        "owner",
        "session",
        "suspended",
        "transaction",
        "unsettled",
    )

    def __init__(self, session: Session, owner: Owner, broker_state: BrokerState, output: Output) -> None:
        self.session = session
        self.owner = owner
        self.consumers: dict[str, SessionConsumer] = {}
        self.unsettled = UnsettledDeliveries()
        self.transaction: Transaction | None = None
        self.distributed = False
        self.branch: Branch | None = None
        self.suspended: list[Branch] = []
        self._broker_state = broker_state
        self._output = output

    def statistics(self) -> SessionStatistics:
        """What there is of it now."""
        links = [
            statistics
            for each in self.consumers.values()
            if (statistics := each.statistics(each.destination)) is not None
        ]
        for link in links:
            consumer = self.consumers[link.name]
            link.window = consumer.window.refills
            link.arguments = consumer.arguments
        name = self.session.name.decode(errors="replace")
        return SessionStatistics(name, self.session.channel, links, self.unsettled.held)

    def take(self, command: Command, now: i64) -> Record | None:
        """Carry out a command of the class message; its result, or None if it has none.

        Raises:
            LastvalueError: it is refused.
        """
        carry_out = _COMMANDS.get(command.record.layout.name)
        if carry_out is None:
            raise CommandError(NOT_IMPLEMENTED, f"{command.record.layout.name} is not carried out here")
        return carry_out(self, command, now)

    # ------------------------------------------------------------------ subscriptions

    def subscribe(self, record: Record, now: i64) -> None:
        """message.subscribe."""
        name = record.text("queue")
        destination = record.text("destination")
        if not name:
            raise CommandError(ILLEGAL_ARGUMENT, "message.subscribe names no queue; it needs one")
        if destination in self.consumers:
            raise CommandError(
                NOT_ALLOWED,
                f"the session has a subscription {destination!r}; cancel that, or use another name",
            )
        if record.text("resume_id"):
            raise CommandError(NOT_IMPLEMENTED, "messages are not resumed: leave out resume-id")
        broker = self._broker_state.broker
        acquires = record.number("acquire_mode") != NOT_ACQUIRED
        verb = Verb.CONSUME if acquires else Verb.BROWSE
        hosted = broker.authorization.find(self.owner, verb, name)
        exclusive = record.has("exclusive")
        self._check_alone(hosted, name, exclusive, acquires)
        consumer = SessionConsumer(
            self.session, destination, self.unsettled, self._output, self._broker_state.writer
        )
        consumer.queue_name = name
        consumer.exclusive = exclusive
        consumer.settles = record.number("accept_mode") == NONE
        sequence_name = self._broker_state.queue_arguments.get(name, {}).get("qpid.queue_msg_sequence")
        if isinstance(sequence_name, str):
            consumer.sequence_name = sequence_name
        consumer.arguments = dict(record.map("arguments"))
        mode = Mode.CONSUME if acquires else Mode.BROWSE
        terms = self._terms(consumer.arguments, hosted, now)
        consumer.read(broker.read(hosted, mode, consumer, terms, self.owner, now))
        self.consumers[destination] = consumer
        event = {"qName": name, "dest": destination, "excl": exclusive, "args": consumer.arguments}
        self._broker_state.tell("subscribe", event)

    def _check_alone(self, hosted: HostedQueue, name: str, exclusive: bool, acquires: bool) -> None:
        """Refuse a subscription if there is an exclusive one, and an exclusive one if there are others."""
        if (acquires and hosted.exclusive_reader is not None) or (exclusive and hosted.consumers > 0):
            raise CommandError(LOCKED, f"queue {name!r} has a subscription that shares it with no other")

    def _terms(self, arguments: dict[str, object], hosted: HostedQueue, now: i64) -> Terms:
        filters = ReaderFilters(self.owner.container, now)
        for name in SELECTOR_ARGUMENTS:
            selector = arguments.get(name)
            if selector:
                filters.add(SELECTOR, selector)
        period = arguments.get(REPLAY_PERIOD)
        if period is not None:
            filters.add(REPLAY_PERIOD, period)
        return filters.terms(hosted.queue.spec.readers, arguments.get(PRIORITY))

    def find(self, record: Record) -> SessionConsumer:
        """The subscription that a command names."""
        destination = record.text("destination")
        consumer = self.consumers.get(destination)
        if consumer is None:
            raise CommandError(NOT_FOUND, f"the session has no subscription {destination!r}")
        return consumer

    def cancel(self, record: Record, now: i64) -> None:
        """message.cancel: what was delivered stays the peer's."""
        consumer = self.find(record)
        del self.consumers[consumer.destination]
        if consumer.reader is not None:
            keep_held(consumer.reader)
        self._stop(consumer, now)

    def _stop(self, consumer: SessionConsumer, now: i64) -> None:
        reader = consumer.reader
        consumer.reader = None
        self._broker_state.tell("unsubscribe", {"qName": consumer.queue_name, "dest": consumer.destination})
        if reader is not None:
            self._broker_state.branches.part_from(reader)
            self._broker_state.broker.stop(reader, now)

    def set_flow_mode(self, record: Record) -> None:
        """message.set-flow-mode."""
        self.find(record).window.refills = record.number("flow_mode") == _WINDOW_MODE

    def flow(self, record: Record, now: i64) -> None:
        """message.flow."""
        self.find(record).grant(record.number("value"), record.number("unit") == _MESSAGES, now)

    def stop(self, record: Record) -> None:
        """message.stop."""
        self.find(record).revoke()

    def flush(self, command: Command) -> None:
        """message.flush: complete when the credit is used, or there is nothing more."""
        self.find(command.record).flush(command.number)

    # ------------------------------------------------------------------ deliveries

    def chosen(self, ranges: Ranges) -> list[UnsettledDelivery]:
        """The deliveries of these ids that are not done with, as they were sent."""
        deliveries: list[UnsettledDelivery] = []
        for first, last in self.session.numbers_sent(ranges):
            deliveries += self.unsettled.between(first, last)
        return deliveries

    def accept(self, ranges: Ranges, now: i64) -> None:
        """message.accept: what is accepted leaves its queue, in a transaction at its commit."""
        transaction = self.transaction
        if transaction is None:
            self._end(ranges, _ACCEPTED, now)
            return
        for delivery in self.chosen(ranges):
            if not delivery.acquired:
                delivery.settle(_ACCEPTED, now)
                self._forget(delivery)
            elif not delivery.settled:
                in_branch = self.branch is not None
                self.unsettled.retire(delivery, _ACCEPTED, transaction, in_branch)
                if in_branch:
                    # It is the branch's now, and the session may end.
                    self._forget(delivery)

    def release(self, ranges: Ranges, redelivered: bool, now: i64) -> None:
        """message.release: available again, marked as delivered before if that is asked."""
        self._end(ranges, Outcome.MODIFIED_FAILED if redelivered else Outcome.RELEASED, now)

    def reject(self, ranges: Ranges, now: i64) -> None:
        """message.reject: it goes to its queue's alternate."""
        self._end(ranges, Outcome.REJECTED, now)

    def _end(self, ranges: Ranges, outcome: Outcome, now: i64) -> None:
        settle_all(
            self.chosen(ranges),
            lambda delivery, now: self._settle(delivery, outcome, now),
            lambda _: None,
            (self._broker_state.broker.long_commands, self.owner.connection),
            now,
        )

    def _settle(self, delivery: UnsettledDelivery, outcome: Outcome, now: i64) -> None:
        delivery.settle(outcome, now)
        self._forget(delivery)

    def acquire(self, ranges: Ranges, now: i64) -> Record:
        """message.acquire: take from their queues what was only shown; those that could be taken.

        The result is whole when the command is over.
        """
        chosen = self.chosen(ranges)
        broker = self._broker_state.broker
        for reader in dict.fromkeys([each.reader for each in chosen if not each.acquired]):
            broker.authorization.check_reader(reader.hosted, Mode.CONSUME, reader.owner)
            broker.check_owner(reader.hosted, reader.owner)
        acquired: Ranges = []
        broker.long_commands.begin(Steps(self._acquiring(chosen, acquired, now), self.owner.connection), now)
        return Record(MESSAGE_ACQUIRED, {"transfers": acquired})

    def _acquiring(self, chosen: list[UnsettledDelivery], acquired: Ranges, now: i64) -> Iterator[None]:
        for done, delivery in enumerate(chosen, 1):
            if len(acquired) == MOST_RUNS:
                # The answer has no room for more; what it does not name is not acquired.
                return
            if self._acquire(delivery, now):
                number = int(delivery.number) % 2**32
                if acquired and acquired[-1][1] + 1 == number:
                    acquired[-1] = (acquired[-1][0], number)
                else:
                    acquired.append((number, number))
            if done % HANDLED_IN_A_STEP == 0:
                yield

    def _acquire(self, delivery: UnsettledDelivery, now: i64) -> bool:
        entry = delivery.entry
        if delivery.acquired or entry is None:
            return False
        try:
            delivery.acquired = self._broker_state.broker.acquire(delivery.reader, entry, now)
        except LastvalueError:
            # The right was taken away meanwhile.
            return False
        if delivery.acquired and _consumer_of(delivery).settles:
            delivery.settle(_ACCEPTED, now)
            self._forget(delivery)
        return delivery.acquired

    def completed(self, runs: Ranges, now: i64) -> None:
        """The peer has completed transfers: in a window there is room for more."""
        refilled: dict[SessionConsumer, None] = {}
        for first, last in runs:
            for delivery in self.unsettled.between(first, last):
                if not delivery.completed:
                    self._complete(delivery, refilled)
        for consumer in refilled:
            consumer.refilled(now)

    def _complete(self, delivery: UnsettledDelivery, refilled: dict[SessionConsumer, None]) -> None:
        delivery.completed = True
        consumer = _consumer_of(delivery)
        if consumer.window.refills:
            consumer.window.restore(delivery.size_bytes, delivery.epoch)
            refilled[consumer] = None
        if delivery.settled or (consumer.settles and not delivery.acquired):
            self._forget(delivery)

    def _forget(self, delivery: UnsettledDelivery) -> None:
        """A delivery is settled: a window waits for its completion, too."""
        delivery.settled = True
        if delivery.completed or not _consumer_of(delivery).window.refills:
            self.unsettled.remove(delivery.number)

    def commit_done(self, now: i64) -> None:
        """The transaction has been committed: what was accepted in it is settled."""
        for delivery in self.unsettled.take_retired():
            delivery.settle(_ACCEPTED, now)
            self._forget(delivery)

    # ------------------------------------------------------------------ the end

    def end(self, now: i64) -> None:
        """The session is over: what it holds is available again, marked as delivered before."""
        if self.transaction is not None:
            self.transaction.roll_back(now)
            self.transaction = None
        for consumer in self.consumers.values():
            if consumer.reader is not None:
                consumer.reader.retire()
        settle_all(
            self.unsettled.take_all(),
            lambda delivery, now: delivery.settle(Outcome.MODIFIED_FAILED, now),
            self._stop_all,
            (self._broker_state.broker.long_commands, self.owner.connection),
            now,
        )

    def _stop_all(self, now: i64) -> None:
        commands = self._broker_state.broker.long_commands
        commands.begin(Steps(self._stopping(now), self.owner.connection), now)

    def _stopping(self, now: i64) -> Iterator[None]:
        consumers = list(self.consumers.values())
        self.consumers = {}
        for stopped, consumer in enumerate(consumers, 1):
            self._stop(consumer, now)
            if stopped % ENDED_IN_A_STEP == 0:
                yield
        self._broker_state.broker.ended(self.owner.session, now)


def _consumer_of(delivery: UnsettledDelivery) -> SessionConsumer:
    consumer = delivery.consumer
    if not isinstance(consumer, SessionConsumer):
        raise TypeError(consumer)
    return consumer


_COMMANDS: Final[dict[str, Callable[[SessionState, Command, i64], Record | None]]] = {
    "message.accept": lambda it, command, now: it.accept(_transfers(command), now),
    "message.release": lambda it, command, now: it.release(
        _transfers(command), command.record.has("set_redelivered"), now
    ),
    "message.reject": lambda it, command, now: it.reject(_transfers(command), now),
    "message.acquire": lambda it, command, now: it.acquire(_transfers(command), now),
    "message.subscribe": lambda it, command, now: it.subscribe(command.record, now),
    "message.cancel": lambda it, command, now: it.cancel(command.record, now),
    "message.set-flow-mode": lambda it, command, _: it.set_flow_mode(command.record),
    "message.flow": lambda it, command, now: it.flow(command.record, now),
    "message.flush": lambda it, command, _: it.flush(command),
    "message.stop": lambda it, command, _: it.stop(command.record),
}


def _transfers(command: Command) -> Ranges:
    return command.record.ranges("transfers")
