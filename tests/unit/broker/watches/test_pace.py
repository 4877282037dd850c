"""lastvalue.broker.watches.pace."""

from lastvalue.broker.watches.pace import Pace

NOW_MS = 1_700_000_000_000


def sent_within(pace: Pace, from_ms: int, for_ms: int) -> int:
    """How many messages a reader gets that always has some."""
    count = 0
    for now in range(from_ms, from_ms + for_ms):
        while pace.allows(now):
            pace.sent(now)
            count += 1
    return count


def test_a_rate_is_kept_and_a_pause_leads_to_no_burst() -> None:
    pace = Pace(20.0, 0)
    assert sent_within(pace, NOW_MS, 1000) == 20
    assert sent_within(pace, NOW_MS + 100_000, 1000) == 20
    assert sent_within(pace, NOW_MS + 100_200, 100) <= 20


def test_rates_above_the_clock_and_below_one_are_kept() -> None:
    assert sent_within(Pace(5000.0, 0), NOW_MS, 100) in range(495, 506)
    assert sent_within(Pace(0.5, 0), NOW_MS, 10_000) == 5


def test_a_changed_rate_holds_at_once() -> None:
    pace = Pace(0.1, 0)
    pace.sent(NOW_MS)
    assert not pace.allows(NOW_MS + 100)
    pace.change(10.0, 0)
    assert sent_within(pace, NOW_MS + 100, 1000) == 10


def test_an_interval_allows_one_look_and_the_next_after_it() -> None:
    pace = Pace(0.0, 100)
    pace.begin_look(7)
    pace.begin_look(9)
    assert pace.upto == 7
    pace.sent(NOW_MS)
    pace.seen_all(NOW_MS)
    assert (pace.allows(NOW_MS + 99), pace.allows(NOW_MS + 100)) == (False, True)


def test_a_look_that_finds_nothing_does_not_delay_the_next() -> None:
    pace = Pace(0.0, 100)
    pace.begin_look(7)
    pace.seen_all(NOW_MS)
    assert pace.allows(NOW_MS)
