"""The values of a queue as a table."""

import csv
import io

import httpx
import pytest

from lastvalue.client import Connection, Message


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


async def test_values_are_rows_and_their_fields_columns(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message({"bid": 1.5, "sizes": [1, 2]}, {"symbol": "A", "venue": "X"}))
    await prices.send(Message({"bid": 2.5, "ask": 'a "b", c'}, {"symbol": "B"}))
    answer = await http.get("/queues/prices/values.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    one, other = table(answer.text)
    assert list(one) == ["key", "sequence", "arrival_time_ms", "updates", "venue", "bid", "sizes", "ask"]
    assert (one["key"], one["bid"], one["sizes"], one["venue"], one["ask"]) == ("A", "1.5", "[1, 2]", "X", "")
    assert (other["key"], other["sequence"], other["ask"]) == ("B", "2", 'a "b", c')


async def test_columns_and_a_selector_choose(http: httpx.AsyncClient, connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    for number, symbol in enumerate("AB"):
        await prices.send(Message({"n": number, "m": 1}, {"symbol": symbol}))
    answer = await http.get("/queues/prices/values.csv?columns=n&columns=no&selector=symbol%3D'B'")
    (row,) = table(answer.text)
    assert list(row.values())[4:] == ["1", ""]


@pytest.mark.parametrize(("body", "cell"), [("text", "text"), (b"utf", "utf"), (b"\xff", "/w=="), (7, "7")])
async def test_a_body_that_is_no_map_is_a_column(
    http: httpx.AsyncClient, connection: Connection, body: object, cell: str
) -> None:
    plain = await connection.declare("plain")
    await plain.send(Message(body))
    (row,) = table((await http.get("/queues/plain/values.csv")).text)
    assert (row["key"], row["body"]) == ("", cell)


async def test_more_values_than_are_read_at_a_time(http: httpx.AsyncClient, connection: Connection) -> None:
    queue = await connection.declare("many", lvq_key="n")
    await queue.send_many(Message("x" * 40, {"n": number}) for number in range(2500))
    assert [row["key"] for row in table((await http.get("/queues/many/values.csv")).text)] == [
        str(number) for number in range(2500)
    ]


async def test_an_empty_queue_has_a_heading(http: httpx.AsyncClient, connection: Connection) -> None:
    await connection.declare("empty")
    assert (await http.get("/queues/empty/values.csv")).text == "key,sequence,arrival_time_ms,updates\r\n"
    assert (await http.get("/queues/missing/values.csv")).status_code == 404


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "text/csv; charset=utf-8"),
        ("text/*", "text/csv; charset=utf-8"),
        ("application/vnd.apache.arrow.stream", "application/vnd.apache.arrow.stream"),
        ("text/csv;q=0.5, application/vnd.apache.arrow.stream", "application/vnd.apache.arrow.stream"),
        ("application/*, text/csv;q=0", "application/vnd.apache.arrow.stream"),
        ("text/html, */*;q=0.1", "text/csv; charset=utf-8"),
        ("text/html", "application/problem+json"),
        ("text/csv;q=x", "application/problem+json"),
    ],
)
async def test_the_type_of_a_table_is_what_its_reader_prefers(
    http: httpx.AsyncClient, connection: Connection, accept: str, kind: str
) -> None:
    await connection.declare("empty")
    answer = await http.get("/queues/empty/values", headers={"Accept": accept})
    assert answer.headers["content-type"] == kind
    assert answer.status_code == (406 if "problem" in kind else 200)
