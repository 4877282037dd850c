"""Messages as JSON can hold them, and back."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import fields, replace

from lastvalue.cli.exits import UsageError
from lastvalue.client.message import Message

_PRINTED_MAPS = ("properties", "annotations")
_UNSET = Message()
_FIELDS = tuple(field.name for field in fields(Message))
_PRINTED_FIELDS = tuple(name for name in _FIELDS if name not in ("body", "updates", *_PRINTED_MAPS))
_NOT_SENT = ("sequence", "enqueued_time_ms", "delivery_count")


def message_record(message: Message) -> dict[str, object]:
    """A message as JSON can hold it.

    The body is under `body`, or under `body_base64` where it is bytes that are no UTF-8 text.
    Fields that are not set are left out.
    """
    record: dict[str, object] = {}
    if isinstance(message.body, bytes):
        try:
            record["body"] = message.body.decode()
        except UnicodeDecodeError:
            record["body_base64"] = base64.b64encode(message.body).decode()
    else:
        record["body"] = jsonable(message.body)
    for name in _PRINTED_MAPS:
        if value := getattr(message, name):
            record[name] = jsonable(value)
    for name in _PRINTED_FIELDS:
        if (value := getattr(message, name)) != getattr(_UNSET, name):
            record[name] = jsonable(value)
    record["updates"] = message.updates
    return record


def message_from_record(record: object, template: Message) -> Message:
    """The message that a record stands for; what it does not name comes from the template.

    What a broker gave the message (its sequence, its arrival) is left behind.

    Raises:
        UsageError: the record is no object or names something that a message has not.
    """
    if not isinstance(record, dict):
        raise UsageError(f"a message is a JSON object with a body, not {record!r:.60}")
    values = {name: value for name, value in record.items() if name not in _NOT_SENT}
    if "body_base64" in values:
        values["body"] = _bytes(values.pop("body_base64"))
    if unknown := sorted(set(values) - set(_FIELDS)):
        raise UsageError(f"a message has no {unknown[0]!r}; it may have {', '.join(_FIELDS)}")
    if not isinstance(values.get("properties", {}), dict):
        raise UsageError("a message's properties are a JSON object")
    values["properties"] = {**values.get("properties", {}), **template.properties}
    return replace(template, **values)


def jsonable(value: object) -> object:
    """The value as JSON can hold it: bytes as base64, what JSON does not know as text."""
    match value:
        case Mapping():
            return {str(name): jsonable(item) for name, item in value.items()}
        case bytes():
            return base64.b64encode(value).decode()
        case list() | tuple():
            return [jsonable(item) for item in value]
        case None | bool() | str() | int() | float():
            return value
        case _:
            return str(value)


def _bytes(text: object) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except binascii.Error as error:
        raise UsageError(f"body_base64 is not base64: {error}") from None
