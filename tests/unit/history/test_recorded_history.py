"""What records say of the past, wherever they come from."""

import pytest

from lastvalue.history.errors import HistoryUnavailableError, InvalidTimeError
from lastvalue.history.recorded_history import Change, RecordedHistory
from lastvalue.history.records import Record

SPEC = {"type": "lvq", "lvq_key": "k", "history": "h"}


def declared(offset: int, time_ms: int) -> Record:
    return Record(offset, "declared", "q", time_ms, declaration=SPEC)


def added(offset: int, time_ms: int, sequence: int, key: str | None) -> Record:
    return Record(offset, "added", "q", time_ms, sequence, key=key, arrival_ms=time_ms, message=b"x")


def removed(offset: int, time_ms: int, sequence: int, reason: str, key: str | None = None) -> Record:
    return Record(offset, "removed", "q", time_ms, sequence, reason=reason, key=key)


def changes(
    recorded_history: RecordedHistory, first_ms: int, second_ms: int
) -> list[tuple[str, int | None, str | None]]:
    return [
        (change.kind, sequence_of(change), change.reason)
        for change in recorded_history.diff(first_ms, second_ms)
    ]


def sequence_of(change: Change) -> int | None:
    queued_message = change.after or change.before
    return None if queued_message is None else queued_message.record.sequence


def test_a_key_that_has_another_message_is_replaced_and_others_come_and_go() -> None:
    recorded_history = RecordedHistory(
        "q",
        [
            declared(1, 10),
            added(2, 11, 1, "a"),
            added(3, 11, 2, "b"),
            added(4, 12, 3, "a"),
            removed(5, 12, 1, "replaced"),
            removed(6, 13, 2, "accepted"),
            added(7, 13, 4, "c"),
        ],
        20,
    )
    assert changes(recorded_history, 11, 13) == [
        ("removed", 2, "accepted"),
        ("replaced", 3, "replaced"),
        ("added", 4, None),
    ]
    assert changes(recorded_history, 13, 20) == []
    with pytest.raises(InvalidTimeError, match="is before the first"):
        recorded_history.diff(13, 11)


def test_messages_of_a_queue_that_was_made_anew_are_others_whatever_their_numbers() -> None:
    recorded_history = RecordedHistory(
        "q",
        [
            declared(1, 10),
            added(2, 11, 1, None),
            removed(3, 12, 1, "deleted"),
            Record(4, "deleted", "q", 12),
            declared(5, 13),
            added(6, 14, 1, None),
        ],
        20,
    )
    assert changes(recorded_history, 11, 14) == [("removed", 1, "deleted"), ("added", 1, None)]


def test_behind_the_end_of_a_history_nothing_is_known() -> None:
    recorded_history = RecordedHistory("q", [declared(1, 10), Record(2, "ended", "q", 15)], 20)
    assert recorded_history.as_of(14).present == {}
    with pytest.raises(HistoryUnavailableError, match="ended at"):
        recorded_history.as_of(15)


def test_a_restart_takes_what_was_not_durable() -> None:
    durable = Record(2, "added", "q", 11, 1, arrival_ms=11, message=b"x", durable=True)
    recorded_history = RecordedHistory(
        "q",
        [declared(1, 10), durable, added(3, 11, 2, None), Record(4, "restarted", "q", 12, declaration=SPEC)],
        20,
    )
    assert list(recorded_history.as_of(11).present) == [1, 2]
    assert list(recorded_history.as_of(12).present) == [1]


def test_a_part_that_is_missing_is_not_replayed() -> None:
    records = [declared(1, 10), added(2, 11, 1, "a"), added(9, 14, 5, "b")]
    recorded_history = RecordedHistory("q", records, 20, frozenset({2}))
    assert [record.offset for record in recorded_history.published(10, 14)] == [2]
    with pytest.raises(HistoryUnavailableError, match="was dropped by the broker"):
        recorded_history.published(10, 20)
