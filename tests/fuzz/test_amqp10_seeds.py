"""What coverage-guided fuzzing has found worth keeping runs as it should, and any other bytes do."""

from pathlib import Path

import pytest
from amqp10_peers import property_test
from hypothesis import given
from hypothesis import strategies as st
from targets import TARGETS

SEEDS = Path(__file__).parent / "seeds"


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_of_a_target_do_it_no_harm(name: str) -> None:
    seeds = sorted((SEEDS / name).iterdir())
    assert seeds
    for seed in seeds:
        TARGETS[name](seed.read_bytes())


@property_test
@given(st.binary(max_size=300))
def test_nothing_is_held_when_clients_that_did_anything_are_gone(data: bytes) -> None:
    TARGETS["broker"](data)
