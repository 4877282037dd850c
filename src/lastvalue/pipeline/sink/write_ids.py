"""Ids by which a queue recognises a write that is repeated."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.sink.options import Delivery, InvalidSinkError, SinkOptions

if TYPE_CHECKING:
    from pyspark import TaskContext
    from pyspark.sql import DataFrame

QUERY_ID: Final = "sql.streaming.queryId"
"""The local property with the id of the streaming query; the id is in the query's checkpoint."""
BATCH_ID: Final = "streaming.sql.batchId"
"""The local property with the number of the micro-batch."""


class NoQueryError(LastvalueError):
    """The code runs outside of a streaming query, so there is no micro-batch to name."""

    condition = Condition.ILLEGAL_STATE


def micro_batch_id(rows: "DataFrame", number: int) -> str:
    """The write id of a micro-batch, for the function that `foreachBatch` calls with batch and number.

    It contains the query's id, which is in the checkpoint, so it is the same after a restart.

    Raises:
        NoQueryError: the caller is not a function of `foreachBatch`.
    """
    query = rows.sparkSession.sparkContext.getLocalProperty(QUERY_ID)
    if not query:
        raise NoQueryError(
            "there is no streaming query here: call micro_batch_id in the function given to foreachBatch"
        )
    return f"{query}/{number}"


def this_task() -> "TaskContext":
    """The task that runs."""
    from pyspark import TaskContext  # noqa: PLC0415 - the module is imported where there is no Spark

    task = TaskContext.get()
    assert task is not None  # noqa: S101 - Spark calls this in tasks
    return task


def task_write_id(options: SinkOptions) -> str:
    """The write id of the partition that this task of a stream writes; raises as `partition_write_id`."""
    task = this_task()
    properties = {name: task.getLocalProperty(name) for name in (QUERY_ID, BATCH_ID)}
    return partition_write_id(options, properties, task.partitionId())


def partition_write_id(options: SinkOptions, properties: Mapping[str, str | None], partition: int) -> str:
    """The write id of one partition of a micro-batch: query, batch and partition.

    Args:
        options: the sink's.
        properties: the task's local properties.
        partition: the task's.

    Raises:
        InvalidSinkError: the task has no property with its query or batch.
    """
    query = options.write_id or properties.get(QUERY_ID)
    batch = properties.get(BATCH_ID)
    if options.delivery is Delivery.AT_LEAST_ONCE:
        return ""
    if query is None or batch is None:
        missing = QUERY_ID if batch is not None else BATCH_ID
        raise InvalidSinkError(
            f"Spark gives this task no {missing}, which the sink needs to recognise a repeated micro-batch; "
            "use the option delivery = 'at-least-once'"
        )
    return f"{query}/{batch}/{partition}"
