"""Messages as JSON objects, and back."""

import base64
from dataclasses import fields, replace

from lastvalue.client.errors import InvalidMessageError
from lastvalue.client.message import Message
from lastvalue.model.jsonable import jsonable

_PRINTED_MAPS = ("properties", "annotations")
_UNSET = Message()
_FIELDS = tuple(field.name for field in fields(Message))
_PRINTED_FIELDS = tuple(name for name in _FIELDS if name not in ("body", "updates", *_PRINTED_MAPS))
_OF_WATCHES = ("token", "removed", "snapshot", "first_time_ms", "policy", "delta")
_NOT_SENT = ("sequence", "arrival_time_ms", "delivery_count", "malformed", *_OF_WATCHES)


def message_record(message: Message) -> dict[str, object]:
    """A message as a JSON object.

    The body is in `body`, or in `body_base64` if it is bytes that are not valid UTF-8.
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
    """The message of a record; fields that the record does not have come from the template.

    Fields that a broker sets (sequence, arrival) are dropped.

    Raises:
        InvalidMessageError: the record is not an object, or has a field that messages do not have.
    """
    if not isinstance(record, dict):
        raise InvalidMessageError(f"a message must be a JSON object with a body, not {record!r:.60}")
    values = {name: value for name, value in record.items() if name not in _NOT_SENT}
    if "body_base64" in values:
        values["body"] = _bytes(values.pop("body_base64"))
    if unknown := sorted(set(values) - set(_FIELDS)):
        raise InvalidMessageError(
            f"a message does not have the field {unknown[0]!r}; it may have {', '.join(_FIELDS)}"
        )
    if not isinstance(values.get("properties", {}), dict):
        raise InvalidMessageError("a message's properties must be a JSON object")
    values["properties"] = {**values.get("properties", {}), **template.properties}
    return replace(template, **values)


def _bytes(text: object) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except ValueError as error:
        raise InvalidMessageError(f"body_base64 is not base64: {error}") from None
