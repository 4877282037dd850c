"""The scenarios with producers of MQTT: packets, frontend, exchange, queue."""

import pytest
from mqtt_broker import MqttBroker
from scenario import Scenario, run, scenarios
from shares import in_this_run

_NO_WORDS = (
    "'priority'",
    "'group'",
    "'group_sequence'",
    "'annotations'",
    "'subject'",
    "'durable'",
    "'delay_ms'",
    "'delivery_time_in_ms'",
    "'not_valid_before_in_ms'",
    "'expires_in_ms'",
    "'depth_bytes'",
    "'expires_ms'",
)
"""What a client cannot say, or says with other sizes."""


def told_by(scenario: Scenario) -> bool:
    by_size = any("bytes" in option or "size" in option for option in scenario.options)
    said = str(scenario.steps)
    return not by_size and not any(word in said for word in _NO_WORDS) and _is_text(list(scenario.steps))


def _is_text(value: object) -> bool:
    """Whether all properties are texts, and all times to live whole seconds; no lists of them."""
    if isinstance(value, dict):
        properties, ttl_ms = value.get("properties", {}), value.get("ttl_ms", 0)
        if not isinstance(properties, dict) or not isinstance(ttl_ms, int) or ttl_ms % 1000:
            return False
        return all(isinstance(each, str) for each in properties.values()) and all(
            map(_is_text, value.values())
        )
    return not isinstance(value, list) or all(map(_is_text, value))


TOLD = [each for each in scenarios("broker") if told_by(each)]


def test_there_are_scenarios_that_mqtt_can_tell() -> None:
    assert len(TOLD) > 20


@pytest.mark.parametrize("scenario", in_this_run("mqtt", TOLD), ids=str)
def test_a_broker_does_over_mqtt_what_the_scenario_says(scenario: Scenario) -> None:
    run(scenario, MqttBroker(scenario.options))
