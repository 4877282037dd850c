"""The key that a message has, by what its queue says of its keys."""

from collections.abc import Mapping
from typing import Any

from lastvalue.codec.amqp10.fields import text_of
from lastvalue.model.composite_key import composite_key, is_composite_key, names_of_key


def message_key(properties: Mapping[str, Any], key_property: str) -> Any:
    """The key in the properties of a message; None if it has none.

    Args:
        properties: the message's.
        key_property: the queue's option `lvq_key`; of several properties the key is a text.
    """
    if not is_composite_key(key_property):
        return properties.get(key_property)
    texts = [text_of(properties.get(name)) for name in names_of_key(key_property)]
    values = [text for text in texts if text is not None]
    return composite_key(values) if len(values) == len(texts) else None
