"""Values of any type as JSON has them."""

import base64
from collections.abc import Mapping


def jsonable(value: object) -> object:
    """The value as JSON: bytes as base64, other types that JSON does not have as text."""
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
