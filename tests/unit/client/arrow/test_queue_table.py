"""A queue as an Arrow table."""

import pytest

from lastvalue.client import Connection, Message, Wanted
from lastvalue.model.errors import QueueNotFoundError

pytest.importorskip("pyarrow")

from lastvalue.client.arrow.queue_table import queue_table
from lastvalue.client.arrow.record_batches import schema_of


async def test_a_queue_is_a_table_with_the_columns_of_the_spark_source(connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    assert (await queue_table(prices)).schema == schema_of()
    await prices.send_many(Message(str(n), {"symbol": f"S{n % 10}"}) for n in range(20_000))
    table = await queue_table(prices, ("key", "updates"), Wanted(selector="symbol <> 'S3'"))
    assert table.column_names == ["key", "updates"]
    assert (table.num_rows, set(table.column("updates").to_pylist())) == (9, {2000})


async def test_a_queue_that_does_not_exist_is_none(connection: Connection) -> None:
    with pytest.raises(QueueNotFoundError):
        await queue_table(connection.queue("none"))
