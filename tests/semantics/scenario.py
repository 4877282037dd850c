"""Reads the scenarios: what queues mean, as data.

A scenario is a queue's options and steps. Each step is a table with one key:

    send     a message: `body`, `properties`, `ttl_ms`; `refused = true` where the queue must not take it
    contents the bodies that a browser who comes now sees, in order
    browse   what the browser `by` sees that it has not seen, in order: `sees`
    acquire  what the consumer `by` is given: `gets`; an empty list is nothing at all
    settle   how the consumer `by` ends the delivery of `body`: `outcome`
    close    the reader that goes away
    wait_ms  time that passes
    purge    how many messages a purge removes
    figures  `depth`, `available`, `published`, `refused`, and `removed` by reason
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Scenario:
    id: str
    title: str
    options: dict[str, Any]
    steps: tuple[dict[str, Any], ...]

    def __str__(self) -> str:
        return f"{self.id} {self.title}"


class Driver(Protocol):
    """A way to run a scenario: the bare queue, or a broker behind a protocol."""

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None) -> bool: ...
    def browse(self, by: str) -> list[str]: ...
    def acquire(self, by: str, count: int) -> list[str]: ...
    def settle(self, by: str, body: str, outcome: str) -> None: ...
    def close(self, by: str) -> None: ...
    def wait(self, milliseconds: int) -> None: ...
    def purge(self) -> int: ...
    def figures(self) -> dict[str, Any]: ...


def scenarios() -> list[Scenario]:
    """Every scenario of every file beside this one."""
    return [
        Scenario(table["id"], table["title"], table.get("options", {}), tuple(table["steps"]))
        for path in sorted(HERE.glob("*.toml"))
        for table in tomllib.loads(path.read_text())["scenario"]
    ]


def run(scenario: Scenario, driver: Driver) -> None:
    """Drive every step and assert what it says."""
    for number, step in enumerate(scenario.steps, 1):
        ((action, what),) = step.items()
        where = f"{scenario} step {number}: {step}"
        STEPS[action](driver, what, where)


def _send(driver: Driver, what: dict[str, Any], where: str) -> None:
    taken = driver.send(what["body"], what.get("properties", {}), what.get("ttl_ms"))
    assert taken is not what.get("refused", False), where


def _contents(driver: Driver, what: list[str], where: str) -> None:
    assert driver.browse("somebody new") == what, where
    driver.close("somebody new")


def _browse(driver: Driver, what: dict[str, Any], where: str) -> None:
    assert driver.browse(what["by"]) == what["sees"], where


def _acquire(driver: Driver, what: dict[str, Any], where: str) -> None:
    assert driver.acquire(what["by"], max(1, len(what["gets"]))) == what["gets"], where


def _settle(driver: Driver, what: dict[str, Any], where: str) -> None:
    driver.settle(what["by"], what["body"], what["outcome"])


def _figures(driver: Driver, what: dict[str, Any], where: str) -> None:
    figures = driver.figures()
    assert {name: figures[name] for name in what} == what, where
    assert figures["published"] == figures["depth"] + sum(figures["removed"].values()), where


def _purge(driver: Driver, what: int, where: str) -> None:
    assert driver.purge() == what, where


STEPS: dict[str, Callable[[Driver, Any, str], None]] = {
    "send": _send,
    "contents": _contents,
    "browse": _browse,
    "acquire": _acquire,
    "settle": _settle,
    "close": lambda driver, what, where: driver.close(what),
    "wait_ms": lambda driver, what, where: driver.wait(what),
    "purge": _purge,
    "figures": _figures,
}
