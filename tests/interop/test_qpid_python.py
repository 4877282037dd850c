"""Programs of qpid-python and qpid-tools, as they are, against a broker: a quick part of their suites."""

from collections.abc import Iterator

import pika
import pytest
from installing import INSTALLS
from proton.utils import BlockingConnection
from qpid_python import python27, run_suite, run_tool
from served_broker import HOST, ServedBroker

PYTHON = python27()

pytestmark = [
    pytest.mark.interop,
    pytest.mark.usefixtures("qpid_python"),
    INSTALLS,
]


@pytest.fixture(scope="module")
def broker() -> Iterator[ServedBroker]:
    with ServedBroker() as broker:
        yield broker


def tool(broker: ServedBroker, name: str, *arguments: str) -> str:
    """What a tool prints, without the complaint of its client that the pipe of a thread was closed before."""
    assert PYTHON is not None
    printed = run_tool(PYTHON, name, "-b", f"{HOST}:{broker.port}", *arguments, timeout_s=60)
    return printed.partition("Error in atexit._run_exitfuncs:\n")[0]


def test_a_quick_part_of_the_suite_passes(broker: ServedBroker) -> None:
    assert PYTHON is not None
    patterns = [f"qpid_tests.broker_0_10.{each}" for each in ("lvq.*", "example.*")]
    outcome = run_suite(PYTHON, broker.port, "-m", "qpid_tests.broker_0_10", *patterns, timeout_s=100)
    assert (outcome.failed, outcome.tests) == ((), outcome.passed), outcome.output
    assert outcome.tests == 5


def test_qpid_config_adds_lists_and_deletes_queues(broker: ServedBroker) -> None:
    assert tool(broker, "qpid-config", "add", "queue", "prices", "--lvq-key", "ticker", "--durable") == ""
    assert "object already exists: prices" in tool(broker, "qpid-config", "add", "queue", "prices")
    listed = [line.split() for line in tool(broker, "qpid-config", "queues").splitlines()]
    assert ["prices", "--durable", "--lvq-key=ticker"] in listed
    assert tool(broker, "qpid-config", "del", "queue", "prices") == ""


def test_qpid_stat_shows_queues(broker: ServedBroker) -> None:
    tool(broker, "qpid-config", "add", "queue", "shown")
    rows = [line.split() for line in tool(broker, "qpid-stat", "-q").splitlines()]
    assert ["shown", "0", "0", "0", "0", "0", "0", "0", "1"] in rows


def test_qpid_stat_shows_connections_and_consumers_of_other_protocols(broker: ServedBroker) -> None:
    queue = broker.declare()
    proton = BlockingConnection(broker.url, timeout=60)
    proton.create_receiver(queue, name="by-1.0")
    with pika.BlockingConnection(pika.ConnectionParameters(HOST, broker.port)) as rabbit:
        rabbit.channel().basic_consume(queue, lambda *_: None, consumer_tag="by-0-9-1")
        connections, readers = (tool(broker, "qpid-stat", option) for option in ("-c", "-u"))
    proton.close()
    for protocol in ("amqp-1.0:", "amqp-0-9-1:"):
        assert f"\n  {protocol}" in connections
    rows = [line.split() for line in readers.splitlines()]
    assert {(row[0], row[1]) for row in rows if len(row) > 1} >= {("by-1.0", queue), ("by-0-9-1", queue)}


def test_qpid_config_lists_queues_with_odd_arguments(broker: ServedBroker) -> None:
    """S-308."""
    for name, count in (("text", "3"), ("blank", " 4 "), ("none", "")):
        arguments = ["--argument", f"qpid.max_count={count}"] if count else []
        told = tool(
            broker, "qpid-config", "add", "queue", f"odd-{name}", "--max-queue-size", "100", *arguments
        )
        assert told == ""
    _, rule, *rows = tool(broker, "qpid-config", "queues").splitlines()
    assert set(rule) == {"="}
    assert {f"odd-{name}" for name in ("text", "blank", "none")} <= {row.split()[0] for row in rows}


def test_qpid_config_proves_who_it_is() -> None:
    """S-313."""
    assert PYTHON is not None
    with ServedBroker("--user", "guest:guest") as guarded:
        address, plain = f"{HOST}:{guarded.port}", ("--sasl-mechanism", "PLAIN")
        let_in = run_tool(PYTHON, "qpid-config", "-b", f"guest/guest@{address}", *plain, timeout_s=60)
        assert "Total Exchanges" in let_in
        turned_away = run_tool(PYTHON, "qpid-config", "-b", address, *plain, timeout_s=60)
        assert "Failed" in turned_away
