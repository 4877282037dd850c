"""Direct reply-to [RabbitMQ]: replies come to a queue of the channel's, which has its name for as long."""

from typing import Final

from mypy_extensions import i64

from lastvalue.broker.owned_names import REPLIES, reply_queue
from lastvalue.codec.amqp091.tables import encoded_list, string
from lastvalue.codec.amqp10.primitives import skip_value
from lastvalue.codec.amqp10.sections import PROPERTIES, list_start
from lastvalue.queues.declaration import spec_from_arguments
from lastvalue.queues.spec import QueueSpec

_ASKED: Final = REPLIES.encode()
_REPLY_TO: Final = 4


def reply_spec(principal: str, channel: i64) -> QueueSpec:
    """The queue that a channel's replies come to; it goes with its consumer."""
    arguments = {"exclusive": "connection", "lifetime": "delete-on-no-outbound-links"}
    return spec_from_arguments(reply_queue(principal, channel), arguments)


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
