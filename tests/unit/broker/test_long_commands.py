"""Commands that take several turns."""

from collections.abc import Iterator

import pytest

from lastvalue.broker.faults import Faults
from lastvalue.broker.long_commands import STEPS, TURN_S, LongCommand, LongCommands, Steps


class Countdown(LongCommand):
    def __init__(self, name: str, steps: int, done: list[str], connection: int = 0) -> None:
        super().__init__(connection)
        self._name = name
        self._steps = steps
        self._done = done

    def step(self, now: int) -> bool:
        self._steps -= 1
        self._done.append(f"{self._name} at {now}")
        return self._steps > 0


def test_the_first_step_is_carried_out_at_once_and_each_other_in_a_turn() -> None:
    done: list[str] = []
    commands = LongCommands(Faults())
    commands.begin(Countdown("a", 2, done), 1)
    assert (done, commands.busy) == (["a at 1"], True)
    commands.step(2)
    assert (done, commands.busy) == (["a at 1", "a at 2"], False)
    commands.step(3)
    assert len(done) == 2


def test_several_take_turns() -> None:
    done: list[str] = []
    commands = LongCommands(Faults())
    for name in "ab":
        commands.begin(Countdown(name, 3, done), 1)
    for _ in range(4):
        commands.step(2)
    assert done[2:] == ["a at 2", "b at 2", "a at 2", "b at 2"]


class Costly(LongCommand):
    """Each step takes the same time."""

    def __init__(self, steps: int, step_s: float) -> None:
        super().__init__(0, at_once=STEPS)
        self.done = 0
        self.now_s = 100.0
        self._steps = steps
        self._step_s = step_s

    def clock_s(self) -> float:
        return self.now_s

    def step(self, now: int) -> bool:
        del now
        self.done += 1
        self.now_s += self._step_s
        return self.done < self._steps


@pytest.mark.parametrize(
    ("step_s", "steps"), [(0.0, STEPS), (TURN_S / 4.5, 5), (TURN_S * 0.9, 2), (TURN_S * 10, 1)]
)
def test_a_turn_carries_out_the_steps_that_it_has_time_for(step_s: float, steps: int) -> None:
    command = Costly(3 * STEPS, step_s)
    commands = LongCommands(Faults())
    commands.clock_s = command.clock_s
    commands.begin(command, 1)
    assert command.done == steps
    commands.step(2)
    assert command.done == 2 * steps


def test_without_a_clock_the_number_of_steps_ends_a_turn() -> None:
    command = Costly(2 * STEPS, TURN_S)
    commands = LongCommands(Faults())
    commands.begin(command, 1)
    assert (command.done, commands.busy) == (STEPS, True)
    commands.step(2)
    assert (command.done, commands.busy) == (2 * STEPS, False)


def test_it_is_known_for_which_connections_they_run() -> None:
    commands = LongCommands(Faults())
    commands.begin(Countdown("a", 2, [], 7), 1)
    commands.begin(Countdown("short", 1, [], 8), 1)
    assert [commands.runs_for(connection) for connection in (7, 8)] == [True, False]
    commands.step(2)
    assert not commands.runs_for(7)


def test_those_of_one_connection_are_carried_out_one_after_the_other() -> None:
    done: list[str] = []
    commands = LongCommands(Faults())
    for name in "abc":
        commands.begin(Countdown(name, 2, done, 7), 1)
    commands.begin(Countdown("other", 2, done, 8), 1)
    assert done == ["a at 1", "other at 1"]
    while commands.runs_for(7):
        commands.step(2)
    assert [each[0] for each in done if each[0] != "o"] == ["a", "a", "b", "b", "c", "c"]


def test_an_iterator_makes_the_steps_of_a_command() -> None:
    done: list[int] = []

    def steps() -> Iterator[None]:
        for number in range(3):
            done.append(number)
            yield

    commands = LongCommands(Faults())
    commands.begin(Steps(steps(), 7, 1), 1)
    assert (done, commands.busy) == ([0], True)
    while commands.busy:
        commands.step(2)
    assert done == [0, 1, 2]


def test_it_is_known_for_which_connections_one_runs_that_changes_something() -> None:
    done: list[str] = []
    commands = LongCommands(Faults())
    reads = Countdown("reads", 2, done, 7)
    reads.changes = False
    commands.begin(reads, 1)
    assert (commands.runs_for(7), commands.changes_for(7)) == (True, False)
    commands.begin(Countdown("changes", 2, done, 7), 1)
    assert commands.changes_for(7)
    while commands.busy:
        commands.step(2)
    assert not commands.changes_for(7)
