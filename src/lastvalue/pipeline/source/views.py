"""Queues as temporary views of a Spark session, by the names that `lastvalue sql` has for them.

register_views(spark, "amqp://127.0.0.1", "prices", "positions")
spark.sql("select symbol, price * amount from prices join positions using (symbol)")
"""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from uuid import uuid4

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

from lastvalue.model.composite_key import is_composite_key
from lastvalue.pipeline.broker_access import connect
from lastvalue.pipeline.columns import column
from lastvalue.pipeline.history.history_queries import as_of

_FIELDS: Final = "__lastvalue_fields"
_EXACT: Final = re.compile(r"DECIMAL\([0-9]+,\s?[0-9]+\)")


def register_views(
    spark: SparkSession,
    url: str,
    *queues: str,
    at: str | None = None,
    tables: Path | str | None = None,
    names: Mapping[str, str] | None = None,
) -> None:
    """Make a view of each queue, as it is when it is read, or as it was at a moment.

    A view has the columns of the source, with bodies as texts where all are UTF-8; the key again under the
    name of its property; the other application properties, as texts; and, where every body is an object of
    JSON, its fields. A name that several of these have, ignoring case, is the first's. Which properties and
    fields there are is found by reading the queue once, now.

    Args:
        spark: the session.
        url: the broker's.
        queues: their names, which are those of the views.
        at: the moment, for queues with a history: ISO 8601, a time of today, or one before now as in "-5m".
        tables: a directory of history tables, for records that the broker no longer has.
        names: by queue: the name of its view, where it is another, so that views of several moments of one
            queue can be together.

    Raises:
        QueueNotFoundError, RefusedError: a queue does not exist, or the user may not browse it.
        InvalidTimeError, HistoryUnavailableError: `at` is no time, or the history does not reach it.
    """
    for queue in queues:
        rows = _present(spark, url, queue) if at is None else _past(spark, url, queue, at, tables)
        with connect(url, None) as broker:
            key_property = str(broker.queue(queue).info().options.get("lvq_key") or "")
        view = (names or {}).get(queue, queue)
        _widened(rows, key_property).createOrReplaceTempView(f"`{view.replace('`', '``')}`")


def _present(spark: SparkSession, url: str, queue: str) -> DataFrame:
    return spark.read.format("lastvalue").options(url=url, queue=queue).load()


def _past(spark: SparkSession, url: str, queue: str, at: str, tables: Path | str | None) -> DataFrame:
    # Without tables everything is read from the broker: a directory that does not exist has none.
    landed = Path(tempfile.gettempdir(), f"lastvalue-{uuid4().hex}") if tables is None else tables
    return as_of(spark, landed, queue, at, url=url)


def _widened(rows: DataFrame, key_property: str) -> DataFrame:
    """The rows with a column for each property and each field of JSON."""
    text = column("body").cast("string")
    value = sf.try_parse_json(text)
    is_object = sf.coalesce(sf.schema_of_variant(value), sf.lit("")).startswith("OBJECT<")
    found = rows.agg(
        sf.bool_and(sf.is_valid_utf8(text)).alias("texts"),
        sf.flatten(sf.collect_set(sf.map_keys(column("properties")))).alias("names"),
        sf.bool_and(is_object).alias("objects"),
        sf.schema_of_variant_agg(value).alias("schema"),
    ).collect()[0]
    columns: dict[str, Column] = {}
    if key_property and not is_composite_key(key_property):
        columns[key_property] = column("key")
    for name in sorted(set(found["names"])):
        columns.setdefault(name, column("properties").getItem(name))
    result = rows
    if found["texts"]:
        result = result.withColumn("body", text)
    if found["objects"]:
        schema = _EXACT.sub("DOUBLE", found["schema"]).replace("OBJECT<", "STRUCT<").replace("VOID", "STRING")
        result = result.withColumn(_FIELDS, sf.from_json(column("body").cast("string"), schema))
        for name in result.select(f"{_FIELDS}.*").columns:
            columns.setdefault(name, column(_FIELDS).getField(name))
    taken = {name.lower() for name in rows.columns}
    added = []
    for name, source in columns.items():
        if name.lower() not in taken:
            taken.add(name.lower())
            added.append(source.alias(name))
    return result.select(*map(column, rows.columns), *added)
