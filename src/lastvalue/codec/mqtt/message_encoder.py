"""Converts a delivered message from AMQP 1.0's encoding to what a PUBLISH has."""

from typing import Final, final
from uuid import UUID

from mypy_extensions import i64

from lastvalue.codec.amqp10.decoder import Decoder
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.fields import text_of
from lastvalue.codec.amqp10.json_text import json_text
from lastvalue.codec.amqp10.sections import (
    AMQP_SEQUENCE,
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    list_start,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import skip_value
from lastvalue.codec.amqp10.values import Value
from lastvalue.codec.mqtt.fields import MOST_TEXT_BYTES, is_mqtt_text, uint16
from lastvalue.codec.mqtt.message_decoder import CONTENT_TYPE
from lastvalue.codec.mqtt.packet_encoder import publish_start
from lastvalue.codec.mqtt.packet_types import LEVEL_5
from lastvalue.codec.mqtt.packets import Publish
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId, PropertyValue, property_octets
from lastvalue.codec.mqtt.topic_keys import key_topic, reply_topic
from lastvalue.codec.octets import number_at
from lastvalue.model.property_names import (
    MQTT_FOR,
    MQTT_PAYLOAD_FORMAT,
    MQTT_QOS,
    MQTT_RELEASED,
    MQTT_RETAINED,
    MQTT_USER_PROPERTIES,
)

_JSON: Final = "application/json"
_SUBJECT: Final = 3
_END: Final = 7
"""[1.0 §3.2.4] From the subject on stand the reply-to, the correlation-id and the content-type."""
_NO_FIELDS: Final[list[Value]] = [None] * _END
_BODIES: Final = (DATA, AMQP_VALUE, AMQP_SEQUENCE)
NOT_RETAINED: Final = -1
_NO_FORM: Final = -1
_MOST_HEADS: Final = 1 << 14
_LARGE_HEAD: Final = 1024


@final
class Outline:
    """The last start of a PUBLISH of messages that have the same properties.

    Attributes:
        topic, form, size: for which it is, and what size their payloads have; a form is a level of the
            protocol, a QoS and whether it is retained.
        own: the octets of properties that are the delivery's.
        start: what is before the packet identifier; all before the payload where there is none.
        fields: what is between the packet identifier and the payload.
    """

    __slots__ = ("fields", "form", "own", "size", "start", "topic")

    def __init__(self) -> None:
        self.topic = ""
        self.form: i64 = _NO_FORM
        self.size: i64 = 0
        self.own = b""
        self.start = b""
        self.fields = b""

    def draw(self, properties: Properties, topic: str, form: i64, own: bytes, size: i64) -> None:
        """Be the start for this topic, form, own properties and size."""
        level = form >> 3
        publish = Publish(topic, b"", form >> 1 & 3, 0, NONE)
        publish.retain = form & 1 != 0
        octets = property_octets(properties) + own if level >= LEVEL_5 else b""
        topic_octets = topic.encode("utf-8", "replace")
        self.start, self.fields = publish_start(publish, topic_octets, octets, level, size)
        self.topic = topic
        self.form = form
        self.own = own
        self.size = size


@final
class DeliveredMessage:
    """What a message is for a client of MQTT.

    Attributes:
        key: the routing key; empty if it has none.
        qos: with which it was published: 1 if it is durable and says nothing else.
        retained: how many of its first application properties are its key, if it was published as retained;
            else NOT_RETAINED.
        meant_for: the subscription that it was copied to the session's queue for; empty otherwise.
        released: it has been received: nothing but a PUBREL is owed.
        payload: the body.
        properties: of the PUBLISH, but those that the broker adds.
        topic: of its key; None if that is none.
        application: its application properties.
        user: its user properties, if a name stands in them several times.
    """

    __slots__ = (
        "_form", "_outline", "_own", "_topic", "_wire", "application", "key", "meant_for", "payload",
        "properties", "qos", "released", "retained", "topic", "user",
    )  # fmt: skip

    def __init__(self, outline: Outline | None = None) -> None:
        self.key = ""
        self.topic: str | None = None
        # The last PUBLISH at QoS 0, by the topic, the form and the own properties that were asked for.
        self._topic = ""
        self._form: i64 = _NO_FORM
        self._own = b""
        self._wire = b""
        self._outline = outline or Outline()
        self.qos: i64 = 0
        self.retained: i64 = NOT_RETAINED
        self.meant_for = ""
        self.released = False
        self.payload = b""
        self.properties = NONE
        self.application: dict[str, Value] = {}
        self.user: list[tuple[str, str]] = []

    def with_payload(self, payload: bytes) -> "DeliveredMessage":
        """The same with another payload, as data."""
        other = DeliveredMessage(self._outline)
        other.key = self.key
        other.topic = self.topic
        other.qos = self.qos
        other.retained = self.retained
        other.meant_for = self.meant_for
        other.released = self.released
        other.payload = payload
        other.properties = self.properties
        other.application = self.application
        other.user = self.user
        return other

    def wire(self, topic: str, qos: i64, packet_id: i64, retain: bool, level: i64, own: bytes) -> bytes:
        """A PUBLISH with what the message has, and these octets of properties; at QoS 0 readers share it."""
        form = level << 3 | qos << 1 | (1 if retain else 0)
        if form == self._form and topic == self._topic and own == self._own:
            return self._wire
        outline, size = self._outline, len(self.payload)
        if outline.form != form or outline.size != size or outline.topic != topic or outline.own != own:
            outline.draw(self.properties, topic, form, own, size)
        if qos > 0:
            return b"".join((outline.start, uint16(int(packet_id)), outline.fields, self.payload))
        self._topic = topic
        self._form = form
        self._own = own
        self._wire = outline.start + self.payload
        return self._wire


@final
class DeliveredHeads:
    """What messages have before their bodies, which most have in common with others that come again."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[bytes, DeliveredMessage] = {}

    def message(self, encoded: bytes) -> DeliveredMessage:
        """What a message is for a client of MQTT.

        Raises:
            DecodeError: it is malformed.
        """
        size: i64 = len(encoded)
        at: i64 = 0
        begin: i64 = -1
        try:
            while at < size:
                section, start = section_head(encoded, at, size)
                if section >= DATA:
                    if section == DATA:
                        begin = _payload_start(encoded, start, size)
                    break
                at = skip_value(encoded, start, size)
        except IndexError as fault:
            raise DecodeError("the message ends within a section") from fault
        if begin < 0:
            return encode_message(encoded)
        head = encoded[:at]
        known = self._known.get(head)
        if known is None:
            known = encode_message(head)
            if len(self._known) >= _MOST_HEADS or len(head) > _LARGE_HEAD:
                self._known = {}
            self._known[head] = known
        return known.with_payload(encoded[begin:])


def _payload_start(encoded: bytes, start: i64, size: i64) -> i64:
    """Where the octets of a binary value begin that ends the message, or -1."""
    if encoded[start] == 0xA0:
        begin = start + 2
        return begin if begin + encoded[start + 1] == size else -1
    if encoded[start] == 0xB0:
        begin = start + 5
        return begin if begin + number_at(encoded, start + 1) == size else -1
    return -1


def encode_message(encoded: bytes) -> DeliveredMessage:
    """What a message is for a client of MQTT.

    Raises:
        DecodeError: it is malformed.
    """
    message = DeliveredMessage()
    values: dict[int, PropertyValue] = {}
    size: i64 = len(encoded)
    pos: i64 = 0
    try:
        while pos < size:
            section, start = section_head(encoded, pos, size)
            pos = skip_value(encoded, start, size)
            if section == HEADER:
                message.qos = int(_is_durable(encoded, start))
            elif section == MESSAGE_ANNOTATIONS:
                _take_annotations(message, values, _map_at(encoded, start, pos))
            elif section == APPLICATION_PROPERTIES:
                message.application = _map_at(encoded, start, pos)
            elif section == PROPERTIES:
                _take_properties(message, values, Decoder(encoded, start, pos).read())
            elif section in _BODIES:
                _take_body(message, values, section, Decoder(encoded, start, pos).read())
    except IndexError as fault:
        raise DecodeError("the message ends within a section") from fault
    content_type = message.application.pop(CONTENT_TYPE, None)
    if isinstance(content_type, str) and is_mqtt_text(content_type):
        values[PropertyId.CONTENT_TYPE] = str(content_type)
    user = _user_properties(message)
    if values or user:
        message.properties = Properties(values, user)
    topic = key_topic(message.key)
    message.topic = topic if topic is not None and is_mqtt_text(topic) else None
    return message


def _user_properties(message: DeliveredMessage) -> list[tuple[str, str]]:
    user = message.user
    if not user:
        own = list(message.application.items())[max(0, message.retained) :]
        user = [(name, text) for name, value in own if (text := text_of(value)) is not None]
    return [(name, text) for name, text in user if is_mqtt_text(name) and is_mqtt_text(text)]


def _is_durable(encoded: bytes, start: i64) -> bool:
    pos, count = list_start(encoded, start)
    return count > 0 and (encoded[pos] == 0x41 or (encoded[pos] == 0x56 and encoded[pos + 1] == 1))


def _map_at(encoded: bytes, start: i64, end: i64) -> dict[str, Value]:
    value = Decoder(encoded, start, end).read()
    if not isinstance(value, dict):
        raise DecodeError("a section of names and values must be a map")
    return {str(name): item for name, item in value.items()}


def _take_annotations(
    message: DeliveredMessage, values: dict[int, PropertyValue], noted: dict[str, Value]
) -> None:
    """Read what MQTT's frontend has noted."""
    qos, retained, meant_for = noted.get(MQTT_QOS), noted.get(MQTT_RETAINED), noted.get(MQTT_FOR)
    if noted.get(MQTT_PAYLOAD_FORMAT) == 0:
        values[PropertyId.PAYLOAD_FORMAT] = 0
    if isinstance(qos, int):
        message.qos = max(0, min(int(qos), 2))
    if isinstance(retained, int):
        message.retained = max(0, int(retained))
    if isinstance(meant_for, str):
        message.meant_for = str(meant_for)
    message.released = noted.get(MQTT_RELEASED) is True
    user = noted.get(MQTT_USER_PROPERTIES)
    if isinstance(user, list):
        message.user = [(str(name), str(text)) for name, text in zip(user[::2], user[1::2], strict=False)]


def _take_properties(message: DeliveredMessage, values: dict[int, PropertyValue], fields: Value) -> None:
    if not isinstance(fields, list):
        raise DecodeError("the properties must be a list")
    key, reply_to, correlation_id, content_type = (fields + _NO_FIELDS)[_SUBJECT:_END]
    if isinstance(key, str):
        message.key = str(key)
    topic = reply_topic(str(reply_to)) if isinstance(reply_to, str) else None
    if topic is not None and is_mqtt_text(topic):
        values[PropertyId.RESPONSE_TOPIC] = topic
    octets = _octets(correlation_id)
    if octets is not None:
        values[PropertyId.CORRELATION_DATA] = octets
    if isinstance(content_type, str) and is_mqtt_text(content_type):
        values[PropertyId.CONTENT_TYPE] = str(content_type)


def _take_body(
    message: DeliveredMessage, values: dict[int, PropertyValue], section: i64, body: Value
) -> None:
    if isinstance(body, bytes):
        message.payload += body
    elif isinstance(body, str) and section == AMQP_VALUE:
        message.payload = body.encode("utf-8", "replace")
        values[PropertyId.PAYLOAD_FORMAT] = 1
    elif body is not None:
        message.payload = json_text(body).encode("utf-8", "replace")
        values[PropertyId.PAYLOAD_FORMAT] = 1
        values.setdefault(PropertyId.CONTENT_TYPE, _JSON)


def _octets(value: Value) -> bytes | None:
    """A correlation-id as binary data, if it fits."""
    if isinstance(value, bytes):
        octets = value
    else:
        text = str(value) if isinstance(value, UUID) else text_of(value)
        if text is None:
            return None
        octets = text.encode("utf-8", "replace")
    return octets if len(octets) <= MOST_TEXT_BYTES else None
