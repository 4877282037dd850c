"""Runs the test suites of clients of AMQP 0-9-1, 0-9 and 0-8 against a broker, and writes how many passed.

    python tests/suites/python_clients.py            runs all, and says what failed
    python tests/suites/python_clients.py --write    and writes docs/conformance.md
    python tests/suites/python_clients.py kombu      runs one

The suites expect a broker at port 5672, which must be free; amqpstorm's expects RabbitMQ's management API at
15672, which must be free as well: the broker's gateway serves it. aio-pika's starts a container:
`container_engine.py` answers it in Docker's place. Those of qpid-python need a Python 2.7, as in
`qpid_python.py`.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from lastvalue.server.users import Users

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "interop"), str(ROOT / "packaging"), str(Path(__file__).parent)]

from container_engine import DockerHost  # noqa: E402 - found only now
from qpid_python import QPID_PYTHON, installed, python27  # noqa: E402 - found only now
from served_broker import HOST, ServedBroker  # noqa: E402 - found only now, in tests/interop
from suites_table import Row, write  # noqa: E402 - sorted behind what is found only now

INSTALLED = ROOT / ".venv-suites"
PORT, MANAGEMENT_PORT = 5672, 15672
USER = PASSWORD = "guest"
URL = f"amqp://{USER}:{PASSWORD}@{HOST}:{PORT}/"
TOOLS = (
    *("pytest", "pytest-timeout", "pytest-rerunfailures", "python-dotenv", "requests", "setuptools<81"),
    *("aiomisc", "aiomisc-pytest", "shortuuid", "timeout-decorator"),
)
TIMEOUT_S = 3600
_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped)")
_TOTALS = re.compile(r"Totals: (\d+) tests, (\d+) passed")


NOT_OURS = (
    "test_api.py::ApiFunctionalTests::test_api_cluster_name",
    "test_api.py::ApiFunctionalTests::test_api_with_inaccessible",
)
BEFORE_3_2 = (
    "TestExchange::test_exchange_delete_nonexistent_raises",
    "TestQueue::test_queue_delete_nonexistent",
    "TestQueue::test_unbind_nonexistent",
)
CLOSED_SOON = (
    "test_reconnect_channel_snapshot.py::test_create_channels_during_reconnect",
    "test_memory_leak.py::test_leak_unclosed_channel",
)


@dataclass(frozen=True)
class Suite:
    """A client's tests.

    Attributes:
        version: of the client.
        arguments: for pytest, in the folder of the client's sources.
        left_out: what is not run, and why.
        environment: where the broker is.
        starts_containers: the tests start their broker themselves, as a container.
    """

    version: str
    arguments: tuple[str, ...]
    left_out: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    starts_containers: bool = False


SUITES = {
    "aio_pika": Suite(
        "10.2.1",
        ("tests", *(f"--deselect=tests/{each}" for each in CLOSED_SOON)),
        "`test_create_channels_during_reconnect` and `test_leak_unclosed_channel` pass or fail by how soon "
        "`connection.close` is answered: within a millisecond or so the client is not ready for it",
        starts_containers=True,
    ),
    "amqp": Suite("5.4.2", ("t/integration", "-k", "not tls"), "TLS: it asks a public host"),
    "amqpstorm": Suite(
        "3.1.4",
        (
            "amqpstorm/tests/functional",
            "--ignore=amqpstorm/tests/functional/ssl",
            *(f"--deselect=amqpstorm/tests/functional/management/{each}" for each in NOT_OURS),
        ),
        "TLS; two tests of RabbitMQ's management API that ask for other machines by name or address",
        {
            "AMQP_HOST": HOST,
            "AMQP_USERNAME": USER,
            "AMQP_PASSWORD": PASSWORD,
            "AMQP_URI": URL + "%2F",
            "AMQP_HTTP_URL": f"http://{HOST}:{MANAGEMENT_PORT}",
        },
    ),
    "amqpy": Suite(
        "0.13.1",
        ("amqpy/tests", *(f"--deselect=amqpy/tests/test_channel.py::{each}" for each in BEFORE_3_2)),
        "three tests expect 404 where what does not exist is deleted, as from RabbitMQ before 3.2",
    ),
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
    """What a suite came to, and what it printed."""

    row: Row
    output: str

    @property
    def whole(self) -> bool:
        """Whether all passed of what was run, which is something."""
        return 0 < self.row.run == self.row.passed


def prepared() -> Path:
    """The folder with the clients, their sources and pytest, which are brought there the first time."""
    python, ready = INSTALLED / "bin" / "python", INSTALLED / ".ready"
    pins = [f"{name}=={suite.version}" for name, suite in SUITES.items()]
    wanted = "\n".join((*TOOLS, *pins))
    if not ready.exists() or ready.read_text() != wanted:
        shutil.rmtree(INSTALLED, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", INSTALLED], check=True)
        pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", *TOOLS, *pins], check=True)
        sources = ["download", "--no-deps", "--no-binary", ",".join(SUITES)]
        subprocess.run([*pip, *sources, "-d", str(INSTALLED / "sources"), *pins], check=True)
        for archive in (INSTALLED / "sources").glob("*.tar.gz"):
            with tarfile.open(archive) as packed:
                packed.extractall(INSTALLED / "sources", filter="data")
        ready.write_text(wanted)
    return INSTALLED


def configuration(sources: Path) -> str:
    """What configures a client's pytest: its own file, and never ours, which is above it."""
    for name in ("pytest.ini", "setup.cfg", "tox.ini", "pyproject.toml"):
        file = sources / name
        if file.exists() and ("[tool:pytest]" in file.read_text() or "[tool.pytest." in file.read_text()):
            return name
    return os.devnull


def run_suite(name: str, docker: str = "") -> Outcome:
    """Run a client's tests with pytest; `docker` is where they start containers."""
    folder = prepared()
    suite = SUITES[name]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    sources = folder / "sources" / f"{name}-{suite.version}"
    command = [str(folder / "bin" / "python"), "-m", "pytest", "-q", "-c", configuration(sources)]
    command += ["--rootdir=.", "-p", "no:cacheprovider", "--timeout=60"]
    result = subprocess.run(
        [*command, *suite.arguments],
        cwd=sources,
        env={**environment, **suite.environment, "DOCKER_HOST": docker},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    last = result.stdout.strip().splitlines()[-1] if result.stdout.strip() else result.stderr
    counts = {kind.rstrip("s"): int(number) for number, kind in _COUNT.findall(last)}
    passed = counts.get("passed", 0)
    run = passed + counts.get("failed", 0) + counts.get("error", 0)
    row = Row(f"{name} {suite.version}", suite.arguments[0], run, passed, suite.left_out)
    return Outcome(row, result.stdout)


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
    return Outcome(Row(QPID_PYTHON, name, int(totals[1]), int(totals[2])), result.stdout)


def run_served(name: str) -> Outcome | None:
    """Run a suite against a broker of its own, so that it finds nothing that another one left."""
    run: Callable[[str], Outcome | None] = run_suite if name in SUITES else run_qpid_suite
    with tempfile.TemporaryDirectory() as folder:
        users = Users(Path(folder) / "users.toml")
        users.put(USER, PASSWORD, None)
        listening = ("--port", str(PORT), "--http-port", str(MANAGEMENT_PORT))
        # amqpy sends 11 MB, and RabbitMQ takes 16.
        taking = ("--max-message-size", str(16 << 20))
        with ServedBroker(*listening, *taking, "--users-file", str(users.path)) as broker:
            broker.announced("http")
            return run(name)


def run_all(names: list[str]) -> list[Outcome]:
    """Run these suites, or all where none is named."""
    found = []
    for name in names or [*SUITES, *QPID_SUITES]:
        if name in SUITES and SUITES[name].starts_containers:
            with DockerHost() as host:
                outcome: Outcome | None = run_suite(name, host.url)
        else:
            outcome = run_served(name)
        if outcome is None:
            print(f"{name}: left out, there is no Python 2.7")
            continue
        print(outcome.row, flush=True)
        if not outcome.whole:
            print(outcome.output[-6000:])
        found.append(outcome)
    return found


def main() -> int:
    """Run what is asked for; how many did not pass, 0 or 1."""
    names = [each for each in sys.argv[1:] if not each.startswith("-")]
    outcomes = run_all(names)
    if "--write" in sys.argv:
        write([outcome.row for outcome in outcomes])
    return int(not all(outcome.whole for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
