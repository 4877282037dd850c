"""Heartbeats and timeouts [1.0 §2.4.5]."""

from lastvalue.model.message import NEVER
from lastvalue.protocols.liveness import Liveness


def opened(idle_ms: int = 0, *, now: int = 0) -> Liveness:
    liveness = Liveness(idle_ms, 0, 100, now)
    liveness.opened()
    return liveness


def test_without_timeouts_there_is_nothing_to_wait_for() -> None:
    liveness = opened()
    assert liveness.next_deadline() == NEVER
    assert liveness.overdue(10**12) is None
    assert not liveness.heartbeat_due(10**12)


def test_a_connection_that_does_not_open_in_time_is_overdue() -> None:
    liveness = Liveness(0, 50, 100, 1000)
    assert liveness.next_deadline() == 1050
    assert liveness.overdue(1049) is None
    assert liveness.overdue(1050) is not None
    liveness.opened()
    assert liveness.overdue(2000) is None


def test_a_peer_that_was_not_heard_for_the_timeout_is_overdue() -> None:
    liveness = opened(50, now=1000)
    liveness.heard(1010)
    assert liveness.next_deadline() == 1060
    assert liveness.overdue(1059) is None
    assert liveness.overdue(1060) == "nothing was heard for 50 ms"


def test_a_heartbeat_is_due_where_nothing_was_written() -> None:
    liveness = opened()
    liveness.keep_alive(400)
    assert liveness.next_deadline() == 100
    assert not liveness.heartbeat_due(99)
    assert liveness.heartbeat_due(100)
    assert liveness.next_deadline() == 200


def test_writing_puts_the_heartbeat_off() -> None:
    liveness = opened()
    liveness.keep_alive(400)
    liveness.wrote()
    assert not liveness.heartbeat_due(100)
    assert liveness.heartbeat_due(200)


def test_an_agreed_heartbeat_is_sent_twice_in_its_time_and_missed_twice() -> None:
    liveness = opened(now=1000)
    liveness.agree(200)
    assert liveness.next_deadline() == 1050
    assert liveness.heartbeat_due(1050)
    liveness.wrote()
    assert not liveness.heartbeat_due(1100)
    assert liveness.heartbeat_due(1150)
    assert liveness.overdue(1399) is None
    assert liveness.overdue(1400) is not None


def test_no_heartbeat_is_agreed_by_zero() -> None:
    liveness = opened()
    liveness.agree(0)
    assert liveness.next_deadline() == NEVER


def test_the_soonest_deadline_counts() -> None:
    liveness = opened(50)
    liveness.keep_alive(400)
    assert liveness.next_deadline() == 50
    liveness.heard(90)
    assert liveness.next_deadline() == 100


def test_a_close_is_waited_for_from_the_first_look_on() -> None:
    liveness = opened(50)
    liveness.keep_alive(40)
    liveness.closing()
    assert liveness.next_deadline() == 0
    assert liveness.overdue(5000) is None
    assert liveness.next_deadline() == 5100
    assert not liveness.heartbeat_due(5050)
    assert liveness.overdue(5099) is None
    assert liveness.overdue(5100) is not None
