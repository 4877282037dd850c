"""Whether a server checks itself."""

from pathlib import Path

import pytest

from lastvalue.broker.queue_checks import QueueChecks
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.invariant_checks import VARIABLE, checks_invariants
from lastvalue.server.open_store import StoreSettings, store_from


@pytest.mark.parametrize(
    ("environment", "checks"), [({}, False), ({VARIABLE: "0"}, False), ({VARIABLE: "1"}, True)]
)
def test_the_environment_turns_the_checks_on(environment: dict[str, str], checks: bool) -> None:
    assert checks_invariants(environment) is checks


def count_checks() -> int:
    """How many check a server's broker; a test's broker has one whatever the environment says."""
    return sum(isinstance(each, QueueChecks) for each in BrokerServer(ServerOptions()).broker.observers)


def test_a_server_checks_its_queues_and_its_journal_where_that_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = []
    for value in ("0", "1"):
        monkeypatch.setenv(VARIABLE, value)
        settings = store_from(ServerOptions(store=tmp_path))
        assert isinstance(settings, StoreSettings)
        found.append((count_checks(), settings.options.checks))
    before, _ = found[0]
    assert found == [(before, False), (before + 1, True)]
