"""The names of topics, and the filters of subscriptions [MQTT 5.0 §4.7, §4.8]."""

from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from lastvalue.codec.mqtt.errors import MqttError, malformed, protocol_error
from lastvalue.codec.mqtt.reason_codes import ReasonCode

_SHARED: Final = "$share"


@mypyc_attr(native_class=False)
@dataclass(frozen=True)
class TopicFilter:
    """Which topics a subscription is for.

    Attributes:
        levels: of the filter; one of them may be `+`, the last one `#`.
        group: that shares the subscription; empty if it is not shared.
    """

    levels: tuple[str, ...]
    group: str = ""

    @property
    def text(self) -> str:
        """The filter, without the group."""
        return "/".join(self.levels)

    @property
    def has_wildcards(self) -> bool:
        """Whether it may match more than one topic."""
        return "+" in self.levels or self.levels[-1] == "#"


def check_topic_name(name: str) -> None:
    """Nothing, if messages can have this topic.

    Raises:
        MqttError: it is empty, or has wildcards.
    """
    if not name:
        # [MQTT 5.0 §3.3.2.1] It is a protocol error; 0x90 is for names that are correctly formed.
        raise protocol_error("[MQTT-4.7.3-1] a topic name has at least one character")
    if "+" in name or "#" in name:
        raise malformed(f"[MQTT-3.3.2-2] the topic name {name!r} may not have + or #")


def parse_topic_filter(text: str) -> TopicFilter:
    """The filter that a SUBSCRIBE or UNSUBSCRIBE names.

    Raises:
        MqttError: it is no filter; the reason is what a SUBACK says.
    """
    first, _, rest = text.partition("/")
    group = ""
    if first == _SHARED:
        group, _, text = rest.partition("/")
        if not group or "+" in group or "#" in group:
            raise _invalid(
                text, "[MQTT-4.8.2-1] the group of $share/group/filter has a character, and no + or #"
            )
    if not text:
        raise _invalid(text, "[MQTT-4.7.3-1, MQTT-4.8.2-2] it has at least one character")
    levels = tuple(text.split("/"))
    last = len(levels) - 1
    for place, level in enumerate(levels):
        if "#" in level and (level != "#" or place != last):
            raise _invalid(text, "[MQTT-4.7.1-1] # is the whole last level")
        if "+" in level and level != "+":
            raise _invalid(text, "[MQTT-4.7.1-2] + is a whole level")
    return TopicFilter(levels, group)


def _invalid(text: str, rule: str) -> MqttError:
    return MqttError(ReasonCode.TOPIC_FILTER_INVALID, f"{text!r} is no topic filter: {rule}")
