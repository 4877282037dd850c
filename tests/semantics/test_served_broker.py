"""The scenarios that need no clock, against a broker process, through sockets, with a foreign client."""

from collections.abc import Iterator

import pytest
from scenario import Scenario, run, scenarios
from served_broker import ServedBroker
from served_queue import ServedQueue, Setting
from shares import in_this_run

pytestmark = pytest.mark.interop


@pytest.fixture(scope="module")
def setting() -> Iterator[Setting]:
    with ServedBroker() as broker:
        setting = Setting(broker)
        yield setting
        setting.close()
        code, _, complaints = broker.stop()
        # Some scenarios have a consumer hold what others overtake, which the broker warns of.
        assert (code, [line for line in complaints.splitlines() if "overtaken" not in line]) == (0, [])


@pytest.mark.parametrize("scenario", in_this_run("clients", scenarios("clients")), ids=str)
def test_a_served_broker_does_what_the_scenario_says(setting: Setting, scenario: Scenario) -> None:
    queue = ServedQueue(setting, scenario.options)
    try:
        run(scenario, queue)
    finally:
        queue.end()
