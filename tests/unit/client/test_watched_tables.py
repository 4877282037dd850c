"""lastvalue.client.watched_tables: the values of a watcher as Arrow, pandas and polars tables."""

import sys
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from lastvalue.client import Connection, Message
from lastvalue.client.watched_tables import needed, watched_table

pytest.importorskip("pyarrow")


def test_a_row_has_the_place_the_properties_and_the_fields_of_the_body() -> None:
    values = {
        "A": Message({"bid": 1.5, "updates": 7}, {"venue": "X"}, sequence=3, arrival_time_ms=1500, updates=2),
        "B": Message({"ask": 2}, {}, sequence=4, arrival_time_ms=2000),
    }
    assert watched_table(values).to_pylist() == [
        {
            "key": "A",
            "sequence": 3,
            "arrival_time": datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC),
            "updates": 2,
            "venue": "X",
            "bid": 1.5,
            "field_updates": 7,
            "ask": None,
        },
        {
            "key": "B",
            "sequence": 4,
            "arrival_time": datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC),
            "updates": 1,
            "venue": None,
            "bid": None,
            "field_updates": None,
            "ask": 2,
        },
    ]


def test_values_without_a_common_type_are_text() -> None:
    table = watched_table({1: Message("a"), "1": Message([1, {"b": b"x"}]), 2**70: Message(None)})
    assert table["body"].to_pylist() == ["a", '[1, {"b": "eA=="}]', None]
    assert table["key"].to_pylist() == ["1", "1", str(2**70)]
    assert watched_table({}).column_names == ["key", "sequence", "arrival_time", "updates"]


def test_a_missing_package_is_named_with_how_to_get_it() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"to_x\(\) needs no_such: pip install no_such"):
        needed("no_such", "to_x()")


async def test_a_watcher_gives_tables(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message({"bid": 1.5}, {"symbol": "A"}))
    async with connection.watch("prices") as watcher:
        await watcher.complete()
        assert watcher.to_arrow().select(["key", "symbol", "bid"]).to_pylist() == [
            {"key": "A", "symbol": "A", "bid": 1.5}
        ]
        assert list(watcher.to_pandas()["bid"]) == [1.5]
        monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(from_arrow=lambda table: table.num_rows))
        assert watcher.to_polars() == 1


async def test_a_watcher_gives_a_polars_frame(connection: Connection) -> None:
    polars = pytest.importorskip("polars", reason="polars is too large for the test environment (180 MB)")
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message({"bid": 1.5, "sizes": [1, 2]}, {"symbol": "A", "halted": False}))
    await prices.send(Message({"ask": 2, "note": "é"}, {"symbol": "B"}))
    async with connection.watch("prices") as watcher:
        await watcher.complete()
        frame = watcher.to_polars()
    assert isinstance(frame, polars.DataFrame)
    assert frame.select(polars.col("bid").sum()).item() == 1.5
    rows = frame.sort("key").select("key", "updates", "halted", "bid", "ask", "note", "sizes").rows()
    assert rows == [("A", 1, False, 1.5, None, None, [1, 2]), ("B", 1, None, None, 2, "é", None)]
    assert frame.schema["arrival_time"] == polars.Datetime("us", "UTC")
