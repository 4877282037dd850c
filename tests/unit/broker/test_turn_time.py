"""lastvalue.broker.turn_time."""

from lastvalue.broker.turn_time import COSTLY, TurnTime


def test_small_work_asks_seldom_whether_the_time_is_spent_and_costly_work_always() -> None:
    asked: list[bool] = []

    def is_spent(shares: int) -> bool:
        assert shares == 1
        asked.append(True)
        return False

    time = TurnTime()
    time.begin(is_spent)
    for _ in range(COSTLY - 1):
        assert time.spend(1)
    assert not asked
    assert time.spend(1)
    assert len(asked) == 1
    assert time.spend(COSTLY)
    assert len(asked) == 2


def test_time_that_is_spent_is_over_until_the_next_turn() -> None:
    time = TurnTime()
    time.begin(lambda shares: True)
    seen = [time.is_over, time.spend(COSTLY), time.is_over, time.spend(1)]
    time.begin_second()
    seen += [time.is_over, time.spend(COSTLY)]
    time.begin(None)
    seen.append(time.spend(1000 * COSTLY))
    assert seen == [False, False, True, False, False, False, True]


def test_the_second_share_begins_where_the_first_is_spent() -> None:
    time = TurnTime()
    time.begin(lambda shares: shares < 2)
    seen = [time.spend(COSTLY), time.spend(COSTLY)]
    time.begin_second()
    assert [*seen, time.spend(COSTLY), time.spend(COSTLY)] == [False, False, True, True]
