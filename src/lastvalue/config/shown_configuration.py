"""What a broker goes by, as its operators see it: every setting in force, and the tables of its file."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from lastvalue.config.masked_values import MASK, masked_address, masked_foreign, masked_text, masked_value
from lastvalue.config.server_options import SETTINGS, ServerOptions
from lastvalue.config.server_setting import InvalidSettingError, ServerSetting
from lastvalue.config.source_faults import OPTIONS

_DEFAULT: Final = "default"
_FILE: Final = "file"
_START: Final = "start"
"""A flag, a variable, or the file as it was at the start."""


def shown_configuration(document: Mapping[str, Any], options: ServerOptions) -> dict[str, Any]:
    """The settings in force, each with its source, and the other tables of the file; secrets are masked.

    Args:
        document: what the file says.
        options: of the running server.
    """
    server = document.get("server", {})
    return {
        "settings": [
            {
                "name": declared.name,
                "value": shown_setting(declared, getattr(options, declared.name)),
                "from": _source(declared, server, options),
            }
            for declared in SETTINGS.values()
        ],
        "tables": {name: _masked_table(name, table) for name, table in document.items() if name != "server"},
    }


def shown_setting(declared: ServerSetting, value: Any) -> str:
    """The value of a setting in one line, with secrets masked."""
    match value:
        case None:
            return declared.default_text
        case Mapping():
            return ", ".join(f"{name}:{MASK}" for name in sorted(value)) or declared.default_text
        case tuple():
            return ", ".join(map(masked_text, value)) or declared.default_text
        case bool():
            return str(value).lower()
        case Enum():
            return str(value.value)
        case _:
            return masked_address(str(value)) if declared.is_secret else masked_text(str(value))


def _source(declared: ServerSetting, server: Mapping[str, Any], options: ServerOptions) -> str:
    value = getattr(options, declared.name)
    if declared.name in server and _read(declared, server[declared.name]) == value:
        return _FILE
    return _DEFAULT if value == declared.default else _START


def _read(declared: ServerSetting, raw: Any) -> Any:
    try:
        return declared.read(raw, declared.name)
    except InvalidSettingError:
        return None


def _masked_table(name: str, table: Any) -> Any:
    if isinstance(table, list):
        return [_masked_table(name, each) for each in table]
    masked = masked_value(table)
    foreign = _FOREIGN.get(name, "")
    if foreign and isinstance(table, Mapping) and isinstance(table.get(foreign), Mapping):
        known = _READERS.get(str(table.get("format", "")).lower(), frozenset())
        masked[foreign] = masked_foreign(table[foreign], known)
    return masked


_READERS: Final = {kind: frozenset(map(str.lower, names)) for kind, names in OPTIONS.items()}
_FOREIGN: Final = {"pipeline": "spark", "feed": "options"}
"""Where Spark and its sources choose the names."""
