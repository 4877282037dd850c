"""The consumer of a session's queue: how its messages are sent, and settled by packet identifiers."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.mqtt.message_decoder import released_mark
from lastvalue.codec.mqtt.message_encoder import NOT_RETAINED, DeliveredMessage
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.packets import Acks, Publish
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId, property_octets
from lastvalue.codec.mqtt.reason_codes import FIRST_FAILURE, ReasonCode
from lastvalue.delivery.consumer import BlockedBy, Consumer, note_passed_over
from lastvalue.delivery.unsettled import UnsettledDeliveries, UnsettledDelivery, settle_all
from lastvalue.delivery.window import prefetch_window
from lastvalue.frontends.mqtt.connection_state import MqttConnectionState
from lastvalue.frontends.mqtt.subscription_table import NEVER_WATCHED, ClientSubscription, SubscriptionTable
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER
from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import EntryRun
from lastvalue.queues.subscription import Outcome

LAST_PACKET_ID: Final = 0xFFFF
_EXACTLY_ONCE: Final = 2
_MOST_UNANSWERED_BYTES: Final = 4 << 20
"""Of what a client is sent and has not answered, beyond one message: nothing of it may be dropped."""
_ACCEPTED: Final = Outcome.ACCEPTED
_FAILED: Final = Outcome.MODIFIED_FAILED
_NOBODY: Final[list[ClientSubscription]] = []


def packet_id_of(entry: Entry) -> i64:
    """The packet identifier of an entry's delivery: the same after a reconnect and after a restart."""
    return (entry.sequence - 1) % LAST_PACKET_ID + 1


@final
class SessionConsumer(Consumer):
    """Sends what comes to a session's queue, and to readers that write themselves.

    Attributes:
        holds: how many SUBACKs are owed, before which nothing is sent.
        state: of the connection.
        unsettled: by their packet identifiers.
    """

    __slots__ = ("_at_qos_2", "_awaited", "_table", "_waiting", "holds", "state", "unsettled")

    def __init__(
        self,
        state: MqttConnectionState,
        table: SubscriptionTable,
        receive_maximum: i64,
    ) -> None:
        super().__init__(state.output, prefetch_window(receive_maximum, 0))
        self.holds: i64 = 0
        # Readers that wait for room in the session's queue.
        self._waiting: dict[Consumer, None] | None = None
        self.unsettled = UnsettledDeliveries()
        # Those of `unsettled` that the client answers with PUBREC; most clients have none.
        self._at_qos_2: set[int] | None = None
        self.state = state
        self._table = table
        # The packet identifier for which the next message waits, as an earlier one has it; or 0.
        self._awaited: i64 = 0

    @property
    def is_heard(self) -> bool:
        """Whether the client may be sent messages: no SUBACK is owed, and the connection is open."""
        return self.holds == 0 and self.state.engine.opened

    # ------------------------------------------------------------------ deliveries

    def wants(self, now: i64) -> bool:
        """See Receiver."""
        if not self.is_heard:
            return self.wait_for(BlockedBy.FLOW, now)
        if not self._may_send_more():
            return self.wait_for(BlockedBy.WINDOW, now)
        return self.has_room(now)

    def _may_send_more(self) -> bool:
        """Whether what the client has not answered lets it have more."""
        reader = self.reader
        if self._awaited > 0 or reader is None or not self.window.is_open():
            return False
        contents = reader.hosted.queue.contents
        held, share = contents.held_bytes, contents.share
        if held == 0 or share is None:
            return held < _MOST_UNANSWERED_BYTES
        # What it has not answered cannot be dropped: half of its part is for what waits.
        unanswered = held + (contents.depth - contents.available) * ENTRY_BYTES
        return held < _MOST_UNANSWERED_BYTES and not share.is_half_filled_by(unanswered)

    def deliver(self, entry: Entry, now: i64) -> None:
        """See Receiver."""
        try:
            message = self.state.shared.delivered(entry.encoded)
        except LastvalueError as fault:
            # It is malformed, whatever protocol brought it.
            self._discard(entry, str(fault), now)
            return
        packet_id = packet_id_of(entry)
        if (message.released or message.qos > 0) and self.unsettled.find(packet_id) is not None:
            self._awaited = packet_id
            self.settle(entry, Outcome.RELEASED, now)
        elif message.released:
            self._send_release(entry, packet_id, now)
        elif message.topic is None:
            self._discard(entry, f"MQTT has no topic for the routing key {message.key!r:.80}", now)
        else:
            self._send(entry, message, message.topic, now)

    def takes_more(self) -> i64:
        """See Receiver."""
        return self.window.room_for_any() if self.is_heard and self._may_send_more() else 0

    def send_run(self, run: EntryRun, now: i64) -> list[Entry]:
        """See Consumer."""
        written: list[Entry] = []
        for entry in run.entries:
            if self._awaited > 0:
                # It has its place behind the one that waits.
                self.settle(entry, Outcome.RELEASED, now)
            elif self._write_plain(entry, now):
                written.append(entry)
            else:
                self.deliver(entry, now)
        return written

    def _write_plain(self, entry: Entry, now: i64) -> bool:
        """Send a message that has nothing of its own but identifiers; false if it is no such one."""
        engine = self.state.engine
        if not engine.shares:
            return False
        try:
            message = self.state.shared.delivered(entry.encoded)
        except LastvalueError:
            return False
        topic, most = message.topic, i64(-1)
        retain, own = False, b""
        if topic is not None and not message.released and not message.meant_for:
            for each in self._table.of_topic(topic):
                watches = message.retained != NOT_RETAINED and each.watched_after != NEVER_WATCHED
                if watches:
                    return False
                if each.no_local and entry.message.origin == self.state.container:
                    continue
                most = max(most, each.qos)
                own += each.identifier
                retain = retain or (each.as_published and message.retained != NOT_RETAINED)
        qos = min(most, message.qos)
        packet_id = packet_id_of(entry) if qos > 0 else 0
        if topic is None or most < 0 or (qos > 0 and self.unsettled.find(packet_id) is not None):
            return False
        wire = message.wire(topic, qos, packet_id, retain, engine.level, own)
        if not engine.put(wire, len(wire)):
            return False
        self._note_sent(entry, qos, packet_id, len(message.payload), now)
        return True

    def _note_sent(self, entry: Entry, qos: i64, packet_id: i64, size_bytes: i64, now: i64) -> None:
        """A message is written: settle it, or wait for the client to answer."""
        if qos == 0:
            self.settle(entry, _ACCEPTED, now)
            return
        if qos == _EXACTLY_ONCE:
            # [MQTT-4.3.3-10] The client takes another message with this identifier for the same one.
            self.output.stored_first = True
            if self._at_qos_2 is None:
                self._at_qos_2 = set()
            self._at_qos_2.add(int(packet_id))
        self._keep(entry, packet_id, size_bytes)

    def _send(self, entry: Entry, message: DeliveredMessage, topic: str, now: i64) -> None:
        """Send a message, if any subscription of the session is for it."""
        chosen = self._chosen(entry, message, topic, now)
        if not chosen:
            # What it was for has ended, or is served otherwise.
            self.settle(entry, _ACCEPTED, now)
            return
        qos = min(message.qos, max([each.qos for each in chosen]))
        packet_id = packet_id_of(entry) if qos > 0 else 0
        publish = Publish(topic, message.payload, qos, packet_id, NONE)
        if message.meant_for and not chosen[0].filter.group:
            publish.retain = True
        elif message.retained != NOT_RETAINED:
            publish.retain = any(each.as_published for each in chosen)
        publish.duplicate = qos > 0 and entry.delivery_count > 0
        if not self.write(publish, message, chosen, entry.expires_ms, now):
            # [MQTT-3.1.2-25] It is as if it had been sent.
            self._discard(entry, f"{len(message.payload)} bytes are more than the client takes", now)
            return
        self.sent(entry, now)
        self._note_sent(entry, qos, packet_id, len(message.payload), now)

    def plain_level(self, subscription: ClientSubscription) -> i64:
        """The level of the protocol, if those that subscribe alike may share messages; else 0."""
        engine = self.state.engine
        return engine.level if engine.shares and not subscription.no_local else 0

    def write(
        self,
        publish: Publish,
        message: DeliveredMessage,
        chosen: list[ClientSubscription],
        expires_ms: i64,
        now: i64,
    ) -> bool:
        """Write a message for these subscriptions; false if it is larger than the client takes."""
        engine = self.state.engine
        level = engine.level
        expires = level >= LEVEL_5 and expires_ms != NEVER
        own = b"".join([each.identifier for each in chosen])
        if publish.qos == 0 and not expires and engine.shares:
            wire = message.wire(publish.topic, 0, 0, publish.retain, level, own)
            return engine.put(wire, len(wire))
        properties = message.properties
        if expires:
            # [MQTT-3.3.2-6] What is left of it.
            left_s = int(max(1, (expires_ms - now + 999) // 1000))
            properties = Properties(
                {**properties.values, PropertyId.MESSAGE_EXPIRY_S: left_s}, properties.user
            )
        octets = property_octets(properties) + own if level >= LEVEL_5 else b""
        return engine.publish(publish, octets)

    def _chosen(
        self, entry: Entry, message: DeliveredMessage, topic: str, now: i64
    ) -> list[ClientSubscription]:
        """The subscriptions that a message is for."""
        if message.meant_for:
            one = self._table.get(message.meant_for)
            return _NOBODY if one is None else [one]
        found = self._table.of_topic(topic)
        chosen: list[ClientSubscription] = []
        for each in found:
            # [MQTT-3.8.3-3] No Local.
            own = each.no_local and entry.message.origin == self.state.container
            if not own and not self._is_watched(each, entry, message, topic, now):
                chosen.append(each)
        return chosen

    def _is_watched(
        self, subscription: ClientSubscription, entry: Entry, message: DeliveredMessage, topic: str, now: i64
    ) -> bool:
        """Whether a subscription gets a message by its watch, which does not show the end of a value."""
        watched_after = subscription.watched_after
        if watched_after == NEVER_WATCHED or message.retained == NOT_RETAINED:
            return False
        if entry.sequence <= watched_after:
            return False
        return bool(message.payload) or self.state.shared.retained.has_value(topic, now)

    def _keep(self, entry: Entry, packet_id: i64, size_bytes: i64, completed: bool = False) -> None:
        reader = self.reader
        if reader is not None:
            delivery = UnsettledDelivery(packet_id, entry, reader, self, size_bytes)
            delivery.completed = completed
            self.unsettled.add(delivery)
            self.window.spend(size_bytes)

    def _send_release(self, entry: Entry, packet_id: i64, now: i64) -> None:
        """Tell the client to forget a message that it has received, over an earlier connection."""
        self.state.engine.acknowledge(PacketType.PUBREL, packet_id)
        self.sent(entry, now)
        self._keep(entry, packet_id, 0, True)

    def _discard(self, entry: Entry, cause: str, now: i64) -> None:
        reader = self.reader
        if reader is not None:
            note_passed_over(reader.hosted, cause)
            self.settle(entry, Outcome.REJECTED, now)

    def on_empty(self, now: i64) -> None:
        """See Receiver."""
        super().on_empty(now)
        self.wake_waiting()

    def watch_ended(self) -> None:
        """A subscription of the session does not watch any more."""
        self._table.forget_watches()
        self.state.shared.watchers.note_change()

    def await_room(self, consumer: Consumer) -> None:
        """Wake a reader once there may be room in the session's queue."""
        if self._waiting is None:
            self._waiting = {}
        self._waiting[consumer] = None

    def wake_waiting(self) -> None:
        """There may be room in the session's queue: it is empty, or something was settled."""
        waiting = self._waiting
        if waiting is not None:
            self._waiting = None
            for each in waiting:
                each.wake()

    def queue_deleted(self) -> None:
        """See Receiver: the session is over, and so is the connection."""
        super().queue_deleted()
        self.state.end(ReasonCode.ADMINISTRATIVE_ACTION, "the session was deleted")

    def revoked(self) -> None:
        """See Receiver."""
        super().queue_deleted()
        self.refuse_reading()

    def refuse_reading(self) -> None:
        """The client may not read any more what it subscribes to: so it hears that it gets nothing."""
        self.state.end(ReasonCode.NOT_AUTHORIZED, "the right to read what is subscribed to was taken back")

    # ------------------------------------------------------------------ what the client answers

    def take(self, acks: Acks, now: i64) -> None:
        """Settle deliveries by the client's PUBACKs, PUBRECs or PUBCOMPs."""
        received = acks.packet_type is PacketType.PUBREC and acks.reason < FIRST_FAILURE
        for packet_id in range(acks.first, acks.last + 1):
            delivery = self.unsettled.find(packet_id)
            if delivery is not None and not self._is_answer(acks.packet_type, delivery):
                text = f"[MQTT 5.0 §4.3] {acks.packet_type.name} is no answer to the message {packet_id}"
                self.state.end(ReasonCode.PROTOCOL_ERROR, text)
                return
            if received:
                if delivery is not None:
                    self._receive(delivery)
                else:
                    # [MQTT 5.0 §4.3.3] It was completed, or its session has ended.
                    reason = ReasonCode.PACKET_IDENTIFIER_NOT_FOUND
                    self.state.engine.acknowledge(PacketType.PUBREL, packet_id, reason)
            elif delivery is not None:
                self.unsettled.remove(packet_id)
                if self._at_qos_2 is not None:
                    self._at_qos_2.discard(packet_id)
                self.window.restore(delivery.size_bytes, delivery.epoch)
                delivery.settle(_ACCEPTED, now)
                if self._awaited == packet_id:
                    self._awaited = 0
        if not received:
            self.wake()
            self.wake_waiting()

    def _is_answer(self, packet_type: PacketType, delivery: UnsettledDelivery) -> bool:
        """Whether a client may answer so, after what it has answered before."""
        if delivery.completed:
            # A client that was not told PUBREL may say again what it said over an earlier connection.
            return packet_type is not PacketType.PUBACK
        at_qos_2 = self._at_qos_2 is not None and delivery.number in self._at_qos_2
        return packet_type is (PacketType.PUBREC if at_qos_2 else PacketType.PUBACK)

    def _receive(self, delivery: UnsettledDelivery) -> None:
        """The client has a message at QoS 2: a mark takes its place, and once that is stored PUBREL goes."""
        entry = delivery.entry
        if not delivery.completed and entry is not None:
            delivery.completed = True
            key = str(entry.message.field("properties.subject") or "")
            delivery.reader.amend(entry, read_message(released_mark(key)))
        packet_id = delivery.number
        engine = self.state.engine
        self.state.confirmations.answer(lambda _: engine.acknowledge(PacketType.PUBREL, packet_id))

    def release(self, now: i64) -> None:
        """The connection is over: what is not settled is sent again over the next one."""
        owner = self.state.broker.long_commands, self.state.number
        settle_all(
            self.unsettled.take_all(), lambda each, now: each.settle(_FAILED, now), _nothing, owner, now
        )


def _nothing(now: i64) -> None:
    del now
