"""lastvalue.broker.administration.configuration_requests."""

from typing import Any

import pytest

from lastvalue.broker.administration.configuration_requests import (
    ConfigurationFile,
    NoConfigurationError,
    ask_configuration,
)
from lastvalue.broker.administration.request import Request


class NotedFile(ConfigurationFile):
    def shown(self) -> dict[str, Any]:
        return {"file": "/etc/lastvalue.toml"}

    def reload(self, prune: bool, dry_run: bool) -> list[dict[str, Any]]:
        return [{"prune": prune, "dry_run": dry_run}]


@pytest.mark.parametrize(
    ("body", "prune", "dry_run"), [({}, False, False), ({"prune": True, "dry_run": True}, True, True)]
)
def test_a_reload_says_what_it_did(body: dict[str, Any], *, prune: bool, dry_run: bool) -> None:
    response = ask_configuration(NotedFile(), Request("RELOAD", body=body))
    assert (response.status, response.body) == (200, [{"prune": prune, "dry_run": dry_run}])


def test_without_a_file_and_for_other_operations_it_is_refused() -> None:
    with pytest.raises(NoConfigurationError, match="serve --config FILE"):
        ask_configuration(None, Request("RELOAD"))
    assert ask_configuration(NotedFile(), Request("WRITE")).status == 501


def test_the_file_is_shown() -> None:
    assert ask_configuration(NotedFile(), Request("READ")).body == {"file": "/etc/lastvalue.toml"}
