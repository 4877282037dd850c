"""Copies of messages by the routing keys that their headers CC and BCC name [RabbitMQ]."""

from typing import Final

from lastvalue.codec.amqp091.errors import PRECONDITION_FAILED, ReplyError
from lastvalue.model.message import Message
from lastvalue.model.property_names import COPIED_TO, HIDDEN_COPIES

_NAMES: Final = (COPIED_TO, HIDDEN_COPIES)
_MARKS: Final = tuple(bytes((len(name),)) + name.encode() for name in _NAMES)


def has_copies(encoded: bytes) -> bool:
    """Whether a message may have one of the headers; that is certain only if it has not."""
    return any(mark in encoded for mark in _MARKS)


def without_hidden_copies(message: Message) -> tuple[Message, list[str]]:
    """The message as its readers get it, and the further keys.

    Raises:
        ReplyError: a header is no array of texts.
    """
    keys: list[str] = []
    for name in _NAMES:
        header = message.annotation(name)
        if header is None and message.field(name) is None:
            continue
        if not isinstance(header, list) or not all(isinstance(key, str) for key in header):
            raise ReplyError(PRECONDITION_FAILED, f"the header {name} must be an array of long strings")
        keys += [str(key) for key in header]
    if message.annotation(HIDDEN_COPIES) is not None:
        message = message.forwarded({HIDDEN_COPIES: None}, True)
    return message, keys
