"""Qpid JMS against the real server: a Java program runs every check, and each is a test here. S-324"""

import subprocess
from pathlib import Path

import pytest
from installing import INSTALLS
from java_project import built
from jms_checks import CHECKS, CHECKS_PROJECT, checked
from served_broker import ServedBroker

from lastvalue.client import blocking

pytestmark = pytest.mark.interop

PROJECT = Path(__file__).parent / "qpid_jms"
SOURCES = PROJECT / "src" / "main" / "java" / "lastvalue"
PAGE = Path(__file__).parents[2] / "docs" / "clients" / "qpid-jms.md"
FACTORY = "org.apache.qpid.jms.JmsConnectionFactory"
SHOWN = {
    "QueueKeepsOrder": ("send", "receive"),
    "ClientAcknowledgeAndRecover": ("outcomes",),
    "Browser": ("browse",),
    "LastValueQueue": ("updates",),
    "Selectors": ("selector",),
    "LargeMessage": ("large",),
    "ProducerWithoutDestination": ("relay",),
    "TemporaryQueueForReplies": ("temporary",),
    "TransactionCommits": ("transaction",),
    "TransactionRollsBack": ("transaction",),
    "WrongPasswordIsRefused": ("password",),
}
"""Checks that show a capability of the table of clients."""


def shown(check: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.capability("Qpid JMS", capability) for capability in SHOWN.get(check, ())]


@pytest.fixture(scope="module")
def outcomes(broker: ServedBroker) -> dict[str, str]:
    java = built(CHECKS_PROJECT)
    return checked(java, broker, FACTORY, broker.url, f"{broker.url}?jms.prefetchPolicy.all=0")


@INSTALLS
@pytest.mark.parametrize("check", [pytest.param(check, marks=shown(check)) for check in CHECKS])
def test_qpid_jms_finds_what_jms_promises(outcomes: dict[str, str], check: str) -> None:
    assert outcomes[check] == "ok"


@INSTALLS
def test_the_program_of_the_page_prints_the_current_prices(broker: ServedBroker) -> None:
    assert (SOURCES / "Prices.java").read_text().partition("import")[2] in PAGE.read_text()
    with blocking.connect(broker.url) as connection:
        connection.declare("prices", lvq_key="symbol")
    run = subprocess.run(
        [*built(PROJECT), "lastvalue.Prices", broker.url],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert run.stdout.splitlines() == ["MSFT 402.1", "AAPL 101.7"]
