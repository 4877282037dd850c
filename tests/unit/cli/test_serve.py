"""lastvalue.cli.serve."""

import json
import logging
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from log_servers import free_ports
from logged_events import fields
from waiting import wait_until

from lastvalue import __version__
from lastvalue.cli.serve import _recover
from lastvalue.client import Message, blocking, connect
from lastvalue.config.server_options import SETTINGS, ServerOptions
from lastvalue.server.broker_server import BrokerServer

Lastvalue = Callable[[str], tuple[int, str, str]]
COMMAND = [sys.executable, "-c", "from lastvalue.cli.main import main; main()", "serve"]


@contextmanager
def serving(*arguments: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A broker in a process of its own, and its address."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        listening = process.stdout.readline()
        assert listening.startswith("listening on amqp://")
        try:
            yield process, listening.removeprefix("listening on ").strip()
        finally:
            process.kill()


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_broker_is_served_where_it_says(lastvalue: Lastvalue) -> None:
    with serving("--port", "0") as (_, url):
        assert lastvalue(f"queue list -o json --url {url}") == (0, "[]\n", "")


def test_a_changed_file_is_applied_at_the_start_on_a_signal_and_on_request(
    lastvalue: Lastvalue, tmp_path: Path
) -> None:
    file = tmp_path / "lastvalue.toml"
    queue = '[[queue]]\nname = "q"\ndurable = true\nmax_messages = '
    arguments = ("--port", "0", "--store", str(tmp_path / "store"), "--config", str(file))

    def limit(url: str) -> int:
        return int(json.loads(lastvalue(f"queue show q -o json --url {url}")[1])["options"]["max_messages"])

    file.write_text(queue + "100")
    with serving(*arguments) as (process, url):
        assert limit(url) == 100
        file.write_text(queue + "200")
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: limit(url) == 200)
        file.write_text(queue + "300")
        line = "change queue 'q': max_messages 200 → 300\n"
        assert lastvalue(f"config reload --url {url} --dry-run") == (0, line, "")
        assert lastvalue(f"config reload --url {url}") == (0, line, "")
        assert limit(url) == 300
        file.write_text(queue + "true")
        code, output, errors = lastvalue(f"config reload --url {url}")
        assert (code, output, limit(url)) == (1, "", 300)
        assert "queue[1].max_messages" in errors
        process.terminate()
        process.wait()
    file.write_text(queue + "400")
    with serving(*arguments) as (process, url):
        assert limit(url) == 400
        process.terminate()
        process.wait()
    file.write_text(queue + "500")
    code, _, errors = lastvalue(f"serve {' '.join(arguments)} --on-drift refuse")
    assert code == 2
    lines = [json.loads(line) for line in errors.splitlines()]
    assert [each["event"] for each in lines][-2:] == ["config.left", "server.failed"]
    assert lines[-2]["change"] == "change queue 'q': max_messages 400 → 500"


class LargeStore:
    """A server that reads two segments."""

    options = ServerOptions()

    def recover(self, progress: Callable[[int, int], None]) -> None:
        progress(1, 2)
        progress(2, 2)


def test_how_far_a_store_is_read_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lastvalue")
    _recover(cast("BrokerServer", LargeStore()))
    assert fields(caplog, "store.reading") == [
        {"read": number, "of": 2, "parts": "segments"} for number in (1, 2)
    ]


def events(text: str) -> dict[str, dict[str, Any]]:
    """The fields of the events of a log in JSON, by name."""
    lines = map(json.loads, text.splitlines())
    return {line["event"]: line for line in lines}


def ready(process: "subprocess.Popen[str]") -> str:
    """The lines of the log until the broker is ready."""
    assert process.stderr is not None
    lines = [process.stderr.readline()]
    while '"server.ready"' not in lines[-1]:
        lines.append(process.stderr.readline())
    return "".join(lines)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_and_the_log_has_its_life(number: signal.Signals, tmp_path: Path) -> None:
    with serving("--port", "0", "--store", str(tmp_path)) as (process, url):
        before = ready(process)
        process.send_signal(number)
        output, errors = process.communicate(timeout=120)
    assert (process.returncode, output) == (0, "")
    log = events(before + errors)
    assert list(log) == [
        "server.starting",
        "store.recovered",
        "server.listening",
        "server.ready",
        "server.stopping",
        "server.stopped",
    ]
    assert log["server.listening"]["url"] == url
    assert log["server.starting"]["version"] == __version__
    assert log["store.recovered"]["directory"] == str(tmp_path)


def test_a_signal_waits_for_what_a_consumer_holds_and_a_second_one_does_not() -> None:
    with (
        serving("--port", "0", "--drain-timeout-ms", "600000") as (process, url),
        blocking.connect(url) as it,
    ):
        queue = it.declare("q")
        queue.send(Message("held"))
        with queue.receive() as deliveries:
            next(deliveries)
            process.send_signal(signal.SIGTERM)
            # It refuses connections once it waits.
            wait_until(lambda: not is_reachable(url))
            assert process.poll() is None
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=120)
    assert process.returncode == 0
    assert events(errors)["server.unfinished"]["messages"] == 1


def is_reachable(url: str) -> bool:
    host, _, port = url.removeprefix("amqp://").partition(":")
    try:
        socket.create_connection((host, int(port))).close()
    except OSError:
        return False
    return True


def test_the_limit_of_descriptors_is_raised_and_said() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    limited = ["sh", "-c", 'ulimit -Sn 200 && exec "$@"', "sh", *COMMAND, "--port", "0"]
    with subprocess.Popen(limited, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        said = events(ready(process))["server.ready"]
        process.kill()
    assert (said["descriptors"], said["descriptors_before"]) == (hard, 200)


def test_users_alone_are_let_in_where_there_are_any(lastvalue: Lastvalue) -> None:
    with serving("--port", "0", "--user", "alice:secret") as (_, url):
        assert lastvalue(f"queue list --url {url}")[0] == 3
        assert lastvalue(f"queue list --url {url.replace('//', '//alice:secret@')}")[0] == 0


def test_users_and_others_are_let_in_where_told(lastvalue: Lastvalue) -> None:
    with serving("--port", "0", "--user", "alice:secret", "--anonymous") as (_, url):
        assert lastvalue(f"queue list --url {url}")[0] == 0


def test_a_taken_port_is_told_with_a_hint(lastvalue: Lastvalue, taken_port: int) -> None:
    code, output, errors = lastvalue(f"serve --port {taken_port}")
    assert (code, output) == (1, "")
    assert f"port {taken_port} of 127.0.0.1 is taken; choose another with --port" in errors


def test_a_taken_port_is_passed_over_where_told(taken_port: int) -> None:
    with serving("--port", str(taken_port), "--port-fallback") as (_, url):
        assert int(url.rpartition(":")[2]) > taken_port


@pytest.mark.parametrize(
    ("line", "code", "fault"),
    [
        ("serve --anonymous --host host.invalid", 1, "cannot listen on host.invalid:5672"),
        (
            "serve --anonymous --host 203.0.113.1",
            1,
            "cannot listen on 203.0.113.1:5672: Cannot assign requested address",
        ),
        ("serve --host 0.0.0.0", 2, "on 0.0.0.0 everybody could do everything; add --users-file"),
        ("serve --tls-port 0", 2, "TLS needs --tls-certificate"),
        ("serve --users-file /no/such", 1, "No such file"),
        ("serve --tls-certificate /no/such", 1, "/no/such cannot be used"),
        ("serve --port 65536", 2, "--port"),
        ("serve --user alice", 2, "--user is NAME:PASSWORD"),
        ("serve --user alice: --port 0", 2, "--user is NAME:PASSWORD"),
        ("serve --user :secret --port 0", 2, "--user is NAME:PASSWORD"),
        ("serve --user alice:a --user alice:b", 2, "--user names 'alice' twice"),
        ("serve --no-anonymous", 2, "accepts no clients"),
    ],
)
def test_a_wrong_command_is_told_on_one_line(lastvalue: Lastvalue, line: str, code: int, fault: str) -> None:
    ended, output, errors = lastvalue(line)
    assert (ended, output) == (code, "")
    # Once there is a log it is an event, and no line of text among those of JSON.
    lines = errors.splitlines()
    told = [line for line in lines if not line.startswith("{") or '"event": "server.failed"' in line]
    assert all(line.startswith("{") for line in lines) or lines == told
    assert len(told) == 1
    assert fault in told[0]


def test_a_variable_of_the_environment_is_read(
    lastvalue: Lastvalue, monkeypatch: pytest.MonkeyPatch, taken_port: int
) -> None:
    monkeypatch.setenv("LASTVALUE_AMQP_PORT", str(taken_port))
    assert f"port {taken_port} of 127.0.0.1 is taken" in lastvalue("serve")[2]
    monkeypatch.setenv("LASTVALUE_AMQP_PORT", "many")
    assert lastvalue("serve") == (
        2,
        "",
        "lastvalue: LASTVALUE_AMQP_PORT is 'many': expected a number of 0 to 65535\n",
    )


def test_the_help_has_every_setting(lastvalue: Lastvalue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    lines = lastvalue("serve --help")[1].replace("--[no-]", "--").splitlines()
    shown = {line.split()[1]: line for line in lines if line.startswith("│ --")}
    assert [each.flag for each in SETTINGS.values() if each.sentence not in shown.get(each.flag, "")] == []


async def test_two_brokers_with_one_file_have_each_their_queues_and_keys(tmp_path: Path) -> None:
    ports = free_ports(2)
    leaders = [f"127.0.0.1:{port}" for port in ports]
    file = tmp_path / "lastvalue.toml"
    file.write_text(
        f'[[partition]]\nqueues = "orders"\nleaders = ["{leaders[1]}"]\n'
        f'[[partition]]\nqueues = "prices"\nleaders = {leaders}\n'
        '[[queue]]\nname = "orders"\ndurable = true\n'
        '[[queue]]\nname = "prices"\nlvq_key = "k"\ndurable = true\n'
    )

    def served(number: int) -> AbstractContextManager[tuple["subprocess.Popen[str]", str]]:
        store = tmp_path / str(number)
        return serving("--config", str(file), "--port", str(ports[number]), "--store", str(store))

    def messages(body: str) -> list[Message]:
        return [Message(f"{body} {key}", properties={"k": key}, durable=True) for key in "abcdef"]

    with served(0) as (_, url):
        with served(1):
            async with connect(url) as connection:
                assert [queue.name for queue in await connection.queues()] == ["prices"]
                await (await connection.partitioned("orders")).send(Message("x", durable=True))
                prices = await connection.partitioned("prices")
                await prices.send_many(messages("old"))
                assert [info.depth for info in await prices.info()] == [3, 3]
        # The other one is killed and started again: the client connects to it anew.
        with served(1):
            async with connect(url) as connection:
                prices = await connection.partitioned("prices")
                assert {message.body async for message in prices.browse()} == {
                    f"old {key}" for key in "abcdef"
                }
                orders = await connection.partitioned("orders")
                assert [message.body async for message in orders.browse()] == ["x"]


def test_a_partition_that_cannot_be_is_a_fault_of_the_file(lastvalue: Lastvalue, tmp_path: Path) -> None:
    file = tmp_path / "lastvalue.toml"
    file.write_text(
        '[[partition]]\nqueues = "p"\nleaders = ["one"]\n'
        '[[partition]]\nqueues = "q"\nleaders = ["one:1", "two:1"]\n[[queue]]\nname = "q"\n'
    )
    code, _, told = lastvalue(f"config check {file}")
    assert code != 0
    assert "partition[1].leaders is" in told
    assert "'one' is no address; write HOST:PORT" in told
    file.write_text('[[partition]]\nqueues = "q"\nleaders = ["one:1", "two:1"]\n[[queue]]\nname = "q"\n')
    _, _, told = lastvalue(f"config check {file}")
    assert "queue[1]" in told
    assert "queue 'q' is divided by its keys over several brokers, so it needs lvq_key" in told
