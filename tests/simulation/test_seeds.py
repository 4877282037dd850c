"""Two hundred seeds, and those in whose worlds a law was broken: now the laws hold."""

import pytest
from simulating import simulating

pytestmark = pytest.mark.pure


@pytest.mark.parametrize("seeds", ["0:50", "50:100", "100:150", "150:200"])
def test_the_laws_hold_in_fifty_worlds(seeds: str) -> None:
    run = simulating("--seeds", seeds)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    "seed",
    [
        # A watcher that began while no broker answered for 10 s had no values, and did not come back.
        565,
    ],
)
def test_the_laws_hold_where_one_was_broken(seed: int) -> None:
    run = simulating("--seed", str(seed))
    assert run.returncode == 0, run.stdout + run.stderr
