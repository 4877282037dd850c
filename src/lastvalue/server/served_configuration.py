"""The configuration file of a running broker: applied at the start, on SIGHUP and on request."""

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lastvalue.broker.broker import Broker
from lastvalue.broker.configuration_requests import ConfigurationFile
from lastvalue.config.configuration import Configuration
from lastvalue.config.drift import Outcome, reconcile_drift
from lastvalue.config.errors import ConfigurationError
from lastvalue.config.plan import Verdict
from lastvalue.config.toml_reader import read_toml
from lastvalue.server.clock import Clock

logger = logging.getLogger(__name__)


class ServedConfiguration(ConfigurationFile):
    """Reads a broker's file again and applies what differs."""

    def __init__(self, file: Path, broker: Broker, clock: Clock) -> None:
        self._file = file
        self._broker = broker
        self._clock = clock

    def reload(self, prune: bool, dry_run: bool) -> list[dict[str, Any]]:  # noqa: FBT001 - overrides
        """Read the file and apply what differs; with faults in the file nothing changes."""
        try:
            configuration = read_toml(self._file)
        except ConfigurationError as error:
            for line in error.lines():
                logger.error("%s; the configuration stays as it is", line)  # noqa: TRY400 - the operator's fault
            return [{"verdict": "fault", "line": line, "done": False} for line in error.lines()]
        outcomes = self._outcomes(configuration, prune=prune, dry_run=dry_run)
        if not dry_run:
            log_outcomes(outcomes)
        return [described(outcome) for outcome in outcomes]

    def _outcomes(self, configuration: Configuration, *, prune: bool, dry_run: bool) -> list[Outcome]:
        return reconcile_drift(
            configuration, self._broker, self._clock.now_ms(), prune=prune, dry_run=dry_run
        )


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
            logger.error("configuration: %s", outcome.line)
        elif outcome.done:
            logger.info("configuration: %s", outcome.line)
        elif outcome.change.verdict is Verdict.EXTRA:
            logger.info("configuration: %s; `lastvalue config reload --prune` removes it", outcome.line)
        else:
            logger.warning("configuration: %s", outcome.line)
