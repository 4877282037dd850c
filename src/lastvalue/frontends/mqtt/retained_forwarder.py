"""What others publish to the queues of retained messages, for the subscribers of their topics."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.nodes import Node
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.payloads import forwarded_payload
from lastvalue.codec.mqtt.topic_keys import EXCHANGE, topic_key
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue, RetainedQueues, note_arrivals
from lastvalue.frontends.mqtt.watchers import Watchers
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.model.property_names import MQTT_RETAINED
from lastvalue.queues.effects import KEY_DELETED, Added, Dismissed, Due, Effect, Removed, TakenRun, Updated
from lastvalue.queues.entry import Entry

_NOTES: Final = {MQTT_RETAINED: 0}
_NOTHING: Final = b"\x00\x53\x75\xa0\x00"
"""A message whose body has no bytes."""


@final
class RetainedForwarder(Observer):
    """Publishes to the exchange of all topics what came to a queue of retained messages in another way.

    What MQTT's clients publish as retained says so, and is there already.
    """

    __slots__ = ("_broker", "_node", "_own", "_retained", "_waiting", "_watchers")

    def __init__(self, broker: Broker, retained: RetainedQueues, watchers: Watchers) -> None:
        self._broker = broker
        self._retained = retained
        self._watchers = watchers
        self._node = Node(EXCHANGE, None, broker.exchanges.find(EXCHANGE))
        # The example of messages that an MQTT client has published.
        self._own: Message | None = None
        # With each message whether it has left its queue by a command, rather than come.
        self._waiting: list[tuple[RetainedQueue, Message, bool]] = []

    def queue_declared(self, hosted: HostedQueue) -> None:
        """See Observer: have what comes to a queue of retained messages noted."""
        if self._retained.named(hosted.queue.spec.name) is not None:
            note_arrivals(hosted)

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del now
        retained = self._retained.named(hosted.queue.spec.name)
        if retained is None or self._broker.authorization.leader is not None:
            return
        for effect in effects:
            if isinstance(effect, TakenRun):
                for entry in effect.entries:
                    self._note(retained, entry)
            elif isinstance(effect, (Added, Updated, Due)) or (
                isinstance(effect, Dismissed) and effect.reason is KEY_DELETED
            ):
                self._note(retained, effect.entry)
            elif (
                isinstance(effect, Removed)
                and effect.reason is KEY_DELETED
                and not isinstance(effect.cause, Entry)
            ):
                self._waiting.append((retained, effect.entry.message, True))

    def _note(self, retained: RetainedQueue, entry: Entry) -> None:
        """Note a message that has come, unless its client has published it to the exchange as well."""
        if entry.example is self._own:
            return
        message = entry.message
        if message.annotation(MQTT_RETAINED) is None:
            self._waiting.append((retained, message, False))
        else:
            # Messages with the same example have the same annotations.
            self._own = entry.example

    def end_turn(self, now: i64) -> bool:
        """See Observer."""
        waiting = self._waiting
        if not waiting:
            return False
        self._waiting = []
        router = self._broker.router
        published = False
        for retained, message, has_left in waiting:
            try:
                topic = retained.topic_of(message)
                if topic is None:
                    continue
                key = topic_key(topic)
                payload = _NOTHING if has_left else message.encoded
                copy = read_message(forwarded_payload(payload, _NOTES, True, (EXCHANGE, key)))
            except LastvalueError:
                # Nobody can read it, and MQTT's clients cannot either.
                continue
            if not has_left:
                copy.origin = message.origin
            plan = router.plan(self._node, key, copy)
            plan.queues = self._watchers.others(plan.queues, topic, copy)
            router.carry_out(plan, now)
            published = True
        return published
