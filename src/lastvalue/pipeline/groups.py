"""Message groups on Spark: one call of a function processes all rows of a group, in order."""

from collections.abc import Callable, Sequence
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import StringType, StructType

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.columns import column, is_comparable, missing_column

_GROUP: Final = "__lastvalue_group"
_ROW_ID: Final = "__lastvalue_row_id"
"""Makes each row without a group a group of its own."""


class InvalidGroupsError(LastvalueError):
    """The rows cannot be grouped or ordered by these columns."""

    condition = Condition.INVALID_FIELD


def in_groups(
    df: DataFrame,
    group: str,
    fn: Callable[[pa.Table], pa.Table],
    order_by: str | Sequence[str],
    schema: str | StructType,
    *,
    default_group: str | None = None,
) -> DataFrame:
    """The results of `fn`, which processes all rows of a group together and in order.

    Spark calls `fn` once for each group, so the result for one row can depend on the rows before it, as with
    a consumer to which a queue has assigned the group. Groups are independent and run in any order. All rows
    of a group are in the memory of one Python worker.

    Args:
        df: a batch, or a micro-batch in foreachBatch.
        group: the column of the group, of any type that Spark can group by.
        fn: takes the rows, with all columns of `df`, and returns rows of `schema`. If Spark repeats a task,
            it is called again with the same rows.
        order_by: columns; rows equal in all of them come in any order. A null comes first.
        schema: of the result, as DDL such as `symbol string, total double`.
        default_group: the group of rows without one, as in a queue's declaration; by default each of them is
            a group of its own.

    Raises:
        InvalidGroupsError: a column is missing or cannot be grouped or ordered by, or `df` is a stream.
    """
    order = [order_by] if isinstance(order_by, str) else list(order_by)
    _check(df, group, order, default_group)
    name = column(group)
    row_id = sf.when(name.isNull(), sf.monotonically_increasing_id())
    if default_group is not None:
        name, row_id = sf.coalesce(name, sf.lit(default_group)), sf.lit(0)
    keys = [(part, "ascending") for part in order]

    def process(rows: pa.Table) -> pa.Table:
        own = rows.drop_columns([_GROUP, _ROW_ID])
        return fn(own.take(pc.sort_indices(own, sort_keys=keys, null_placement="at_start")))

    grouped = df.withColumn(_GROUP, name).withColumn(_ROW_ID, row_id)
    return grouped.groupBy(_GROUP, _ROW_ID).applyInArrow(process, schema)


def _check(df: DataFrame, group: str, order: Sequence[str], default_group: str | None) -> None:
    if df.isStreaming:
        raise InvalidGroupsError("a stream has no end to wait for: call in_groups in foreachBatch")
    types = {field.name: field.dataType for field in df.schema.fields}
    if not order:
        raise InvalidGroupsError("order_by names no column")
    for name in (group, *order):
        if name not in types:
            raise InvalidGroupsError(missing_column(name, types))
        if not is_comparable(types[name]):
            raise InvalidGroupsError(
                f"column {name!r} cannot be grouped or ordered by: it is {types[name].simpleString()}"
            )
    for name in order:
        if types[name].simpleString().startswith(("array", "struct")):
            raise InvalidGroupsError(
                f"column {name!r} cannot be ordered by: it is {types[name].simpleString()}"
            )
    if default_group is not None and not isinstance(types[group], StringType):
        raise InvalidGroupsError(
            f"a default group is a text, and column {group!r} is {types[group].simpleString()}"
        )
