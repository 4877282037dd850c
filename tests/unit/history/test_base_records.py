"""The records that stand for all earlier ones."""

from history_records import BEGIN, added, removed

from lastvalue.history.base_records import base_records
from lastvalue.history.moment import Moment
from lastvalue.history.records import Record


def rebuilt(*records: Record) -> list[Record]:
    moment = Moment()
    moment.apply_all(records)
    return base_records(moment, "q", 9, 2000)


def test_a_base_rebuilds_what_was_there() -> None:
    records = rebuilt(BEGIN, added(2, 1001, 1), added(3, 1002, 2, updates=4), removed(4, 1003, 1))
    assert [(record.offset, record.effect, record.time_ms) for record in records] == [
        (9, "declared", 2000), (9, "present", 2000),
    ]  # fmt: skip
    again = Moment()
    again.apply_all(records)
    assert [(each.record.sequence, each.updates) for each in again.in_order()] == [(2, 4)]


def test_a_queue_that_is_gone_or_whose_history_ended_is_told_so() -> None:
    assert [record.effect for record in rebuilt(BEGIN, Record(2, "deleted", "q", 1001))] == ["deleted"]
    assert [record.effect for record in rebuilt(BEGIN, Record(2, "ended", "q", 1001))] == [
        "declared",
        "ended",
    ]


def test_what_is_not_known_has_no_base() -> None:
    assert rebuilt(added(2, 1001, 1)) == []
