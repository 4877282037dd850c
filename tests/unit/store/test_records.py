"""Every record comes back from its bytes."""

import pytest
from canned_message import CannedMessage

from lastvalue.codec.output_buffer import LARGEST_COPIED, OutputBuffer
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, Entry
from lastvalue.queues.ids import KnownId
from lastvalue.store import records
from lastvalue.store.records import (
    AddedRecords,
    Declared,
    Deleted,
    Identified,
    Mark,
    RecordError,
    StoredMessage,
    placed,
)


def fields(message: StoredMessage) -> dict[str, object]:
    names = (
        "queue sequence encoded arrival_ms expires_ms not_before_ms origin place updates delivery_count state"
    )
    return {name: getattr(message, name) for name in names.split()}


def sequences(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(8, "big") for number in numbers)


def marks(data: bytes) -> list[tuple[int, int, int, int]]:
    return [
        (each.kind, each.queue, each.sequence, each.number)
        for each in records.records(data)
        if isinstance(each, Mark)
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (records.removed(1, 2, 3), [(records.REMOVED, 1, 2, 3)]),
        (records.removals(1, sequences(2), 3), [(records.REMOVED, 1, 2, 3)]),
        (records.removals(1, sequences(2, 5), 3), [(records.REMOVED, 1, 2, 3), (records.REMOVED, 1, 5, 3)]),
        (records.released(1, 2, 3), [(records.RELEASED, 1, 2, 3)]),
        (records.released(1, 2, 2**40), [(records.RELEASED, 1, 2, 2**32 - 1)]),
        (records.due(1, 2, 3), [(records.DUE, 1, 2, 3)]),
        (records.marked(records.ACQUIRED, 1, 2), [(records.ACQUIRED, 1, 2, 0)]),
        (records.marked(records.SEQUENCE, 1, 2), [(records.SEQUENCE, 1, 2, 0)]),
        (records.rescheduled(1, 2, 3), [(records.RESCHEDULED, 1, 2, 3)]),
        (records.rescheduled(1, 2, NEVER), [(records.RESCHEDULED, 1, 2, NEVER)]),
    ],
)
def test_what_became_of_a_message_comes_back(data: bytes, expected: list[tuple[int, int, int, int]]) -> None:
    assert marks(data) == expected


@pytest.mark.parametrize(
    ("record", "data"),
    [
        (Declared(1, "queue", "q", {"a": 1}), records.declared(Declared(1, "queue", "q", {"a": 1}))),
        (Deleted(1, "exchange", "x"), records.deleted(Deleted(1, "exchange", "x"))),
    ],
)
def test_a_definition_comes_back(record: Declared | Deleted, data: bytes) -> None:
    assert list(records.records(data)) == [record]


def test_an_id_comes_back() -> None:
    data = records.identified(1, KnownId(b"id", 7, True))
    (read,) = records.records(data)
    assert isinstance(read, Identified)
    assert (read.queue, read.sequence, read.duplicate_id) == (1, 7, b"id")
    assert len(data) == records.identified_size(KnownId(b"id", 7, True))


def entry(sequence: int, body: bytes, **changes: object) -> Entry:
    made = Entry(sequence, CannedMessage(body=body), 1_000, NEVER, 1)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def test_entries_come_back_whatever_they_have_in_common_with_the_one_before() -> None:
    entries = [
        entry(1, b"one"),
        entry(2, b"two"),
        entry(3, b"longer", expires_ms=5_000),
        entry(4, b"longer", not_before_ms=3_000, updates=9),
        entry(7, bytes(LARGEST_COPIED + 1), updates=2**31),
        entry(8, b"longer", updates=2**32 - 1),
        entry(5, b"longer", delivery_count=2, state=ACQUIRED, place=3),
        entry(6, b"one", arrival_ms=1_001),
    ]
    entries[3].message.origin = "container"
    buffer = OutputBuffer()
    writer = AddedRecords()
    writer.begin(7)
    for each in entries:
        writer.write(each, buffer)
    read = [each for each in records.records(buffer.take()) if isinstance(each, StoredMessage)]
    names = (
        "sequence",
        "arrival_ms",
        "expires_ms",
        "not_before_ms",
        "place",
        "updates",
        "delivery_count",
        "state",
    )
    assert [[getattr(each, name) for name in names] for each in read] == [
        [getattr(each, name) for name in names] for each in entries
    ]
    assert [(each.queue, each.origin, each.encoded) for each in read] == [
        (7, each.message.origin, each.message.encoded) for each in entries
    ]


def test_a_message_that_was_read_is_written_as_it_was() -> None:
    message = StoredMessage(1, 2, b"octets")
    message.origin = "container"
    message.arrival_ms = 1_000
    message.place = 1
    message.updates = 3
    (again,) = records.records(records.stored_message(message))
    assert isinstance(again, StoredMessage)
    assert fields(again) == fields(message)
    assert again.expires_ms == NEVER
    assert again.state == AVAILABLE


def test_a_superseded_message_says_so_behind_it() -> None:
    message = StoredMessage(1, 2, b"octets")
    message.superseded = True
    _, mark = records.records(records.stored_message(message))
    assert isinstance(mark, Mark)
    assert (mark.kind, mark.queue, mark.sequence) == (records.SUPERSEDED, 1, 2)


def test_each_record_is_told_with_its_place() -> None:
    first, second = records.removed(1, 2, 3), records.removals(1, sequences(4, 5), 3)
    assert [place for place, _ in placed(first + second)] == [0, len(first), len(first)]


def _text_record(text: bytes) -> bytes:
    """A declaration of this text, whatever it says."""
    whole = records.declared(Declared(1, "queue", "q", {}))
    size_at = whole.index(b"[") - 4
    return whole[:size_at] + len(text).to_bytes(4, "big") + text


@pytest.mark.parametrize(
    "data",
    [
        b"\x63",
        records.removed(1, 2, 3)[:-1],
        records.removals(1, sequences(2, 3), 4)[:-1],
        records.declared(Declared(1, "queue", "q", {}))[:-1],
        _text_record(b'["queue","q",{}] '),
        _text_record(b'["queue","q"]'),
        _text_record(b"[]{"),
        records.identified(1, KnownId(b"id", 7, True))[:-1],
        records.stored_message(StoredMessage(1, 2, b"octets"))[:-1],
    ],
)
def test_bytes_that_are_no_record_are_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        list(records.records(data))
