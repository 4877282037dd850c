"""The last-value queues that have the retained messages, by the topics that each is for."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.canonical_keys import canonical_key
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import BROKER
from lastvalue.codec.mqtt.fields import is_mqtt_text
from lastvalue.codec.mqtt.topic_keys import HASH, PLUS, matches, overlaps
from lastvalue.model.composite_key import SEPARATOR, composite_key, is_composite_key
from lastvalue.model.errors import InvalidSpecError
from lastvalue.model.message import Message, MessageFilter, PropertyName
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec

DEFAULT_QUEUE: Final = "mqtt.retained"
"""The queue of the topics that have no other one."""
TOPIC: Final = "topic"
"""The property with the whole topic: the key where no level is a property of its own."""


@final
class RetainedQueue:
    """The queue of some topics, each of which is a key of it.

    Args:
        name: of the queue.
        pattern: its topics: levels in braces stand for any, and are properties of that name.

    Raises:
        InvalidSpecError: it is no pattern.

    Attributes:
        name: of the queue.
        levels: the filter of its topics.
        key: the option `lvq_key` of the queue.
    """

    __slots__ = ("_named", "_names", "key", "levels", "name")

    def __init__(self, name: str, pattern: str = HASH) -> None:
        self.name = name
        levels = pattern.split("/")
        # The properties that are levels, by their places.
        self._named: list[tuple[int, str]] = []
        for place, level in enumerate(levels):
            if level.startswith("{") and level.endswith("}") and len(level) > 2:
                self._named.append((place, level[1:-1]))
                levels[place] = PLUS
        self.levels = tuple(levels)
        if pattern != HASH and (not self._named or HASH in pattern or PLUS in pattern):
            raise InvalidSpecError(
                f"{pattern!r} is no pattern of topics: it has levels of text, and others in braces that name "
                "a property, as in prices/{symbol}"
            )
        names = [each for _, each in self._named] or [TOPIC]
        self.key = SEPARATOR.join(names)
        self._names = [PropertyName(each) for each in names]

    def takes(self, levels: Sequence[str]) -> bool:
        """Whether it is for a topic, as its levels."""
        return not self._named or matches(self.levels, levels)

    def properties_of(self, topic: str, levels: Sequence[str]) -> list[tuple[str, str]]:
        """The properties of a message with a topic of it, which are its key."""
        return [(name, levels[place]) for place, name in self._named] or [(TOPIC, topic)]

    def key_of(self, topic: str) -> str:
        """The key of one of its topics."""
        values = [value for _, value in self.properties_of(topic, topic.split("/"))]
        return values[0] if len(values) == 1 else composite_key(values)

    def value_of(self, queue: Queue, topic: str, now: i64) -> Entry | None:
        """The retained message of one of its topics, or None."""
        return queue.contents.value_of(canonical_key(queue, self.key_of(topic)), now)

    def topic_of(self, message: Message) -> str | None:
        """The topic of a message of the queue, whatever brought it; None if it has none.

        Raises:
            LastvalueError: it is malformed.
        """
        levels = list(self.levels)
        for index, name in enumerate(self._names):
            text = message.text(name)
            if not text or PLUS in text or HASH in text or not is_mqtt_text(text):
                return None
            if not self._named:
                return text
            levels[self._named[index][0]] = text
        topic = "/".join(levels)
        return topic if self.takes(topic.split("/")) else None

    def fits(self, spec: QueueSpec) -> bool:
        """Whether a queue that was declared so has the topics as its keys."""
        return isinstance(spec.ordering, LastValue) and spec.ordering.key == self.key

    def spec(self) -> QueueSpec:
        """The declaration of the queue, where nobody has declared it."""
        ordering = LastValue(self.key, keys_as_text=is_composite_key(self.key))
        return QueueSpec(self.name, ordering, durable=True, deletes_on_empty=True)


@final
class RetainedQueues:
    """All of them.

    Args:
        broker: that has the queues.

    Attributes:
        all: those of patterns, and last the one of all other topics.
    """

    __slots__ = ("_broker", "_by_name", "all")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.all = [RetainedQueue(DEFAULT_QUEUE)]
        self._by_name = {each.name: each for each in self.all}

    def divide(self, topics: Sequence[tuple[str, str]]) -> None:
        """Give topics of these patterns these queues, before any client comes.

        Raises:
            InvalidSpecError: one of them is no pattern.
        """
        self.all = [*(RetainedQueue(queue, pattern) for pattern, queue in topics), self.all[-1]]
        self._by_name = {each.name: each for each in self.all}
        for each in self.all:
            if self._broker.has_queue(each.name):
                note_arrivals(self._broker.lookup(each.name))

    def of(self, levels: Sequence[str]) -> RetainedQueue:
        """The queue of a topic, as its levels: the first that is for it."""
        for each in self.all:
            if each.takes(levels):
                return each
        return self.all[-1]

    def has_value(self, topic: str, now: i64) -> bool:
        """Whether a topic has a retained message."""
        retained = self.of(topic.split("/"))
        if not self._broker.has_queue(retained.name):
            return False
        return retained.value_of(self.hosted(retained).queue, topic, now) is not None

    def named(self, name: str) -> RetainedQueue | None:
        """The queue of that name, if it is one of them."""
        return self._by_name.get(name)

    def for_filter(self, levels: Sequence[str], declares: bool) -> list[tuple[RetainedQueue, HostedQueue]]:
        """The queues that may have topics of a filter; without `declares` as far as they exist."""
        found: list[tuple[RetainedQueue, HostedQueue]] = []
        for each in self.all:
            if overlaps(each.levels, levels) and (declares or self._broker.has_queue(each.name)):
                with suppress(InvalidSpecError):
                    found.append((each, self.hosted(each)))
        return found

    def names_for(self, levels: Sequence[str]) -> list[str]:
        """The names of the queues that may have topics of a filter, whether there are such queues or not."""
        return [each.name for each in self.all if overlaps(each.levels, levels)]

    def hosted(self, retained: RetainedQueue) -> HostedQueue:
        """The queue, which is declared if it is missing.

        Raises:
            InvalidSpecError: it was declared with another key, or without.
        """
        if not self._broker.has_queue(retained.name):
            self._broker.declare(retained.spec(), BROKER)
        hosted = self._broker.lookup(retained.name)
        if not retained.fits(hosted.queue.spec):
            raise InvalidSpecError(
                f"queue {retained.name!r} cannot have retained messages: it is not a last-value queue with "
                f"the key {retained.key!r}"
            )
        return hosted


def note_arrivals(hosted: HostedQueue) -> None:
    """Have noted what comes to a queue of retained messages, as it is also for subscribers.

    On a durable queue it is, for the journal.
    """
    if not hosted.queue.spec.durable:
        hosted.alerts = True
        hosted.choose_effects()


@final
class TopicSelection(MessageFilter):
    """Matches the messages of a queue of retained messages whose topics a filter matches."""

    __slots__ = ("_levels", "_retained")

    def __init__(self, retained: RetainedQueue, levels: Sequence[str]) -> None:
        self._retained = retained
        self._levels = levels

    def matches(self, message: Message) -> bool:
        """See MessageFilter."""
        topic = self._retained.topic_of(message)
        return topic is not None and matches(self._levels, topic.split("/"))
