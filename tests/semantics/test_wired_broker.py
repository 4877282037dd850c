"""Every scenario through AMQP 1.0: client engine, server engine, frontend, broker, queue."""

import pytest
from scenario import Scenario, run, scenarios
from wired_broker import WiredBroker


@pytest.mark.parametrize("scenario", scenarios("broker"), ids=str)
def test_a_broker_does_over_amqp_what_the_scenario_says(scenario: Scenario) -> None:
    run(scenario, WiredBroker(scenario.options))


@pytest.mark.parametrize("scenario", scenarios("watching"), ids=str)
def test_who_watches_over_amqp_hears_what_the_scenario_says(scenario: Scenario) -> None:
    run(scenario, WiredBroker(scenario.options))
