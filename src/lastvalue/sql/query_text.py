"""The text of a query: which queues it reads, and of which moments."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import duckdb

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError

_AS_OF: Final = re.compile(
    r"""'(?:[^']|'')*'                                        # a text,
      | --[^\n]* | /\*.*?\*/                                   # a comment, or
      | (?P<name>"(?:[^"]|"")+"|[^\W\d]\w*) \s+ as \s+ of \s+  # NAME as of
        (?P<time>'(?:[^']|'')*')                               # 'TIME'
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


class QueryError(LastvalueError):
    """A query cannot be run; the text says what is wrong with it."""

    condition = Condition.INVALID_FIELD


@dataclass(frozen=True, slots=True)
class QueueReference:
    """A queue that a query reads.

    Attributes:
        table: the name by which the text calls it.
        queue: the queue's name.
        time: the moment, as the text writes it; None is now.
    """

    table: str
    queue: str
    time: str | None = None


@dataclass(frozen=True, slots=True)
class QueryText:
    """A query for DuckDB, and the queues that it reads.

    Attributes:
        text: of one SELECT, in which each `NAME as of 'TIME'` is a table of its own.
        references: the tables that it names and does not define.
    """

    text: str
    references: tuple[QueueReference, ...]


def read_query(text: str) -> QueryText:
    """Read a query: one SELECT of DuckDB's SQL; after the name of a queue it may say `as of 'TIME'`.

    Raises:
        QueryError: it is no SELECT, or there is an error in its syntax.
    """
    past: dict[str, QueueReference] = {}

    def replaced(match: re.Match[str]) -> str:
        if match["time"] is None:
            return match[0]
        queue = _unquoted(match["name"], '"')
        time = _unquoted(match["time"], "'")
        table = f"{queue} as of {time}"
        past[table] = QueueReference(table, queue, time)
        return '"' + table.replace('"', '""') + '"'

    sql = _AS_OF.sub(replaced, text)
    tree = json.loads(duckdb.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()[0][0])
    if tree["error"]:
        raise QueryError(f"{tree['error_message']}; a query is one SELECT")
    if len(tree["statements"]) != 1:
        raise QueryError(f"the text has {len(tree['statements'])} statements; a query is one SELECT")
    defined = set(_names(tree, "cte"))
    tables = [name for name in dict.fromkeys(_names(tree, "table")) if name not in defined]
    return QueryText(sql, tuple(past.get(name, QueueReference(name, name)) for name in tables))


def _unquoted(text: str, quote: str) -> str:
    return text[1:-1].replace(quote * 2, quote) if text.startswith(quote) else text


def _names(tree: object, kind: str) -> Iterator[str]:
    """The names of the tables in a syntax tree, or of the common table expressions that it defines."""
    if isinstance(tree, dict):
        if kind == "table" and tree.get("type") == "BASE_TABLE" and not tree.get("schema_name"):
            yield tree["table_name"]
        if kind == "cte" and "cte_map" in tree:
            yield from (each["key"] for each in tree["cte_map"]["map"])
        for value in tree.values():
            yield from _names(value, kind)
    elif isinstance(tree, list):
        for value in tree:
            yield from _names(value, kind)
