"""Values as JSON."""

from typing import Any

from lastvalue.client import Message
from lastvalue.client.message_key import message_key
from lastvalue.client.message_records import message_record
from lastvalue.model.jsonable import jsonable


def value_document(value: Message, key_property: str) -> dict[str, Any]:
    """A value as JSON: its key, and the message as on the command line."""
    return {"key": jsonable(message_key(value.properties, key_property)), **message_record(value)}
