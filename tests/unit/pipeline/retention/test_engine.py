"""What Spark's workers do with a history, without Spark."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pytest

from lastvalue.client.errors import InvalidMessageError
from lastvalue.client.message import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.codec.amqp10.message import read_message
from lastvalue.pipeline.retention import engine
from lastvalue.pipeline.retention.arrivals import InvalidHistoryError
from lastvalue.pipeline.retention.engine import RetentionEngine, RowReader
from lastvalue.pipeline.retention.schema import (
    ARRIVAL_MS,
    DEADLINE_MS,
    DELIVERY_MS,
    EXPIRY_MS,
    PLACE,
    QUEUE,
    SEQUENCE,
    STATE,
    UPDATES,
)
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments

RETAINED_COLUMNS = {
    QUEUE: pa.string(),
    SEQUENCE: pa.int64(),
    ARRIVAL_MS: pa.int64(),
    EXPIRY_MS: pa.int64(),
    DELIVERY_MS: pa.int64(),
}
FIELDS = {
    "body": pa.binary(),
    "key": pa.string(),
    "priority": pa.int32(),
    "ttl_ms": pa.int64(),
    "size_bytes": pa.int64(),
}


def batch(*rows: Mapping[str, Any]) -> pa.RecordBatch:
    """Messages that arrived at their sequence's millisecond."""
    names = {name: kind for name, kind in FIELDS.items() if any(name in row for row in rows)}
    full = [
        {
            QUEUE: row.get("queue"),
            SEQUENCE: row["n"],
            ARRIVAL_MS: row["n"],
            EXPIRY_MS: None,
            DELIVERY_MS: None,
            **row,
        }
        for row in rows
    ]
    return pa.RecordBatch.from_pylist(full, pa.schema(list({**RETAINED_COLUMNS, **names}.items())))


def left(
    arguments: Mapping[str, Any], batches: Sequence[pa.RecordBatch], at_ms: int = 1000
) -> list[tuple[Any, ...]]:
    read = tuple(name for name in batches[0].schema.names if name in FIELDS)
    told = RetentionEngine(RowReader(arguments, "key", read), at_ms)(iter(batches))
    return [
        (row[QUEUE], row[SEQUENCE], row[PLACE], row[UPDATES], row[STATE], row[DEADLINE_MS])
        for part in told
        for row in part.to_pylist()
    ]


def test_each_queue_has_its_own_history_wherever_batches_end() -> None:
    rows: list[Mapping[str, Any]] = [
        {"n": 1, "queue": None, "key": "a"},
        {"n": 1, "queue": "x", "key": "a"},
        {"n": 2, "queue": "x", "key": "a"},
        {"n": 3, "queue": "x", "key": "b"},
        {"n": 1, "queue": "y", "key": "a"},
    ]
    expected = [
        (None, 1, 1, 1, "available", None),
        ("x", 2, 2, 2, "available", None),
        ("x", 3, 3, 1, "available", None),
        ("y", 1, 1, 1, "available", None),
    ]
    assert left({"lvq_key": "key"}, [batch(*rows)]) == expected
    assert left({"lvq_key": "key"}, [batch(row) for row in rows]) == expected
    assert left({"lvq_key": "key"}, [batch(*rows[:3]), batch(*rows[3:])]) == expected


def test_no_rows_leave_nothing() -> None:
    empty = batch({"n": 1, "key": "a"}).slice(0, 0)
    assert left({"lvq_key": "key"}, [empty, empty]) == []


def test_a_value_in_place_is_told_with_the_sequence_of_the_first() -> None:
    rows = batch({"n": 3, "key": "a"}, {"n": 5, "key": "b"}, {"n": 9, "key": "a"})
    assert left({"lvq_key": "key", "lvq_placement": "in-place"}, [rows]) == [
        (None, 5, 5, 1, "available", None),
        (None, 9, 3, 2, "available", None),
    ]


def test_what_is_due_at_the_moment_has_expired() -> None:
    rows = batch({"n": 10, "ttl_ms": 90}, {"n": 11, "ttl_ms": 90}, {"n": 12, "ttl_ms": None})
    assert left({}, [rows], at_ms=100) == [
        (None, 11, 11, 1, "available", 101),
        (None, 12, 12, 1, "available", None),
    ]


def test_two_messages_of_one_sequence_are_refused() -> None:
    with pytest.raises(InvalidHistoryError, match="two messages of one queue have the sequence 4: column"):
        left({}, [batch({"n": 4}), batch({"n": 4})])


def test_told_sizes_are_those_that_a_limit_counts() -> None:
    rows = batch({"n": 1, "size_bytes": 60}, {"n": 2, "size_bytes": 60}, {"n": 3, "size_bytes": 40})
    assert [row[1] for row in left({"max_bytes": 100}, [rows])] == [1, 3]


@pytest.mark.parametrize("size", [None, -1])
def test_a_size_that_is_none_is_refused(size: int | None) -> None:
    with pytest.raises(
        InvalidHistoryError, match=f"size_bytes is a number of bytes in every row, not {size}"
    ):
        left({"max_bytes": 100}, [batch({"n": 1, "size_bytes": size})])


def test_a_queue_that_deleted_itself_holds_nothing() -> None:
    rows = batch({"n": 1}, {"n": 2}, {"n": 3}, {"n": 4})
    assert left({"max_messages": 2, "when_full": "self-destruct"}, [rows]) == []


def test_a_clock_that_was_set_back_stands_still_until_its_time() -> None:
    rows = batch({"n": 50, "ttl_ms": 10}, {"n": 61, "ttl_ms": None}, {"n": 55, "ttl_ms": 10})
    assert left({}, [rows], at_ms=62) == [
        (None, 61, 61, 1, "available", None),
        (None, 55, 55, 1, "available", 71),
    ]


def test_a_row_that_is_no_message_is_refused() -> None:
    with pytest.raises(InvalidMessageError, match="priority is 0 to 255, not 256"):
        left({"priorities": 10}, [batch({"n": 1, "priority": 256})])


def test_a_long_history_is_remembered_only_as_far_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_ROWS", 5_000)
    size = 4_000
    batches = [
        batch(*({"n": n + start, "key": f"{n % 10}"} for n in range(size))) for start in (0, size, 2 * size)
    ]
    found = left({"lvq_key": "key"}, batches, at_ms=10**6)
    assert [row[1] for row in found] == list(range(3 * size - 10, 3 * size))
    assert {row[3] for row in found} == {3 * size // 10}


def test_only_what_the_filter_selects_is_taken() -> None:
    rows = batch({"n": 1, "key": "a"}, {"n": 2, "key": "b"}, {"n": 3, "key": None}, {"n": 4, "key": "a"})
    assert [row[1] for row in left({"filter": "key = 'a'"}, [rows])] == [1, 4]


def test_ids_that_a_producer_counts_are_known_beyond_the_window_as_on_the_broker() -> None:
    numbers = [*range(200), 3, 150, *range(400, 600, 2), 401, 599, 7]
    rows = batch(
        *({"n": n, "body": b"", "key": f"lastvalue:p-{given}"} for n, given in enumerate(numbers, 1))
    )
    arguments = {"duplicate_window": 2}
    engine = RetentionEngine(RowReader(arguments, "_AMQ_DUPL_ID", ("body", "key")), 1000)
    retained = [row[SEQUENCE] for part in engine(iter([rows])) for row in part.to_pylist()]
    live = Queue(spec_from_arguments("q", arguments))
    for given in numbers:
        message = Message(b"", {"_AMQ_DUPL_ID": f"lastvalue:p-{given}"})
        enqueue_once(live, read_message(encode_message(message)), 1)
    assert retained == [entry.sequence for entry in live.entries()]
    # 3 and 150 came twice; below the oldest of the newest 64 gaps nothing is known any more.
    assert sorted(set(range(1, len(numbers) + 1)) - set(retained)) == [201, 202]
