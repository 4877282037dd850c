"""Which plan finds what a queue retains, and what is refused before Spark has any work."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from pyspark.sql import DataFrame
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    DataType,
    DoubleType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from lastvalue.model.errors import InvalidSpecError
from lastvalue.pipeline.retention.arrivals import Arrivals, InvalidHistoryError
from lastvalue.pipeline.retention.retained import Plan, plan_for, retained
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.selectors import InvalidSelectorError

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def struct(**kinds: DataType) -> StructType:
    return StructType([StructField(name.replace("_", "-"), kind) for name, kind in kinds.items()])


PLAIN: Mapping[str, DataType] = {
    "sequence": LongType(),
    "arrival_time": TimestampType(),
    "key": StringType(),
    "properties": struct(rev=LongType()),
}
TTL = {"ttl_ms": LongType()}
DELAY = {"annotations": struct(x_opt_delivery_delay=LongType())}
NO_DELAY = {"annotations": MapType(StringType(), StringType())}
TEXT_OR_NUMBER = {"annotations": struct(rev=StringType())}
WHOLE_OR_NOT = {"annotations": struct(rev=DoubleType())}
FLAG = {"properties": struct(rev=BooleanType())}
LVQ = {"lvq_key": "key"}
ORDERED = {"lvq_key": "key", "order_by": "rev"}
RING = {"max_messages": 10, "when_full": "drop-oldest"}


class Frame:
    """A DataFrame as far as it is looked at."""

    def __init__(self, columns: Mapping[str, DataType], *, streams: bool = False) -> None:
        self.isStreaming = streams
        self.schema = StructType([StructField(name, kind) for name, kind in columns.items()])


def refusal(
    declaration: Mapping[str, object],
    columns: Mapping[str, DataType],
    at: datetime = NOON,
    plan: Plan | None = None,
) -> str:
    with pytest.raises(InvalidHistoryError) as refused:
        retained(cast("DataFrame", Frame(columns)), declaration, at, plan=plan)
    return str(refused.value)


@pytest.mark.parametrize(
    ("declaration", "columns", "plan"),
    [
        ({}, {}, Plan.COLUMNS),
        ({"priorities": 10, "hold_on_publish": True}, {**TTL, **DELAY, "priority": LongType()}, Plan.COLUMNS),
        (LVQ, {**TTL, **DELAY}, Plan.COLUMNS),
        ({**LVQ, "lvq_placement": "in-place"}, {**TTL, **DELAY}, Plan.COLUMNS),
        (ORDERED, DELAY, Plan.COLUMNS),
        (ORDERED, TTL, Plan.BY_KEY),
        ({**ORDERED, "no_expiry": True}, TTL, Plan.COLUMNS),
        ({**ORDERED, "default_ttl_ms": 5}, {}, Plan.BY_KEY),
        (ORDERED, TEXT_OR_NUMBER, Plan.BY_KEY),
        (ORDERED, WHOLE_OR_NOT, Plan.BY_KEY),
        (ORDERED, FLAG, Plan.BY_KEY),
        ({"max_messages": 10}, DELAY, Plan.COLUMNS),
        ({"max_messages": 10}, TTL, Plan.BY_QUEUE),
        ({"max_messages": 10, "maximum_ttl_ms": 9}, {}, Plan.BY_QUEUE),
        (RING, NO_DELAY, Plan.COLUMNS),
        (RING, DELAY, Plan.BY_QUEUE),
        (RING, TTL, Plan.BY_QUEUE),
        ({**RING, **LVQ}, {}, Plan.BY_QUEUE),
        ({**LVQ, "max_messages": 10}, {}, Plan.BY_QUEUE),
        ({"max_messages": 10, "when_full": "self-destruct"}, {}, Plan.BY_QUEUE),
        ({"max_bytes": 10}, {"body": BinaryType()}, Plan.BY_QUEUE),
        ({"keep_nothing": True, "max_messages": 10}, {}, Plan.BY_QUEUE),
        ({"when_full": "drop-oldest"}, TTL, Plan.COLUMNS),
        ({"filter": "rev > 2"}, TTL, Plan.COLUMNS),
        ({"filter": "NOT (" * 40 + "rev > 2" + ")" * 40}, {}, Plan.BY_QUEUE),
        (RING, {"not_before_time": TimestampType()}, Plan.BY_QUEUE),
        ({"duplicate_window": 10}, {"properties": MapType(StringType(), StringType())}, Plan.BY_QUEUE),
        ({"duplicate_window": 10}, {"annotations": MapType(StringType(), StringType())}, Plan.COLUMNS),
    ],
)
def test_the_plan_is_the_fastest_that_holds(
    declaration: dict[str, Any], columns: dict[str, DataType], plan: Plan
) -> None:
    arrivals = Arrivals.of(Frame({**PLAIN, **columns}).schema, "key")
    assert plan_for(arrivals, spec_from_arguments("q", declaration)) is plan


@pytest.mark.parametrize(
    ("declaration", "complaint"),
    [
        (
            {"lvq_key": "symbol"},
            "no column holds the property 'symbol', the key (lvq_key): a column 'properties' has none of",
        ),
        (
            {**LVQ, "order_by": "time"},
            "no column holds the property 'time', which decides what is newer (order_by)",
        ),
        ({"sort_key": "time"}, "no column holds the property 'time', by which the queue sorts (sort_key)"),
        (
            {"priorities": 4},
            "there is no column 'priority', by which the queue orders deliveries (priorities)",
        ),
        (
            {"max_bytes": 100},
            "there is no column 'body', whose size the limit in bytes counts (max_bytes), nor 'size_bytes'",
        ),
    ],
)
def test_a_column_that_the_declaration_needs_is_named(declaration: dict[str, Any], complaint: str) -> None:
    assert refusal(declaration, PLAIN).startswith(complaint)


def test_a_history_says_when_each_message_came() -> None:
    assert refusal({}, {"sequence": LongType()}).startswith("there is no column 'arrival_time', when each")


def test_a_column_of_a_wrong_type_is_named() -> None:
    assert refusal({}, {**PLAIN, "sequence": DoubleType()}).startswith(
        "column 'sequence' is double; a history"
    )


def test_a_moment_without_a_time_zone_is_refused() -> None:
    naive = datetime(2026, 3, 1, 12)  # noqa: DTZ001 - that is the fault
    assert refusal({}, PLAIN, naive).startswith("2026-03-01 12:00:00 has no time zone")


@pytest.mark.parametrize(
    ("declaration", "plan", "complaint"),
    [
        (
            {},
            Plan.BY_KEY,
            "the plan 'engine by key' does not support this declaration and these columns; 'columns'",
        ),
        ({**LVQ, "max_messages": 3}, Plan.BY_KEY, "the plan 'engine by key' does not support"),
        ({**LVQ, "max_messages": 3}, Plan.COLUMNS, "the plan 'columns' does not support"),
        ({**ORDERED, "maximum_ttl_ms": 3}, Plan.COLUMNS, "the plan 'columns' does not support"),
    ],
)
def test_a_plan_that_does_not_hold_is_refused(
    declaration: dict[str, Any], plan: Plan, complaint: str
) -> None:
    assert refusal(declaration, PLAIN, plan=plan).startswith(complaint)


def test_a_stream_is_no_history() -> None:
    with pytest.raises(InvalidHistoryError, match=r"a history is a batch: read it with spark\.read, not"):
        retained(cast("DataFrame", Frame(PLAIN, streams=True)), {}, NOON)


def test_a_filter_that_is_no_selector_is_refused() -> None:
    with pytest.raises(InvalidSelectorError):
        retained(cast("DataFrame", Frame(PLAIN)), {"filter": "colour = "}, NOON)


def test_arguments_that_make_no_declaration_are_refused() -> None:
    with pytest.raises(InvalidSpecError, match="unknown queue option 'ring'"):
        retained(cast("DataFrame", Frame(PLAIN)), {"ring": 5}, NOON)
