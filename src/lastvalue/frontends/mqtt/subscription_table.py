"""The subscriptions of a session: their options, and which of them a message is for."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, final

from mypy_extensions import i64

from lastvalue.broker.routing.bindings import NO_LOCAL_ARGUMENT, Binding
from lastvalue.broker.routing.patterns import MAX_WORDS, ONE
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.packets import Subscribe, Subscription
from lastvalue.codec.mqtt.properties import PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topic_keys import filter_pattern, matches
from lastvalue.codec.mqtt.topics import TopicFilter, parse_topic_filter

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

    Attributes:
        text: the filter as the client names it, with the group that shares it.
        filter: the same, parsed.
        qos: the most that deliveries have.
        no_local: what the session's client publishes itself is not for it.
        as_published: deliveries say whether the message was published as retained.
        identifier: what its deliveries name it by; 0 is none.
        watches: it reads retained messages where they are, and so gets the newest of each topic.
        rate: the most messages a second of that; 0 is any number.
        watched_after: the sequence of the session's queue after which that is so, or NEVER_WATCHED.
    """

    __slots__ = (
        "as_published", "filter", "identifier", "no_local", "qos", "rate", "text", "watched_after", "watches"
    )  # fmt: skip

    def __init__(self, text: str, parsed: TopicFilter, qos: i64) -> None:
        self.text = text
        self.filter = parsed
        self.qos: i64 = qos
        self.no_local = False
        self.as_published = False
        self.identifier: i64 = 0
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
            arguments[_IDENTIFIER] = int(self.identifier)
        if self.watches:
            arguments[_WATCHES] = True
            arguments[_RATE] = self.rate
        return Binding(queue, self.pattern, arguments)


def requested_subscription(asked: Subscription, identifier: int) -> ClientSubscription:
    """The subscription that a SUBSCRIBE asks for.

    Raises:
        MqttError: its filter is none.
    """
    parsed = parse_topic_filter(asked.topic_filter)
    if ONE in parsed.levels or len(parsed.levels) > MAX_WORDS - 2:
        raise MqttError(
            ReasonCode.TOPIC_FILTER_INVALID,
            f"{asked.topic_filter!r}: a filter has at most {MAX_WORDS - 2} levels, none of which is {ONE}: "
            "in the other protocols that stands for any level",
        )
    subscription = ClientSubscription(asked.topic_filter, parsed, asked.qos)
    subscription.no_local = asked.no_local
    subscription.as_published = asked.retain_as_published
    subscription.identifier = identifier
    return subscription


def requested_subscriptions(
    request: Subscribe, first: int
) -> Iterator[tuple[Subscription, ClientSubscription | MqttError]]:
    """The subscriptions that are asked for from a place on, with what each is here, or why it cannot be.

    At QoS 0 retained messages are watched, unless a user property says otherwise; above that every one of
    them is delivered, as no watch is settled.
    """
    identifier = request.properties.number(PropertyId.SUBSCRIPTION_IDENTIFIER)
    user = dict(request.properties.user)
    for asked in request.subscriptions[first:]:
        found: ClientSubscription | MqttError
        try:
            wanted = requested_subscription(asked, identifier)
            wanted.rate = _rate(user.get(RATE))
            delivery = user.get(DELIVERY, _EVERY if asked.qos > 0 else _WATCH)
            if delivery not in (_WATCH, _EVERY):
                raise MqttError(
                    ReasonCode.IMPLEMENTATION_ERROR,
                    f"{DELIVERY} is {delivery!r:.40}; expected {_WATCH} or {_EVERY}",
                )
            wanted.watches = delivery == _WATCH and not wanted.filter.group
            found = wanted
        except MqttError as fault:
            found = fault
        yield asked, found


def _rate(text: str | None) -> float:
    if text is None:
        return 0.0
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 < rate <= 1e9:
        raise MqttError(
            ReasonCode.IMPLEMENTATION_ERROR, f"{RATE} is {text!r:.40}; expected messages a second"
        )
    return rate


def bound_subscription(arguments: Mapping[str, Any]) -> ClientSubscription | None:
    """The subscription that a binding of the session's queue is; None if another protocol made it."""
    text = arguments.get(_FILTER)
    if not isinstance(text, str):
        return None
    subscription = ClientSubscription(text, parse_topic_filter(text), int(arguments.get(_QOS, 0)))
    subscription.no_local = arguments.get(_NO_LOCAL) is True
    subscription.as_published = arguments.get(_AS_PUBLISHED) is True
    subscription.identifier = int(arguments.get(_IDENTIFIER, 0))
    subscription.watches = arguments.get(_WATCHES) is True
    subscription.rate = float(arguments.get(_RATE, 0.0))
    return subscription


@final
class SubscriptionTable:
    """A session's subscriptions, by their filters."""

    __slots__ = ("_by_text", "_of_topics")

    def __init__(self) -> None:
        self._by_text: dict[str, ClientSubscription] = {}
        # Those that are not shared, by topic: most topics come again.
        self._of_topics: dict[str, list[ClientSubscription]] = {}

    def __len__(self) -> int:
        return len(self._by_text)

    def get(self, text: str) -> ClientSubscription | None:
        """The subscription with this filter, or None."""
        return self._by_text.get(text)

    def all(self) -> list[ClientSubscription]:
        """All of them, oldest first."""
        return list(self._by_text.values())

    def put(self, subscription: ClientSubscription) -> None:
        """Add one, in the place of one with the same filter."""
        self._by_text[subscription.text] = subscription
        self._of_topics = {}

    def remove(self, text: str) -> ClientSubscription | None:
        """Remove the one with this filter; None if there is none."""
        self._of_topics = {}
        return self._by_text.pop(text, None)

    def of_topic(self, topic: str) -> list[ClientSubscription]:
        """Those that a topic is for, but those that are shared."""
        found = self._of_topics.get(topic)
        if found is None:
            levels = topic.split("/")
            found = [
                each
                for each in self._by_text.values()
                if not each.filter.group and matches(each.filter.levels, levels)
            ]
            if len(self._of_topics) >= _MOST_TOPICS:
                self._of_topics = {}
            self._of_topics[topic] = found
        return found
