"""For all tests: machines are shared, so that no example is too slow, and what takes longest begins first.

What needs a package that the set-up left out is skipped.
"""

import gc
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import SupportsIndex
from uuid import uuid4

import pytest
import shares
from example_counts import example_count
from hypothesis import settings
from kept_stores import KeptStores
from log_servers import LogServers, missing_server
from runs import RUNS, TESTS, read_run
from summary import FIXTURE
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_checks import QueueChecks
from lastvalue.config.log_levels import COMPONENTS
from lastvalue.server.invariant_checks import VARIABLE

EXAMPLES = example_count(100)
"""Of each property test that has no number of its own."""

settings.register_profile("shared machines", deadline=None, max_examples=EXAMPLES)
settings.load_profile("shared machines")

# Each worker imports all tests, and hundreds of tests start a broker or a command. Without bytecode on disk
# each of these compiles what it imports: a worker takes 30 seconds of the processor to begin, with it 10.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So a shell starts what runs in the background, and what a test starts would ignore Ctrl-C, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Brokers of this process and of others check after each turn what always holds.
os.environ.setdefault(VARIABLE, "1")

NOTED_S = 0.005
"""Set-ups of fixtures that take at least this long are in the reports."""

LONGEST = ("spark", "simulation", "docs", "packaging", "crash", "interop", "properties", "fuzz")
"""The directories whose files take longest: begun last, one would keep a single worker busy at the end."""

WITHOUT_SESSION = (
    "test_cluster.py", "test_connect.py", "test_once_under_kills.py", "test_pipelines.py", "test_versions.py",
)  # fmt: skip
"""Of the Spark tests, the files that use no session of their own process: any worker may run them."""

SECOND_SESSION = (
    "test_conflate_command.py", "test_conflation.py", "test_delivery_order.py", "test_groups.py",
    "test_newest_in_files.py", "test_policies.py", "test_retained_rows.py", "test_views.py",
)  # fmt: skip
"""These take as long as the others: in one session all would still run when the other workers have ended."""

EACH_ALONE = ("simulation/test_breaks.py", "simulation/test_seeds.py")
"""Files whose tests take long and share nothing: any worker may run each."""

LEFT_OUT = Path(sys.prefix) / "left-out.txt"
"""What the set-up could not install, and why."""
MODULES = {
    "python-qpid-proton": "proton",
    "rabbitmq-amqp-python-client": "rabbitmq_amqp_python_client",
}


class LeftOut(MetaPathFinder):
    """Skips what imports a module that the set-up left out."""

    def __init__(self) -> None:
        lines = LEFT_OUT.read_text().splitlines() if LEFT_OUT.exists() else []
        reasons = {MODULES.get(line.partition(":")[0]): line for line in lines}
        self._reasons = {module: line for module, line in reasons.items() if module and not find_spec(module)}

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname in self._reasons:
            pytest.skip(self._reasons[fullname], allow_module_level=True)


sys.meta_path.insert(0, LeftOut())


def check_brokers() -> None:
    """Have each broker that a test makes without a server check itself; one that is compiled cannot."""
    make = Broker.__init__

    def make_checked(broker: Broker, all_effects: bool = True) -> None:
        make(broker, all_effects)
        broker.observers.append(QueueChecks(broker))

    pytest.MonkeyPatch().setattr(Broker, "__init__", make_checked)


if hasattr(Broker.__init__, "__code__") and os.environ[VARIABLE] == "1":
    check_brokers()

LOGGERS = [logging.getLogger(name) for name in ("lastvalue", *(f"lastvalue.{each}" for each in COMPONENTS))]


@pytest.fixture(autouse=True)
def log_levels() -> Iterator[None]:
    """What a test does to the levels of the log ends with it."""
    before = [logger.level for logger in LOGGERS]
    yield
    for logger, level in zip(LOGGERS, before, strict=True):
        # Setting a level, even the same one, empties what each logger remembers.
        if logger.level != level:
            logger.setLevel(level)


def pytest_configure() -> None:
    """Choose the share of the scenarios for all workers: a commit during the run must not change it."""
    share = shares.chosen_share()
    os.environ[shares.VARIABLE] = shares.ALL if share is None else str(share)


def pytest_report_header() -> str:
    return shares.header()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run", choices=RUNS, help="the tests of one run alone, as tests/runs.toml says")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file or a folder that is not in the run is not even imported."""
    run = config.getoption("run")
    if not run or not collection_path.is_relative_to(TESTS):
        return None
    name = collection_path.relative_to(TESTS).as_posix()
    if collection_path.is_dir():
        return None if read_run(run).has_folder(name) else True
    return None if collection_path.suffix != ".py" or read_run(run).has_file(name) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if run := config.getoption("run"):
        left_out = [item for item in items if not _is_in(run, item.path, _name_of(item))]
        items[:] = [item for item in items if _is_in(run, item.path, _name_of(item))]
        config.hook.pytest_deselected(items=left_out)
    items.sort(key=_begins)


def _name_of(item: pytest.Item) -> str:
    return item.originalname if isinstance(item, pytest.Function) else item.name


@cache
def _is_in(run: str, file: Path, test: str) -> bool:
    return read_run(run).has_test(file.relative_to(TESTS).as_posix(), test)


def _begins(item: pytest.Item) -> int:
    """When the file of a test begins: those with the smallest number first."""
    return -1 if item.get_closest_marker("spark") else _place(item.path)


@cache
def _place(file: Path) -> int:
    directory = file.relative_to(TESTS).parts[0]
    return LONGEST.index(directory) if directory in LONGEST else len(LONGEST)


class CollectedTests(list[str]):
    """The tests of a worker, in their order; a search for one does not read those before it."""

    def __init__(self, tests: Sequence[str]) -> None:
        super().__init__(tests)
        self._places = {test: place for place, test in enumerate(tests)}

    def index(self, test: str, start: SupportsIndex = 0, stop: SupportsIndex = sys.maxsize, /) -> int:
        return self._places[test]


class FewSparkSessions(LoadFileScheduling):
    """Tests of a file run one after the other, and those that share a Spark session on one worker.

    Java compiles again in each session what the tests use of Spark: three of them take a fifth more time of
    the processors than one. `make test` has one.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        if file.endswith(EACH_ALONE):
            return nodeid
        if "tests/spark/" not in f"/{file}" or file.endswith(WITHOUT_SESSION):
            return file
        return "second spark" if file.endswith(SECOND_SESSION) else "spark"

    def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = CollectedTests(collection)

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        """Forget a file that is done: at every event all tests that a worker has had would be counted."""
        super().mark_test_complete(node, item_index, duration)
        file = self._split_scope(self.registered_collections[node][item_index])
        if all(self.assigned_work[node][file].values()):
            del self.assigned_work[node][file]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FewSparkSessions:
    return FewSparkSessions(config, log)


SET_UPS: list[tuple[str, float]] = []
"""The fixtures that were set up since the last test ended, each with its seconds."""


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
    """Note how long it takes, without the fixtures that this one asks for."""
    began_s = time.perf_counter()
    try:
        return (yield)
    finally:
        took_s = time.perf_counter() - began_s
        if took_s >= NOTED_S:
            SET_UPS.append((fixturedef.argname, took_s))


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Put the times of fixtures into the report of the test for which they were set up."""
    item.user_properties += [(f"{FIXTURE}{name}", f"{took_s:.3f}") for name, took_s in SET_UPS]
    SET_UPS.clear()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays: the garbage collector need not check ten thousand tests again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def one_tls_configuration() -> Iterator[None]:
    """Containers of proton share theirs: each would read the certificates of the system twice."""
    with pytest.MonkeyPatch.context() as patch:
        if (reactor := sys.modules.get("proton._reactor")) is not None:
            patch.setattr(reactor, "SSLConfig", cache(reactor.SSLConfig))
        yield


@pytest.fixture(scope="session")
def log_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LogServers]:
    """Three servers of a replicated log; a test that harms them starts them again."""
    missing = missing_server()
    if missing is not None:
        pytest.skip(missing)
    pytest.importorskip("nats", reason="needs `pip install 'lastvalue[cluster]'`")
    with LogServers.within(tmp_path_factory.mktemp("log")) as servers:
        yield servers


@pytest.fixture
def log_address(log_servers: LogServers) -> str:
    """The address of a store in them that is new."""
    return log_servers.address(f"T{uuid4().hex[:12]}")


@pytest.fixture(params=["files", "log"])
def kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stores of the test are in files, and then in a replicated log."""
    if request.param == "log":
        servers: LogServers = request.getfixturevalue("log_servers")
        monkeypatch.setattr(KeptStores, "log", servers.address(f"T{uuid4().hex[:8]}-"))
