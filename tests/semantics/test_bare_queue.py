"""Every scenario on a queue alone, and on the queue that its effects rebuild."""

import pytest
from bare_queue import BareQueue, queue_of
from scenario import Scenario, run, scenarios

from lastvalue.queues.invariants import check_queue


def driven(scenario: Scenario) -> BareQueue:
    driver = BareQueue(scenario.options)
    run(scenario, driver, lambda: check_queue(driver.queue))
    return driver


@pytest.mark.parametrize("scenario", scenarios("queue"), ids=str)
def test_a_queue_does_what_the_scenario_says(scenario: Scenario) -> None:
    driven(scenario)


@pytest.mark.parametrize("scenario", scenarios("queue"), ids=str)
def test_the_effects_of_a_scenario_rebuild_its_queue(scenario: Scenario) -> None:
    driver = driven(scenario)
    rebuilt = queue_of(driver.spec)
    rebuilt.replay(driver.queue.drain())
    assert [
        (entry.sequence, entry.state, entry.key, entry.place, entry.expires_ms) for entry in rebuilt.entries()
    ] == [
        (entry.sequence, entry.state, entry.key, entry.place, entry.expires_ms)
        for entry in driver.queue.entries()
    ]
    assert rebuilt.spec == driver.queue.spec


def test_a_value_replaces_only_on_its_own_queue() -> None:
    """S-025."""
    first, second = BareQueue({"qpid.last_value_queue": 1}), BareQueue({"qpid.last_value_queue": 1})
    for queue in (first, second):
        queue.send("msg1", {"qpid.LVQ_key": "a"}, None)
    first.send("msg2", {"qpid.LVQ_key": "a"}, None)
    assert (first.browse("b1"), second.browse("b1")) == (["msg2"], ["msg1"])
