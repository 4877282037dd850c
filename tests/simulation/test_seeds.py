"""Two hundred seeds, and those that have found a fault: in all of them the laws hold."""

import pytest
from simulating import simulating

SEEDS = 200
FOUND = (
    # A watcher whose broker was killed lost what it had had before: the values came again, with known ids.
    13,
    26,
    33,
)
pytestmark = pytest.mark.pure


def test_the_laws_hold_in_two_hundred_worlds() -> None:
    run = simulating("--seeds", f"0:{SEEDS}")
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("seed", FOUND)
def test_what_was_found_and_mended_is_not_back(seed: int) -> None:
    run = simulating("--seed", str(seed))
    assert run.returncode == 0, run.stdout + run.stderr
