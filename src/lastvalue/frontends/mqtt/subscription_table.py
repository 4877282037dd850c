"""The subscriptions of a session: their options, and which of them a message is for."""

from collections.abc import Mapping
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.routing.bindings import NO_LOCAL_ARGUMENT, Binding
from lastvalue.broker.routing.patterns import MAX_WORDS, ONE
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.fields import FieldReader
from lastvalue.codec.mqtt.packets import Subscription
from lastvalue.codec.mqtt.properties import Properties, PropertyId, property_octets
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topic_keys import HASH, PLUS, RESERVED, filter_pattern
from lastvalue.codec.mqtt.topics import parse_topic_filter

_FILTER: Final = "x-mqtt-filter"
_QOS: Final = "x-mqtt-qos"
_NO_LOCAL: Final = "x-mqtt-no-local"
_AS_PUBLISHED: Final = "x-mqtt-retain-as-published"
_IDENTIFIER: Final = "x-mqtt-subscription-identifier"
_WATCHES: Final = "x-mqtt-watch"
_RATE: Final = "x-mqtt-rate"
DELIVERY: Final = "lastvalue-delivery"
"""The user property that says how retained messages are delivered: `watch` or `every`."""
RATE: Final = "lastvalue-rate"
"""The user property with the most messages a second of a watch."""
_WATCH: Final = "watch"
_EVERY: Final = "every"
_MOST_TOPICS: Final = 1000
NEVER_WATCHED: Final = -1


@final
class ClientSubscription:
    """A subscription of a client.

    Raises:
        MqttError: its filter is none.

    Attributes:
        text: the filter as the client names it, with the group that shares it.
        filter: the same, parsed.
        qos: the most that deliveries have.
        no_local: what the session's client publishes itself is not for it.
        as_published: deliveries say whether the message was published as retained.
        identifier: the property by which its deliveries name it; b"" is none.
        watches: it reads retained messages where they are, and so gets the newest of each topic.
        rate: the most messages a second of that; 0 is any number.
        watched_after: the sequence of the session's queue after which that is so, or NEVER_WATCHED.
    """

    __slots__ = (
        "as_published", "filter", "identifier", "no_local", "qos", "rate", "text", "watched_after", "watches"
    )  # fmt: skip

    def __init__(self, text: str, qos: i64) -> None:
        self.text = text
        self.filter = parse_topic_filter(text)
        self.qos: i64 = qos
        self.no_local = False
        self.as_published = False
        self.identifier = b""
        self.watches = False
        self.rate = 0.0
        self.watched_after: i64 = NEVER_WATCHED

    @property
    def pattern(self) -> str:
        """The key of its binding."""
        levels = self.filter.levels
        group = self.filter.group
        return filter_pattern(("$share", group, *levels) if group else levels)

    def binding(self, queue: str) -> Binding:
        """The binding of the session's queue that it is."""
        arguments: dict[str, Any] = {_FILTER: self.text, _QOS: int(self.qos)}
        if self.no_local:
            arguments[_NO_LOCAL] = True
            arguments[NO_LOCAL_ARGUMENT] = True
        if self.as_published:
            arguments[_AS_PUBLISHED] = True
        if self.identifier:
            arguments[_IDENTIFIER] = int(FieldReader(self.identifier, 1, len(self.identifier)).variable())
        if self.watches:
            arguments[_WATCHES] = True
            arguments[_RATE] = self.rate
        return Binding(queue, self.pattern, arguments)


def requested_subscription(asked: Subscription, properties: Properties) -> ClientSubscription:
    """The subscription that a SUBSCRIBE with these properties asks for.

    At QoS 0 retained messages are watched, unless a user property says otherwise; above that every one of
    them is delivered, as no watch is settled.

    Raises:
        MqttError: its filter is none, or a user property has no such value.
    """
    subscription = ClientSubscription(asked.topic_filter, asked.qos)
    levels = subscription.filter.levels
    if ONE in levels or len(levels) > MAX_WORDS - 2:
        raise MqttError(
            ReasonCode.TOPIC_FILTER_INVALID,
            f"{asked.topic_filter!r}: a filter has at most {MAX_WORDS - 2} levels, none of which is {ONE}: "
            "in the other protocols that stands for any level",
        )
    user = dict(properties.user)
    delivery = user.get(DELIVERY, _EVERY if asked.qos > 0 else _WATCH)
    if delivery not in (_WATCH, _EVERY):
        text = f"{DELIVERY} is {delivery!r:.40}; expected {_WATCH} or {_EVERY}"
        raise MqttError(ReasonCode.IMPLEMENTATION_ERROR, text)
    subscription.no_local = asked.no_local
    subscription.as_published = asked.retain_as_published
    subscription.identifier = _identifier(properties.number(PropertyId.SUBSCRIPTION_IDENTIFIER))
    subscription.watches = delivery == _WATCH and not subscription.filter.group
    subscription.rate = _rate(user.get(RATE))
    return subscription


def _identifier(number: int) -> bytes:
    return property_octets(Properties(None, None, [number])) if number else b""


def _rate(text: str | None) -> float:
    if text is None:
        return 0.0
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 < rate <= 1e9:
        text = f"{RATE} is {text!r:.40}; expected messages a second"
        raise MqttError(ReasonCode.IMPLEMENTATION_ERROR, text)
    return rate


def bound_subscription(arguments: Mapping[str, Any]) -> ClientSubscription | None:
    """The subscription that a binding of the session's queue is; None if another protocol made it."""
    text = arguments.get(_FILTER)
    if not isinstance(text, str):
        return None
    subscription = ClientSubscription(text, int(arguments.get(_QOS, 0)))
    subscription.no_local = arguments.get(_NO_LOCAL) is True
    subscription.as_published = arguments.get(_AS_PUBLISHED) is True
    subscription.identifier = _identifier(int(arguments.get(_IDENTIFIER, 0)))
    subscription.watches = arguments.get(_WATCHES) is True
    subscription.rate = float(arguments.get(_RATE, 0.0))
    return subscription


@final
class _Level:
    """A level of filters, and those that follow it; `subscription` has the filter that ends here."""

    __slots__ = ("following", "subscription")

    def __init__(self) -> None:
        self.following: dict[str, _Level] = {}
        self.subscription: ClientSubscription | None = None


@final
class SubscriptionTable:
    """A session's subscriptions, by their filters; those of a topic are found by its levels."""

    __slots__ = ("_all_watch", "_by_text", "_first", "_of_topics")

    def __init__(self) -> None:
        self._by_text: dict[str, ClientSubscription] = {}
        # Whether all that are not shared watch retained messages; None if that is not known.
        self._all_watch: bool | None = None
        # Of those that are not shared.
        self._first: _Level | None = None
        # The same, by topic: most topics come again.
        self._of_topics: dict[str, list[ClientSubscription]] | None = None

    def __len__(self) -> int:
        return len(self._by_text)

    def get(self, text: str) -> ClientSubscription | None:
        """The subscription with this filter, or None."""
        return self._by_text.get(text)

    def put(self, subscription: ClientSubscription) -> None:
        """Add one, in the place of one with the same filter."""
        self._by_text[subscription.text] = subscription
        self._of_topics = None
        self._all_watch = None
        if subscription.filter.group:
            return
        node = self._first = self._first or _Level()
        for level in subscription.filter.levels:
            node = node.following.setdefault(level, _Level())
        node.subscription = subscription

    def remove(self, text: str) -> ClientSubscription | None:
        """Remove the one with this filter; None if there is none."""
        subscription = self._by_text.pop(text, None)
        self._of_topics = None
        self._all_watch = None
        first = self._first
        if first is not None and subscription is not None and not subscription.filter.group:
            path = [first]
            for level in subscription.filter.levels:
                path.append(path[-1].following[level])
            path[-1].subscription = None
            for place in range(len(path) - 1, 0, -1):
                if path[place].following or path[place].subscription is not None:
                    break
                del path[place - 1].following[subscription.filter.levels[place - 1]]
        return subscription

    def forget_watches(self) -> None:
        """A subscription watches since now, or no more."""
        self._all_watch = None

    def only_watch(self, topic: str) -> bool:
        """Whether those that a topic is for all watch retained messages."""
        if self._all_watch is None:
            own = [each for each in self._by_text.values() if not each.filter.group]
            self._all_watch = all(each.watched_after != NEVER_WATCHED for each in own)
        return self._all_watch or all(each.watched_after != NEVER_WATCHED for each in self.of_topic(topic))

    def of_topic(self, topic: str) -> list[ClientSubscription]:
        """Those that a topic is for, but those that are shared; not to be changed."""
        of_topics = self._of_topics
        if of_topics is None or len(of_topics) >= _MOST_TOPICS:
            of_topics = self._of_topics = {}
        found = of_topics.get(topic)
        if found is None:
            found = of_topics[topic] = self._matching(topic.split("/"))
        return found

    def _matching(self, levels: list[str]) -> list[ClientSubscription]:
        """[MQTT 5.0 §4.7] Those whose filters match a topic, as its levels."""
        found: list[ClientSubscription] = []
        nodes = [] if self._first is None else [self._first]
        # [MQTT-4.7.2-1] The wildcards at the beginning stand for no topic of the server.
        wild = not levels[0].startswith(RESERVED)
        for level in levels:
            reached: list[_Level] = []
            for node in nodes:
                for each in (level, PLUS, HASH) if wild else (level,):
                    following = node.following.get(each)
                    if following is None:
                        continue
                    if each != HASH:
                        reached.append(following)
                    elif following.subscription is not None:
                        found.append(following.subscription)
            nodes = reached
            wild = True
        for node in nodes:
            # The multi-level wildcard stands for its parent level, too.
            ends = (node, node.following.get(HASH))
            found += [each.subscription for each in ends if each is not None and each.subscription]
        return found
