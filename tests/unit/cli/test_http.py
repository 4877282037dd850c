"""`lastvalue http`, and `lastvalue serve --http-port`."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from served_broker import ServedBroker

Lastvalue = Callable[[str], tuple[int, str, str]]
COMMAND = [sys.executable, "-c", "from lastvalue.cli.main import main; main()"]


@contextmanager
def running(*arguments: str) -> Iterator[str]:
    """A command that serves HTTP, and its address; at the end it must stop at a TERM signal."""
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            lines = iter(process.stdout.readline, "")
            yield next(line for line in lines if "http://" in line).removeprefix("listening on ").strip()
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        finally:
            process.kill()


def test_a_broker_serves_http_beside_amqp() -> None:
    with running("serve", "--port", "0", "--http-port", "0") as url:
        assert httpx.put(f"{url}/queues/prices", json={"lvq_key": "symbol"}, timeout=120).status_code == 201
        assert "lastvalue_queue_depth_messages" in httpx.get(f"{url}/metrics", timeout=120).text


def test_a_gateway_serves_a_broker_from_a_process_of_its_own() -> None:
    with ServedBroker() as broker, running("http", "--port", "0", "--url", broker.url) as url:
        assert httpx.get(f"{url}/readyz", timeout=120).json()["status"] == "ok"


@pytest.mark.parametrize(
    ("command", "code", "text"),
    [
        ("http --host 10.0.0.1", 2, "--certificate FILE, or --behind-proxy"),
        ("http --port 70000", 2, "65535"),
        ("http --host 192.0.2.1 --behind-proxy", 1, "cannot serve HTTP on 192.0.2.1"),
        (
            "serve --port 0 --http-port 0 --http-host 10.0.0.1",
            2,
            "--tls-certificate FILE, or --http-behind-proxy",
        ),
    ],
)
def test_what_cannot_be_served_is_one_line(lastvalue: Lastvalue, command: str, code: int, text: str) -> None:
    status, _, errors = lastvalue(command)
    assert (status, text in errors, errors.count("\n")) == (code, True, 1), errors
