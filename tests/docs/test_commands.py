"""Every block of commands in the README and the docs runs from top to bottom, with a broker of its page."""

import re
import time
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import trustme
from page_commands import PAGES, ROOT, PageCommand, commands_of, configurations_of, name_of
from terminal import STOP, Terminal

from lastvalue.server.users import Users

pytestmark = pytest.mark.pure
NAMES: Final = [name_of(page) for page in PAGES if any(commands_of(page))]
_CHECKOUT: Final = "sets up a checkout; CI does it"
_QUICKSTART: Final = "runs a broker of its own; tests/unit/cli/test_quickstart.py runs it"
_MEASURES: Final = "measures for minutes"
_SPARK: Final = "starts Spark; tests/spark/test_docs_blocks.py runs it"
_DECLARATIVE: Final = "tests/spark/test_declarative.py runs it"
_FOLLOWERS = "needs servers of NATS; tests/crash/test_followers.py has them"
_OLD_BROKER: Final = "names a broker on another machine; tests/unit/cli/test_retained_import.py runs it"
NOT_RUN: Final = {
    ("README.md", "make "): _CHECKOUT,
    ("README.md", "python3 -m venv"): _CHECKOUT,
    ("README.md", "pip "): _CHECKOUT,
    ("README.md", "lastvalue quickstart"): _QUICKSTART,
    ("docs/operate/cli.md", "lastvalue quickstart"): _QUICKSTART,
    ("README.md", "LASTVALUE_PURE=1 pip "): _CHECKOUT,
    ("docs/clients/proton-cpp.md", "apt-get"): "installs packages of Debian",
    ("docs/clients/proton-cpp.md", "g++"): "tests/interop/test_proton_cpp.py compiles it",
    ("docs/operate/benchmarks.md", ""): _MEASURES,
    ("docs/operate/benchmarks-protocols.md", ""): _MEASURES,
    ("docs/operate/benchmarks-store.md", ""): _MEASURES,
    ("docs/operate/cluster.md", "make "): _CHECKOUT,
    ("docs/operate/cluster.md", "lastvalue serve"): "needs servers of NATS; tests/unit/cluster has them",
    ("docs/operate/followers.md", "lastvalue cluster"): _FOLLOWERS,
    ("docs/operate/cli-stores.md", "lastvalue cluster"): _FOLLOWERS,
    ("docs/operate/cli-stores.md", "lastvalue pipeline run"): _SPARK,
    ("docs/operate/cli-stores.md", "lastvalue pipeline status"): _SPARK,
    ("docs/operate/cli-stores.md", "lastvalue pipeline validate"): _SPARK,
    ("docs/operate/cli-stores.md", "lastvalue conflate"): _SPARK,
    ("docs/operate/demo.md", "make demo"): "starts Spark and measures; make fresh runs it",
    ("docs/operate/console.md", "pip "): _CHECKOUT,
    ("docs/operate/deploy.md", ""): "needs root, systemd, a container engine or a cluster; tests/packaging",
    ("docs/operate/cli.md", "lastvalue http"): "names a broker on another machine",
    ("docs/operate/cli-stores.md", "lastvalue import-retained"): _OLD_BROKER,
    ("docs/migrate/from-mqtt.md", "lastvalue import-retained"): _OLD_BROKER,
    ("docs/operate/http.md", "pip "): _CHECKOUT,
    ("docs/operate/http.md", "lastvalue http"): "names a broker on another machine",
    ("docs/operate/security.md", "lastvalue user add admin"): "asks for a password at a terminal",
    ("docs/operate/upgrade.md", "systemctl"): "needs systemd",
    ("docs/operate/upgrade.md", "pip "): "needs a new version",
    ("docs/pipeline/cluster.md", ""): "needs a cluster of Spark",
    ("docs/pipeline/declarative.md", "pip "): _CHECKOUT,
    ("docs/pipeline/declarative.md", "cd "): _DECLARATIVE,
    ("docs/pipeline/declarative.md", "PYSPARK_PYTHON"): _DECLARATIVE,
    ("docs/pipeline/pipelines.md", "lastvalue pipeline run"): _SPARK,
    ("docs/pipeline/pipelines.md", "lastvalue pipeline status"): _SPARK,
}
"""Commands that are not run, by their page and beginning, each with the reason."""

CODES: Final = {"lastvalue config diff": (0, 1)}
"""Exit codes of commands whose code is an answer."""

BROKER_XML: Final = """\
<configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core"><addresses>
<address name="orders"><anycast><queue name="orders"/></anycast></address>
</addresses></core></configuration>
"""
CONFIG_JSON: Final = (
    '{"modelVersion": "9.0", "type": "VirtualHost", "queues": [{"name": "orders", "type": "standard"}]}'
)
DEFINITIONS_JSON: Final = (
    '{"queues": [{"name": "orders", "vhost": "/", "durable": true, "auto_delete": false, "arguments": {}}]}'
)
MOSQUITTO_CONF: Final = "listener 1883\npassword_file /etc/mosquitto/passwd\n"
MOSQUITTO_PASSWORDS: Final = f"bob:$7$101$c2FsdA==${b64encode(bytes(64)).decode()}\n"
LASTVALUE_TOML: Final = '[[queue]]\nname = "prices.eu"\nlvq_key = "symbol"\n'
FILES: Final = {
    "docs/operate/cli-messages.md": {"updates.log": "one\ntwo\n"},
    "docs/operate/cli-stores.md": {"broker.xml": BROKER_XML, "lastvalue.toml": LASTVALUE_TOML},
    "docs/operate/import.md": {
        "broker.xml": BROKER_XML,
        "config.json": CONFIG_JSON,
        "definitions.json": DEFINITIONS_JSON,
        "mosquitto.conf": MOSQUITTO_CONF,
    },
    "docs/migrate/from-artemis.md": {"broker.xml": BROKER_XML},
    "docs/migrate/from-mqtt.md": {
        "mosquitto.conf": MOSQUITTO_CONF,
        "passwd": MOSQUITTO_PASSWORDS,
        "ann.txt": "open sesame\n",
    },
    "docs/migrate/from-qpid.md": {"config.json": CONFIG_JSON},
    "docs/migrate/from-rabbitmq.md": {"definitions.json": DEFINITIONS_JSON},
    "docs/operate/security.md": {"feed.txt": "open sesame\n", "desk.txt": "open sesame\n"},
    "docs/operate/serve.md": {"lastvalue.toml": LASTVALUE_TOML},
}
"""Files that a page takes for granted."""


_NOW_MS: Final = int(time.time() * 1000)  # noqa: TID251 - the pages' times are before this one
_AT_WORK_MS: Final = 1_772_366_100_000
"""A quarter of an hour before the time on the page about moments, 2026-03-01T12:00:00Z."""
_WITH_HISTORY: Final = (
    "lastvalue queue add prices --lvq-key symbol --history prices.history",
    "lastvalue send prices 101.7 --key AAPL",
)
BEFORE: Final = {
    ("docs/operate/http-following.md", "curl -X PATCH"): ("lastvalue queue add prices --lvq-key symbol",),
    ("docs/operate/cli-messages.md", "lastvalue send orders"): ("lastvalue queue add orders",),
    ("docs/operate/cli-stores.md", "lastvalue config reload"): ("lastvalue serve --config lastvalue.toml",),
    ("docs/operate/cli-stores.md", "lastvalue store compact"): (STOP,),
    ("docs/operate/cli-stores.md", "lastvalue snapshot list"): (
        "lastvalue serve --store /var/lib/lastvalue --snapshots /backup",
    ),
    ("docs/operate/cli-messages.md", "lastvalue diff"): (
        f"lastvalue serve --clock manual --clock-start {_NOW_MS - 900_000}",
        *_WITH_HISTORY,
        "lastvalue clock advance 16m",
    ),
    ("docs/operate/http-following.md", "curl 'localhost:8080/queues/prices/as-of?moment"): (
        f"lastvalue serve --http-port 8080 --clock manual --clock-start {_NOW_MS - 900_000}",
        *_WITH_HISTORY,
        "lastvalue clock advance 16m",
    ),
    ("docs/pipeline/as-of.md", "lastvalue as-of prices -5m"): (
        f"lastvalue clock advance {_NOW_MS - _AT_WORK_MS}ms",
        "lastvalue pipeline history prices --tables /var/lib/lastvalue/history",
    ),
}
"""What a reader of a page has done before a command: waited for a while, or started another broker."""

BROKERS: Final = {
    "docs/pipeline/as-of.md": f"lastvalue serve --clock manual --clock-start {_AT_WORK_MS}",
    "docs/operate/http-following.md": "lastvalue serve --http-port 8080",
    "docs/operate/other-apis.md": "lastvalue serve --http-port 8080",
    "docs/operate/upgrade.md": "lastvalue serve --store /var/lib/lastvalue --snapshots /backup",
}
"""The broker that a page takes for granted, where it is not one without options."""


def reason_for(name: str, command: PageCommand) -> str | None:
    """Why a command of a page is not run."""
    for (page, beginning), reason in NOT_RUN.items():
        if page == name and command.text.startswith(beginning):
            return reason
    return None


def before(name: str, command: PageCommand) -> tuple[str, ...]:
    """What was done before a command of a page."""
    for (page, beginning), commands in BEFORE.items():
        if page == name and command.text.startswith(beginning):
            return commands
    return ()


def codes_of(command: PageCommand) -> tuple[int, ...]:
    """The exit codes of a command that does what it says; 130 where Ctrl-C ended it.

    A command below which an error is printed has to fail.
    """
    if command.output and command.output[-1].startswith("lastvalue: "):
        return (1, 2, 3)
    return next((codes for beginning, codes in CODES.items() if command.text.startswith(beginning)), (0, 130))


def run_on(name: str) -> Iterator[PageCommand]:
    """The commands of a page that are run."""
    return (each for each in commands_of(ROOT / name) if reason_for(name, each) is None)


@pytest.mark.parametrize("name", [name for name in NAMES if any(run_on(name))])
def test_the_commands_of_a_page_do_what_it_says(name: str, tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        for configuration in configurations_of(ROOT / name)[:1]:
            (tmp_path / "lastvalue.toml").write_text(terminal.local(configuration))
        for file, content in FILES.get(name, {}).items():
            (tmp_path / file).write_text(content)
        if "server.pem" in (ROOT / name).read_text():
            give_credentials(tmp_path)
        if name in BROKERS:
            terminal.run(BROKERS[name])
        for command in run_on(name):
            for earlier in before(name, command):
                terminal.run(earlier)
            done = terminal.run(command.text)
            assert done.code in codes_of(command), f"{command.text}\n{done}"
            assert_printed(command.output, done.output, done.errors)


def give_credentials(folder: Path) -> None:
    """A certificate with its key, and a users file."""
    certificate = trustme.CA().issue_cert("localhost")
    certificate.private_key_and_cert_chain_pem.write_to_path(str(folder / "server.pem"))
    Users(folder / "users.toml").put("admin", "open sesame", None)


def assert_printed(expected: tuple[str, ...], output: str, errors: str = "") -> None:
    """Compare, where an output is printed; … stands for anything in a line, and alone for any lines.

    What a command says on standard error may be printed above its output, or left out.
    """
    pattern = "".join(_line_pattern(line) for line in expected)
    shown = any(re.fullmatch(pattern, printed) for printed in (output, errors + output))
    assert not expected or shown, f"{errors}{output}\ninstead of\n" + "\n".join(expected)


def _line_pattern(line: str) -> str:
    if line == "…":
        return r"(?:.*\n)*?"
    text = re.sub(r"0x[0-9a-f]{12}", "…", line.rstrip())
    return re.escape(text).replace("…", ".*") + r"[ ]*\n"


def test_a_page_about_moving_has_five_commands_beside_their_counterparts() -> None:
    """What is behind `#` is the other product's command; the test above runs ours."""
    pages = [page for page in PAGES if page.match("docs/migrate/from-*.md")]
    sections = {
        page.name: page.read_text().partition("## Five commands\n")[2].split("\n## ")[0] for page in pages
    }
    beside = {name: re.findall(r"(?m)^lastvalue .+\S {2,}# \S.+$", text) for name, text in sections.items()}
    assert {name for name, found in beside.items() if len(found) != 5} == set()


@pytest.mark.parametrize(("name", "beginning"), NOT_RUN)
def test_what_is_not_run_is_on_its_page(name: str, beginning: str) -> None:
    assert any(each.text.startswith(beginning) for each in commands_of(ROOT / name))


@pytest.mark.parametrize("output", ["Sending 0x7fff00000001\nlast\n", "Sending 0x7fffffffffff\n1\n2\nlast\n"])
def test_printed_output_is_compared_but_for_what_differs_each_time(output: str) -> None:
    assert_printed(("Sending 0x7fffdf3f3180", "…", "last"), output)
    with pytest.raises(AssertionError, match="instead of"):
        assert_printed(("Sending 0x7fffdf3f3180", "first"), output)
