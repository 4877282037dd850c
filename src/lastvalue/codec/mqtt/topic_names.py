"""The topic names of messages: most come again, and are read once."""

from typing import Final, final

from lastvalue.codec.mqtt.fields import text_of
from lastvalue.codec.mqtt.topics import check_topic_name

MOST_NAMES: Final = 1 << 14
_MOST_BYTES: Final = 256
"""The longest name that is kept."""


@final
class TopicNames:
    """The names that were read, by their octets; connections share them."""

    __slots__ = ("_names",)

    def __init__(self) -> None:
        self._names: dict[bytes, str] = {}

    def name_of(self, octets: bytes) -> str:
        """The name that these octets are; the same object while it is kept.

        Raises:
            MqttError: they are ill-formed, or no name of a topic.
        """
        name = self._names.get(octets)
        if name is None:
            name = text_of(octets)
            check_topic_name(name)
            if len(octets) <= _MOST_BYTES:
                if len(self._names) >= MOST_NAMES:
                    self._names = {}
                self._names[octets] = name
        return name
