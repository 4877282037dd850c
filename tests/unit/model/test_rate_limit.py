"""lastvalue.model.rate_limit."""

from lastvalue.model.rate_limit import RateLimit


def counted(limit: RateLimit, key: str, times: int, now_ms: int) -> int:
    """How many of so many are allowed."""
    allowed = 0
    for _ in range(times):
        if limit.allows(key, now_ms):
            limit.count(key, now_ms)
            allowed += 1
    return allowed


def test_a_key_may_do_it_so_often_in_a_period_and_others_as_often() -> None:
    limit = RateLimit(10, 60_000)
    assert counted(limit, "a", 12, 0) == 10
    assert counted(limit, "b", 1, 0) == 1
    assert counted(limit, "a", 9, 12_000) == 2
    assert counted(limit, "a", 99, 90_000) == 10


def test_what_is_not_counted_uses_nothing() -> None:
    limit = RateLimit(1, 60_000)
    assert all(limit.allows("a", 0) for _ in range(5))


def test_the_first_excess_is_told_once() -> None:
    exceeding: list[str] = []
    counted(RateLimit(2, 1000, exceeding.append), "10.0.0.1", 100, 0)
    assert exceeding == ["10.0.0.1"]


def test_strangers_do_not_fill_the_memory() -> None:
    limit = RateLimit(1, 60_000)
    for number in range(20_000):
        limit.count(str(number), 0)
    assert len(limit._buckets) <= 4096
    assert not limit.allows("19999", 0)


def test_zero_is_any_number() -> None:
    limit = RateLimit(0, 1000)
    assert counted(limit, "a", 1000, 0) == 1000
