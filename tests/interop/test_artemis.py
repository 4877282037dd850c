"""Artemis's own clients against the real server, in CORE: Java programs run the checks, each a test here."""

import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import quote

import psutil
import pytest
from breaking_relay import BreakingRelay
from installing import CACHE, INSTALLS, install_once
from java_project import OFFLINE, SECONDS, built
from java_project import outcomes as printed_outcomes
from jms_checks import CHECKS, CHECKS_PROJECT, checked
from served_broker import HOST, PASSWORD, USER, ServedBroker
from waiting import wait_until

from lastvalue.client import blocking

pytestmark = pytest.mark.interop

PROJECT = Path(__file__).parent / "artemis"
SOURCES = PROJECT / "src" / "main" / "java" / "lastvalue"
PAGE = Path(__file__).parents[2] / "docs" / "clients" / "artemis-jms-client.md"
FACTORY = "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory"
CORE_CHECKS = re.findall(r"void check(\w+)\(", (SOURCES / "CoreChecks.java").read_text())
JAKARTA = "org.apache.artemis:artemis-jakarta-client:2.56.0"
CLIENTS = [
    JAKARTA,
    pytest.param("org.apache.activemq:artemis-jms-client:2.42.0", marks=pytest.mark.long),
    pytest.param("org.apache.activemq:artemis-jms-client:2.31.0", marks=pytest.mark.long),
]
MANY_BYTES = 100 * 1024 * 1024
KILLED_COUNT = 2000
MADE_ON_USE = "MissingQueueIsRefused"
"""Artemis's client declares a queue that does not exist, where its user may."""
SHOWN = {
    "QueueKeepsOrder": ("send", "receive"),
    "ClientAcknowledgeAndRecover": ("outcomes",),
    "Browser": ("browse",),
    "LastValueQueue": ("updates",),
    "Selectors": ("selector",),
    "LargeMessage": ("large",),
    "ProducerWithoutDestination": ("relay",),
    "TemporaryQueueForReplies": ("temporary",),
    "TransactionCommits": ("transaction",),
    "TransactionRollsBack": ("transaction",),
    "WrongPasswordIsRefused": ("password",),
}
"""Checks that show a capability of the table of clients."""


def shown(check: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.capability("Artemis JMS", capability) for capability in SHOWN.get(check, ())]


def url(broker: ServedBroker, parameters: str = "") -> str:
    return f"tcp://{HOST}:{broker.port}{parameters}"


SETTINGS = """
[[address-setting]]
match = "settings.#"
default-last-value-key = "symbol"
default-non-destructive = true
"""


@pytest.fixture(scope="module")
def artemis_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedBroker]:
    """A broker of its own: the checks of Qpid's client have queues of the same names."""
    file = tmp_path_factory.mktemp("artemis") / "lastvalue.toml"
    file.write_text(SETTINGS)
    limits = ("--max-message-size", str(2 * MANY_BYTES))
    with ServedBroker(
        "--user", f"{USER}:{PASSWORD}", "--anonymous", "--config", str(file), *limits
    ) as served:
        yield served


@pytest.fixture(scope="module", params=CLIENTS)
def outcomes(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    java = built(CHECKS_PROJECT, request.param, javax="artemis-jms-client" in request.param)
    with ServedBroker("--user", f"{USER}:{PASSWORD}", "--anonymous") as served:
        yield checked(java, served, FACTORY, url(served), url(served, "?consumerWindowSize=0"))


@INSTALLS
@pytest.mark.parametrize(
    "check", [pytest.param(each, marks=shown(each)) for each in CHECKS if each != MADE_ON_USE]
)
def test_artemis_jms_finds_what_jms_promises(outcomes: dict[str, str], check: str) -> None:
    assert outcomes[check] == "ok"


@pytest.fixture(scope="module")
def core_outcomes(artemis_broker: ServedBroker) -> dict[str, str]:
    run = subprocess.run(
        [*built(PROJECT), "lastvalue.CoreChecks", url(artemis_broker)],
        capture_output=True,
        text=True,
        timeout=480,
        check=False,
    )
    found = printed_outcomes(run.stdout)
    assert found, run.stderr
    return found


@INSTALLS
@pytest.mark.parametrize("check", CORE_CHECKS)
def test_programs_of_artemis_own_interfaces_find_what_they_promise(
    core_outcomes: dict[str, str], check: str
) -> None:
    assert core_outcomes[check] == "ok"


@INSTALLS
@pytest.mark.long
def test_a_very_large_message_is_streamed_in_both_directions() -> None:
    java, *more = built(PROJECT)
    with ServedBroker("--anonymous", "--max-message-size", str(MANY_BYTES)) as served:
        process = psutil.Process(served.process.pid)
        before = process.memory_info().rss
        command = [java, f"-Dlarge={MANY_BYTES}", "-Dseconds=200", *more, "lastvalue.CoreChecks", url(served)]
        run = subprocess.run(
            [*command, "LargeMessageAsStreams"], capture_output=True, text=True, timeout=480, check=True
        )
        # What was taken for it is given back to the system.
        wait_until(lambda: process.memory_info().rss - before < MANY_BYTES // 5)
        print(f"{(process.memory_info().rss - before) >> 20} MiB more than before")
    assert printed_outcomes(run.stdout) == {"LargeMessageAsStreams": "ok"}


@INSTALLS
def test_the_program_of_the_page_prints_the_current_prices(artemis_broker: ServedBroker) -> None:
    assert (SOURCES / "Prices.java").read_text().partition("import")[2] in PAGE.read_text()
    with blocking.connect(artemis_broker.url) as connection:
        connection.declare("prices", lvq_key="symbol")
    command = [*built(PROJECT), "lastvalue.Prices", url(artemis_broker)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True)
    assert run.stdout.splitlines() == ["MSFT 402.1", "AAPL 101.7"]


@INSTALLS
@pytest.mark.parametrize("login", ["", f"&user={USER}&password={quote(PASSWORD)}"], ids=["nobody", "a user"])
@pytest.mark.parametrize(
    "window", [pytest.param(-1, id="without reattachment"), pytest.param(1 << 20, id="with reattachment")]
)
def test_nothing_is_lost_or_sent_twice_when_connections_break_in_the_middle_of_sending(
    artemis_broker: ServedBroker, window: int, login: str
) -> None:
    queue = f"broken-{window}-{len(login)}"
    count = 1500
    with blocking.connect(artemis_broker.url) as connection:
        connection.declare(queue, duplicate_window=10_000)
    with BreakingRelay(artemis_broker.port, [20_011, 50_023, 35_037, 80_039]) as relay:
        parameters = (
            f"?reconnectAttempts=-1&retryInterval=20&confirmationWindowSize={window}&callTimeout=5000{login}"
        )
        command = [*built(PROJECT), "lastvalue.Sender", f"tcp://{HOST}:{relay.port}{parameters}", queue]
        run = subprocess.run([*command, str(count)], capture_output=True, text=True, timeout=480, check=True)
        # On a busy machine the client may give up one of the connections itself.
        assert relay.broken >= 3
    assert run.stdout.startswith(f"sent {count}")
    with blocking.connect(artemis_broker.url) as connection:
        bodies = [each.body for each in connection.queue(queue).browse()]
    assert bodies == [str(number) for number in range(count)]


def holds(broker: ServedBroker, queue: str, least: int) -> bool:
    return broker.depth(queue) >= least


@INSTALLS
@pytest.mark.long
@pytest.mark.parametrize(
    "window",
    [pytest.param(-1, id="without a confirmation window"), pytest.param(1 << 20, id="with one")],
)
def test_nothing_is_lost_or_sent_twice_when_the_broker_is_killed_in_the_middle_of_sending(
    tmp_path: Path, window: int
) -> None:
    command = [*built(PROJECT), "lastvalue.Sender"]
    store = ("--anonymous", "--store", str(tmp_path))
    with ServedBroker(*store) as first, blocking.connect(first.url) as connection:
        connection.declare("killed", duplicate_window=10_000, durable=True)
        port = first.port
    attempts = "initialConnectAttempts=-1&reconnectAttempts=-1&retryInterval=50&callTimeout=5000"
    url_of_all = f"tcp://{HOST}:{port}?{attempts}&confirmationWindowSize={window}"
    sender = subprocess.Popen(
        [*command, url_of_all, "killed", str(KILLED_COUNT)], stdout=subprocess.PIPE, text=True
    )
    # Each block ends with SIGKILL.
    for least in range(KILLED_COUNT // 5, KILLED_COUNT, KILLED_COUNT // 4):
        with ServedBroker("--port", str(port), *store) as broker:
            wait_until(partial(holds, broker, "killed", least), every_s=0.05)
    with ServedBroker("--port", str(port), *store) as broker:
        printed, _ = sender.communicate(timeout=480)
        with blocking.connect(broker.url) as connection:
            bodies = [each.body for each in connection.queue("killed").browse()]
    assert printed.startswith(f"sent {KILLED_COUNT}")
    assert bodies == [str(number) for number in range(KILLED_COUNT)]


@INSTALLS
@pytest.mark.parametrize("end", [ServedBroker.stop, ServedBroker.kill], ids=["stop", "kill"])
def test_durable_subscriptions_have_what_was_sent_before_and_after_a_restart(
    tmp_path: Path, end: Callable[[ServedBroker], object]
) -> None:
    def run(*arguments: str) -> list[str]:
        with ServedBroker("--anonymous", "--store", str(tmp_path)) as broker:
            command = [*built(PROJECT), "lastvalue.Subscriptions", url(broker), *arguments]
            run = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True)
            end(broker)
        return run.stdout.splitlines()

    run("before")
    assert run("after", "2") == ["before"] * 3 + ["after"] * 3


# ---------------------------------------------------------------------- the command line


@pytest.fixture(scope="module")
def artemis_tool() -> Path:
    """The program `artemis` of version 2.56."""
    maven = shutil.which("mvn")
    if maven is None or shutil.which("java") is None:
        pytest.skip("artemis comes from Maven and runs in Java, and mvn or java is not on PATH")

    def install(folder: Path) -> None:
        artifact = "org.apache.artemis:apache-artemis:2.56.0:tar.gz:bin"
        command = [
            maven,
            "-q",
            "-B",
            "dependency:copy",
            f"-Dartifact={artifact}",
            f"-DoutputDirectory={folder}",
        ]
        run = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        if run.returncode and OFFLINE.search(run.stdout):
            pytest.skip("Maven cannot get the artemis tool")
        assert run.returncode == 0, run.stdout
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")

    return next(install_once(CACHE / "apache-artemis-2.56.0", install).glob("apache-artemis-*/bin/artemis"))


CREATED = "--durable --preserve-on-no-consumers --auto-create-address --silent"
COMMANDS = [
    (f"queue create --name t --address t --anycast {CREATED}", "created successfully."),
    ("producer --destination queue://t --message-count 9", "Produced: 9 messages"),
    ("queue stat", "|t   |t      |   0    |   9   |   9    |"),
    ("queue stat --json --queueName t", '{"id":'),
    ("browser --destination queue://t --message-count 9", "browsed: 9 messages"),
    ("consumer --destination queue://t --message-count 3", "Consumed: 3 messages"),
    ("check queue --name t --browse 2", "a consumer can browse 2 messages from the queue t ... success"),
    ("check queue --name t --up", "the queue t exists and is not paused ... success"),
    ("check queue --name t --produce 2 --consume 2", "Failures: 0, Errors: 0"),
    ("check node", "the node is started ... success"),
    ("check node --memoryUsage 90 --diskUsage 99", "Failures: 0, Errors: 0"),
    ("queue purge --name t", "Queue t purged successfully."),
    ("queue update --name t --anycast --max-consumers 3 --purge-on-no-consumers", "maxConsumers=3"),
    ("address create --name a --anycast --multicast", "created successfully."),
    ("address update --name a --multicast --no-anycast", "updated successfully."),
    ("address show", "\na\n"),
    ("address show --name a", "Address [name=a, routingTypes={MULTICAST,ANYCAST}"),
    ("address show --name t --bindings", "queue=t]"),
    ("address delete --name a", "Address a deleted successfully."),
    ("queue delete --name t", "Queue t deleted successfully."),
    ("queue delete --name t", "Reason: there is no queue named 't'"),
]  # fmt: skip


@INSTALLS
@pytest.mark.long
def test_the_tool_of_artemis_runs_as_it_is(artemis_tool: Path) -> None:
    with ServedBroker("--user", "admin:secret") as served:
        found = {}
        for command, expected in COMMANDS:
            connection = ["--url", url(served), "--user", "admin", "--password", "secret"]
            run = subprocess.run(
                [artemis_tool, *command.split(), *connection],
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            if expected not in run.stdout + run.stderr:
                found[command] = run.stdout + run.stderr
    assert found == {}
