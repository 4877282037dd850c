"""The values of a watcher as tables: a row for each key; needs pyarrow, and for frames pandas or polars."""

import json
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Final

from lastvalue.client.message import Message
from lastvalue.model.jsonable import jsonable

PLACE: Final = ("key", "sequence", "arrival_time", "updates")
"""The columns of every table; a field of one of these names is a column `field_NAME`."""

_EXTRAS: Final = {"pyarrow": "'lastvalue[arrow]'"}


def needed(module: str, what: str) -> Any:
    """A module that not every user of the client has.

    Raises:
        ModuleNotFoundError: it is not installed; the text says how to get it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        text = f"{what} needs {module}: pip install {_EXTRAS.get(module, module)}"
        raise ModuleNotFoundError(text, name=module) from None


def watched_table(values: Mapping[Any, Message], what: str = "to_arrow()") -> Any:
    """An Arrow table of the values, in the mapping's order.

    Behind the columns of PLACE come the fields of the bodies that are maps, and the application properties;
    other bodies are the column `body`. A field whose values have no common type is text.

    Raises:
        ModuleNotFoundError: pyarrow is not installed.
    """
    pa = needed("pyarrow", what)
    rows = [_fields(message) for message in values.values()]
    names = dict.fromkeys(name for row in rows for name in row)
    messages = values.values()
    columns = {
        "key": _column(pa, list(values)),
        "sequence": pa.array([each.sequence for each in messages], pa.int64()),
        "arrival_time": pa.array([_microseconds(each) for each in messages], pa.timestamp("us", "UTC")),
        "updates": pa.array([each.updates for each in messages], pa.int64()),
    }
    for name in names:
        column = f"field_{name}" if name in PLACE else name
        columns[column] = _column(pa, [row.get(name) for row in rows])
    return pa.table(columns)


def _fields(message: Message) -> dict[str, object]:
    body = message.body
    own = {str(name): value for name, value in body.items()} if isinstance(body, Mapping) else {"body": body}
    return {**message.properties, **own}


def _microseconds(message: Message) -> int | None:
    return None if message.arrival_time_ms is None else 1000 * message.arrival_time_ms


def _column(pa: Any, cells: Iterable[object]) -> Any:
    given = list(cells)
    try:
        return pa.array(given)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return pa.array([None if each is None else _text(each) for each in given], pa.string())


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(jsonable(value), ensure_ascii=False)
