"""The columns of a queue as a view."""

from typing import Any

import duckdb
import pyarrow as pa
import pytest

from lastvalue.client import Message
from lastvalue.client.arrow.record_batches import record_batch
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.columns import Columns
from lastvalue.sql.queue_view import make_queue_view


def rows(*messages: Message, key: str = "symbol") -> pa.Table:
    columns = Columns(key)
    columns.take_all([encode_message(message) for message in messages])
    return pa.Table.from_batches([record_batch(columns, "prices")])


def result(query: str, *messages: Message, key: str = "symbol") -> list[dict[str, Any]]:
    with duckdb.connect() as database:
        make_queue_view(database, "prices", rows(*messages, key=key), key)
        names = [column[0] for column in database.execute(query).description or []]
        return [dict(zip(names, row, strict=True)) for row in database.execute(query).fetchall()]


def test_the_key_the_properties_and_the_fields_of_json_are_columns() -> None:
    messages = [
        Message({"price": 101.5, "venue": {"name": "X"}}, {"symbol": "A", "desk": "fx"}),
        Message({"price": 7, "size": 2}, {"symbol": "B"}),
    ]
    asked = "select symbol, desk, price, size, venue.name as venue from prices order by symbol"
    assert result(asked, *messages) == [
        {"symbol": "A", "desk": "fx", "price": 101.5, "size": None, "venue": "X"},
        {"symbol": "B", "desk": None, "price": 7.0, "size": 2, "venue": None},
    ]


def test_a_body_that_is_no_object_leaves_the_bodies_as_texts() -> None:
    messages = [Message({"price": 1}, {"symbol": "A"}), Message("closed", {"symbol": "B"})]
    assert [row["body"] for row in result("select * from prices", *messages)] == ['{"price": 1}', "closed"]


def test_a_body_that_is_no_text_leaves_the_bodies_as_bytes() -> None:
    messages = [Message(b"\xff", {"symbol": "A"}), Message(b"x", {"symbol": "B"})]
    assert [row["body"] for row in result("select * from prices", *messages)] == [b"\xff", b"x"]


def test_a_name_that_is_taken_stays_what_it_was() -> None:
    message = Message(
        {"queue": "no", "symbol": "no", "Desk": "no"}, {"symbol": "A", "desk": "fx", "key": "no"}
    )
    asked = "select queue, symbol, desk, key from prices"
    assert result(asked, message) == [{"queue": "prices", "symbol": "A", "desk": "fx", "key": "A"}]


@pytest.mark.parametrize("name", ['say "so"', "it's", "a b", "select"])
def test_names_need_no_quoting(name: str) -> None:
    message = Message({name + "!": 1}, {name: "A", name + "?": "B"})
    (row,) = result("select * from prices", message, key=name)
    assert (row[name], row[name + "?"], row[name + "!"]) == ("A", "B", 1)


def test_an_empty_queue_has_the_columns_of_the_source() -> None:
    assert result("select count(*) n, count(symbol) m from prices") == [{"n": 0, "m": 0}]
