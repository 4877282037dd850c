"""The simulation finds each fault of `breaks.toml`, with the seed that is named there."""

import pytest
from breaks import Break, breaks, simulate_broken

pytestmark = pytest.mark.pure


@pytest.mark.parametrize("broken", breaks(), ids=lambda each: each.name)
def test_a_delicate_place_that_is_broken_is_found(broken: Break) -> None:
    assert simulate_broken(broken, "--seed", str(broken.seed)).startswith(f"seed {broken.seed}: ")
