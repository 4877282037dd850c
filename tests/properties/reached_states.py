"""Holds state machines to the states that they have to come to, without which a property proves nothing."""

from collections.abc import Set as AbstractSet
from typing import Final

import pytest
from example_counts import example_count
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

MOST_LIVES: Final = 2000
"""This many more are tried, at most."""


def live_on(
    machine: type[RuleBasedStateMachine], reached: AbstractSet[str], wanted: AbstractSet[str]
) -> None:
    """Try further lives of a machine until each state was reached: few lives come to each.

    Hypothesis tries the same lives again where they are derandomized, as in CI: the further ones are random.
    """
    if example_count(100) < 100:
        pytest.skip("a part of the lives need not come to each state; CI tries all")
    of_machine = machine.TestCase.settings
    for _ in range(0, MOST_LIVES, of_machine.max_examples):
        if reached >= wanted:
            break
        run_state_machine_as_test(machine, settings=settings(of_machine, derandomize=False))
    assert wanted - reached == set()
