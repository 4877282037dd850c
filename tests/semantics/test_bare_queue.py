"""Every scenario on a queue alone, and on the queue that its effects rebuild."""

import pytest
from bare_queue import BareQueue, queue_of
from scenario import NotYetError, Scenario, run, scenarios


def driven(scenario: Scenario, over: str) -> BareQueue:
    if waits := scenario.waits_over(over):
        pytest.skip(f"waits for {waits}")
    try:
        driver = BareQueue(scenario.options)
        run(scenario, driver)
    except NotYetError as missing:
        pytest.skip(f"waits for {missing}")
    return driver


@pytest.mark.parametrize("scenario", scenarios("queue"), ids=str)
def test_a_queue_does_what_the_scenario_says(scenario: Scenario) -> None:
    driven(scenario, "queue")


@pytest.mark.parametrize("scenario", scenarios("queue"), ids=str)
def test_the_effects_of_a_scenario_rebuild_its_queue(scenario: Scenario) -> None:
    driver = driven(scenario, "effects")
    rebuilt = queue_of(driver.spec)
    rebuilt.replay(driver.queue.drain())
    assert [
        (entry.sequence, entry.state, entry.key, entry.place, entry.expires_ms) for entry in rebuilt.entries()
    ] == [
        (entry.sequence, entry.state, entry.key, entry.place, entry.expires_ms)
        for entry in driver.queue.entries()
    ]
    assert rebuilt.spec == driver.queue.spec
