"""Runs the test suites of clients of AMQP 0-9-1, 0-9 and 0-8 against a broker, and writes how many passed.

    python tests/suites/python_clients.py            runs all, and says what failed
    python tests/suites/python_clients.py --write    and writes docs/protocols/amqp-0-9-1.md
    python tests/suites/python_clients.py kombu      runs one

The suites expect a broker at port 5672, which must be free; amqpstorm's expects somebody at 15672 who deletes
queues by HTTP. Those of qpid-python need a Python 2.7, as in `qpid_python.py`, and are left out without one.
"""

import os
import re
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pika

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "interop"), str(Path(__file__).parent)]

from qpid_python import installed, python27  # noqa: E402 - found only now
from served_broker import HOST, ServedBroker  # noqa: E402 - likewise

INSTALLED = ROOT / ".venv-suites"
PAGE = ROOT / "docs" / "protocols" / "amqp-0-9-1.md"
PORT, MANAGEMENT_PORT = 5672, 15672
USER = PASSWORD = "guest"
URL = f"amqp://{USER}:{PASSWORD}@{HOST}:{PORT}/"
TOOLS = ("pytest", "pytest-timeout", "pytest-rerunfailures", "python-dotenv", "requests", "setuptools<81")
TIMEOUT_S = 900
BEGIN, END = "<!-- suites: tests/suites/python_clients.py writes it -->\n", "<!-- end of suites -->\n"
_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped)")
_TOTALS = re.compile(r"Totals: (\d+) tests, (\d+) passed")


@dataclass(frozen=True)
class Suite:
    """A client's tests.

    Attributes:
        version: of the client.
        arguments: for pytest, in the folder of the client's sources.
        left_out: what is not run, and why.
        environment: where the broker is.
    """

    version: str
    arguments: tuple[str, ...]
    left_out: str = ""
    environment: dict[str, str] = field(default_factory=dict)


SUITES = {
    "amqp": Suite("5.4.2", ("t/integration", "-k", "not tls"), "TLS: it asks a public host"),
    "amqpstorm": Suite(
        "3.1.4",
        (
            "amqpstorm/tests/functional",
            "--ignore=amqpstorm/tests/functional/management",
            "--ignore=amqpstorm/tests/functional/ssl",
            "--ignore=amqpstorm/tests/functional/test_web_based.py",
        ),
        "TLS, RabbitMQ's management API",
        {
            "AMQP_HOST": HOST,
            "AMQP_USERNAME": USER,
            "AMQP_PASSWORD": PASSWORD,
            "AMQP_URI": URL + "%2F",
            "AMQP_HTTP_URL": f"http://{HOST}:{MANAGEMENT_PORT}",
        },
    ),
    "amqpy": Suite("0.13.1", ("amqpy/tests",)),
    "kombu": Suite(
        "5.7.0",
        ("t/integration/test_py_amqp.py",),
        "other transports",
        {"RABBITMQ_HOST": HOST, "RABBITMQ_5672_TCP": str(PORT)},
    ),
    "rabbitpy": Suite(
        "3.0.2", ("tests/test_integration.py", "tests/integration"), "", {"RABBITMQ_URL": URL + "%2f"}
    ),
}
QPID_SUITES = ("qpid_tests.broker_0_8", "qpid_tests.broker_0_9")


@dataclass(frozen=True)
class Outcome:
    """What a suite came to."""

    client: str
    suite: str
    run: int
    passed: int
    left_out: str
    output: str


class Management(BaseHTTPRequestHandler):
    """Deletes queues and exchanges, as amqpstorm's tests ask for after each."""

    def do_DELETE(self) -> None:
        """/api/queues/VHOST/NAME or /api/exchanges/VHOST/NAME."""
        _, _, kind, _, name = [unquote(part) for part in self.path.split("?")[0].split("/")]
        with pika.BlockingConnection(pika.URLParameters(URL + "%2F")) as connection:
            channel = connection.channel()
            try:
                channel.queue_delete(name) if kind == "queues" else channel.exchange_delete(name)
                code, body = 204, b""
            except pika.exceptions.ChannelClosedByBroker:
                code, body = 404, b'{"error": "Object Not Found", "reason": "Not Found"}'
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Say nothing of it."""


def prepared() -> Path:
    """The folder with the clients, their sources and pytest, which are brought there the first time."""
    python, ready = INSTALLED / "bin" / "python", INSTALLED / ".ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", INSTALLED], check=True)
        pins = [f"{name}=={suite.version}" for name, suite in SUITES.items()]
        pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", *TOOLS, *pins], check=True)
        sources = ["download", "--no-deps", "--no-binary", ":all:"]
        subprocess.run([*pip, *sources, "-d", str(INSTALLED / "sources"), *pins], check=True)
        for archive in (INSTALLED / "sources").glob("*.tar.gz"):
            with tarfile.open(archive) as packed:
                packed.extractall(INSTALLED / "sources", filter="data")
        ready.touch()
    return INSTALLED


def configuration(sources: Path) -> str:
    """What configures a client's pytest: its own file, and never ours, which is above it."""
    for name in ("pytest.ini", "setup.cfg", "tox.ini", "pyproject.toml"):
        file = sources / name
        if file.exists() and ("[tool:pytest]" in file.read_text() or "[tool.pytest." in file.read_text()):
            return name
    return os.devnull


def run_suite(name: str) -> Outcome:
    """Run a client's tests with pytest."""
    folder = prepared()
    suite = SUITES[name]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    sources = folder / "sources" / f"{name}-{suite.version}"
    command = [str(folder / "bin" / "python"), "-m", "pytest", "-q", "-c", configuration(sources)]
    command += ["--rootdir=.", "-p", "no:cacheprovider", "--timeout=60"]
    result = subprocess.run(
        [*command, *suite.arguments],
        cwd=sources,
        env={**environment, **suite.environment},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    last = result.stdout.strip().splitlines()[-1] if result.stdout.strip() else result.stderr
    counts = {kind.rstrip("s"): int(number) for number, kind in _COUNT.findall(last)}
    passed = counts.get("passed", 0)
    run = passed + counts.get("failed", 0) + counts.get("error", 0)
    return Outcome(
        f"{name} {suite.version}", " ".join(suite.arguments[:1]), run, passed, suite.left_out, result.stdout
    )


def run_qpid_suite(name: str) -> Outcome | None:
    """Run a suite of qpid-python; None without a Python 2.7."""
    python = python27()
    if python is None:
        return None
    folder = installed(python)
    broker = f"{USER}/{PASSWORD}@{HOST}:{PORT}"
    result = subprocess.run(
        [str(python), str(folder / "bin" / "qpid-python-test"), "-b", broker, "-m", name, f"{name}.*"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    totals = _TOTALS.search(result.stdout)
    if totals is None:
        raise RuntimeError(result.stdout + result.stderr)
    return Outcome("qpid-python 1.36.0", name, int(totals[1]), int(totals[2]), "", result.stdout)


def run_all(names: list[str]) -> list[Outcome]:
    """Run these suites, or all where none is named."""
    wanted = names or [*SUITES, *QPID_SUITES]
    management = ThreadingHTTPServer((HOST, MANAGEMENT_PORT), Management)
    threading.Thread(target=management.serve_forever, daemon=True).start()
    found = []
    for name in wanted:
        run: Callable[[str], Outcome | None] = run_suite if name in SUITES else run_qpid_suite
        # Each has a broker of its own, so that none finds what another left.
        with ServedBroker("--port", str(PORT), "--user", f"{USER}:{PASSWORD}"):
            outcome = run(name)
        if outcome is None:
            print(f"{name}: left out, there is no Python 2.7")
            continue
        print(f"{outcome.client}, {outcome.suite}: {outcome.passed} of {outcome.run}", flush=True)
        if outcome.passed < outcome.run or not outcome.run:
            print(outcome.output[-6000:])
        found.append(outcome)
    management.shutdown()
    return found


def table(outcomes: list[Outcome]) -> str:
    """The outcomes as the page has them."""
    rows = ["| client | suite | passed | left out |", "|---|---|---|---|"]
    for outcome in outcomes:
        passed = f"{outcome.passed} of {outcome.run}"
        rows.append(f"| {outcome.client} | `{outcome.suite}` | {passed} | {outcome.left_out} |")
    return "\n".join(rows) + "\n"


def main() -> int:
    """Run what is asked for; how many did not pass, 0 or 1."""
    names = [each for each in sys.argv[1:] if not each.startswith("-")]
    outcomes = run_all(names)
    if "--write" in sys.argv:
        page = PAGE.read_text()
        before, _, rest = page.partition(BEGIN)
        PAGE.write_text(before + BEGIN + table(outcomes) + END + rest.partition(END)[2])
    return int(any(outcome.passed < outcome.run or not outcome.run for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
