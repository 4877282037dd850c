"""lastvalue.cli.cluster; what the commands do is in tests/crash/test_cluster_operations.py."""

from collections.abc import Callable

import pytest

Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.mark.usefixtures("url")
@pytest.mark.parametrize("command", ["status", "step-down --alone"])
def test_a_broker_that_shares_no_log_says_so(lastvalue: Lastvalue, command: str) -> None:
    code, _, errors = lastvalue(f"cluster {command}")
    assert code == 1
    assert "the broker shares no log" in errors
