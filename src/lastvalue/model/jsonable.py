"""Values of any type as JSON has them."""

import base64
import json
import math
from collections.abc import Mapping
from typing import Any


def jsonable(value: object) -> object:
    """The value as JSON: bytes as base64, other types that JSON does not have as text, see `json_number`."""
    match value:
        case Mapping():
            return {str(name): jsonable(item) for name, item in value.items()}
        case bytes():
            return base64.b64encode(value).decode()
        case list() | tuple():
            return [jsonable(item) for item in value]
        case float():
            return json_number(value)
        case None | bool() | str() | int():
            return value
        case _:
            return str(value)


def json_number(value: float) -> float | str:
    """The number, or "NaN", "Infinity" or "-Infinity" as text, as in the JSON of Spark and of protobuf."""
    if math.isfinite(value):
        return value
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def strict_json(value: object, **form: Any) -> str:
    """What `json.dumps` makes of a value; numbers that JSON does not have are as `json_number` has them."""
    try:
        return json.dumps(value, allow_nan=False, **form)
    except ValueError:
        return json.dumps(_finite(value), **form)


def compact_json(value: object) -> str:
    """The JSON of a value, without blanks; see `strict_json`.

    A value that was read from JSON may be infinite, too: JSON has numbers that no double has, such as 1e999.
    """
    return strict_json(value, separators=(",", ":"), ensure_ascii=False)


def _finite(value: object) -> object:
    match value:
        case Mapping():
            return {name: _finite(item) for name, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case float():
            return json_number(value)
        case _:
            return value
