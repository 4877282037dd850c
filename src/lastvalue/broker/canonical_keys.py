"""Keys of a last-value queue: their canonical bytes, by which the queue compares them, and back."""

from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.model.composite_key import properties_of_key
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue


def key_property(queue: Queue) -> str:
    """The option `lvq_key`: the property that has the key, or several; empty where the queue has no keys."""
    ordering = queue.spec.ordering
    return ordering.key if isinstance(ordering, LastValue) else ""


def canonical_key(queue: Queue, key: object) -> bytes:
    """The canonical bytes of a key.

    Raises:
        InvalidSpecError: the value cannot be a key.
    """
    try:
        encoded = encode_plain_message(False, properties_of_key(key_property(queue), key), None)
        found = queue.remake(read_message(encoded), 0, 0).key
    except (TypeError, ValueError, LastvalueError) as error:
        raise InvalidSpecError(f"{key!r:.60} cannot be a key: {error}") from None
    if found is None:
        raise InvalidSpecError(f"{key!r:.60} cannot be a key")
    return found


def key_text(queue: Queue, key: bytes) -> bytes | None:
    """The UTF-8 of a key that is a text; None for other keys."""
    ordering = queue.spec.ordering
    if isinstance(ordering, LastValue) and ordering.keys_as_text:
        return key
    if key[:1] == b"\xa1":
        return key[2:]
    return key[5:] if key[:1] == b"\xb1" else None


def key_value(queue: Queue, key: bytes) -> object:
    """A key as a property has it; its canonical bytes where it is neither a text, a number nor a boolean."""
    text = key_text(queue, key)
    if text is not None:
        return text.decode("utf-8", "replace")
    if key[:1] == b"i":
        return int(key[1:])
    if key[:1] == b"b":
        return key == b"b1"
    return key[1:] if key[:1] == b"x" else key
