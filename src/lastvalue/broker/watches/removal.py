"""The message that tells a reader that a key lost its value: the key in its property, and no body."""

from typing import Final

from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue

OUT_OF_FOCUS: Final = "out_of_focus"
"""The reason where the key has a value that the reader's filter does not match any more."""


def key_bytes(queue: Queue, key: object) -> bytes:
    """The bytes of a key as a last-value queue compares keys.

    Raises:
        InvalidSpecError: the value cannot be a key.
    """
    try:
        found = queue.remake(
            read_message(encode_plain_message(False, {_key_property(queue): key}, None)),
            0,
            0,
        ).key
    except (TypeError, ValueError, LastvalueError) as error:
        raise InvalidSpecError(f"{key!r:.60} cannot be a key: {error}") from None
    if found is None:
        raise InvalidSpecError(f"{key!r:.60} cannot be a key")
    return found


def key_text(key: bytes, *, as_text: bool) -> bytes | None:
    """The UTF-8 of a key that is a text; None for other keys."""
    if as_text:
        return key
    if key[:1] == b"\xa1":
        return key[2:]
    return key[5:] if key[:1] == b"\xb1" else None


def key_value(key: bytes, *, as_text: bool) -> object:
    """A key as a property has it; its canonical bytes where it is neither a text, a number nor a boolean."""
    text = key_text(key, as_text=as_text)
    if text is not None:
        return text.decode("utf-8", "replace")
    if key[:1] == b"i":
        return int(key[1:])
    if key[:1] == b"b":
        return key == b"b1"
    return key[1:] if key[:1] == b"x" else key


def removal_payload(queue: Queue, key: bytes) -> bytes:
    """A message without body whose key property is this key."""
    ordering = queue.spec.ordering
    as_text = isinstance(ordering, LastValue) and ordering.keys_as_text
    properties = {_key_property(queue): key_value(key, as_text=as_text)}
    return encode_plain_message(False, properties, None)


def _key_property(queue: Queue) -> str:
    ordering = queue.spec.ordering
    return ordering.key if isinstance(ordering, LastValue) else ""
