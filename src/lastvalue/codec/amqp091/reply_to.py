"""Replaces the pseudo-queue of direct replies [RabbitMQ] in a message with the real address."""

from typing import Final

from mypy_extensions import i64

from lastvalue.codec.amqp10.encoded_values import encoded_list, string
from lastvalue.codec.amqp10.sections import PROPERTIES, list_start, section_head
from lastvalue.codec.amqp10.value_codec import skip_value

REPLY_TO: Final = "amq.rabbitmq.reply-to"
"""The pseudo-queue from which clients consume replies, and which they name in reply-to."""

_ASKED: Final = REPLY_TO.encode()
_REPLY_TO: Final = 4


def with_reply_queue(encoded: bytes, name: bytes) -> bytes:
    """A message from AMQP 0-9-1, with this queue as its reply-to if that is the pseudo-queue."""
    if _ASKED not in encoded:
        return encoded
    size: i64 = len(encoded)
    pos: i64 = 0
    while pos < size:
        section, start = section_head(encoded, pos, size)
        pos = skip_value(encoded, start, size)
        if section == PROPERTIES:
            return encoded[:start] + _replaced(encoded, start, pos, name) + encoded[pos:]
    return encoded


def _replaced(encoded: bytes, pos: i64, end: i64, name: bytes) -> bytes:
    """The properties that begin at pos."""
    fields: list[bytes] = []
    at, count = list_start(encoded, pos)
    while len(fields) < count:
        stop = skip_value(encoded, at, end)
        fields.append(encoded[at:stop])
        at = stop
    if len(fields) > _REPLY_TO and fields[_REPLY_TO] == string(_ASKED):
        fields[_REPLY_TO] = string(name)
    return encoded_list(fields)
