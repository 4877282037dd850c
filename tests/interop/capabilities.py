"""Which client does what: marked tests, what they found, and the tables in the docs made of it.

    python tests/interop/capabilities.py --write      runs the marked tests, keeps what they found, writes

    python tests/interop/capabilities.py --write -k rhea      the same for some of them

A test is marked `@pytest.mark.capability("rhea", "browse")`.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[2]
RESULTS: Final = Path(__file__).with_name("capabilities.json")
PAGE: Final = ROOT / "docs" / "clients" / "README.md"
MQTT_PAGE: Final = ROOT / "docs" / "protocols" / "mqtt.md"
BEGIN: Final = "<!-- client table: tests/interop/capabilities.py writes it -->\n"
END: Final = "<!-- end of the client table -->\n"
CAPABILITIES: Final = {
    "send": "send, confirmed",
    "receive": "receive, accept",
    "outcomes": "release, reject",
    "browse": "browse",
    "updates": "follow last values",
    "selector": "selector",
    "large": "large messages",
    "relay": "send to any address",
    "temporary": "temporary queue",
    "transaction": "transactions",
    "password": "password",
    "tls": "TLS",
}
CLIENTS: Final = {
    "python-qpid-proton, blocking": "python-qpid-proton",
    "python-qpid-proton, reactive": "python-qpid-proton",
    "Proton C++": "proton-cpp",
    "Qpid ProtonJ2": "qpid-protonj2",
    "Qpid JMS": "qpid-jms",
    "Artemis JMS": "artemis-jms-client",
    "rhea": "rhea",
    "rabbitmq-amqp-python-client": "rabbitmq-amqp-python-client",
    "Azure pyamqp": "azure-pyamqp",
}
"""Clients by name, each with its page in docs/clients; in the order of the table."""

MQTT_CAPABILITIES: Final = {
    "mqtt-3.1": "3.1",
    "mqtt-3.1.1": "3.1.1",
    "mqtt-5.0": "5.0",
    "qos": "QoS 0, 1, 2",
    "retained": "retained",
    "session": "a session that waits",
    "will": "will",
    "shared": "shared subscription",
    "websocket": "WebSocket",
}
MQTT_CLIENTS: Final = (
    "Eclipse Paho for Python",
    "Eclipse Paho for Java",
    "Eclipse Paho for Go",
    "aiomqtt",
    "MQTT.js",
    "rumqttc",
    "HiveMQ's client for Java",
    "mosquitto_pub, mosquitto_sub",
)
TABLES: Final = {
    PAGE: (CAPABILITIES, {client: f"[{client}]({page}.md)" for client, page in CLIENTS.items()}),
    MQTT_PAGE: (MQTT_CAPABILITIES, {client: client for client in MQTT_CLIENTS}),
}
"""By their pages: what the columns show, and the clients with what the rows begin with."""
_CAPABILITIES_OF: Final = {
    client: capabilities for capabilities, clients in TABLES.values() for client in clients
}

Pair = tuple[str, str]
Results = dict[str, dict[str, str]]
"""By client and capability: passed, failed or skipped."""

_TELLING: Final = ("skipped", "passed", "failed")


class Recorder:
    """A pytest plugin: what the marked tests are, and what they found.

    Attributes:
        results: of the tests that ran; where several show one thing, a failure counts, and a skip does not.
        pairs: what the collected tests show.
    """

    def __init__(self) -> None:
        self.results: Results = {}
        self.pairs: set[Pair] = set()
        self._shown: dict[str, list[Pair]] = {}

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """Note what the tests show, and leave out those that show nothing."""
        marked = [item for item in items if item.get_closest_marker("capability")]
        config.hook.pytest_deselected(items=[item for item in items if item not in marked])
        items[:] = marked
        for item in items:
            shown = [mark.args for mark in item.iter_markers("capability")]
            for client, capability in shown:
                known = _CAPABILITIES_OF.get(client, {})
                assert capability in known, f"{item.nodeid}: no table has {capability} of {client}"
            self._shown[item.nodeid] = shown
            self.pairs.update(shown)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when != "call" and report.passed:
            return
        for client, capability in self._shown.get(report.nodeid, ()):
            found = self.results.setdefault(client, {})
            found[capability] = max(found.get(capability, "skipped"), report.outcome, key=_TELLING.index)


def table(results: Results, page: Path) -> str:
    """Markdown: a row for each client of a page, a column for each capability."""
    capabilities, clients = TABLES[page]
    lines = [
        "| client | " + " | ".join(capabilities.values()) + " |",
        "|---|" + ":-:|" * len(capabilities),
    ]
    for client, beginning in clients.items():
        found = results.get(client, {})
        cells = [
            {"passed": "✓", "failed": "✗", "skipped": "?"}.get(found.get(each, ""), "")
            for each in capabilities
        ]
        lines.append(f"| {beginning} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def written(page: Path, results: Results) -> str:
    """The text of a page with the table of these results."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table(results, page)}{END}{after}"


def pairs_of(results: Results) -> set[Pair]:
    return {(client, capability) for client, found in results.items() for capability in found}


def kept() -> Results:
    """What the last run found."""
    results: Results = json.loads(RESULTS.read_text())
    return results


def _collected(arguments: Iterable[str]) -> Recorder:
    recorder = Recorder()
    code = pytest.main(["-q", "-p", "no:cacheprovider", *arguments, str(Path(__file__).parent)], [recorder])
    assert code in (0, 1), f"pytest ended with {code}"
    return recorder


def marked_pairs() -> set[Pair]:
    """What the tests that exist show, found by collecting them in a process of their own."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run(
            [sys.executable, __file__, "--collect", file.name],
            cwd=ROOT,
            check=True,
            capture_output=True,
            timeout=100,
        )
        return {(client, capability) for client, capability in json.loads(Path(file.name).read_text())}


def main(arguments: list[str]) -> int:
    match arguments:
        case ["--collect", name]:
            Path(name).write_text(json.dumps(sorted(_collected(["--collect-only"]).pairs)))
        case ["--write", *more]:
            results = _collected(more).results
            if more:
                # Of a part of the tests: what it did not look at is as before.
                before = kept()
                results = {
                    client: before.get(client, {}) | results.get(client, {}) for client in _CAPABILITIES_OF
                }
            RESULTS.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n")
            for page in TABLES:
                page.write_text(written(page, results))
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
