"""Rows to conflate, what a loop makes of them, and what Spark does."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame

SCHEMA = "key string, time int, part int, text string, price double, updates int"
TIME, PART, UPDATES = 1, 2, 5

Row = tuple[Any, ...]


def random_rows(seed: int, count: int = 3000, keys: int = 400) -> list[Row]:
    """Rows in no order, with few values of everything, so that keys, order values and whole rows repeat."""
    chance = random.Random(seed)

    def row() -> Row:
        return (
            chance.choice([None, *(f"K{chance.randrange(keys)}" for _ in range(30))]),
            chance.choice([None, None, *range(-2, 2)]),
            chance.choice([None, 1, 2]),
            chance.choice([None, "", "a", "ü"]),
            chance.choice([None, float("-inf"), -1.5, 0.0, 7.25]),
            chance.choice([None, 1, 3]),
        )

    return [row() for _ in range(count)]


def nulls_first(values: Sequence[Any]) -> list[tuple[bool, Any]]:
    return [(value is not None, value) for value in values]


def rank(row: Row) -> list[tuple[bool, Any]]:
    return nulls_first((row[TIME], row[PART], row[3], row[4]))


def newest_rows(rows: list[Row]) -> Counter[Row]:
    """What conflation means, in plain Python."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row[0]].append(row)
    keyless = [(*row[:UPDATES], row[UPDATES] or 1) for row in groups.pop(None, [])]  # type: ignore[call-overload] # the keyless
    winners = [
        (*max(group, key=rank)[:UPDATES], sum(row[UPDATES] or 1 for row in group))
        for group in groups.values()
    ]
    return Counter([*keyless, *winners])


def explained(frame: DataFrame) -> str:
    """Spark's plan for it."""
    jvm: Any = frame.sparkSession.sparkContext._jvm
    return str(jvm.PythonSQLUtils.explainString(frame._jdf.queryExecution(), "simple"))


def collected(frame: DataFrame) -> Counter[Row]:
    return Counter(tuple(row) for row in frame.collect())
