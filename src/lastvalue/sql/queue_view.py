"""A queue as a view: the columns of the Spark source, and one for each property and each field of JSON."""

import json
from collections.abc import Iterable
from typing import Final

import duckdb
import pyarrow as pa

from lastvalue.model.composite_key import is_composite_key

_FIELDS: Final = '"fields of JSON"'


def make_queue_view(
    database: duckdb.DuckDBPyConnection, name: str, rows: pa.Table, key_property: str
) -> None:
    """Make the view of that name.

    It has the columns of `rows`, whose bodies become texts where all are UTF-8; the key again under the name
    of its property, if that is one; the other application properties, as texts; and, where every body is an
    object of JSON, its fields, with the types that DuckDB finds in them. A name that several of these have is
    the first's.
    """
    rows = _with_texts(rows)
    taken = {column.lower() for column in rows.column_names}
    columns = ["*"]
    if key_property and not is_composite_key(key_property):
        columns += _column(taken, key_property, "key")
    for each in _property_names(rows):
        columns += _column(taken, each, f"properties[{_text(each)}]")
    relation = database.from_arrow(rows)
    structure = _structure(relation, rows)
    if structure:
        relation = relation.project(f"*, from_json(body, {_text(json.dumps(structure))}) AS {_FIELDS}")
        columns[0] = f"* EXCLUDE ({_FIELDS})"
        for each in structure:
            columns += _column(taken, each, f"{_FIELDS}.{_name(each)}")
    relation.project(", ".join(columns)).create_view(name)


def _with_texts(rows: pa.Table) -> pa.Table:
    try:
        bodies = rows.column("body").cast(pa.string())
    except pa.ArrowInvalid:
        return rows
    return rows.set_column(rows.schema.get_field_index("body"), "body", bodies)


def _property_names(rows: pa.Table) -> Iterable[str]:
    names: dict[str, None] = {}
    for chunk in rows.column("properties").chunks:
        names |= dict.fromkeys(chunk.keys.unique().to_pylist())
    return names


def _structure(relation: duckdb.DuckDBPyRelation, rows: pa.Table) -> dict[str, object]:
    """The fields of the bodies and their types, in the form of DuckDB's json_structure; empty without."""
    if rows.num_rows == 0 or rows.schema.field("body").type != pa.string():
        return {}
    # A body that is no JSON has no type, and the order of conditions is not promised.
    is_object = "coalesce(json_type(try_cast(body AS JSON)) = 'OBJECT', false)"
    if not relation.aggregate(f"bool_and({is_object})").fetchall()[0][0]:
        return {}
    structure = json.loads(relation.aggregate("json_group_structure(body::JSON)").fetchall()[0][0])
    return structure if isinstance(structure, dict) else {}


def _column(taken: set[str], name: str, value: str) -> list[str]:
    """A column, unless its name is taken; it is then."""
    if name.lower() in taken:
        return []
    taken.add(name.lower())
    return [f"{value} AS {_name(name)}"]


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
