"""The reading side of one session: consumers, and what they acknowledge."""

from collections.abc import Iterator
from typing import final

from mypy_extensions import i64

from lastvalue.broker.long_commands import ENDED_IN_A_STEP, Steps
from lastvalue.broker.statistics.connections import LinkStatistics
from lastvalue.codec.core.errors import ILLEGAL_STATE, CoreError
from lastvalue.codec.core.packets import Packet
from lastvalue.delivery.reader_filters import ReaderFilters
from lastvalue.delivery.unsettled import UnsettledDelivery, settle_all
from lastvalue.frontends.core.consumer import SessionConsumer
from lastvalue.frontends.core.filter_text import jms_selector
from lastvalue.frontends.core.queue_names import find_queue
from lastvalue.frontends.core.session_state import SessionState, nobody_told
from lastvalue.protocols.core.events import Acknowledged
from lastvalue.queues.filters import SELECTOR
from lastvalue.queues.subscription import Mode, Outcome

_ACCEPTED = Outcome.ACCEPTED
_FAILED = Outcome.MODIFIED_FAILED
_RELEASED = Outcome.RELEASED


@final
class SessionConsumers:
    """A session's consumers, by the numbers that their client gave them."""

    __slots__ = ("_by_number", "_session")

    def __init__(self, session: SessionState) -> None:
        self._session = session
        self._by_number: dict[int, SessionConsumer] = {}
        session.on_consumer_ended = self._forget

    def statistics(self) -> list[LinkStatistics]:
        """The statistics of its consumers."""
        links = [consumer.statistics(str(number)) for number, consumer in self._by_number.items()]
        return [link for link in links if link is not None]

    @property
    def count(self) -> int:
        """The number of consumers."""
        return len(self._by_number)

    @property
    def held(self) -> int:
        """How many messages are held for the client."""
        return sum(len(consumer.held) for consumer in self._by_number.values())

    def wake(self) -> None:
        """Serve the consumers."""
        for consumer in self._by_number.values():
            consumer.wake()

    # ------------------------------------------------------------------ consumers

    def create(self, packet: Packet, now: i64) -> None:
        """Add a consumer.

        Raises:
            LastvalueError: the request is refused.
        """
        session = self._session
        broker = session.connection.broker
        number = packet.number("consumer")
        if number in self._by_number:
            raise CoreError(ILLEGAL_STATE, f"the session has a consumer {number}; use another number")
        hosted = find_queue(broker, packet.text("queue"), session.owner)
        name = hosted.queue.spec.name
        filters = ReaderFilters(session.owner.container, now)
        text = packet.text("filter").strip()
        if text:
            filters.add(SELECTOR, jms_selector(text))
        terms = filters.terms(hosted.queue.spec.readers, int(packet.number("priority")))
        mode = Mode.BROWSE if packet.flag("browse") else Mode.CONSUME
        consumer = SessionConsumer(session, number, name)
        owner = session.connection.owner(session.number, broker.identify())
        reader = broker.read(hosted, mode, consumer, terms, owner, now)
        consumer.settles = session.pre_acknowledge
        consumer.read(reader)
        self._by_number[int(number)] = consumer
        reader.wake()

    def find(self, number: i64) -> SessionConsumer:
        """A consumer.

        Raises:
            CoreError: there is none of that number.
        """
        consumer = self._by_number.get(number)
        if consumer is None:
            raise CoreError(ILLEGAL_STATE, f"the session has no consumer {number}")
        return consumer

    def grant(self, number: i64, credits_: i64) -> None:
        """A consumer may be sent more; one that has ended needs nothing."""
        consumer = self._by_number.get(number)
        if consumer is not None:
            consumer.grant(credits_)

    def force(self, number: i64, sequence: i64) -> None:
        """A consumer delivers what there is, and says when there is nothing more."""
        consumer = self._by_number.get(number)
        if consumer is not None:
            consumer.force(sequence)

    def close(self, number: i64, now: i64) -> None:
        """End a consumer: what it was sent and did not acknowledge is available again."""
        consumer = self._by_number.pop(number, None)
        if consumer is not None:
            self._end([consumer], _RELEASED, now)

    def _forget(self, number: i64) -> None:
        self._by_number.pop(number, None)

    def _stop(self, consumer: SessionConsumer, now: i64) -> None:
        reader = consumer.reader
        if reader is None:
            return
        consumer.reader = None
        consumer.cancel()
        session = self._session
        if session.transaction is not None:
            session.transaction.part_from(reader, reader.subscription.held.entries())
        session.connection.shared.branches.part_from(reader)
        session.connection.broker.stop(reader, now)

    # ------------------------------------------------------------------ acknowledgements

    def acknowledge(self, event: Acknowledged, now: i64) -> None:
        """Acknowledge a message, or all up to it: at once, or with the transaction.

        Raises:
            CoreError: its consumer does not hold it.
        """
        consumer = self.find(event.consumer)
        if not consumer.acquires or consumer.settles:
            return
        named = self._take(consumer, event.message, event.one)
        session = self._session
        transaction = None if session.auto_commit_acks else session.transaction
        reader = consumer.reader
        if transaction is not None and reader is not None:
            for each in named:
                if each.entry is not None:
                    transaction.retire(reader, each.entry, _ACCEPTED, True)
        elif len(named) == 1:
            named[0].settle(_ACCEPTED, now)
        else:
            self._settle(named, _ACCEPTED, now)

    def expire(self, packet: Packet, now: i64) -> None:
        """A client has found a message that has expired: it leaves as others that do.

        Raises:
            CoreError: its consumer does not hold it.
        """
        consumer = self.find(packet.number("consumer"))
        if consumer.acquires and not consumer.settles:
            for each in self._take(consumer, packet.number("message"), True):
                each.settle(_RELEASED, now)

    def _take(self, consumer: SessionConsumer, message: i64, one: bool) -> list[UnsettledDelivery]:
        """Take out what an acknowledgement names."""
        held = consumer.held
        if message not in held:
            text = f"consumer {consumer.number} does not hold message {message}"
            raise CoreError(ILLEGAL_STATE, text)
        if one:
            return [held.pop(message)]
        numbers: list[int] = []
        for number in held:
            numbers.append(number)
            if number == message:
                break
        return [held.pop(number) for number in numbers]

    def _settle(self, deliveries: list[UnsettledDelivery], outcome: Outcome, now: i64) -> None:
        connection = self._session.connection
        settle_all(
            deliveries,
            lambda each, now: each.settle(outcome, now),
            lambda _: None,
            (connection.broker.long_commands, connection.number),
            now,
        )

    def rolled_back(self, first_failed: bool, now: i64) -> None:
        """The transaction was rolled back: what consumers hold is available again.

        Args:
            first_failed: the first message of each consumer counts as delivered.
            now: the time.
        """
        for consumer in self._by_number.values():
            held = list(consumer.held.values())
            consumer.held = {}
            consumer.give_back(now)
            consumer.cancel()
            if held and first_failed:
                held[0].settle(_FAILED, now)
            self._settle(held, _RELEASED, now)

    # ------------------------------------------------------------------ from one connection to the next

    def attach(self) -> None:
        """The session has another connection."""
        for consumer in self._by_number.values():
            consumer.output = self._session.connection.output
        self.wake()

    def close_all(self, failed: bool, now: i64) -> None:
        """The session is over: release everything that its consumers hold."""
        consumers = list(self._by_number.values())
        self._by_number = {}
        self._end(consumers, _FAILED if failed else _RELEASED, now)
        self._session.on_consumer_ended = nobody_told

    def _end(self, consumers: list[SessionConsumer], outcome: Outcome, now: i64) -> None:
        """End consumers: first what they hold, then their subscriptions, a part in each step."""
        held: list[UnsettledDelivery] = []
        for consumer in consumers:
            if consumer.reader is not None:
                consumer.reader.retire()
            held += consumer.held.values()
            consumer.held = {}
        connection = self._session.connection
        commands, number = connection.broker.long_commands, connection.number
        settle_all(
            held,
            lambda each, now: each.settle(outcome, now),
            lambda now: commands.begin(Steps(self._stopping(consumers, now), number), now),
            (commands, number),
            now,
        )

    def _stopping(self, consumers: list[SessionConsumer], now: i64) -> Iterator[None]:
        for stopped, consumer in enumerate(consumers, 1):
            self._stop(consumer, now)
            if stopped % ENDED_IN_A_STEP == 0:
                yield
