"""lastvalue.cli.doctor."""

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from lastvalue.cli.doctor import Finding, State, of_clock, of_directory, of_package, of_port, of_ports
from lastvalue.client.url import parse_url

Lastvalue = Callable[[str], tuple[int, str, str]]


def test_a_machine_and_its_broker_are_checked(lastvalue: Lastvalue, url: str, tmp_path: Path) -> None:
    assert url
    found = {each["check"]: each for each in json.loads(lastvalue(f"doctor --store {tmp_path} -o json")[1])}
    assert {
        "python",
        "compiled",
        "java",
        "pyspark",
        "disk",
        "permissions",
        f"port {parse_url(url).port}",
        "clock",
    } <= found.keys()
    assert (found["python"]["state"], found["broker"]["state"], found["clock"]["state"]) == ("ok", "ok", "ok")


def test_a_broker_that_is_not_there_is_a_fault(lastvalue: Lastvalue) -> None:
    code, output, errors = lastvalue("doctor --url amqp://127.0.0.1:1")
    assert (code, "Connection refused; is it running?" in output) == (1, True)
    assert "found a fault" in errors


def test_a_store_that_is_a_file_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    permissions, _ = of_directory(tmp_path / "file" / "store")
    assert permissions.state is State.FAULT
    assert "cannot be written: user" in permissions.found
    assert next(of_directory(tmp_path / "new" / "store")).state is State.OK


@pytest.mark.parametrize(
    ("url", "checks"),
    [
        ("amqp://localhost", ["port 5672"]),
        ("amqps://127.0.0.1", ["port 5671"]),
        ("amqp://[::1]:1", ["port 1"]),
        ("amqp://elsewhere.example", []),
    ],
)
def test_the_port_of_a_broker_on_this_machine_is_looked_at(url: str, checks: list[str]) -> None:
    assert [each.check for each in of_ports(url)] == checks


def test_a_port_that_is_taken_is_noted() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert of_port(taken.getsockname()[1]).state is State.NOTE


@pytest.mark.parametrize(
    ("ahead_ms", "state"), [(0, State.OK), (-2000, State.OK), (2001, State.NOTE), (-60_000, State.NOTE)]
)
def test_a_clock_that_differs_is_noted(ahead_ms: int, state: State) -> None:
    assert of_clock(ahead_ms).state is state


def test_a_package_is_there_with_its_version_or_missing() -> None:
    assert of_package("nosuch_package") == Finding("nosuch_package", State.NOTE, "not installed")
    assert of_package("pytest") == Finding("pytest", State.OK, pytest.__version__)
