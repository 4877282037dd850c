"""The address of direct replies [RabbitMQ] in a message: where they go is put in its place."""

from typing import Final

from mypy_extensions import i64

from lastvalue.codec.amqp091.tables import encoded_list, string
from lastvalue.codec.amqp10.primitives import skip_value
from lastvalue.codec.amqp10.sections import PROPERTIES, list_start

REPLY_TO: Final = "amq.rabbitmq.reply-to"
"""What is consumed, and where replies are asked to go."""

_ASKED: Final = REPLY_TO.encode()
_REPLY_TO: Final = 4


def with_reply_queue(encoded: bytes, name: bytes) -> bytes:
    """A message that came over AMQP 0-9-1, its replies to that queue where it wants them directly."""
    if _ASKED not in encoded:
        return encoded
    size: i64 = len(encoded)
    pos: i64 = 0
    while pos < size:
        start = pos + 3
        end = skip_value(encoded, start, size)
        if encoded[pos + 2] == PROPERTIES:
            return encoded[:start] + _replaced(encoded, start, end, name) + encoded[end:]
        pos = end
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
