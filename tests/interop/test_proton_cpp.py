"""Proton C++, as Debian packages it, against the real server."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from served_broker import ServedBroker
from tls_broker import TlsBroker

from lastvalue.client import blocking

pytestmark = pytest.mark.interop

SOURCES = Path(__file__).parent / "proton_cpp"
PAGE = Path(__file__).parents[2] / "docs" / "clients" / "proton-cpp.md"
NAME = "Proton C++"
SECONDS = 60


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the compiled programs are."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ is needed for Proton C++")
    directory = tmp_path_factory.mktemp("proton_cpp")
    for source in sorted(SOURCES.glob("*.cpp")):
        target = ["-std=c++17", "-o", str(directory / source.stem), str(source), "-lqpid-proton-cpp"]
        run = subprocess.run(
            [compiler, *target], capture_output=True, text=True, timeout=SECONDS, check=False
        )
        if "proton/" in run.stderr and "No such file" in run.stderr:
            pytest.skip(
                "the package libqpid-proton-cpp12-dev is needed for Proton C++, installed or unpacked where "
                "CPLUS_INCLUDE_PATH, LIBRARY_PATH and LD_LIBRARY_PATH lead"
            )
        assert run.returncode == 0, run.stderr
    return directory


class Cpp:
    """Runs `client`, one action a process."""

    def __init__(self, programs: Path, url: str) -> None:
        self._client = programs / "client"
        self._url = url

    def run(self, action: str, *arguments: object, **environment: str) -> list[str]:
        """What it printed."""
        run = subprocess.run(
            [str(self._client), self._url, action, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, **environment},
        )
        assert run.stderr == ""
        return run.stdout.splitlines()


@pytest.fixture
def cpp(programs: Path, broker: ServedBroker) -> Cpp:
    return Cpp(programs, broker.url)


@pytest.mark.capability(NAME, "send")
@pytest.mark.capability(NAME, "receive")
def test_messages_are_accepted_and_taken(cpp: Cpp, broker: ServedBroker, standard_queue: str) -> None:
    assert cpp.run("send", standard_queue, "one", "two") == ["accepted", "accepted"]
    assert cpp.run("read", standard_queue, 2) == ["one", "two"]
    assert broker.depth(standard_queue) == 0


@pytest.mark.capability(NAME, "send")
def test_a_full_queue_rejects_and_a_missing_one_is_not_found(cpp: Cpp, broker: ServedBroker) -> None:
    outcomes = cpp.run("send", broker.declare(max_messages=1), "one", "two")
    assert sorted(outcomes) == ["accepted", "rejected"]
    assert cpp.run("send", "there is none", "one") == ["amqp:not-found"]


@pytest.mark.capability(NAME, "outcomes")
def test_each_outcome_does_what_it_says(cpp: Cpp, broker: ServedBroker, standard_queue: str) -> None:
    cpp.run("send", standard_queue, "one", "two", "three")
    outcomes = ["accept", "release", "modify", "reject"]
    assert cpp.run("settle", standard_queue, *outcomes) == ["one", "two", "two", "two"]
    assert broker.depth(standard_queue) == 1


@pytest.mark.capability(NAME, "browse")
def test_a_browser_leaves_the_messages(cpp: Cpp, broker: ServedBroker, standard_queue: str) -> None:
    cpp.run("send", standard_queue, "one", "two")
    assert cpp.run("browse", standard_queue, 2) == ["one", "two"]
    assert broker.depth(standard_queue) == 2


@pytest.mark.capability(NAME, "updates")
def test_the_program_of_the_page_prints_the_current_prices(programs: Path, broker: ServedBroker) -> None:
    assert (SOURCES / "prices.cpp").read_text() in PAGE.read_text()
    with blocking.connect(broker.url) as connection:
        connection.declare("prices", lvq_key="symbol")
        connection.purge("prices")
    command: list[Any] = [programs / "prices", broker.url]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    assert run.stdout.splitlines() == ["MSFT 402.1", "AAPL 101.7"]


@pytest.mark.capability(NAME, "selector")
def test_a_selector_selects(cpp: Cpp, standard_queue: str) -> None:
    cpp.run("send", standard_queue, "one", "two", "three")
    assert cpp.run("select", standard_queue, 2, "key = 't'") == ["two", "three"]
    assert cpp.run("select", standard_queue, 1, "key = ") == ["amqp:invalid-field"]


@pytest.mark.capability(NAME, "large")
def test_a_large_message_comes_back(cpp: Cpp, standard_queue: str) -> None:
    assert cpp.run("large", standard_queue, 5_000_000) == ["accepted", "5000000"]


@pytest.mark.capability(NAME, "relay")
def test_a_message_says_where_it_goes(cpp: Cpp, broker: ServedBroker, standard_queue: str) -> None:
    assert cpp.run("relay", standard_queue, "relayed") == ["accepted"]
    assert broker.depth(standard_queue) == 1


@pytest.mark.capability(NAME, "temporary")
def test_a_reply_comes_through_a_dynamic_node(cpp: Cpp) -> None:
    assert sorted(cpp.run("request")) == ["accepted", "reply"]


@pytest.mark.capability(NAME, "tls")
@pytest.mark.capability(NAME, "password")
def test_a_user_is_let_in_over_tls_with_the_right_password(programs: Path, tls_broker: TlsBroker) -> None:
    authorities = str(tls_broker.files / "ca.pem")
    ann = Cpp(programs, tls_broker.tls_url("ann:geheim@"))
    assert ann.run("send", "mine", "one", CA=authorities) == ["accepted"]
    assert ann.run("read", "mine", "1", CA=authorities) == ["one"]
    assert ann.run("send", "others", "one", CA=authorities) == ["amqp:unauthorized-access"]
    stranger = Cpp(programs, tls_broker.tls_url("ann:wrong@"))
    assert stranger.run("read", "mine", "1", CA=authorities) == ["amqp:unauthorized-access"]
