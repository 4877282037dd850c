"""Brings a broker of this process to what its configuration asks for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import manage
from lastvalue.broker.rights.owner import BROKER
from lastvalue.config.configuration import Configuration
from lastvalue.config.declarations import created_by, rehearsed_declarations
from lastvalue.config.definitions_of_broker import definitions_of_broker
from lastvalue.config.plan import Change, Verdict, plan
from lastvalue.config.server_options import OnDrift

_REFUSED = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change.

    Attributes:
        done: it was carried out.
        fault: why not, if it was tried.
    """

    change: Change
    done: bool = False
    fault: str = ""

    @property
    def line(self) -> str:
        """In one line."""
        return f"{self.change}: {self.fault}" if self.fault else str(self.change)


def reconcile_drift(
    configuration: Configuration, broker: Broker, now: int, *, prune: bool = False, dry_run: bool = False
) -> list[Outcome]:
    """Carry out the plan for a broker; each change happens wholly or not at all."""
    wanted, _ = rehearsed_declarations(configuration)
    wanted = wanted.at(broker.authorization.partitions)
    changes = plan(wanted, definitions_of_broker(broker), prune=prune)
    if dry_run:
        return [Outcome(change) for change in changes]
    _set_addresses(configuration, broker)
    return [_carried_out(change, broker, now) for change in changes]


def _set_addresses(configuration: Configuration, broker: Broker) -> None:
    """Let the settings of addresses decide about queues that clients declare, or only use."""
    has_settings = bool(configuration.address_settings)
    broker.missing.settings_for = created_by(configuration) if has_settings else None
    broker.missing.address_settings = configuration.settings_for if has_settings else None


def drift_at_start(
    configuration: Configuration, broker: Broker, now: int, on_drift: OnDrift
) -> list[Outcome]:
    """Bring a broker that starts to its configuration; what it has from its store may differ.

    The outcomes do not include what was missing and is declared. With `REFUSE` they are why it may not start,
    if anything but the extras differs.
    """
    outcomes = reconcile_drift(configuration, broker, now, dry_run=True)
    drift = [outcome for outcome in outcomes if not _is_new(outcome.change)]
    match on_drift:
        case OnDrift.APPLY:
            outcomes = reconcile_drift(configuration, broker, now)
        case OnDrift.WARN:
            outcomes = _only_new(configuration, broker, now, outcomes)
        case OnDrift.REFUSE:
            differing = [outcome for outcome in drift if outcome.change.verdict is not Verdict.EXTRA]
            if differing:
                return differing
            outcomes = [
                each
                for each in _only_new(configuration, broker, now, outcomes)
                if each.change.verdict is not Verdict.EXTRA
            ]
        case policy:
            assert_never(policy)
    return [outcome for outcome in outcomes if outcome.fault or not _is_new(outcome.change)]


def _only_new(
    configuration: Configuration, broker: Broker, now: int, outcomes: Iterable[Outcome]
) -> list[Outcome]:
    _set_addresses(configuration, broker)
    return [
        _carried_out(outcome.change, broker, now) if _is_new(outcome.change) else outcome
        for outcome in outcomes
    ]


def _is_new(change: Change) -> bool:
    # Policies are not stored, so at the start all of them are new.
    return change.verdict is Verdict.ADD or (change.request is not None and change.request.type == "policy")


def _carried_out(change: Change, broker: Broker, now: int) -> Outcome:
    if change.request is None:
        return Outcome(change)
    response = manage(broker, change.request, now, BROKER)
    if response.status >= _REFUSED:
        return Outcome(change, fault=response.description)
    return Outcome(change, done=True)
