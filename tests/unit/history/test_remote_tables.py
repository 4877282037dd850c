"""Tables of histories in an object store: moto's S3, in a process of its own."""

from collections.abc import Iterator

import pytest
from history_records import added
from s3_server import empty_bucket, s3_server

from lastvalue.client import Message, connect
from lastvalue.history.data_files import BASE, Landed
from lastvalue.history.errors import HistoryTablesError
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.history.recorded_history import read_history
from lastvalue.history.table_writer import TableWriter
from lastvalue.history.tables import HistoryTables
from lastvalue.server.broker_server import BrokerServer, ServerOptions

pytestmark = pytest.mark.interop

DAY_MS = 86_400_000
TABLES = "s3://bucket/deep/histories"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Its URL."""
    with s3_server() as url:
        yield url


@pytest.fixture(autouse=True)
def store(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty bucket, which the environment leads to."""
    empty_bucket(endpoint, monkeypatch)


async def test_a_history_lands_in_an_object_store_and_is_read_from_there() -> None:
    async with (
        BrokerServer(ServerOptions(port=0)) as server,
        connect(url := f"amqp://127.0.0.1:{server.port}") as connection,
    ):
        prices = await connection.declare("prices", lvq_key="k", history="prices.history")
        await prices.send_many([Message(str(number), {"k": "a"}) for number in range(3)])
        for _ in range(2):
            await land_history(url, TABLES, ["prices"], LandingOptions(until_now=True))
        live = await read_history("prices", url=url)
    landed = await read_history("prices", tables=TABLES)
    assert landed.records == live.records
    assert [each.updates for each in landed.as_of(landed.known_to_ms).in_order()] == [3]


def test_two_writers_land_once_and_maintain_one_table() -> None:
    first, second = TableWriter(TABLES), TableWriter(TABLES)
    records = [added(offset, 1000 + offset, offset) for offset in range(1, 13)]
    for number in range(1, 13):
        (first if number % 2 else second).append("h", 1, records[:number])
    assert [record.offset for record in HistoryTables(TABLES).records("q")] == list(range(1, 13))
    assert first.compact() == 12
    first.checkpoint()
    first.delete_old_versions()
    assert second.delete_unread(after_hours=0) >= 12
    assert second.retain(DAY_MS) == 12
    second.append("h", 1, [added(13, DAY_MS, 13)])
    tables = HistoryTables(TABLES)
    assert tables.landed("h") == Landed(1, 13, DAY_MS)
    assert [file.rows for file in tables.files if file.kind != BASE] == [1]


def test_what_is_not_there_is_empty_or_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert HistoryTables("s3://bucket/nosuch").files == []
    with pytest.raises(HistoryTablesError, match=r"s3://nobucket/x cannot be used: .*NoSuchBucket"):
        HistoryTables("s3://nobucket/x")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(HistoryTablesError, match=r"cannot be used: .*Connection refused"):
        TableWriter(TABLES)
