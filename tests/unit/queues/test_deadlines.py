import random

import pytest
from canned_message import CannedMessage
from example_counts import example_count

from lastvalue.model.message import NEVER
from lastvalue.queues.deadlines import SLACK, Deadlines, Lifetimes
from lastvalue.queues.entry import ACQUIRED, REMOVED, Entry
from lastvalue.queues.spec import LARGEST, Expiry

ARRIVAL_MS = 1_000


@pytest.mark.parametrize(
    ("ttl_ms", "expires_ms", "minimum_ms", "maximum_ms", "deadline"),
    [
        (NEVER, NEVER, 0, 0, NEVER),
        (50, NEVER, 0, 0, 1050),
        (0, NEVER, 0, 0, 1000),
        (NEVER, 1200, 0, 0, 1200),
        (50, 1200, 0, 0, 1050),
        (500, 1200, 0, 0, 1200),
        (50, NEVER, 100, 0, 1100),
        (500, NEVER, 100, 0, 1500),
        (NEVER, NEVER, 100, 0, NEVER),
        (NEVER, 5, 100, 0, 1100),
        (NEVER, NEVER, 0, 300, 1300),
        (500, NEVER, 0, 300, 1300),
        (50, NEVER, 0, 300, 1050),
        (50, NEVER, 200, 200, 1200),
        (500, NEVER, 200, 200, 1200),
        (NEVER, NEVER, 200, 200, 1200),
        (LARGEST, NEVER, 0, 0, ARRIVAL_MS + LARGEST),
        (2**63 - 1, NEVER, 0, 0, NEVER),
        (2**63 - 1, NEVER, 0, LARGEST, ARRIVAL_MS + LARGEST),
        (NEVER, 2**63 - 1, 0, 0, NEVER),
        (NEVER, 2**63 - 1, 200, 200, 1200),
    ],
)
def test_a_deadline_is_the_earliest_that_the_limits_allow(
    ttl_ms: int, expires_ms: int, minimum_ms: int, maximum_ms: int, deadline: int
) -> None:
    message = CannedMessage(ttl_ms=ttl_ms, expires_ms=expires_ms)
    assert Lifetimes(Expiry(minimum_ms, maximum_ms)).deadline(message, ARRIVAL_MS) == deadline


def entry(sequence: int, expires_ms: int) -> Entry:
    return Entry(sequence, CannedMessage(), 0, expires_ms, 1)


def test_deadlines_come_soonest_first_and_not_early() -> None:
    deadlines = Deadlines()
    for sequence, expires_ms in ((1, 30), (2, 10), (3, 20)):
        deadlines.add(entry(sequence, expires_ms))
    assert deadlines.next() == 10
    assert deadlines.due(9) is None
    due = [deadlines.due(20), deadlines.due(20), deadlines.due(20)]
    assert [None if each is None else each.sequence for each in due] == [2, 3, None]
    assert deadlines.next() == 30


def test_what_left_has_no_deadline() -> None:
    deadlines = Deadlines()
    gone = entry(1, 10)
    deadlines.add(gone)
    gone.state = REMOVED
    deadlines.forget()
    assert (deadlines.due(10), deadlines.next()) == (None, NEVER)


def test_what_is_held_falls_due_too() -> None:
    deadlines = Deadlines()
    held = entry(1, 10)
    held.state = ACQUIRED
    deadlines.add(held)
    assert deadlines.due(10) is held


def test_those_that_left_are_swept_when_they_outnumber_the_living() -> None:
    deadlines = Deadlines()
    stays = entry(0, 10_000)
    deadlines.add(stays)
    lengths = []
    for sequence in range(1, 1000):
        replaced = entry(sequence, 5_000)
        deadlines.add(replaced)
        replaced.state = REMOVED
        deadlines.forget()
        lengths.append(len(deadlines))
    assert max(lengths) <= 2 + SLACK
    assert deadlines.next() in {5_000, 10_000}
    assert deadlines.due(10_000) is stays


@pytest.mark.parametrize("seed", range(example_count(20)))
def test_they_fall_due_in_order_whatever_order_they_come_in(seed: int) -> None:
    choose = random.Random(seed)
    deadlines = Deadlines()
    present: dict[int, Entry] = {}
    last_ms = 0
    for sequence in range(1, 2000):
        last_ms += choose.choice((0, 1, 5))
        late = entry(sequence, choose.choice((last_ms, last_ms, last_ms, choose.randrange(10_000))))
        deadlines.add(late)
        present[sequence] = late
        if choose.random() < 0.4:
            gone = present.pop(choose.choice(list(present)))
            gone.state = REMOVED
            deadlines.forget()
        if choose.random() < 0.3:
            now = min((each.expires_ms for each in present.values()), default=0) + choose.randrange(3)
            expected = sorted(
                (each for each in present.values() if each.expires_ms <= now),
                key=lambda each: (each.expires_ms, each.sequence),
            )
            for each in expected:
                assert deadlines.due(now) is each
                each.state = REMOVED
                deadlines.forget()
                del present[each.sequence]
            assert deadlines.due(now) is None
        assert set(deadlines.entries()) == set(present.values())
        assert len(deadlines) <= 2 * len(present) + SLACK
        assert deadlines.next() == min((each.expires_ms for each in present.values()), default=NEVER)
