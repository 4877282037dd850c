"""Writes configurations as TOML."""

from collections.abc import Mapping
from typing import Any

import tomlkit
from tomlkit.items import InlineTable, Table

from lastvalue.config.configuration import Configuration
from lastvalue.config.document import to_document


def to_toml(configuration: Configuration, title: str = "") -> str:
    """The TOML text of a configuration, which `parse_toml` reads; `title` is its first line, as a comment.

    It leaves out a pipeline, because no import makes one.
    """
    document = tomlkit.document()
    if title:
        document.add(tomlkit.comment(title))
    for name, value in to_document(configuration).items():
        if isinstance(value, Mapping):
            document.add(name, _table(value))
            continue
        array = tomlkit.aot()
        for entry in value:
            array.append(_table(entry))
        document.add(name, array)
    return tomlkit.dumps(document)


def _table(values: Mapping[str, Any]) -> Table:
    table = tomlkit.table()
    for name, value in values.items():
        table.add(name, _value(value))
    return table


def _value(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    inline: InlineTable = tomlkit.inline_table()
    for name, item in value.items():
        inline.append(name, _value(item))
    return inline
