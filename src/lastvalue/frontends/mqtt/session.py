"""A client's session: its queue, and what it subscribes to [MQTT 5.0 §4.1]."""

from dataclasses import replace
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.rights.owner import BROKER, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.statistics.connections import LinkStatistics
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.packet_types import LASTS_FOR_EVER
from lastvalue.codec.mqtt.packets import Subscription
from lastvalue.codec.mqtt.properties import Properties
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topic_keys import EXCHANGE, filter_pattern
from lastvalue.delivery.consumer import Consumer
from lastvalue.frontends.mqtt.connection_state import MqttConnectionState
from lastvalue.frontends.mqtt.received_messages import ReceivedMessages
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue, TopicSelection
from lastvalue.frontends.mqtt.session_consumer import SessionConsumer
from lastvalue.frontends.mqtt.session_feeders import (
    GroupConsumer,
    RetainedCopier,
    RetainedWatch,
    SessionFeeder,
)
from lastvalue.frontends.mqtt.subscription_table import (
    ClientSubscription,
    SubscriptionTable,
    bound_subscription,
    requested_subscription,
)
from lastvalue.model.memory_budget import LINK_BYTES, UNSETTLED_BYTES
from lastvalue.queues.spec import Exclusive, LastValue, Lifetime, Limit, QueueSpec, WhenFull
from lastvalue.queues.subscription import ANY, Mode, Terms
from lastvalue.queues.watch_terms import WatchTerms

_SESSION: Final = "mqtt"
_RECEIVED: Final = "mqtt-received"
_SUBJECT: Final = "properties.subject"
MOST_NAME_LENGTH: Final = 255
GROUPS: Final = "mqtt.shared/"
"""How the names of the queues begin that groups share."""
FILTER_WORK: Final = 20
"""The routing work of a filter that is subscribed to, or no longer."""
_FEEDERS_OF_WORK: Final = 16
"""So many feeders are looked at for a routing work of 1."""


@final
class Session:
    """A client's session, over one connection.

    Args:
        state: of the connection; the client has its identifier.
        receive_maximum: messages above QoS 0 that the client takes before it answers.
        newest: of each topic only the newest message waits for the client, where the session is new.

    Attributes:
        consumer: of its queue.
        name: of its queue.
        expiry_s: how long it outlives the connection; 0 ends it with that.
        received: what the client has published at QoS 2 and not released.
    """

    __slots__ = (
        "_broker", "_feeders", "_newest", "_owner", "_state", "_table", "_watching", "consumer", "expiry_s",
        "name", "received",
    )  # fmt: skip

    def __init__(self, state: MqttConnectionState, receive_maximum: i64, newest: bool = False) -> None:
        self._state = state
        self._broker = state.broker
        self._owner: Owner = state.owner()
        self._table = SubscriptionTable()
        self.consumer = SessionConsumer(state, self._table, receive_maximum)
        self._feeders: list[SessionFeeder] = []
        self.name = subscription_queue(self._owner.principal, state.client_id, _SESSION)
        self.expiry_s = 0
        self._newest = newest
        # Its queue, once a subscription watches.
        self._watching: HostedQueue | None = None
        received = subscription_queue(self._owner.principal, state.client_id, _RECEIVED)
        self.received = ReceivedMessages(received, state.broker, self._owner)

    # ------------------------------------------------------------------ beginning and end

    def end_earlier(self, now: i64) -> bool:
        """End an earlier session of the client; false while its queues are still to be emptied."""
        names = (self.name, self.received.name)
        for name in names:
            if self._broker.has_queue(name):
                self._broker.delete(name, now, self._owner, even_alternate=True)
        return not any(self._broker.has_queue(name) for name in names)

    def begin(self, expiry_s: int, now: i64) -> bool:
        """Continue with the client's session, or begin one; whether there was one.

        Raises:
            BrokerError: the queue cannot be declared or read.
        """
        self.expiry_s = expiry_s
        present = self._broker.has_queue(self.name)
        if present:
            self._resume(now)
        elif expiry_s > 0:
            self._need_queue(now)
        return present

    def _resume(self, now: i64) -> None:
        hosted = self._broker.lookup(self.name)
        self._newest = isinstance(hosted.queue.spec.ordering, LastValue)
        self._read(self.consumer, hosted, Mode.CONSUME, ANY, now)
        self.received.resume(now)
        self.change_expiry(self.expiry_s, now)
        for exchange, binding in self._broker.exchanges.bindings_of(self.name):
            found = bound_subscription(binding.arguments) if exchange.name == EXCHANGE else None
            if found is not None:
                self._table.put(found)
                self._feed(found, False, now)

    def _need_queue(self, now: i64) -> HostedQueue:
        """The session's queue, declared and read."""
        reader = self.consumer.reader
        if reader is not None:
            return reader.hosted
        spec = self._spec(self.name)
        if self._newest:
            spec = replace(spec, ordering=LastValue(_SUBJECT))
        self._broker.declare(spec, self._owner)
        hosted = self._broker.lookup(self.name)
        self._read(self.consumer, hosted, Mode.CONSUME, ANY, now)
        return hosted

    def _spec(self, name: str) -> QueueSpec:
        """A queue that lasts as long as the session."""
        expires = self.expiry_s != LASTS_FOR_EVER
        return QueueSpec(
            name,
            limit=Limit(self._state.shared.settings.most_session_messages, when_full=WhenFull.DROP_OLDEST),
            durable=self.expiry_s > 0,
            exclusive=Exclusive.LINK,
            lifetime=Lifetime.NO_OUTBOUND_LINKS if expires else Lifetime.PERMANENT,
            auto_delete_delay_ms=1000 * self.expiry_s if expires else 0,
        )

    def _adapt(self, hosted: HostedQueue, now: i64) -> None:
        """Have a queue of the session last as long as that does now; what survives a restart stays so."""
        present = hosted.queue.spec
        wanted = self._spec(present.name)
        changed = replace(present, lifetime=wanted.lifetime, auto_delete_delay_ms=wanted.auto_delete_delay_ms)
        if changed != present:
            self._broker.reconfigure(changed, now, self._owner)

    def change_expiry(self, expiry_s: int, now: i64) -> None:
        """Let the session outlive the connection for another time than it was to.

        Raises:
            BrokerError: its queues cannot be changed.
        """
        self.expiry_s = expiry_s
        reader = self.consumer.reader
        for hosted in (None if reader is None else reader.hosted, self.received.hosted):
            if hosted is not None:
                self._adapt(hosted, now)

    def need_received(self, now: i64) -> None:
        """Have what the client publishes at QoS 2 remembered as long as the session lasts.

        Raises:
            BrokerError: the queue cannot be declared.
        """
        if self.expiry_s > 0 and self.received.hosted is None:
            # Its packet identifiers bound it: none is forgotten before the client releases it.
            self.received.prepare(replace(self._spec(self.received.name), limit=Limit()), now)

    def release(self, now: i64) -> None:
        """The connection is over; a second call does nothing."""
        self._end_feeders(self._feeders, now)
        if self._watching is not None:
            self._state.shared.watchers.remove(self._watching)
        self.consumer.release(now)
        self._stop(self.consumer, now)
        self.received.end(now)

    def _stop(self, consumer: Consumer, now: i64) -> None:
        reader = consumer.reader
        if reader is not None:
            consumer.reader = None
            self._broker.stop(reader, now)

    # ------------------------------------------------------------------ subscriptions

    @property
    def is_durable(self) -> bool:
        """Whether what changes in it survives a restart."""
        reader = self.consumer.reader
        return reader is not None and reader.hosted.queue.spec.durable

    def hold(self) -> None:
        """Send nothing until `send_on`: a SUBACK is owed."""
        self.consumer.holds += 1

    def send_on(self) -> None:
        """End what `hold` began."""
        self.consumer.holds -= 1
        self.consumer.wake()
        for feeder in self._feeders:
            feeder.wake()

    def subscribe(self, asked: Subscription, properties: Properties, now: i64) -> ReasonCode:
        """Subscribe, in the place of a subscription with the same filter; what SUBACK says.

        Raises:
            MqttError: there is no such subscription.
            BrokerError: the client may not, or there are too many.
        """
        wanted = requested_subscription(asked, properties)
        broker = self._broker
        self._spend()
        group = wanted.filter.group
        present = self._table.get(wanted.text)
        broker.authorize(self._owner, Verb.BIND, EXCHANGE, self.name)
        if group:
            broker.authorize(self._owner, Verb.CONSUME, group_queue(wanted))
        handling = asked.retain_handling
        shows = not group and (handling == 0 or (handling == 1 and present is None))
        if shows or wanted.watches:
            for name in self._state.shared.retained.names_for(wanted.filter.levels):
                broker.authorize(self._owner, Verb.BROWSE, name)
        self._need_queue(now)
        if self._newest:
            # A client cannot be asked to forget what is replaced.
            wanted.qos = min(wanted.qos, 1)
        broker.bind(EXCHANGE, wanted.binding(self.name), self._owner, now)
        if present is not None:
            self._end_feeders(self._feeders_of(wanted.text), now)
        self._table.put(wanted)
        self._state.shared.watchers.note_change()
        self._feed(wanted, shows, now)
        return ReasonCode(int(wanted.qos))

    def _feed(self, wanted: ClientSubscription, shows: bool, now: i64) -> None:
        """Begin the readers of a subscription; `shows` is that it gets the retained values that there are."""
        if wanted.filter.group:
            self._join_group(wanted, now)
            return
        hosted = self._need_queue(now)
        if wanted.watches:
            wanted.watched_after = hosted.queue.sequence
            self._watching = hosted
            self._table.forget_watches()
            self._state.shared.watchers.put(hosted, self._table.only_watch)
        # A watch makes a missing queue, and waits.
        retained_queues = self._state.shared.retained.for_filter(wanted.filter.levels, wanted.watches)
        for retained, source in retained_queues:
            if wanted.watches:
                self._watch(wanted, retained, source, shows, now)
            elif shows:
                self._copy(wanted, retained, source, hosted, now)

    def _copy(
        self,
        wanted: ClientSubscription,
        retained: RetainedQueue,
        source: HostedQueue,
        hosted: HostedQueue,
        now: i64,
    ) -> None:
        """Copy the retained values that there are to the session's queue."""
        copier = RetainedCopier(self.consumer, wanted, hosted, retained)
        levels = wanted.filter.levels
        if wanted.filter.has_wildcards:
            terms = Terms(TopicSelection(retained, levels), until=source.queue.sequence)
            self._begin(copier, source, Mode.BROWSE, terms, now)
        elif retained.takes(levels):
            value = retained.value_of(source.queue, "/".join(levels), now)
            if value is not None:
                copier.deliver(value, now)

    def _watch(
        self, wanted: ClientSubscription, retained: RetainedQueue, source: HostedQueue, shows: bool, now: i64
    ) -> None:
        watch = RetainedWatch(self.consumer, wanted, retained, source.queue.sequence, shows)
        terms = Terms(only_new=not shows)
        levels = wanted.filter.levels
        # Who reads one topic is not woken by the others.
        keys = () if wanted.filter.has_wildcards else (retained.key_of("/".join(levels)),)
        if keys or wanted.rate > 0:
            terms.watch = WatchTerms(rate=wanted.rate, keys=keys)
        self._begin(watch, source, Mode.BROWSE, terms, now)

    def _join_group(self, wanted: ClientSubscription, now: i64) -> None:
        """Consume from the queue of a group, which all its members have in common."""
        broker = self._broker
        name = group_queue(wanted)
        spec = replace(self._spec(name), durable=True, exclusive=Exclusive.NONE)
        if broker.has_queue(name):
            # It lasts as long as the session of any member.
            before = broker.lookup(name).queue.spec
            longer = spec.auto_delete_delay_ms > before.auto_delete_delay_ms
            if before.lifetime is not Lifetime.PERMANENT and (longer or spec.lifetime is Lifetime.PERMANENT):
                broker.reconfigure(spec, now, BROKER)
        else:
            broker.declare(spec, BROKER)
            broker.bind(EXCHANGE, Binding(name, filter_pattern(wanted.filter.levels)), BROKER, now)
        consumer = GroupConsumer(self.consumer, wanted, self._need_queue(now))
        self._begin(consumer, broker.lookup(name), Mode.CONSUME, ANY, now)

    def _begin(self, feeder: SessionFeeder, source: HostedQueue, mode: Mode, terms: Terms, now: i64) -> None:
        self._read(feeder, source, mode, terms, now)
        self._feeders.append(feeder)

    def _read(self, consumer: Consumer, source: HostedQueue, mode: Mode, terms: Terms, now: i64) -> None:
        link = self._state.owner(self._broker.identify())
        reader = self._broker.read(source, mode, consumer, terms, link, now)
        consumer.read(reader)
        reader.wake()

    def unsubscribe(self, text: str, now: i64) -> ReasonCode:
        """End the subscription with this filter; what UNSUBACK says.

        Raises:
            BrokerError: the client may not.
        """
        self._spend()
        subscription = self._table.remove(text)
        if subscription is None:
            return ReasonCode.NO_SUBSCRIPTION_EXISTED
        self._state.shared.watchers.note_change()
        self._broker.unbind(EXCHANGE, self.name, subscription.pattern, self._owner)
        self._end_feeders(self._feeders_of(text), now)
        return ReasonCode.SUCCESS

    def _spend(self) -> None:
        """Count what a filter costs, for which all feeders may be looked at."""
        self._broker.exchanges.work.spend(FILTER_WORK + len(self._feeders) // _FEEDERS_OF_WORK)

    def _end_feeders(self, feeders: list[SessionFeeder], now: i64) -> None:
        for feeder in feeders:
            self._stop(feeder, now)
        self._feeders = [each for each in self._feeders if each.reader is not None]

    def _feeders_of(self, text: str) -> list[SessionFeeder]:
        return [each for each in self._feeders if each.subscription.text == text]

    def sweep(self, now: i64) -> None:
        """End the readers that have brought all."""
        self._end_feeders([each for each in self._feeders if each.over], now)

    # ------------------------------------------------------------------ what the connection asks

    def has(self, receiver: Receiver) -> bool:
        """Whether a receiver is one of the session's."""
        return receiver is self.consumer or receiver in self._feeders

    def statistics(self) -> list[LinkStatistics]:
        """The statistics of its readers."""
        consumers = [self.consumer, *self._feeders]
        found = [each.statistics(each.reader.hosted.queue.spec.name) for each in consumers if each.reader]
        return [each for each in found if each is not None]

    @property
    def open_bytes(self) -> i64:
        """The memory that it takes with its connection."""
        links = len(self._table) + len(self._feeders) + 1
        return links * LINK_BYTES + (self.consumer.unsettled.count + len(self.received)) * UNSETTLED_BYTES


def group_queue(subscription: ClientSubscription) -> str:
    """The queue of a group that shares a subscription, whoever its members are.

    Raises:
        MqttError: the name would be too long.
    """
    name = f"{GROUPS}{subscription.filter.group}/{subscription.filter.text}"
    if len(name) > MOST_NAME_LENGTH:
        text = f"{subscription.text!r:.80}: a group and its filter have about 240 characters together"
        raise MqttError(ReasonCode.TOPIC_FILTER_INVALID, text)
    return name
