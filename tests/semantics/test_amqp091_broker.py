"""The scenarios through AMQP 0-9-1: frames, channels, frontend, broker, queue."""

import pytest
from amqp091_broker import Amqp091Broker
from scenario import Scenario, run, scenarios
from shares import in_this_run

_NO_WORDS = ("'expires_in_ms'", "'released'", "'delivery_count'", "'depth_bytes'")
"""What a client cannot say: an absolute expiry, and giving back what did not fail; and sizes differ."""


def told_by(scenario: Scenario) -> bool:
    by_size = any("bytes" in option or "size" in option for option in scenario.options)
    return not by_size and not any(word in str(step) for step in scenario.steps for word in _NO_WORDS)


@pytest.mark.parametrize(
    "scenario", in_this_run("amqp091", [each for each in scenarios("broker") if told_by(each)]), ids=str
)
def test_a_broker_does_over_amqp_091_what_the_scenario_says(scenario: Scenario) -> None:
    run(scenario, Amqp091Broker(scenario.options))
