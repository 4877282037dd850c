"""Readers that bring a session what the exchange of all topics does not: retained values, group messages."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.receiver import MOST_MORE
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.payloads import expiring_payload, forwarded_payload
from lastvalue.codec.mqtt.message_encoder import NOT_RETAINED, DeliveredMessage
from lastvalue.codec.mqtt.packets import Publish
from lastvalue.codec.mqtt.properties import NONE
from lastvalue.codec.mqtt.topic_keys import EXCHANGE, matches, topic_key
from lastvalue.delivery.consumer import UNBOUNDED, BlockedBy, Consumer
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue
from lastvalue.frontends.mqtt.session_consumer import SessionConsumer
from lastvalue.frontends.mqtt.subscription_table import NEVER_WATCHED, ClientSubscription
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER
from lastvalue.model.property_names import MQTT_FOR, MQTT_RETAINED
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import EntryRun
from lastvalue.queues.subscription import Outcome

_MOST_AHEAD: Final = 256
"""So many messages that are not settled may be in a session's queue, and more are brought."""


class SessionFeeder(Consumer):
    """A reader that brings messages for one subscription of a session.

    Attributes:
        subscription: for which it brings them.
        over: it brings nothing more.
    """

    __slots__ = ("_session_consumer", "over", "subscription")

    def __init__(self, consumer: SessionConsumer, subscription: ClientSubscription) -> None:
        super().__init__(consumer.output, UNBOUNDED)
        self.subscription = subscription
        self.over = False
        self._session_consumer = consumer

    def revoked(self) -> None:
        """See Receiver."""
        super().revoked()
        self._session_consumer.refuse_reading()


class _Copier(SessionFeeder):
    """One that copies them to the session's queue, where they are settled, and sent again."""

    __slots__ = ("_hosted",)

    def __init__(
        self, consumer: SessionConsumer, subscription: ClientSubscription, hosted: HostedQueue
    ) -> None:
        super().__init__(consumer, subscription)
        self._hosted = hosted

    def wants(self, now: i64) -> bool:
        """See Receiver: the session's queue does not get more than its client takes."""
        ahead = min(_MOST_AHEAD, self._session_consumer.window.messages.limit)
        if self._hosted.queue.depth >= ahead or not self._session_consumer.is_heard:
            self._session_consumer.await_room(self)
            return self.wait_for(BlockedBy.WINDOW, now)
        return True

    def _copy(self, payload: bytes, entry: Entry, place: tuple[str, str] | None, now: i64) -> bool:
        """Copy a message to the session's queue; false if it cannot be read."""
        notes: dict[str, object] = {MQTT_FOR: self.subscription.text}
        if place is not None:
            notes[MQTT_RETAINED] = 0
        try:
            if entry.expires_ms != NEVER:
                payload = expiring_payload(payload, now, entry.expires_ms)
            message = read_message(forwarded_payload(payload, notes, True, place))
        except LastvalueError as fault:
            self.pass_over(entry, str(fault), now)
            return False
        message.origin = entry.message.origin
        self._hosted.mark_changed()
        self._hosted.take(message, now)
        self.sent(entry, now)
        return True


@final
class RetainedCopier(_Copier):
    """Copies the retained values that were there when a subscription began."""

    __slots__ = ("_retained",)

    def __init__(
        self,
        consumer: SessionConsumer,
        subscription: ClientSubscription,
        hosted: HostedQueue,
        retained: RetainedQueue,
    ) -> None:
        super().__init__(consumer, subscription, hosted)
        self._retained = retained

    def deliver(self, entry: Entry, now: i64) -> None:
        """See Receiver."""
        message = entry.message
        topic = self._retained.topic_of(message)
        if topic is not None:
            own = message.annotation(MQTT_RETAINED) is not None
            self._copy(entry.encoded, entry, None if own else (EXCHANGE, topic_key(topic)), now)

    def on_empty(self, now: i64) -> None:
        """See Receiver: it has copied all."""
        super().on_empty(now)
        self.over = True
        self._session_consumer.wake_waiting()


@final
class GroupConsumer(_Copier):
    """A member of a group that shares a subscription: what it takes is its session's."""

    __slots__ = ()

    def deliver(self, entry: Entry, now: i64) -> None:
        """See Receiver."""
        if self._copy(entry.encoded, entry, None, now):
            self.settle(entry, Outcome.ACCEPTED, now)


@final
class RetainedWatch(SessionFeeder):
    """Writes retained values from where they are, each chosen when it is written: the newest of its topic."""

    __slots__ = ("_begun_after", "_retained", "_shows")

    def __init__(
        self,
        consumer: SessionConsumer,
        subscription: ClientSubscription,
        retained: RetainedQueue,
        begun_after: i64,
        shows: bool,
    ) -> None:
        super().__init__(consumer, subscription)
        self._retained = retained
        # Whether it gets the values that there were.
        self._shows = shows
        # The sequence of the last value that there was when the subscription began.
        self._begun_after: i64 = begun_after

    def wants(self, now: i64) -> bool:
        """See Receiver."""
        if not self._session_consumer.is_heard:
            return self.wait_for(BlockedBy.FLOW, now)
        return self.has_room(now)

    def deliver(self, entry: Entry, now: i64) -> None:
        """See Receiver."""
        if self._write(entry, now):
            self.sent(entry, now)

    def takes_more(self) -> i64:
        """See Receiver."""
        return MOST_MORE

    def send_run(self, run: EntryRun, now: i64) -> list[Entry]:
        """See Consumer: those that subscribe alike share what is written."""
        consumer, subscription = self._session_consumer, self.subscription
        level = consumer.plain_level(subscription)
        if level == 0 or (run.entries[0].sequence <= self._begun_after and not subscription.as_published):
            return [entry for entry in run.entries if self._write(entry, now)]
        if run.encoding is None:
            run.encoding = {}
        shared = run.encoding
        if not isinstance(shared, dict):
            return []
        as_published, own = subscription.as_published, subscription.identifier
        form = (subscription.filter.text, int(level), as_published, own)
        written = shared.get(form)
        if written is None:
            wires: list[bytes] = []
            entries: list[Entry] = []
            for entry in run.entries:
                found = self._found(entry, now)
                if found is not None:
                    message, topic = found
                    wires.append(message.wire(topic, 0, 0, as_published, level, own))
                    entries.append(entry)
            largest = max([len(wire) for wire in wires], default=0)
            written = shared[form] = (b"".join(wires), largest, entries)
        octets, largest, sent = written
        if octets and not consumer.state.engine.put(octets, largest):
            return [entry for entry in run.entries if self._write(entry, now)]
        return sent

    def _found(self, entry: Entry, now: i64) -> tuple[DeliveredMessage, str] | None:
        """A value with its topic; None if it is not for the subscription."""
        try:
            message = self._session_consumer.state.shared.delivered(entry.encoded)
            own = message.retained != NOT_RETAINED
            topic = message.topic if own else self._retained.topic_of(entry.message)
        except LastvalueError as fault:
            self.pass_over(entry, str(fault), now)
            return None
        if topic is None or not matches(self.subscription.filter.levels, topic.split("/")):
            return None
        if entry.sequence <= self._begun_after and not self._shows:
            return None
        return message, topic

    def _write(self, entry: Entry, now: i64) -> bool:
        """Write a value, unless it is not for the client."""
        consumer, subscription = self._session_consumer, self.subscription
        found = self._found(entry, now)
        if found is None or (subscription.no_local and entry.message.origin == consumer.state.container):
            return False
        message, topic = found
        publish = Publish(topic, message.payload, 0, 0, NONE)
        publish.retain = subscription.as_published or entry.sequence <= self._begun_after
        return consumer.write(publish, message, [subscription], entry.expires_ms, now)

    def queue_deleted(self) -> None:
        """See Receiver: what is published from now on comes by the session's queue."""
        super().queue_deleted()
        self.subscription.watched_after = NEVER_WATCHED
        self._session_consumer.watch_ended()

    def deliver_watched(self, entry: Entry, now: i64) -> None:
        """See Receiver: the client continues nowhere else from it."""
        self.deliver(entry, now)
