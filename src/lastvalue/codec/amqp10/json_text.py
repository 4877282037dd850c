"""The JSON of a value, for protocols that have no such value."""

import json

from lastvalue.codec.amqp10.values import Array, Described, Value
from lastvalue.model.jsonable import json_number


def json_text(value: Value) -> str:
    """The value as JSON; types that JSON does not have become text."""
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Value) -> object:  # noqa: PLR0911 - a table of types
    if isinstance(value, Described):
        return _plain(value.value)
    if isinstance(value, dict):
        return {str(_plain(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, Array):
        return [_plain(item) for item in value.items]
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float):
        return json_number(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)
