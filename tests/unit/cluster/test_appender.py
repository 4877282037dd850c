"""The rest is in tests/properties/test_log_writers.py, where messages and answers are lost."""

import pytest

from lastvalue.cluster.appender import ANSWER_S, BEATS_A_LEASE, MOST_SENT, Appender
from lastvalue.cluster.chain import Chain
from lastvalue.cluster.log_records import Kind, LogRecord, decode_record

LEASE_S = 10.0
TERM = LogRecord(Kind.TERM, 1, 1, 0, 0)


def begun() -> Appender:
    chain = Chain()
    chain.take(1, TERM)
    return Appender(chain, LEASE_S, 0.0)


def confirmed(appender: Appender) -> list[int]:
    return [record.number for _, record in appender.confirmed()]


def test_each_message_expects_the_one_before_it_although_that_is_unanswered() -> None:
    appender = begun()
    for _ in range(3):
        appender.add(Kind.BATCH, b"x", 1)
    sends = appender.sends(1.0)
    assert [send.expected for send in sends] == [1, 2, 3]
    assert [decode_record(send.data, 1).number for send in sends] == [2, 3, 4]


def test_a_later_answer_confirms_nothing_before_the_earlier_one() -> None:
    appender = begun()
    appender.add(Kind.BATCH, b"x", 1)
    appender.add(Kind.BATCH, b"y", 1)
    first, second = appender.sends(1.0)
    appender.stored(second.token, 3)
    assert confirmed(appender) == []
    appender.stored(first.token, 2)
    assert confirmed(appender) == [2, 3]


def test_only_so_many_are_under_way() -> None:
    appender = begun()
    for _ in range(MOST_SENT + 5):
        appender.add(Kind.BATCH, b"x", 1)
    sends = appender.sends(1.0)
    assert len(sends) == MOST_SENT
    appender.stored(sends[0].token, 2)
    assert len(appender.sends(1.0)) == 1


def test_a_lost_answer_is_found_in_the_stream() -> None:
    appender = begun()
    appender.add(Kind.BATCH, b"x", 1)
    (send,) = appender.sends(1.0)
    appender.look(1.0 + ANSWER_S)
    assert appender.resolving
    appender.resolve([(2, decode_record(send.data, 2))], 1, 2)
    assert (confirmed(appender), appender.sends(4.0)) == ([2], [])


def test_a_lost_message_is_sent_again_with_all_behind_it() -> None:
    appender = begun()
    appender.add(Kind.BATCH, b"x", 1)
    appender.add(Kind.BATCH, b"y", 1)
    _, second = appender.sends(1.0)
    appender.refused(second.token)
    assert appender.sends(1.0) == []
    appender.resolve([], 1, 1)
    assert [send.expected for send in appender.sends(2.0)] == [1, 2]


def test_the_term_of_another_writer_is_the_end() -> None:
    appender = begun()
    appender.add(Kind.BATCH, b"x", 1)
    (send,) = appender.sends(1.0)
    appender.refused(send.token)
    appender.resolve([(2, LogRecord(Kind.TERM, 2, 2, 0, 0))], 1, 2)
    assert appender.fenced
    assert appender.sends(2.0) == []
    assert confirmed(appender) == []


def test_a_log_that_another_has_trimmed_is_the_end_too() -> None:
    appender = begun()
    appender.add(Kind.BATCH, b"x", 1)
    (send,) = appender.sends(1.0)
    appender.refused(send.token)
    appender.resolve([], 500, 900)
    assert appender.fenced


def test_what_an_older_writer_got_in_is_passed_over() -> None:
    chain = Chain()
    chain.take(1, TERM)
    chain.take(2, LogRecord(Kind.TERM, 2, 2, 0, 0))
    appender = Appender(chain, LEASE_S, 0.0)
    appender.add(Kind.BATCH, b"x", 1)
    (send,) = appender.sends(1.0)
    appender.refused(send.token)
    appender.resolve([(3, LogRecord(Kind.BATCH, 1, 4, 1, 0))], 1, 3)
    (again,) = appender.sends(1.0)
    assert (appender.fenced, again.expected) == (False, 3)
    appender.stored(again.token, 4)
    assert confirmed(appender) == [3]


def test_the_lease_counts_from_when_a_confirmed_message_was_first_sent() -> None:
    appender = begun()
    assert appender.serves_until_s == LEASE_S
    appender.add(Kind.BATCH, b"x", 1)
    (send,) = appender.sends(3.0)
    assert appender.serves_until_s == LEASE_S
    appender.look(3.0 + ANSWER_S)
    appender.resolve([], 1, 1)
    (send,) = appender.sends(6.0)
    appender.stored(send.token, 2)
    assert appender.serves_until_s == 3.0 + LEASE_S


@pytest.mark.parametrize(("now_s", "needed"), [(0.0, False), (LEASE_S / BEATS_A_LEASE, True)])
def test_a_silent_writer_beats_before_its_lease_ends(now_s: float, needed: bool) -> None:
    appender = begun()
    assert appender.needs_beat(now_s) is needed
    appender.add(Kind.BATCH, b"x", 1)
    assert not appender.needs_beat(now_s)
