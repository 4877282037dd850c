"""lastvalue.server.log_level_switch."""

import logging
from collections.abc import Iterator

import pytest
from logged_events import logged

from lastvalue.config.log_levels import COMPONENTS, LogLevelError
from lastvalue.server.log_events import LOGGER
from lastvalue.server.log_level_switch import switch_log_levels


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    loggers = [logging.getLogger(LOGGER), *(logging.getLogger(f"{LOGGER}.{each}") for each in COMPONENTS)]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def test_the_levels_of_a_running_broker_are_switched_and_that_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    switch_log_levels(["warning", "store=debug", "log=info"])
    assert logging.getLogger("lastvalue.store").isEnabledFor(logging.DEBUG)
    assert not logging.getLogger("lastvalue.connection").isEnabledFor(logging.INFO)
    assert logged(caplog) == [("log.levels_changed", {"levels": "warning audit=info store=debug log=info"})]


def test_a_component_that_is_named_no_more_has_the_level_of_all(caplog: pytest.LogCaptureFixture) -> None:
    switch_log_levels(["store=debug"])
    switch_log_levels(["info"])
    assert not logging.getLogger("lastvalue.store").isEnabledFor(logging.DEBUG)
    caplog.clear()
    switch_log_levels(["info"])
    assert not caplog.records


def test_a_level_that_does_not_exist_changes_nothing() -> None:
    switch_log_levels(["error"])
    with pytest.raises(LogLevelError):
        switch_log_levels(["debug", "store=loud"])
    assert not logging.getLogger("lastvalue.store").isEnabledFor(logging.INFO)
