"""The simulation itself: the same seed is the same run, a broken law is found and made short."""

import pytest
from history import FATE, History, Step, history_of
from shortest import shorten
from simulating import simulating

from lastvalue.model.message import NEVER
from lastvalue.server.connection import ServerConnection
from lastvalue.server.runtime import Runtime
from simulation import simulate

pytestmark = pytest.mark.pure


def test_the_laws_hold_and_a_seed_is_the_same_run_in_every_process() -> None:
    first, second = (simulating("--seed", "2") for _ in "ab")
    assert first.returncode == 0, first.stdout + first.stderr
    assert first.stdout.split("faults:")[1] == second.stdout.split("faults:")[1]


def test_what_is_confirmed_before_it_is_flushed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    confirm = ServerConnection.confirm

    def confirm_all(self: ServerConnection, flushed: int, now: int) -> bool:
        return confirm(self, NEVER, now)

    steps = (
        Step(0, 1.0, FATE, "slow_disk", ("broker-1", 10.0)),
        Step(0, 2.0, "publisher-1", "send", (3,)),
        Step(0, 2.2, FATE, "power", ("broker-1", 0)),
    )
    assert simulate(History(1, steps)).violation is None
    monkeypatch.setattr(ServerConnection, "confirm", confirm_all)
    outcome = simulate(History(1, steps))
    assert outcome.violation is not None
    assert outcome.violation.startswith("confirmed and lost of work: ['publisher-1-1'")


def test_a_fault_of_a_turn_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Runtime, now: int) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Runtime, "_append", fail)
    violation = simulate(history_of(1)).violation
    assert violation is not None
    assert "ZeroDivisionError" in violation


def test_a_history_is_shortened_to_the_steps_that_matter() -> None:
    history = history_of(5)
    first, last = history.steps[3], history.steps[-2]
    short = shorten(history, lambda each: first in each.steps and last in each.steps)
    assert short.steps == (first, last)
