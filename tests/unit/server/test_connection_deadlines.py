import asyncio

import pytest
from waiting import until

from lastvalue.broker.deadlines import Deadline
from lastvalue.model.message import NEVER
from lastvalue.server.clock import ManualClock
from lastvalue.server.connection_deadlines import ConnectionDeadlines

NOW_MS = 1000


class Due(Deadline):
    """A connection that notes when it was due, and fails where it is told to."""

    def __init__(self, called: list[tuple[str, int]], name: str, *, fails: bool = False) -> None:
        super().__init__()
        self._called = called
        self._name = name
        self._fails = fails

    def fall_due(self, now: int) -> None:
        self._called.append((self._name, now))
        if self._fails:
            raise RuntimeError(self._name)


async def test_connections_are_due_in_the_order_of_their_deadlines() -> None:
    called: list[tuple[str, int]] = []
    deadlines = ConnectionDeadlines(ManualClock(NOW_MS))
    deadlines.set(Due(called, "later"), NOW_MS)
    deadlines.set(Due(called, "sooner"), NOW_MS - 1)
    deadlines.set(Due(called, "not yet"), NOW_MS + 60_000)
    await until(lambda: len(called) == 2)
    assert called == [("sooner", NOW_MS), ("later", NOW_MS)]
    deadlines.close()


async def test_a_deadline_moves_and_a_removed_one_does_not_come() -> None:
    called: list[tuple[str, int]] = []
    clock = ManualClock(NOW_MS)
    deadlines = ConnectionDeadlines(clock)
    gone, moved, last = (Due(called, name) for name in ("gone", "moved", "last"))
    for each in (gone, moved, last):
        deadlines.set(each, NOW_MS + 1)
    deadlines.set(gone, NEVER)
    deadlines.set(moved, NOW_MS + 5)
    clock.move_to(NOW_MS + 1)
    await until(lambda: len(called) == 1)
    assert called == [("last", NOW_MS + 1)]
    clock.move_to(NOW_MS + 5)
    await until(lambda: len(called) == 2)
    assert called[1:] == [("moved", NOW_MS + 5)]
    deadlines.close()


async def test_very_many_that_are_due_together_leave_the_loop_to_others_in_between() -> None:
    called: list[tuple[str, int]] = []
    deadlines = ConnectionDeadlines(ManualClock(NOW_MS))
    held = [Due(called, str(number)) for number in range(1000)]
    for each in held:
        deadlines.set(each, NOW_MS)
    await until(lambda: len(called) > 0, every_s=0)
    assert len(called) < len(held)
    await until(lambda: len(called) == len(held))
    deadlines.close()


async def test_a_fault_of_one_connection_is_none_of_the_others(caplog: pytest.LogCaptureFixture) -> None:
    called: list[tuple[str, int]] = []
    deadlines = ConnectionDeadlines(ManualClock(NOW_MS))
    held = [Due(called, "faulty", fails=True), Due(called, "sound")]
    for each in held:
        deadlines.set(each, NOW_MS)
    await until(lambda: len(called) == 2)
    assert [name for name, _ in called] == ["faulty", "sound"]
    assert "faulty" in caplog.text
    deadlines.close()


async def test_after_the_close_nothing_is_due() -> None:
    called: list[tuple[str, int]] = []
    deadlines = ConnectionDeadlines(ManualClock(NOW_MS))
    due = Due(called, "closed")
    deadlines.set(due, NOW_MS)
    deadlines.close()
    passed = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(0.01, passed.set_result, None)
    await passed
    assert called == []
