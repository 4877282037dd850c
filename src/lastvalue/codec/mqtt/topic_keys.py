"""Topics as routing keys, filters as patterns of a topic exchange, and back.

`/` and `.` change places, so each topic is exactly one key. A filter's `+` is `*`; both stand for a level
that may be empty, and `#` is the same in both.
"""

from collections.abc import Sequence
from typing import Final

EXCHANGE: Final = "amq.topic"
"""The exchange of all topics."""

_REPLIES: Final = (f"{EXCHANGE}/", f"/exchanges/{EXCHANGE}/")
"""How addresses of AMQP begin that name a key of the exchange; the second is RabbitMQ's."""
_SWAPPED: Final = str.maketrans("/.", "./")
PLUS: Final = "+"
HASH: Final = "#"
RESERVED: Final = "$"


def topic_key(topic: str) -> str:
    """The routing key of a topic."""
    return topic.translate(_SWAPPED)


def key_topic(key: str) -> str | None:
    """The topic of a routing key; None if no topic name is so: an empty one, or one with + or #."""
    if not key or PLUS in key or HASH in key or "\0" in key:
        return None
    return key.translate(_SWAPPED)


def reply_address(topic: str) -> str:
    """The address of a topic for replies over another protocol."""
    return _REPLIES[0] + topic_key(topic)


def reply_topic(address: str) -> str | None:
    """The topic of an address for replies; None if no topic leads there."""
    for prefix in _REPLIES:
        if address.startswith(prefix):
            return key_topic(address[len(prefix) :])
    return None


def filter_pattern(levels: Sequence[str]) -> str:
    """The pattern of a filter.

    A level that is `*` is itself in a filter, and any word in a pattern: `matches` has the last word on what
    a filter is for.
    """
    return ".".join("*" if level == PLUS else level.translate(_SWAPPED) for level in levels)


def matches(levels: Sequence[str], topic: Sequence[str]) -> bool:
    """Whether a topic, as its levels, is one of a filter [MQTT 5.0 §4.7]."""
    if topic[0].startswith(RESERVED) and levels[0] in (PLUS, HASH):
        # [MQTT-4.7.2-1] The wildcards at the beginning stand for no topic of the server.
        return False
    for place, level in enumerate(levels):
        if level == HASH:
            return True
        if place == len(topic) or level not in (PLUS, topic[place]):
            return False
    return len(levels) == len(topic)


def overlaps(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether there may be a topic that two filters match."""
    for one, other in zip(first, second, strict=False):
        if HASH in (one, other):
            return True
        if one != other and PLUS not in (one, other):
            return False
    if len(first) == len(second):
        return True
    longer = first if len(first) > len(second) else second
    # [MQTT 5.0 §4.7.1.2] The multi-level wildcard stands for its parent level, too.
    return longer[min(len(first), len(second))] == HASH
