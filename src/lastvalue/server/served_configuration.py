"""The configuration file of a running broker: applied at the start, on SIGHUP and on request."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lastvalue.broker.broker import Broker
from lastvalue.broker.configuration_requests import ConfigurationFile
from lastvalue.config.configuration import Configuration
from lastvalue.config.drift import Outcome, reconcile_drift
from lastvalue.config.errors import ConfigurationError
from lastvalue.config.plan import Verdict
from lastvalue.config.server_options import ServerOptions
from lastvalue.config.server_setting import InvalidSettingError
from lastvalue.config.toml_reader import read_toml
from lastvalue.server.clock import Clock
from lastvalue.server.log_events import (
    CONFIG_CHANGED,
    CONFIG_EXTRA,
    CONFIG_FAILED,
    CONFIG_INVALID,
    CONFIG_LEFT,
)
from lastvalue.server.log_level_switch import switch_log_levels


class ServedConfiguration(ConfigurationFile):
    """Reads a broker's file again and applies what differs, also to the levels of the log.

    Args:
        file: of the configuration.
        broker: that has it.
        clock: of the queues.
        options_of: returns the options by a configuration that was read; None leaves the log as it is.
    """

    def __init__(
        self,
        file: Path,
        broker: Broker,
        clock: Clock,
        options_of: Callable[[Configuration], ServerOptions] | None = None,
    ) -> None:
        self._options_of = options_of
        self._file = file
        self._broker = broker
        self._clock = clock

    def reload(self, prune: bool, dry_run: bool) -> list[dict[str, Any]]:  # noqa: FBT001 - overrides
        """Read the file and apply what differs; with faults in the file nothing changes."""
        try:
            configuration = read_toml(self._file)
            options = None if self._options_of is None else self._options_of(configuration)
        except InvalidSettingError as invalid:
            return _refused([f"{self._file}: {fault}" for fault in invalid.faults])
        except ConfigurationError as error:
            return _refused(error.lines())
        outcomes = self._outcomes(configuration, prune=prune, dry_run=dry_run)
        if not dry_run:
            log_outcomes(outcomes)
            if options is not None:
                switch_log_levels(options.log_level)
        return [described(outcome) for outcome in outcomes]

    def _outcomes(self, configuration: Configuration, *, prune: bool, dry_run: bool) -> list[Outcome]:
        return reconcile_drift(
            configuration, self._broker, self._clock.now_ms(), prune=prune, dry_run=dry_run
        )


def _refused(lines: Iterable[str]) -> list[dict[str, Any]]:
    told = list(lines)
    for line in told:
        CONFIG_INVALID.log(fault=line)
    return [{"verdict": "fault", "line": line, "done": False} for line in told]


def described(outcome: Outcome) -> dict[str, Any]:
    """An outcome as the answer to a request has it."""
    return {
        "verdict": outcome.change.verdict.value,
        "line": outcome.line,
        "done": outcome.done,
        "fault": outcome.fault,
    }


def log_outcomes(outcomes: Iterable[Outcome]) -> None:
    """Log each outcome: what was done, what only the broker has, and what cannot be done."""
    for outcome in outcomes:
        if outcome.fault:
            CONFIG_FAILED.log(change=outcome.line)
        elif outcome.done:
            CONFIG_CHANGED.log(change=outcome.line)
        elif outcome.change.verdict is Verdict.EXTRA:
            CONFIG_EXTRA.log(change=outcome.line)
        else:
            CONFIG_LEFT.log(change=outcome.line)
