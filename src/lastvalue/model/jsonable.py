"""Values of any type as JSON has them."""

import base64
import json
import math
from collections.abc import Mapping


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


def compact_json(value: object) -> str:
    """The JSON of a value that was read from JSON, without blanks."""
    try:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except ValueError:
        # JSON may have numbers that no double has, such as 1e999: read, they are infinite.
        return json.dumps(jsonable(value), separators=(",", ":"), ensure_ascii=False)
