"""The values of a queue as an Arrow stream."""

import sys

import httpx
import pytest

from lastvalue.client import Connection, Message
from lastvalue.client.arrow import record_batches

pa = pytest.importorskip("pyarrow")

ARROW = "application/vnd.apache.arrow.stream"


async def test_values_are_rows_with_the_columns_of_the_spark_source(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("ABA"):
        await prices.send(Message(f"{number}", {"symbol": symbol, "venue": "X"}, content_type="text/plain"))
    answer = await http.get("/queues/prices/values.arrow")
    assert answer.headers["content-type"] == ARROW
    table = pa.ipc.open_stream(answer.content).read_all()
    assert table.schema.equals(record_batches.schema_of())
    chosen = table.select(["queue", "key", "body", "sequence", "updates", "content_type"]).to_pylist()
    assert [tuple(row.values()) for row in chosen] == [
        ("prices", "B", b"1", 2, 1, "text/plain"),
        ("prices", "A", b"2", 3, 2, "text/plain"),
    ]
    assert table.column("properties")[0].as_py() == [("venue", "X")]


async def test_columns_and_a_selector_choose(http: httpx.AsyncClient, connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("AB"):
        await prices.send(Message(f"{number}", {"symbol": symbol}))
    asked = "/queues/prices/values.arrow?columns=sequence&columns=key&columns=key&selector=symbol%3D'B'"
    table = pa.ipc.open_stream((await http.get(asked)).content).read_all()
    assert table.to_pydict() == {"sequence": [2], "key": ["B"]}


@pytest.mark.parametrize("by_column", [True, False])
async def test_values_that_do_not_decode_by_column_are_rows_of_the_same_stream(
    http: httpx.AsyncClient, connection: Connection, monkeypatch: pytest.MonkeyPatch, by_column: bool
) -> None:
    if not by_column:
        monkeypatch.setattr("lastvalue.client.arrow.queue_table.columnar_record_batch", lambda *_, **__: None)
    queue = await connection.declare("mixed", lvq_key="n")
    await queue.send_many(Message("x" * 40, {"n": number}) for number in range(9000))
    await queue.send(Message({"map": [1]}, {"n": 9000}))
    table = pa.ipc.open_stream((await http.get("/queues/mixed/values.arrow")).content).read_all()
    assert table.column("key").to_pylist() == [str(number) for number in range(9001)]
    assert table.column("body")[-1].as_py() == b'{"map": [1]}'


async def test_an_empty_queue_is_a_stream_without_rows(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    await connection.declare("empty")
    answer = await http.get("/queues/empty/values.arrow")
    assert pa.ipc.open_stream(answer.content).read_all().num_rows == 0


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/queues/missing/values.arrow", 404, "missing"),
        ("/queues/prices/values.arrow?selector=%3D", 422, ""),
        ("/queues/prices/values.arrow?columns=colour", 422, "columns: there is no column 'colour'"),
        ("/queues/prices/values.arrow?order=x", 422, "order"),
    ],
)
async def test_what_cannot_be_streamed_is_a_problem(
    http: httpx.AsyncClient, connection: Connection, path: str, status: int, told: str
) -> None:
    await connection.declare("prices")
    answer = await http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert told in answer.json()["detail"]


async def test_without_pyarrow_the_answer_says_what_to_install(
    http: httpx.AsyncClient, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await connection.declare("prices")
    monkeypatch.delitem(sys.modules, "lastvalue.http.arrow_stream", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answer = await http.get("/queues/prices/values.arrow")
    assert (answer.status_code, "lastvalue[arrow]" in answer.json()["detail"]) == (501, True)
