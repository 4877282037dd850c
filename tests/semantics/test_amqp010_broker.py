"""Every scenario that AMQP 0-10 has the words for: peer, engine, frontend, broker, queue."""

import pytest
from amqp010_broker import Amqp010Broker, is_said_here
from scenario import Scenario, run, scenarios
from shares import in_this_run

OTHERWISE = ("C-001",)
"""What a session held when it ended has failed once more over this protocol, and says so."""
SAID = [
    each
    for each in scenarios("broker")
    if is_said_here(each.steps, each.options) and each.id not in OTHERWISE
]


@pytest.mark.parametrize("scenario", in_this_run("amqp010", SAID), ids=str)
def test_a_broker_does_over_amqp_010_what_the_scenario_says(scenario: Scenario) -> None:
    run(scenario, Amqp010Broker(scenario.options))
