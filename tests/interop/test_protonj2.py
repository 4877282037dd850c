"""Qpid ProtonJ2 against the real server: a Java program runs every check, and each is a test here."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from installing import INSTALLS
from java_project import built, outcomes
from served_broker import HOST, ServedBroker
from tls_broker import TlsBroker

from lastvalue.client import blocking

pytestmark = [pytest.mark.interop, INSTALLS]

PROJECT = Path(__file__).parent / "protonj2"
SOURCES = PROJECT / "src" / "main" / "java" / "lastvalue"
PAGE = Path(__file__).parents[2] / "docs" / "clients" / "qpid-protonj2.md"
CHECKS = re.findall(r"void check(\w+)\(", (SOURCES / "Checks.java").read_text())
DECLARED: dict[str, dict[str, Any]] = {
    "Updates": {"lvq_key": "key"},
    "TransactionThatDoesNotFit": {"max_messages": 2},
}
SHOWN = {"TransactionThatDoesNotFit": "transaction"}


def shown(check: str) -> pytest.MarkDecorator:
    return pytest.mark.capability("Qpid ProtonJ2", SHOWN.get(check, check.lower()))


@pytest.fixture(scope="module")
def java() -> list[str]:
    return built(PROJECT)


@pytest.fixture(scope="module")
def found(java: list[str], broker: ServedBroker, tls_broker: TlsBroker) -> dict[str, str]:
    with blocking.connect(broker.url) as connection:
        for name in CHECKS:
            connection.declare(f"j2-{name}", **DECLARED.get(name, {}))
    command = [*java, "lastvalue.Checks", HOST, str(broker.port), str(tls_broker.tls_port)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert run.stdout, run.stderr
    return outcomes(run.stdout)


@pytest.mark.parametrize("check", [pytest.param(check, marks=shown(check)) for check in CHECKS])
def test_protonj2_finds_what_it_asks_for(found: dict[str, str], check: str) -> None:
    assert found[check] == "ok"


def test_the_program_of_the_page_prints_the_current_prices(java: list[str], broker: ServedBroker) -> None:
    assert (SOURCES / "Prices.java").read_text().partition("import")[2] in PAGE.read_text()
    with blocking.connect(broker.url) as connection:
        connection.declare("prices", lvq_key="symbol")
        connection.purge("prices")
    command = [*java, "lastvalue.Prices", HOST, str(broker.port)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.splitlines() == ["MSFT 402.1", "AAPL 101.7"]
