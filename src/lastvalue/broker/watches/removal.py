"""The message that tells a reader that a key lost its value: the key in its properties, and no body."""

from typing import Final

from lastvalue.broker.canonical_keys import key_property, key_value
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.model.composite_key import is_composite_key, properties_of_key
from lastvalue.queues.queue import Queue

OUT_OF_FOCUS: Final = "out_of_focus"
"""The reason where the key has a value that the reader's filter does not match any more."""


def removal_payload(queue: Queue, key: bytes) -> bytes:
    """A message without body that has this key; without properties for the key of messages without one."""
    declared, value = key_property(queue), key_value(queue, key)
    properties = {} if value == "" and is_composite_key(declared) else properties_of_key(declared, value)
    return encode_plain_message(False, properties, None)
