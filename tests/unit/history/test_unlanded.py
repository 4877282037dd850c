"""What a broker has that has not landed."""

from pathlib import Path

from lastvalue.client import Connection, Message
from lastvalue.history.data_files import Gap
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.history.records import Record
from lastvalue.history.table_writer import TableWriter
from lastvalue.history.tables import HistoryTables
from lastvalue.history.unlanded import lost_records, read_landed, unlanded


async def test_what_has_landed_is_not_counted(connection: Connection, url: str, tmp_path: Path) -> None:
    prices = await connection.declare("prices", history="prices.history")
    await prices.send_many([Message("a"), Message("b")])
    assert read_landed(tmp_path) == {}
    # The declaration of the queue is a record, too.
    assert await unlanded(connection, ["prices"], {}) == 3
    await land_history(url, tmp_path, ["prices"], LandingOptions(until_now=True))
    assert await unlanded(connection, ["prices", "prices.history"], read_landed(tmp_path)) == 0
    await prices.send(Message("c"))
    assert await unlanded(connection, ["prices"], read_landed(tmp_path)) == 1


async def test_records_that_the_history_has_dropped_cannot_land(connection: Connection) -> None:
    await connection.declare("short", when_full="drop-oldest", max_messages=2)
    orders = await connection.declare("orders", history="short")
    await orders.send_many([Message(str(number)) for number in range(9)])
    assert await unlanded(connection, ["orders"], {}) == 2


def test_records_that_were_dropped_before_they_landed_are_lost(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path)
    writer.append("a", 1, [Record(8, "deleted", "q", 1000)], [Gap("a", 1, 5, 7)])
    writer.append("a", 2, [Record(2, "deleted", "q", 1001)], [Gap("a", 2, 1, 1)])
    writer.append("b", 1, [Record(3, "deleted", "q", 1000)], [Gap("b", 1, 2, 2)])
    writer.append("c", 1, [Record(1, "deleted", "q", 1000)])
    assert lost_records(HistoryTables(tmp_path)) == {"a": 4, "b": 1, "c": 0}
