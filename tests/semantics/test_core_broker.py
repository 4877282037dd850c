"""The scenarios through CORE: packets, sessions, frontend, broker, queue."""

from typing import Final

import pytest
from core_broker import CoreBroker
from scenario import Scenario, run, scenarios
from shares import in_this_run

from conformance import parts

_NO_WORDS: Final = (
    "'listen'", "'released'", "'rejected'", "'modified'", "'failed'", "'depth_bytes'", "'replay",
    "'only_new'",
)  # fmt: skip
"""What a client cannot say: credit in messages, how it gives one back, since when it reads; sizes differ."""
_OTHERWISE: Final = {
    "E-025": "a producer's duplicate ids always count",
    "S-193": "a message takes more bytes, so others fit below the limit",
    "S-248": "a message takes more bytes, so flow control begins with others",
}
BY_TESTS: Final = {
    **dict.fromkeys(
        ("S-052", "S-057", "S-058", "S-065", "S-067", "S-068", "S-069", "S-073", "S-092", "S-093", "S-100"),
        "said as CORE says it in dialogue/test_core_last_values.py",
    ),
    "S-049": "no protocol takes part in a restart: unit/server/test_restart.py",
    **dict.fromkeys(
        ("S-083", "S-084", "S-085", "S-087", "S-088", "S-089", "S-090"),
        "no client takes part in which settings an address has: unit/config/test_address_settings.py",
    ),
}
"""The scenarios of Artemis's last-value queues and address settings that are not told here, and why not."""
ARTEMIS: Final = ("Last-value queues, Artemis", "Artemis: address settings, wildcards, expiry")


def told_by(scenario: Scenario) -> bool:
    said = not any(word in str(step) for step in scenario.steps for word in _NO_WORDS)
    return said and scenario.id not in _OTHERWISE


def test_what_the_field_says_of_artemis_is_told_over_core_or_it_is_said_why_not() -> None:
    told = {name for each in scenarios("broker") if told_by(each) for name in each.ids}
    followed = {
        each.id for part in parts() if part.title in ARTEMIS for each in part.entries if not each.not_followed
    }
    assert len(followed) > 30
    assert followed - told == set(BY_TESTS)


@pytest.mark.parametrize(
    "scenario", in_this_run("core", [each for each in scenarios("broker") if told_by(each)]), ids=str
)
def test_a_broker_does_over_core_what_the_scenario_says(scenario: Scenario) -> None:
    run(scenario, CoreBroker(scenario.options))
