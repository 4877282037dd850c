import pytest

from lastvalue.cluster.chain import BrokenLogError, Chain
from lastvalue.cluster.log_records import Kind, LogRecord


def term(number: int, record: int) -> LogRecord:
    return LogRecord(Kind.TERM, number, record, 0, 1000)


def batch(number: int, record: int, *, begins: bool = False) -> LogRecord:
    return LogRecord(Kind.BATCH, number, record, 1, 1000, begins=begins)


def beat(number: int, record: int) -> LogRecord:
    return LogRecord(Kind.BEAT, number, record, 1, 1000)


def counting(records: list[LogRecord], first: int = 1) -> list[bool]:
    chain = Chain(first - 1)
    return [chain.take(position, record) for position, record in enumerate(records, first)]


def test_records_of_one_writer_count_in_their_order() -> None:
    assert counting([term(1, 1), batch(1, 2), beat(1, 2), batch(1, 3)]) == [True] * 4


def test_what_a_writer_had_under_way_when_another_followed_it_does_not_count() -> None:
    """Its first message was refused, and the second stood where it expected to stand."""
    records = [term(1, 1), batch(1, 2), term(2, 3), batch(1, 4), beat(1, 4), batch(2, 4)]
    assert counting(records) == [True, True, True, False, False, True]


def test_a_record_of_a_later_writer_does_not_count_before_the_one_that_begins_its_term() -> None:
    """It sends ahead what follows that record, which was refused."""
    records = [term(1, 1), batch(2, 2), beat(2, 2), batch(1, 2), term(2, 3), batch(2, 4)]
    assert counting(records) == [True, False, False, True, True, True]


def test_what_was_sent_ahead_of_a_refused_message_does_not_count_until_it_comes_again() -> None:
    records = [term(1, 1), term(2, 2), batch(1, 2), batch(2, 4), batch(2, 3), batch(2, 4)]
    assert counting(records) == [True, True, False, False, True, True]


def test_a_trimmed_log_begins_with_a_segment() -> None:
    assert counting([batch(4, 900, begins=True), batch(4, 901)], first=1234) == [True, True]


def test_a_log_that_begins_within_a_segment_is_broken() -> None:
    with pytest.raises(BrokenLogError, match="before message 1234 of the stream is missing"):
        counting([batch(4, 900)], first=1234)


def test_records_missing_in_the_middle_are_missed() -> None:
    chain = Chain()
    assert chain.take(1, term(1, 1))
    with pytest.raises(BrokenLogError, match="records 2 to 3 of the log are missing before message 4"):
        chain.take(4, batch(1, 4))


def test_deleted_beats_are_not_missed() -> None:
    chain = Chain()
    assert chain.take(1, term(1, 1))
    assert chain.take(9, batch(1, 2))


@pytest.mark.parametrize(("last", "stopped"), [(Kind.STOP, True), (Kind.BATCH, False), (Kind.TERM, False)])
def test_only_an_orderly_end_says_that_nobody_writes(last: Kind, stopped: bool) -> None:
    chain = Chain()
    assert chain.stopped
    chain.take(1, LogRecord(last, 1, 1, 0, 1000))
    assert chain.stopped is stopped
