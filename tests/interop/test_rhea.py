"""rhea, an AMQP 1.0 client for node, against the real server.

The first test installs it into `.cache` with npm, from the lock file beside `client.js`.
"""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from served_broker import ServedBroker

ROOT = Path(__file__).parents[2]
PROJECT = Path(__file__).parent / "rhea"
NODE, NPM = shutil.which("node"), shutil.which("npm")
SECONDS = 30
INSTALL_SECONDS = 100

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not NODE or not NPM, reason="node and npm are not installed"),
]


class Rhea:
    """Runs `client.js`, one action a process."""

    def __init__(self, broker: ServedBroker, modules: Path) -> None:
        self._broker = broker
        self._environment = {**os.environ, "NODE_PATH": str(modules)}

    def run(self, queue: str, action: str, argument: object = None) -> list[dict[str, Any]]:
        """Everything that the client told until it ended."""
        with self.started(queue, action, argument) as process:
            told, complaints = process.communicate(timeout=SECONDS)
        assert (process.returncode, complaints) == (0, "")
        return [json.loads(line) for line in told.splitlines()]

    @contextmanager
    def started(self, queue: str, action: str, argument: object = None) -> Iterator[subprocess.Popen[str]]:
        command = [str(NODE), str(PROJECT / "client.js"), str(self._broker.port), queue, action]
        command.append(json.dumps(argument))
        with subprocess.Popen(
            command, env=self._environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            try:
                yield process
            finally:
                process.kill()


@pytest.fixture(scope="session")
def rhea_modules() -> Path:
    """node_modules with what the lock file says, installed once for each version of it."""
    lock = (PROJECT / "package-lock.json").read_bytes()
    directory = ROOT / ".cache" / f"rhea-{hashlib.sha256(lock).hexdigest()[:12]}"
    done = directory / "installed"
    if not done.exists():
        directory.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(PROJECT / name, directory)
        install = subprocess.run(
            [str(NPM), "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
            cwd=directory,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
        assert install.returncode == 0, f"npm ci failed:\n{install.stdout}{install.stderr}"
        done.touch()
    return directory / "node_modules"


@pytest.fixture
def rhea(broker: ServedBroker, rhea_modules: Path) -> Rhea:
    return Rhea(broker, rhea_modules)


def messages(*sent: str) -> list[dict[str, str]]:
    return [{"body": body} for body in sent]


def updates(*tickers: str) -> list[dict[str, Any]]:
    return [{"body": "Content", "application_properties": {"ticker": ticker}} for ticker in tickers]


def bodies(told: list[dict[str, Any]]) -> list[str]:
    return [event["body"] for event in told if "body" in event]


def tickers(told: list[dict[str, Any]]) -> list[str]:
    return [event["application_properties"]["ticker"] for event in told if "body" in event]


DRAINED = {"drained": True, "credit": 0}


def test_unsettled_messages_are_accepted(rhea: Rhea, standard_queue: str) -> None:
    assert rhea.run(standard_queue, "send", messages("one", "two")) == [{"outcome": "accepted"}] * 2
    assert bodies(rhea.run(standard_queue, "browse")) == ["one", "two"]


def test_settled_messages_arrive(rhea: Rhea, standard_queue: str) -> None:
    assert rhea.run(standard_queue, "send-settled", messages("one", "two")) == []
    assert bodies(rhea.run(standard_queue, "browse")) == ["one", "two"]


def test_each_outcome_does_what_it_says(rhea: Rhea, standard_queue: str) -> None:
    rhea.run(standard_queue, "send", messages("one", "two", "three"))
    received = rhea.run(standard_queue, "receive", ["accept", "release", "reject"])
    assert bodies(received) == ["one", "two", "two"]
    assert bodies(rhea.run(standard_queue, "browse")) == ["three"]


def test_browsing_without_following_ends_with_the_queue(rhea: Rhea, prices: str) -> None:
    rhea.run(prices, "send", updates("1", "2", "3", "4", "2", "1"))
    told = rhea.run(prices, "browse")
    assert tickers(told) == ["3", "4", "2", "1"]
    assert told[-1] == DRAINED


def test_a_browser_follows_what_comes_after_the_snapshot(rhea: Rhea, prices: str) -> None:
    rhea.run(prices, "send", updates("1", "2"))
    with rhea.started(prices, "follow", 3) as browser:
        assert browser.stdout is not None
        snapshot = [json.loads(browser.stdout.readline()) for _ in range(2)]
        rhea.run(prices, "send", updates("1"))
        followed = [json.loads(line) for line in browser.stdout]
    assert (tickers(snapshot), tickers(followed)) == (["1", "2"], ["1"])
    assert [event["settled"] for event in snapshot + followed] == [True] * 3


def test_draining_delivers_what_there_is_and_returns_the_rest(rhea: Rhea, standard_queue: str) -> None:
    rhea.run(standard_queue, "send", messages("one", "two"))
    told = rhea.run(standard_queue, "drain", 5)
    assert bodies(told) == ["one", "two"]
    assert told[-1] == DRAINED


def test_draining_an_empty_queue_returns_the_credit(rhea: Rhea, standard_queue: str) -> None:
    assert rhea.run(standard_queue, "drain", 5) == [DRAINED]


ANIMALS = [
    {"body": body, "application_properties": {"colour": colour, "sequence": number}}
    for number, (colour, body) in enumerate(
        [("red", "dog"), ("green", "dragon"), ("blue", "bird"), ("grey", "squirrel")], 1
    )
]
SOME_ANIMALS = "colour IN ('red','grey') AND (sequence > 3 OR sequence = 1)"


def test_a_browser_with_a_selector_sees_what_that_selects(rhea: Rhea, standard_queue: str) -> None:
    """S-205, S-284"""
    rhea.run(standard_queue, "send", ANIMALS)
    told = rhea.run(standard_queue, "browse", SOME_ANIMALS)
    assert (bodies(told), told[-1]) == (["dog", "squirrel"], DRAINED)
    assert bodies(rhea.run(standard_queue, "browse")) == ["dog", "dragon", "bird", "squirrel"]


def test_a_consumer_with_a_selector_leaves_what_that_does_not_select(rhea: Rhea, standard_queue: str) -> None:
    """S-284"""
    rhea.run(standard_queue, "send", ANIMALS)
    assert bodies(rhea.run(standard_queue, "select", SOME_ANIMALS)) == ["dog", "squirrel"]
    assert bodies(rhea.run(standard_queue, "browse")) == ["dragon", "bird"]


def test_a_selector_that_cannot_be_read_refuses_the_link(rhea: Rhea, standard_queue: str) -> None:
    assert rhea.run(standard_queue, "browse", "a = ") == [{"error": "amqp:invalid-field"}]


def test_an_unknown_queue_is_refused(rhea: Rhea) -> None:
    assert rhea.run("no-such-queue", "receive", ["accept"]) == [{"error": "amqp:not-found"}]
    assert rhea.run("no-such-queue", "send", messages("one")) == [{"error": "amqp:not-found"}]
