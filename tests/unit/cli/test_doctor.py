"""lastvalue.cli.doctor."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from tls_broker import serving_tls

from lastvalue.cli.doctor import (
    Finding,
    State,
    of_certificate,
    of_clock,
    of_directory,
    of_end,
    of_gateway,
    of_package,
    of_port,
    of_ports,
)
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
        "clock",
    } <= found.keys()
    # The broker has its port, which is no news.
    assert f"port {parse_url(url).port}" not in found
    assert (found["python"]["state"], found["broker"]["state"], found["clock"]["state"]) == ("ok", "ok", "ok")


def test_a_broker_that_is_not_there_is_a_fault(lastvalue: Lastvalue) -> None:
    code, output, errors = lastvalue("doctor --url amqp://127.0.0.1:1")
    assert (code, "Connection refused; is it running?" in output) == (1, True)
    assert "port 1 " in output
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


def test_the_certificate_of_a_broker_with_tls_is_looked_at(lastvalue: Lastvalue, tmp_path: Path) -> None:
    with serving_tls(tmp_path) as served:
        trusted = f"--ca-file {tmp_path / 'ca.pem'} -o json"
        answer = lastvalue(f"doctor --url {served.tls_url('root:all@')} {trusted}")
        found = {each["check"]: each for each in json.loads(answer[1])}
        assert (found["certificate"]["state"], found["broker"]["state"]) == ("ok", "ok")
        stranger = {
            each["check"]: each
            for each in json.loads(lastvalue(f"doctor -o json --url {served.tls_url()}")[1])
        }
        assert stranger["certificate"]["state"] == "ok"
        assert "--ca-file names the authority" in stranger["broker"]["found"]


@pytest.mark.parametrize(
    ("days", "state", "text"),
    [
        (14, State.OK, "ends on 2026-01-15, in 14 days"),
        (13, State.NOTE, "ends on 2026-01-14, in 13 days"),
        (-1, State.FAULT, "ended on 2025-12-31"),
    ],
)
def test_the_end_of_a_certificate_is_a_note_before_it_is_a_fault(days: int, state: State, text: str) -> None:
    now_ms = 1_767_225_600_000  # 2026-01-01
    found = of_end(now_ms + days * 86_400_000, now_ms)
    assert (found.state, text in found.found) == (state, True)


def test_a_port_without_tls_shows_no_certificate() -> None:
    assert list(of_certificate(parse_url("amqp://127.0.0.1:1"))) == []
    [found] = of_certificate(parse_url("amqps://127.0.0.1:1"))
    assert (found.state, found.found) == (State.FAULT, "is not shown: Connection refused")


@contextmanager
def answering(status: int) -> Iterator[str]:
    """The URL of a server whose every answer has this status."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/readyz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(("status", "state"), [(200, State.OK), (503, State.FAULT)])
def test_a_gateway_that_does_not_reach_its_broker_is_a_fault(status: int, state: State) -> None:
    with answering(status) as url:
        assert of_gateway(url, parse_url("amqp://127.0.0.1")).state is state


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("http://127.0.0.1:1", "does not answer: [Errno 111] Connection refused"),
        ("https://127.0.0.1:1", "does not answer"),
        ("ftp://127.0.0.1", "'ftp://127.0.0.1' is no URL of http or https"),
        ("http://[", "does not answer"),
    ],
)
def test_a_gateway_that_is_not_there_is_a_fault(url: str, text: str) -> None:
    found = of_gateway(url, parse_url("amqp://127.0.0.1"))
    assert (found.state, text in found.found) == (State.FAULT, True)
