"""rhea, an AMQP 1.0 client for node, against the real server.

The first test installs it into `.cache` with npm, from the lock file beside `client.js`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from installing import INSTALLS
from node_packages import HAS_NODE, installed_modules
from rhea_client import PROJECT, Rhea
from served_broker import ServedBroker
from tls_broker import TlsBroker

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not HAS_NODE, reason="node and npm are not installed"),
    INSTALLS,
]


@pytest.fixture(scope="session")
def rhea_modules() -> Path:
    return installed_modules(PROJECT)


@pytest.fixture
def rhea(broker: ServedBroker, rhea_modules: Path) -> Rhea:
    return Rhea(broker, rhea_modules)


@pytest.fixture(scope="module")
def web_broker() -> Iterator[tuple[ServedBroker, str]]:
    """A broker that speaks AMQP over WebSocket, too, and where."""
    with ServedBroker("--ws-port", "0") as served:
        address = served.announced("ws://")
        yield served, address
        code, _, complaints = served.stop()
        assert (code, complaints) == (0, "")


@pytest.fixture
def web_rhea(web_broker: tuple[ServedBroker, str], rhea_modules: Path) -> Rhea:
    return Rhea(web_broker[1], rhea_modules)


def messages(*sent: str) -> list[dict[str, str]]:
    return [{"body": body} for body in sent]


def updates(*tickers: str) -> list[dict[str, Any]]:
    return [{"body": "Content", "application_properties": {"ticker": ticker}} for ticker in tickers]


def bodies(told: list[dict[str, Any]]) -> list[str]:
    return [event["body"] for event in told if "body" in event]


def tickers(told: list[dict[str, Any]]) -> list[str]:
    return [event["application_properties"]["ticker"] for event in told if "body" in event]


DRAINED = {"drained": True, "credit": 0}


@pytest.mark.capability("rhea", "send")
def test_unsettled_messages_are_accepted(rhea: Rhea, standard_queue: str) -> None:
    assert rhea.run(standard_queue, "send", messages("one", "two")) == [{"outcome": "accepted"}] * 2
    assert bodies(rhea.run(standard_queue, "browse")) == ["one", "two"]


def test_settled_messages_arrive(rhea: Rhea, standard_queue: str) -> None:
    assert rhea.run(standard_queue, "send-settled", messages("one", "two")) == []
    assert bodies(rhea.run(standard_queue, "browse")) == ["one", "two"]


@pytest.mark.capability("rhea", "receive")
@pytest.mark.capability("rhea", "outcomes")
def test_each_outcome_does_what_it_says(rhea: Rhea, standard_queue: str) -> None:
    rhea.run(standard_queue, "send", messages("one", "two", "three"))
    received = rhea.run(standard_queue, "receive", ["accept", "release", "reject"])
    assert bodies(received) == ["one", "two", "two"]
    assert bodies(rhea.run(standard_queue, "browse")) == ["three"]


@pytest.mark.capability("rhea", "browse")
def test_browsing_without_following_ends_with_the_queue(rhea: Rhea, prices: str) -> None:
    rhea.run(prices, "send", updates("1", "2", "3", "4", "2", "1"))
    told = rhea.run(prices, "browse")
    assert tickers(told) == ["3", "4", "2", "1"]
    assert told[-1] == DRAINED


@pytest.mark.capability("rhea", "updates")
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


@pytest.mark.capability("rhea", "selector")
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


# ---- over WebSocket


def test_rhea_speaks_over_websocket(web_broker: tuple[ServedBroker, str], web_rhea: Rhea) -> None:
    queue = web_broker[0].declare()
    assert web_rhea.run(queue, "send", messages("one", "two")) == [{"outcome": "accepted"}] * 2
    assert bodies(web_rhea.run(queue, "browse")) == ["one", "two"]
    assert bodies(web_rhea.run(queue, "receive", ["accept", "release"])) == ["one", "two"]
    assert web_broker[0].depth(queue) == 1


def test_rhea_sends_large_messages_over_websocket(
    web_broker: tuple[ServedBroker, str], web_rhea: Rhea
) -> None:
    queue = web_broker[0].declare()
    sent = [{"length": 3_000_000}] * 2
    assert web_rhea.run(queue, "send", sent) == [{"outcome": "accepted"}] * 2
    assert bodies(web_rhea.run(queue, "browse")) == ["x" * 3_000_000] * 2


def test_rhea_is_told_of_errors_over_websocket(web_rhea: Rhea) -> None:
    assert web_rhea.run("no such queue", "browse") == [{"error": "amqp:not-found"}]


@pytest.mark.capability("rhea", "large")
def test_a_large_message_comes_back(rhea: Rhea, standard_queue: str) -> None:
    assert rhea.run(standard_queue, "send", [{"length": 5_000_000}]) == [{"outcome": "accepted"}]
    assert [len(body) for body in bodies(rhea.run(standard_queue, "browse"))] == [5_000_000]


@pytest.mark.capability("rhea", "relay")
def test_a_message_says_where_it_goes(rhea: Rhea, standard_queue: str) -> None:
    assert rhea.run(standard_queue, "relay", "relayed") == [{"outcome": "accepted"}]
    assert bodies(rhea.run(standard_queue, "browse")) == ["relayed"]


@pytest.mark.capability("rhea", "temporary")
def test_a_reply_comes_through_a_dynamic_node(rhea: Rhea) -> None:
    assert rhea.run("unused", "request") == [{"body": "reply"}]


@pytest.mark.capability("rhea", "tls")
@pytest.mark.capability("rhea", "password")
def test_a_user_is_let_in_over_tls_with_the_right_password(rhea_modules: Path, tls_broker: TlsBroker) -> None:
    authorities = str(tls_broker.files / "ca.pem")

    def client(password: str) -> Rhea:
        return Rhea(
            str(tls_broker.tls_port),
            rhea_modules,
            RHEA_USER="ann",
            RHEA_PASSWORD=password,
            RHEA_CA=authorities,
        )

    assert client("geheim").run("mine", "send", messages("one")) == [{"outcome": "accepted"}]
    assert bodies(client("geheim").run("mine", "receive", ["accept"])) == ["one"]
    assert client("geheim").run("others", "receive", ["accept"]) == [{"error": "amqp:unauthorized-access"}]
    assert client("wrong").run("mine", "receive", ["accept"])[0]["error"] == "amqp:unauthorized-access"
