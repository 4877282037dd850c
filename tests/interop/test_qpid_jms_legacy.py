"""Qpid's JMS client for AMQP 0-8 to 0-10 against the real server: a Java program runs each check."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from installing import INSTALLS
from java_project import built, outcomes
from served_broker import HOST, ServedBroker

pytestmark = pytest.mark.interop

PROJECT = Path(__file__).parent / "qpid_jms_legacy"
CHECKS = re.findall(r"void check(\w+)\(", (PROJECT / "src/main/java/lastvalue/Checks.java").read_text())
VERSIONS = ("0-8", "0-9", "0-9-1", "0-10")


@pytest.fixture(scope="module")
def qpid_broker() -> Iterator[ServedBroker]:
    """A broker of a product at which the client checks names."""
    with ServedBroker("--user", "guest:guest", "--announce", "lastvalue-for-qpid 1.0") as served:
        yield served


@pytest.fixture(scope="module", params=VERSIONS)
def found(request: pytest.FixtureRequest, qpid_broker: ServedBroker) -> dict[str, str]:
    """What the program says of each check in one version."""
    java, *more = built(PROJECT)
    command = [java, f"-Dqpid.amqp.version={request.param}", *more, "lastvalue.Checks"]
    run = subprocess.run(
        [*command, f"{HOST}:{qpid_broker.port}"], capture_output=True, text=True, timeout=240, check=False
    )
    results = outcomes(run.stdout)
    assert results, run.stderr
    return results


@INSTALLS
@pytest.mark.parametrize("check", CHECKS)
def test_qpids_older_jms_client_has_what_jms_promises(found: dict[str, str], check: str) -> None:
    assert found[check] == "ok"
