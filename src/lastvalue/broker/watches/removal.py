"""The message that tells a reader that a key lost its value: the key in its property, and no body."""

from typing import Final

from lastvalue.broker.canonical_keys import key_property, key_value
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.queues.queue import Queue

OUT_OF_FOCUS: Final = "out_of_focus"
"""The reason where the key has a value that the reader's filter does not match any more."""


def removal_payload(queue: Queue, key: bytes) -> bytes:
    """A message without body whose key property is this key."""
    return encode_plain_message(False, {key_property(queue): key_value(queue, key)}, None)
