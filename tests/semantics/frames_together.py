"""The rows of several frames, found in one job of Spark: a job for each takes several times as long."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import reduce
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import TimestampType

_OPTIONS = {"ignoreNullFields": "false", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"}

Row = dict[str, Any]


def collected_together(frames: Mapping[str, DataFrame]) -> dict[str, list[Row]]:
    """The rows of each frame, of numbers, strings, timestamps, and maps and lists of numbers and strings."""
    texts = [
        frame.select(sf.lit(name).alias("name"), sf.to_json(sf.struct("*"), _OPTIONS).alias("row"))
        for name, frame in frames.items()
    ]
    found: dict[str, list[Row]] = {name: [] for name in frames}
    times = {name: _times(frame) for name, frame in frames.items()}
    for name, text in reduce(DataFrame.unionAll, texts).collect():
        row = json.loads(text)
        moments = {time: _moment(row[time]) for time in times[name] if row[time] is not None}
        found[name].append(row | moments)
    return found


def _times(frame: DataFrame) -> list[str]:
    return [field.name for field in frame.schema if isinstance(field.dataType, TimestampType)]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
