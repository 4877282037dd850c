"""Tables of methods as plain values, which the broker stores."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def plain(arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    """A table as texts, numbers, flags, lists and maps; times are milliseconds since the epoch."""
    return {str(name): _plain(value) for name, value in (arguments or {}).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return plain(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, datetime):
        moment = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
        return int((moment - _EPOCH).total_seconds() * 1000)
    return str(value) if isinstance(value, Decimal) else value
