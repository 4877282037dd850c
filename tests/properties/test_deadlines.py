"""Deadlines in a heap are those of a dictionary that is walked."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lastvalue.broker.deadlines import SLACK, Deadline, Deadlines
from lastvalue.model.message import NEVER

MOST = 100


class DeadlinesMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.deadlines = Deadlines()
        self.some = [Deadline() for _ in range(MOST)]
        self.times: dict[Deadline, int] = {}
        self.now = 0

    @rule(which=st.integers(0, MOST - 1), in_ms=st.integers(-1, 30))
    def set(self, which: int, in_ms: int) -> None:
        self.deadlines.set(self.some[which], self.now + in_ms)
        self.times[self.some[which]] = self.now + in_ms

    @rule(first=st.integers(0, MOST - 1), last=st.integers(0, MOST), in_ms=st.integers(1, 30))
    def set_many(self, first: int, last: int, in_ms: int) -> None:
        for which in range(first, last):
            self.set(which, in_ms)

    @rule(first=st.integers(0, MOST - 1), last=st.integers(0, MOST))
    def take_away(self, first: int, last: int) -> None:
        for deadline in self.some[first:last]:
            self.deadlines.set(deadline, NEVER)
            self.times.pop(deadline, None)

    @rule(ms=st.integers(0, 20))
    def wait(self, ms: int) -> None:
        self.now += ms
        due = self.deadlines.take_due(self.now)
        expected = {deadline: at_ms for deadline, at_ms in self.times.items() if at_ms <= self.now}
        assert len(due) == len(expected)
        assert [expected[deadline] for deadline in due] == sorted(expected.values())
        for deadline in due:
            del self.times[deadline]

    @rule()
    def look(self) -> None:
        assert self.deadlines.next() == min(self.times.values(), default=NEVER)

    @invariant()
    def each_has_its_time_and_few_places_are_out_of_date(self) -> None:
        assert [deadline.due_ms for deadline in self.some] == [
            self.times.get(deadline, NEVER) for deadline in self.some
        ]
        assert len(self.deadlines) <= 2 * len(self.times) + SLACK


TestDeadlines = DeadlinesMachine.TestCase
TestDeadlines.settings = settings(stateful_step_count=60, deadline=None)
