"""The scenarios through CORE: packets, sessions, frontend, broker, queue."""

import pytest
from core_broker import CoreBroker
from scenario import Scenario, run, scenarios

_NO_WORDS = (
    "'listen'", "'released'", "'rejected'", "'modified'", "'failed'", "'depth_bytes'", "'replay",
    "'only_new'",
)  # fmt: skip
"""What a client cannot say: credit in messages, how it gives one back, since when it reads; sizes differ."""
_OTHERWISE = ("E-025",)
"""A producer's duplicate ids always count."""


def told_by(scenario: Scenario) -> bool:
    by_size = any("bytes" in option or "size" in option for option in scenario.options)
    said = not any(word in str(step) for step in scenario.steps for word in _NO_WORDS)
    return said and not by_size and scenario.id not in _OTHERWISE


@pytest.mark.parametrize("scenario", [each for each in scenarios("broker") if told_by(each)], ids=str)
def test_a_broker_does_over_core_what_the_scenario_says(scenario: Scenario) -> None:
    if waits := scenario.waits_over("broker"):
        pytest.skip(f"waits for {waits}")
    run(scenario, CoreBroker(scenario.options))
