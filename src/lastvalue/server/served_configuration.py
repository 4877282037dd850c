"""The configuration of a running broker: its file is applied at the start, on SIGHUP and on request."""

import tomllib
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from lastvalue.broker.administration.configuration_requests import ConfigurationFile, NoConfigurationError
from lastvalue.broker.broker import Broker
from lastvalue.config.configuration import Configuration
from lastvalue.config.drift import Outcome, reconcile_drift
from lastvalue.config.errors import ConfigurationError
from lastvalue.config.plan import Verdict
from lastvalue.config.server_options import ServerOptions
from lastvalue.config.server_setting import InvalidSettingError
from lastvalue.config.shown_configuration import shown_configuration
from lastvalue.config.tls_listener import TlsError
from lastvalue.config.toml_reader import read_toml
from lastvalue.server.clock import Clock
from lastvalue.server.live_settings import LiveSettings
from lastvalue.server.log_events import (
    CONFIG_CHANGED,
    CONFIG_EXTRA,
    CONFIG_FAILED,
    CONFIG_INVALID,
    CONFIG_LEFT,
)
from lastvalue.server.log_level_switch import switch_log_levels
from lastvalue.server.setting_changes import setting_changes

_HASH_DIGITS: Final = 12


class ServedConfiguration(ConfigurationFile):
    """Reads a broker's file again and applies what differs, also to the settings and to the log's levels.

    Args:
        file: of the configuration, or None.
        broker: that has it.
        settings: of its server.
        clock: the time of its queues.
        options_of: returns the options by a configuration that was read; None leaves the settings.

    Attributes:
        is_applied: whether nothing failed when the file was applied last.
        applied_hash: of the file as it was when it was applied last without a fault.
    """

    def __init__(
        self,
        file: Path | None,
        broker: Broker,
        settings: LiveSettings,
        clock: Clock,
        options_of: Callable[[Configuration], ServerOptions] | None = None,
    ) -> None:
        self._file = file
        self._broker = broker
        self._settings = settings
        self._clock = clock
        self._options_of = options_of
        self.is_applied = True
        self._applied = self._content()
        self.applied_hash = _hash(self._applied)

    @property
    def has_file(self) -> bool:
        """Whether there is a file; without one the settings alone are shown."""
        return self._file is not None

    def shown(self) -> dict[str, Any]:
        """What was applied last without a fault, which the file may no longer say."""
        document = tomllib.loads(self._applied.decode())
        shown = shown_configuration(document, self._settings.options)
        file = "" if self._file is None else str(self._file.absolute())
        return {"file": file, "hash": self.applied_hash, **shown}

    def reload(self, prune: bool, dry_run: bool) -> list[dict[str, Any]]:  # noqa: FBT001 - overrides
        """Read the file and apply what differs; with faults in the file nothing changes."""
        if self._file is None:
            raise NoConfigurationError
        content = self._content()
        refused = self._reload(self._file, prune=prune, dry_run=dry_run)
        if not dry_run:
            self.is_applied = not any(each["verdict"] == "fault" or each.get("fault") for each in refused)
            if self.is_applied:
                self._applied = content
                self.applied_hash = _hash(content)
        return refused

    def _content(self) -> bytes:
        return self._file.read_bytes() if self._file is not None and self._file.exists() else b""

    def _reload(self, file: Path, *, prune: bool, dry_run: bool) -> list[dict[str, Any]]:
        try:
            configuration = read_toml(file)
            options = None if self._options_of is None else self._options_of(configuration)
        except InvalidSettingError as invalid:
            return _refused([f"{file}: {fault}" for fault in invalid.faults])
        except ConfigurationError as error:
            return _refused(error.lines())
        outcomes = reconcile_drift(
            configuration, self._broker, self._clock.now_ms(), prune=prune, dry_run=dry_run
        )
        if options is not None:
            outcomes += self._apply_settings(options, dry_run=dry_run)
        if not dry_run:
            log_outcomes(outcomes)
        return [described(outcome) for outcome in outcomes]

    def _apply_settings(self, wanted: ServerOptions, *, dry_run: bool) -> list[Outcome]:
        changes = list(setting_changes(self._settings.options, wanted))
        if dry_run:
            return [Outcome(change) for change in changes]
        fault = ""
        try:
            self._settings.change(wanted)
        except TlsError as error:
            fault = f"{error}; the settings stay as they are"
        else:
            # Also where the file stays the same: QMF may have switched them.
            switch_log_levels(wanted.log_level)
        return [
            Outcome(change, done=not fault, fault=fault)
            if change.verdict is Verdict.CHANGE
            else Outcome(change)
            for change in changes
        ]


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:_HASH_DIGITS] if content else ""


def _refused(lines: Iterable[str]) -> list[dict[str, Any]]:
    refused = list(lines)
    for line in refused:
        CONFIG_INVALID.log(fault=line)
    return [{"verdict": "fault", "line": line, "done": False} for line in refused]


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
