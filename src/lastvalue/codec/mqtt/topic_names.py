"""The topic names and the properties of messages: most come again, and are read once."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.mqtt.fields import FieldReader, text_of
from lastvalue.codec.mqtt.packet_types import LEVEL_5, PacketType
from lastvalue.codec.mqtt.packets import TopicName
from lastvalue.codec.mqtt.properties import Properties, read_properties
from lastvalue.codec.mqtt.topics import check_topic_name

MOST_NAMES: Final = 1 << 14
_MOST_PROPERTIES: Final = 1 << 10
_MOST_BYTES: Final = 256
"""The longest name that is kept, and the longest properties."""


@final
class TopicNames:
    """The names and properties that were read, by their octets; connections share them."""

    __slots__ = ("_names", "_properties")

    def __init__(self) -> None:
        self._names: dict[bytes, TopicName] = {}
        self._properties: dict[bytes, Properties] = {}

    def properties_of(self, reader: FieldReader, level: i64) -> Properties:
        """Read the properties of a PUBLISH; nobody changes them. See `read_properties`."""
        begin = reader.pos
        size: i64 = reader.variable() if level >= LEVEL_5 else 0
        end = reader.pos + size
        octets = reader.data[begin:end] if 0 < size <= _MOST_BYTES else b""
        known = self._properties.get(octets)
        if known is not None and end <= reader.end:
            reader.pos = end
            return known
        reader.pos = begin
        properties = read_properties(reader, PacketType.PUBLISH, level)
        if octets:
            if len(self._properties) >= _MOST_PROPERTIES:
                self._properties = {}
            properties.encoded = octets
            self._properties[octets] = properties
        return properties

    def name_of(self, octets: bytes) -> TopicName:
        """The name that these octets are; the same object while it is kept.

        Raises:
            MqttError: they are ill-formed, or no name of a topic.
        """
        name = self._names.get(octets)
        if name is None:
            name = TopicName(text_of(octets))
            check_topic_name(name.text)
            if len(octets) <= _MOST_BYTES:
                if len(self._names) >= MOST_NAMES:
                    self._names = {}
                self._names[octets] = name
        return name
