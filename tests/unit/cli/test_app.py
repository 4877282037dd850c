"""lastvalue.cli.app."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
import typer

from lastvalue import __version__
from lastvalue.cli.app import command_app
from lastvalue.client import Message
from lastvalue.client.blocking import connect
from lastvalue.server.build import describe_build

Lastvalue = Callable[[str], tuple[int, str, str]]
COMMAND = [sys.executable, "-c", "from lastvalue.cli.main import main; main()"]


@contextmanager
def started(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """The command in a process of its own, which ends with the block."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def modules_of(*arguments: str) -> set[str]:
    """What the command has imported when it prints its first line, or ends."""
    command = [sys.executable, "-X", "importtime", *COMMAND[1:], *arguments]
    # Not a pipe: what is imported fills one before the first line is printed.
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        process.wait(timeout=120)
        errors.seek(0)
        lines = [line for line in errors if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def test_a_broker_listens_without_having_loaded_what_others_need() -> None:
    loaded = modules_of("serve", "--port", "0")
    assert "lastvalue.server.broker_server" in loaded
    assert not loaded & {"lastvalue.cli.send", "lastvalue.client", "pyarrow", "rich", "structlog"}


def loaded_before_a_broker(url: str, command: str) -> set[str]:
    """What a command loads that talks to a broker with a queue of prices."""
    with connect(url) as connection:
        queue = connection.declare("prices", lvq_key="symbol", history="prices.history")
        queue.send(Message("1", properties={"symbol": "AAPL"}))
    return modules_of(*command.split(), "--url", url)


A_CONFIGURATION = {"lastvalue.broker", "lastvalue.config.configuration"}
UNNEEDED = {"scramp", "numpy", "pyarrow", "pydantic", "structlog"} | A_CONFIGURATION


@pytest.mark.parametrize("command", ["queue list", "get prices AAPL", "send prices 1 --key AAPL"])
def test_a_command_that_talks_to_a_broker_loads_what_it_needs(url: str, command: str) -> None:
    loaded = loaded_before_a_broker(url, command)
    assert "lastvalue.client.connection" in loaded
    assert not loaded & UNNEEDED


def test_every_command_that_talks_to_a_broker_loads_what_it_needs(url: str) -> None:
    """But for those that compare or write a configuration, which they have to know."""
    commands = (
        "health", "queue show prices", "queue add prices --lvq-key symbol --history prices.history",
        "queue set prices --no-paused", "queue purge prices.history", "exchange list", "connection list",
        "session list", "consumer list", "producer list", "top --count 1", "receive prices --count 1",
        "browse prices", "put prices AAPL 2", "keys prices --by age", "watch prices --count 1",
        "delete prices AAPL", "why prices AAPL", "history prices", "as-of prices now", "timeline prices AAPL",
        "clock show", "cluster status", "config reload", "bench --messages 1", "doctor",
    )  # fmt: skip
    slow = {each: loaded_before_a_broker(url, each) & UNNEEDED for each in commands}
    assert {each: found for each, found in slow.items() if found} == {}


@pytest.mark.pure
def test_a_comparison_with_a_configuration_loads_a_broker_alone(url: str, tmp_path: Path) -> None:
    """Which says what the configuration asks for; no store and no packets of a protocol."""
    file = tmp_path / "lastvalue.toml"
    file.write_text('[[queue]]\nname = "orders"\n')
    loaded = loaded_before_a_broker(url, f"config diff {file}")
    assert {"lastvalue.broker.broker", "lastvalue.config.configuration"} <= loaded
    unneeded = {"lastvalue.store.store_journal", "lastvalue.codec.mqtt.packets"}
    assert not loaded & (unneeded | UNNEEDED - A_CONFIGURATION)


def test_the_version_is_printed_without_loading_a_command() -> None:
    loaded = modules_of("--version")
    assert "lastvalue.cli.app" in loaded
    assert not loaded & {"lastvalue.cli.serve", "lastvalue.client", "lastvalue.queues"}


def test_the_version_is_printed(lastvalue: Lastvalue) -> None:
    assert lastvalue("--version") == (0, f"lastvalue {__version__}, {describe_build()}\n", "")


@pytest.mark.parametrize(
    "line", ["--help", "-h", "queue --help", "send -h", "demo --help", "as-of -h", "diff -h", "replay -h"]
)
def test_help_is_printed(lastvalue: Lastvalue, line: str) -> None:
    code, output, errors = lastvalue(line)
    assert (code, errors) == (0, "")
    assert "Usage: lastvalue" in output


@pytest.mark.parametrize("command", ["serve", "send", "receive", "browse", "demo", "queue add", "queue list"])
def test_the_help_of_a_command_has_an_example(lastvalue: Lastvalue, command: str) -> None:
    assert f"Example: lastvalue {command}" in lastvalue(f"{command} --help")[1]


def commands(command: Any = None, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its path, and the groups."""
    command = command or typer.main.get_command(command_app())
    yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from commands(each, f"{path} {name}".strip())


def test_no_name_and_no_text_of_a_help_is_cut_in_a_narrow_terminal(
    lastvalue: Lastvalue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", None)
    helps = [(path, command, lastvalue(f"{path} --help")[1]) for path, command in commands()]
    assert [path for path, _, output in helps if max(map(len, output.splitlines())) != 80] == []
    cut = {path: words_of(command) - words_shown(output) for path, command, output in helps}
    assert {path: words for path, words in cut.items() if words} == {}


def words_of(command: Any) -> set[str]:
    """The options of a command and the words of their texts, but for those that are too long for a column."""
    options = {name for each in command.params for name in each.opts if name.startswith("-")}
    texts = (str(getattr(each, "help", "") or "").replace("\\[", "[") for each in command.params)
    return options | {word for text in texts for word in text.split() if len(word) < 30}


def words_shown(output: str) -> set[str]:
    return set(output.replace("--[no-]", "--").split())


@pytest.mark.parametrize("path", [path for path, _ in commands() if path.endswith(" list")])
def test_lists_have_columns_to_choose(lastvalue: Lastvalue, path: str) -> None:
    output = lastvalue(f"{path} --help")[1]
    assert "--columns" in output
    assert "--output" in output


@pytest.mark.parametrize(
    "line",
    [
        "config check",
        "config show",
        "config convert",
        "config diff",
        "config apply",
        "import",
        "pipeline validate",
        "pipeline run",
        "pipeline status",
        "store check",
        "store dump",
        "store compact",
        "snapshot list",
        "snapshot verify",
    ],
)
def test_a_file_or_directory_that_is_missing_is_a_wrong_call(lastvalue: Lastvalue, line: str) -> None:
    code, output, errors = lastvalue(f"{line} /no/such")
    assert (code, output) == (2, "")
    assert "/no/such" in errors
    assert f"see `lastvalue {line} --help`" in errors


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("queue add x --lvq-key", "queue add"),
        ("send x --ttl", "send"),
        ("pipeline validate x --broker", "pipeline validate"),
    ],
)
def test_an_option_without_its_value_leads_to_the_help_of_its_command(
    lastvalue: Lastvalue, line: str, path: str
) -> None:
    code, _, errors = lastvalue(line)
    assert (code, f"requires an argument; see `lastvalue {path} --help`" in errors) == (2, True)


def test_no_command_shows_the_help(lastvalue: Lastvalue) -> None:
    code, output, errors = lastvalue("")
    assert (code, errors) == (2, "")
    assert "Usage: lastvalue" in output


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("--max-messages ten", "Invalid value for '--max-messages': expected a whole number; see"),
        ("--when-full explode", "Invalid value for '--when-full': 'explode' is not one of 'refuse'"),
    ],
)
def test_a_wrong_value_says_what_is_expected(lastvalue: Lastvalue, options: str, fault: str) -> None:
    code, _, errors = lastvalue(f"queue add q {options}")
    assert (code, errors[: len(fault) + 11]) == (2, f"lastvalue: {fault}")


@pytest.mark.parametrize("line", ["brwse", "--colour", "browse a b"])
def test_a_wrong_command_line_points_to_the_help(lastvalue: Lastvalue, line: str) -> None:
    code, output, errors = lastvalue(line)
    assert (code, output) == (2, "")
    assert errors.startswith("lastvalue: ")
    assert errors.endswith("--help`\n")


def test_ctrl_c_ends_a_command_quietly(lastvalue: Lastvalue, url: str) -> None:
    lastvalue("queue add orders")
    lastvalue("send orders a")
    with started("browse", "orders", "--follow", "--url", url) as process:
        assert process.stdout is not None
        assert "SEQUENCE" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (130, "")


def test_a_reader_that_goes_away_ends_a_command_quietly(lastvalue: Lastvalue, url: str) -> None:
    lastvalue("queue add orders")
    lastvalue("send orders a --count 5000")
    with started("browse", "orders", "--url", url) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        errors = process.stderr.read()
        process.wait(120)
    assert (process.returncode, errors) == (141, "")


@pytest.mark.parametrize(
    ("command", "panel"), [("", "─ Messages ─"), ("queue add", "─ Limits ─"), ("serve", "─ TLS")]
)
def test_the_help_has_panels(lastvalue: Lastvalue, command: str, panel: str) -> None:
    assert panel in lastvalue(f"{command} --help")[1]


def test_what_other_brokers_call_an_option_is_printed_on_request(lastvalue: Lastvalue) -> None:
    code, output, _ = lastvalue("queue add --help-foreign")
    assert code == 0
    (line,) = [each for each in output.splitlines() if each.startswith("--lvq-key ")]
    assert line.split()[1:] == ["qpid.last_value_queue_key", "lvqKey", "last-value-key"]
    assert "last_value_queue_key" not in lastvalue("queue add --help")[1]


def test_browsing_goes_on_where_it_was_when_the_connection_is_lost(lastvalue: Lastvalue, url: str) -> None:
    lastvalue("queue add orders")
    lastvalue("send orders first")
    line = ("browse", "orders", "--follow", "--reconnect", "--count", "2", "--format", "{body}", "--url", url)
    with started(*line) as process, connect(url, container_id="test") as connection:
        assert process.stdout is not None
        assert process.stdout.readline() == "first\n"
        for each in connection.statistics("connection"):
            if each["program"] != "test":
                connection.close_connection(str(each["name"]))
        connection.queue("orders").send(Message("second"))
        output, errors = process.communicate(timeout=120)
    assert (process.returncode, output) == (0, "second\n")
    assert errors.endswith("; trying again\nconnected again\n")
    assert lastvalue("browse orders --reconnect")[0] == 2
