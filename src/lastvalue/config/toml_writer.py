"""Writes configurations as TOML."""

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit.items import InlineTable, Table

from lastvalue.config.address_settings import Wildcards
from lastvalue.config.configuration import (
    AddressSetting,
    AutoCreate,
    Configuration,
    ConfiguredBinding,
    ConfiguredExchange,
    ConfiguredQueue,
)

_FIELDS: Final = {
    "wildcards": tuple(Wildcards.__dataclass_fields__),
    "exchange": tuple(ConfiguredExchange.__dataclass_fields__),
    "binding": tuple(ConfiguredBinding.__dataclass_fields__),
    "auto-create": tuple(AutoCreate.__dataclass_fields__),
}


def to_toml(configuration: Configuration, title: str = "") -> str:
    """The TOML text of a configuration, which `parse_toml` reads; `title` is its first line, as a comment.

    It leaves out a pipeline, because no import makes one.
    """
    document = tomlkit.document()
    if title:
        document.add(tomlkit.comment(title))
    wildcards = _said(configuration.wildcards, _FIELDS["wildcards"], Wildcards())
    for name, values in (("server", configuration.server), ("wildcards", wildcards)):
        if values:
            document.add(name, _table(values))
    arrays: dict[str, list[dict[str, Any]]] = {
        "exchange": [
            _said(exchange, _FIELDS["exchange"], ConfiguredExchange("", ""))
            for exchange in configuration.exchanges
        ],
        "queue": [_queue(queue) for queue in configuration.queues],
        "binding": [
            _said(binding, _FIELDS["binding"], ConfiguredBinding("", ""))
            for binding in configuration.bindings
        ],
        "address-setting": [_setting(setting) for setting in configuration.address_settings],
        "auto-create": [
            _said(each, _FIELDS["auto-create"], AutoCreate("")) for each in configuration.auto_creates
        ],
    }
    for name, entries in arrays.items():
        if entries:
            array = tomlkit.aot()
            for entry in entries:
                array.append(_table(entry))
            document.add(name, array)
    return tomlkit.dumps(document)


def _said(one: Any, names: tuple[str, ...], default: Any) -> dict[str, Any]:
    """The values that differ from the defaults."""
    return {name: getattr(one, name) for name in names if getattr(one, name) != getattr(default, name)}


def _queue(queue: ConfiguredQueue) -> dict[str, Any]:
    address = {} if queue.address == queue.name else {"address": queue.address}
    return {"name": queue.name, **address, **queue.arguments}


def _setting(setting: AddressSetting) -> dict[str, Any]:
    return {"match": setting.match, **setting.fields}


def _table(values: Mapping[str, Any]) -> Table:
    table = tomlkit.table()
    for name, value in values.items():
        table.add(name, _value(value))
    return table


def _value(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if not isinstance(value, Mapping):
        return str(value) if isinstance(value, Path) else value
    inline: InlineTable = tomlkit.inline_table()
    for name, item in value.items():
        # TOML has no null, so keys without a value are left out.
        if item is not None:
            inline.append(name, _value(item))
    return inline
