"""Every scenario on a queue alone, and on the queue that its effects rebuild."""

import pytest
from bare_queue import BareQueue
from scenario import Scenario, run, scenarios

from lastvalue.queues.queue import Queue


@pytest.mark.parametrize("scenario", scenarios(), ids=str)
def test_a_queue_does_what_the_scenario_says(scenario: Scenario) -> None:
    run(scenario, BareQueue(scenario.options))


@pytest.mark.parametrize("scenario", scenarios(), ids=str)
def test_the_effects_of_a_scenario_rebuild_its_queue(scenario: Scenario) -> None:
    driver = BareQueue(scenario.options)
    run(scenario, driver)
    rebuilt = Queue(driver.queue.spec)
    rebuilt.replay(driver.queue.drain())
    assert [(entry.sequence, entry.state, entry.key) for entry in rebuilt.entries()] == [
        (entry.sequence, entry.state, entry.key) for entry in driver.queue.entries()
    ]
