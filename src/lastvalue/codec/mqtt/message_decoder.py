"""Converts a published message to AMQP 1.0's encoding, in which the broker stores messages.

docs/protocols/messages.md has the table of the properties.
"""

import struct
from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from lastvalue.codec.amqp10.encoded_values import (
    binary,
    binary_start,
    encoded_list,
    encoded_map,
    string,
    string_start,
    symbol,
)
from lastvalue.codec.amqp10.sections import check_structure
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.codec.mqtt.topic_keys import reply_address
from lastvalue.model.property_names import (
    MQTT_PAYLOAD_FORMAT,
    MQTT_QOS,
    MQTT_RELEASED,
    MQTT_RETAINED,
    MQTT_USER_PROPERTIES,
)

_NULL: Final = b"\x40"
_TRUE: Final = b"\x41"
_DURABLE: Final = b"\x00\x53\x70\xc0\x02\x01\x41"
_SIZE: Final = struct.Struct(">I")
_TIME: Final = struct.Struct(">q")
MOST_TTL_S: Final = (2**32 - 1) // 1000
"""A message that expires later has the time of that."""
_SURELY_FEW: Final = 64
LARGE_BODY: Final = 256
"""A payload of at least this many bytes has a size of four bytes."""
CONTENT_TYPE: Final = "properties.content-type"
"""The application property with a content type that is not ASCII, as of AMQP 0-9-1."""
_QOS: Final = symbol(MQTT_QOS.encode())
_RETAINED: Final = symbol(MQTT_RETAINED.encode())
_RELEASED: Final = symbol(MQTT_RELEASED.encode())
_PAYLOAD_FORMAT: Final = symbol(MQTT_PAYLOAD_FORMAT.encode())
_USER_PROPERTIES: Final = symbol(MQTT_USER_PROPERTIES.encode())


def message_head(
    place: tuple[bytes, bytes],
    qos: int,
    keys: Sequence[tuple[str, str]] | None,
    properties: Properties,
    now: int,
) -> bytes:
    """The sections of a message before its body.

    Args:
        place: the exchange that it is published to, and its routing key.
        qos: with which it was published; from 1 on it is durable.
        keys: of a message that is retained, and therefore durable: the properties that are its key on the
            queue of its topic; None for others.
        properties: of the PUBLISH or the will.
        now: the time, milliseconds since the epoch.

    Raises:
        LargeStructureError: it has very many user properties.
    """
    user = list(properties.user)
    names = [name for name, _ in keys or ()] + [name for name, _ in user]
    repeated = len(set(names)) < len(names)
    ttl_s = properties.number(PropertyId.MESSAGE_EXPIRY_S, -1)
    parts = [_header(qos > 0 or keys is not None, ttl_s)]
    annotations = _annotations(qos, keys, user if repeated else None)
    if properties.number(PropertyId.PAYLOAD_FORMAT, -1) == 0:
        # [MQTT-3.3.2-4] It comes as it was sent.
        annotations += [_PAYLOAD_FORMAT, encode_value(0)]
    if annotations:
        parts.append(b"\x00\x53\x72" + encoded_map(annotations))
    parts.append(b"\x00\x53\x73" + encoded_list(_fields(place, properties, ttl_s, now)))
    # [MQTT 5.0 §3.3.2.3.7] A name may stand in it several times, and then all are in an annotation, too.
    first = dict([*reversed(user), *(keys or ())])
    ordered = dict.fromkeys(names)
    content_type = properties.text(PropertyId.CONTENT_TYPE) or ""
    if not content_type.isascii():
        # A symbol has ASCII alone.
        ordered[CONTENT_TYPE] = None
        first[CONTENT_TYPE] = content_type
    if ordered:
        items = [string(text.encode()) for name in ordered for text in (name, first[name])]
        parts.append(b"\x00\x53\x74" + encoded_map(items))
    head = b"".join(parts)
    if len(names) > _SURELY_FEW:
        # Otherwise nobody could read it over another protocol.
        check_structure(head)
    return head


def body_start(size: i64) -> bytes:
    """The octets before a binary payload of this many bytes."""
    return b"\x00\x53\x75" + binary_start(int(size))


def message_body(payload: bytes, is_text: bool) -> bytes:
    """The section of a body: text is a value, anything else is data.

    Raises:
        MqttError: the payload is said to be text, and is none.
    """
    if not is_text:
        return body_start(len(payload)) + payload
    try:
        payload.decode("utf-8")
    except UnicodeDecodeError as fault:
        text = "[MQTT 5.0 §3.3.2.3.2] the payload format says UTF-8, and the payload is none"
        raise MqttError(ReasonCode.PAYLOAD_FORMAT_INVALID, f"{text}: {fault.reason}") from None
    return b"\x00\x53\x77" + string_start(len(payload)) + payload


def released_mark(key: str) -> bytes:
    """What is left of a message with this routing key once its client has received it."""
    annotations = b"\x00\x53\x72" + encoded_map([_RELEASED, _TRUE])
    properties = b"\x00\x53\x73" + encoded_list([_NULL, _NULL, _NULL, string(key.encode())])
    return _DURABLE + annotations + properties


def _header(durable: bool, ttl_s: i64) -> bytes:
    if not 0 <= ttl_s <= MOST_TTL_S:
        return _DURABLE if durable else b""
    # A ttl of 0 would mean none.
    ttl = b"\x70" + _SIZE.pack(max(1, 1000 * ttl_s))
    return b"\x00\x53\x70" + encoded_list([_TRUE if durable else _NULL, _NULL, ttl])


def _annotations(
    qos: int, keys: Sequence[tuple[str, str]] | None, user: list[tuple[str, str]] | None
) -> list[bytes]:
    annotations: list[bytes] = []
    if qos == 2 or (qos == 0 and keys is not None):
        # Otherwise it is 1 for a durable message, as for one of another protocol.
        annotations += [_QOS, encode_value(qos)]
    if keys is not None:
        annotations += [_RETAINED, encode_value(len(keys))]
    if user is not None:
        annotations += [_USER_PROPERTIES, encode_value([text for pair in user for text in pair])]
    return annotations


def _fields(place: tuple[bytes, bytes], properties: Properties, ttl_s: i64, now: int) -> list[bytes]:
    """The properties [1.0 §3.2.4]: message-id, user-id, to, subject, reply-to, correlation-id and so on."""
    exchange, key = place
    fields = [_NULL, _NULL, string(exchange), string(key)]
    if properties.values:
        reply_to = properties.text(PropertyId.RESPONSE_TOPIC)
        correlation = properties.octets(PropertyId.CORRELATION_DATA)
        content_type = properties.text(PropertyId.CONTENT_TYPE)
        fields += [
            _NULL if reply_to is None else string(reply_address(reply_to).encode()),
            _NULL if correlation is None else binary(correlation),
            _NULL if content_type is None or not content_type.isascii() else symbol(content_type.encode()),
            _NULL,
            _NULL if ttl_s <= MOST_TTL_S else b"\x83" + _TIME.pack(now + 1000 * ttl_s),
        ]
        while fields[-1] is _NULL:
            fields.pop()
    return fields
