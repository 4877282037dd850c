"""Two hundred seeds: in the world of each the laws hold."""

import pytest
from simulating import simulating

pytestmark = pytest.mark.pure


@pytest.mark.parametrize("seeds", ["0:50", "50:100", "100:150", "150:200"])
def test_the_laws_hold_in_fifty_worlds(seeds: str) -> None:
    run = simulating("--seeds", seeds)
    assert run.returncode == 0, run.stdout + run.stderr
