"""The document of a configuration: plain tables, as TOML and JSON have them."""

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final

from lastvalue.config.address_settings import Wildcards
from lastvalue.config.configuration import (
    AddressSetting,
    AutoCreate,
    Configuration,
    ConfiguredBinding,
    ConfiguredExchange,
    ConfiguredPartition,
    ConfiguredPermission,
    ConfiguredQueue,
    ConfiguredTopics,
)

_FIELDS: Final = {
    "wildcards": tuple(Wildcards.__dataclass_fields__),
    "exchange": tuple(ConfiguredExchange.__dataclass_fields__),
    "binding": tuple(ConfiguredBinding.__dataclass_fields__),
    "auto-create": tuple(AutoCreate.__dataclass_fields__),
    "partition": tuple(ConfiguredPartition.__dataclass_fields__),
    "permission": tuple(ConfiguredPermission.__dataclass_fields__),
}


TABLES: Final = ("server", *_FIELDS, "queue", "address-setting", "mqtt")
"""The tables that a document has at its top, without those of pipelines."""


def to_document(configuration: Configuration) -> dict[str, Any]:
    """The tables of a configuration, which `from_document` reads; values that are defaults are left out.

    It leaves out a pipeline, because no import makes one.
    """
    wildcards = _said(configuration.wildcards, "wildcards", Wildcards())
    tables: dict[str, Any] = {
        "server": dict(configuration.server),
        "wildcards": wildcards,
        "exchange": [_said(each, "exchange", ConfiguredExchange("", "")) for each in configuration.exchanges],
        "queue": [_queue(queue) for queue in configuration.queues],
        "binding": [_said(each, "binding", ConfiguredBinding("", "")) for each in configuration.bindings],
        "address-setting": [_setting(setting) for setting in configuration.address_settings],
        "auto-create": [_said(each, "auto-create", AutoCreate("")) for each in configuration.auto_creates],
        "partition": [_said(each, "partition", ConfiguredPartition("")) for each in configuration.partitions],
        "permission": [
            _said(each, "permission", ConfiguredPermission("")) for each in configuration.permissions
        ],
        "mqtt": _mqtt(configuration.mqtt_topics),
    }
    return {name: _plain(value) for name, value in tables.items() if value}


def _said(one: Any, table: str, default: Any) -> dict[str, Any]:
    """The values that differ from the defaults."""
    names = _FIELDS[table]
    return {name: getattr(one, name) for name in names if getattr(one, name) != getattr(default, name)}


def _queue(queue: ConfiguredQueue) -> dict[str, Any]:
    address = {} if queue.address == queue.name else {"address": queue.address}
    return {"name": queue.name, **address, **queue.arguments}


def _setting(setting: AddressSetting) -> dict[str, Any]:
    return {"match": setting.match, **setting.fields}


def _mqtt(topics: tuple[ConfiguredTopics, ...]) -> dict[str, Any]:
    tables = [{"pattern": each.pattern, "queue": each.queue} for each in topics]
    return {"topics": tables} if tables else {}


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case Path():
            return str(value)
        case Mapping():
            # TOML has no null, so keys without a value are left out.
            return {name: _plain(item) for name, item in value.items() if item is not None}
        case tuple() | list():
            return [_plain(item) for item in value]
        case _:
            return value
