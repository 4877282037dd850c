"""Reads the scenarios: what queues mean, as data.

A scenario has:

    id        the scenario of the field that it restates, or one of ours; `also` lists others that say so
    title     what it says, as a sentence
    options   the queue's, in any dialect's spelling
    steps     tables with one key each
    over      the drivers that it is for, where not all can show it: `queue`, `broker`; `watching` where
              somebody watches; `clients` is for those of the broker that need no clock and nothing that a
              client cannot ask for

The steps:

    send      a message; `refused = true` where the queue must not take it
    send_many several messages: `count` of them, or as many as the lists in it have elements; a list holds one
              value for each message, and `{n}` in a text is the message's number, counted from `first` (0);
              `{n*7%10}` computes with it, `{n:>3}` pads it
    contents  the bodies that a browser who comes now sees, in order
    values    the same, where bodies are JSON: they have at least these entries, and `first_time` up to
              `last_time` where they have times
    attach    a reader that comes and asks for nothing yet: `by`, `reads` (acquire or browse), its terms;
              `refused` is a part of what it is told where it must not be taken
    browse    what the browser `by` sees that it has not seen, in order: `sees`; no more than `count` of it
    acquire   what the consumer `by` is given: `gets`; an empty list is nothing at all
    listen    a consumer that asks once and waits: `by`, its `credit`, its terms
    hears     what the consumer `by` was given since the last such step without asking again: `gets`
    settle    how the consumer `by` ends deliveries: `outcome`, of `body`, `bodies`, or of all that it holds
    watch     what the reader `by` that watches hears, in order: `hears`; `asks` is its watch, when it comes;
              with `resumes` it comes with the token of the last message that a reader of that name had.
              A value is `key=body`, a removal `-key reason`, a marker its kind in angle brackets
    change    several keys of a last-value queue at once, all or none: `put`, a list of messages; `delete`, a
              list of keys; `if_sequences`, what the sequences of keys' values must be (0: none); `refused` is
              a part of what the caller is told where nothing may change
    close     the reader that goes away
    wait_ms   time that passes
    purge     how many messages a purge removes
    delete    how many messages go with the queue
    gone      whether the queue has deleted itself
    reconfigure the options that the queue has from now on
    alternate the bodies that left for the queue's alternates since the last such step, in order
    refused_declaration a queue with these `options` is refused, and the error `says` so
    declaration a queue with these `options` `means` these of ours, defaults left out
    figures   `depth`, `depth_bytes`, `available`, `published`, `refused`, `blocked`, `removed` by reason, and
              `oldest_age_ms`, for how long the oldest message that is available has been there

A message has a `body` and may have `properties`, `annotations`, `subject`, `group` (its group-id) and
`group_sequence`, `priority`, `durable`, `ttl_ms`, the delay `delay_ms`, and times counted from now:
`expires_in_ms`, `delivery_time_in_ms`, `not_valid_before_in_ms`.
A reader's terms are `selector`, `replay_period_s`, `only_new` and `priority`; they count when it comes.
In `browse` and `acquire`, `delivery_count` is the count of failed deliveries that each message must bear, and
`first` the bodies that must be marked as a group's first for their consumer; `expires_ms` is when each of
them expires as the reader reads it, counted from now, or "never".

Bodies that are expected may be a text instead of a list: words, where `3..6` is 3 4 5 6 and `x*3` is x x x;
or a number, where only that counts.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from shorthand import bodies, many

from lastvalue.client.message_key import message_key

HERE = Path(__file__).parent


class ReaderRefusedError(Exception):
    """A reader was not taken."""


_NOT_FOR_CLIENTS = (
    "wait_ms",
    "listen",
    "reconfigure",
    "blocked",
    "depth_bytes",
    "oldest_age_ms",
    "expires_in_ms",
    "expires_ms",
    "delivery_time_in_ms",
    "not_valid_before_in_ms",
    "refused_declaration",
    "declaration",
)
"""Words of steps that need a clock, or tell nothing more through sockets."""


@dataclass(frozen=True)
class Scenario:
    id: str
    title: str
    options: dict[str, Any]
    steps: tuple[dict[str, Any], ...]
    also: tuple[str, ...] = ()
    over: tuple[str, ...] = ("queue", "broker")

    def __str__(self) -> str:
        return f"{self.id} {self.title}"

    def is_for(self, driver: str) -> bool:
        """Whether a driver of that name can show it."""
        if driver != "clients":
            return driver in self.over
        return "broker" in self.over and not any(
            f"'{word}'" in str(step) for step in self.steps for word in _NOT_FOR_CLIENTS
        )

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.id, *self.also)


@dataclass(frozen=True)
class Asked:
    """What a reader asks for when it comes."""

    selector: str = ""
    replay_period_s: int | str | None = None
    only_new: bool = False
    priority: int | None = None
    watch: dict[str, Any] | None = None


@dataclass(frozen=True)
class Given:
    """A message as a reader got it."""

    body: str
    delivery_count: int = 0
    first_of_group: bool = False
    expires_ms: int | None = None


class Driver(Protocol):
    """A way to run a scenario: the bare queue, or a broker behind a protocol."""

    @property
    def now(self) -> int: ...
    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bool: ...
    def attach(self, by: str, reads: str, asked: Asked) -> None: ...
    def read(self, by: str, reads: str, count: int, asked: Asked) -> list[Given]: ...
    def listen(self, by: str, credit: int, asked: Asked) -> None: ...
    def hears(self, by: str) -> list[Given]: ...
    def held(self, by: str) -> list[str]: ...
    def settle(self, by: str, body: str, outcome: str) -> None: ...
    def close(self, by: str) -> None: ...
    def wait(self, milliseconds: int) -> None: ...
    def purge(self) -> int: ...
    def delete(self) -> int: ...
    def gone(self) -> bool: ...
    def reconfigure(self, options: dict[str, Any]) -> None: ...
    def alternate(self) -> list[str]: ...
    def figures(self) -> dict[str, Any]: ...
    def refusal(self, options: dict[str, Any]) -> str: ...
    def meaning(self, options: dict[str, Any]) -> dict[str, Any]: ...


@dataclass(frozen=True)
class KeyChange:
    """A change of several keys: messages as body and properties, keys that lose their values, conditions."""

    put: list[tuple[str, dict[str, Any]]]
    delete: list[str]
    if_sequences: dict[str, int]


class ChangingDriver(Driver, Protocol):
    """A way to run scenarios in which several keys change at once."""

    def change(self, change: KeyChange) -> str: ...


class WatchingDriver(Driver, Protocol):
    """A way to run scenarios in which somebody watches."""

    def watch(self, by: str, asked: Asked, *, resumes: bool) -> list[str]: ...


def key_in(properties: Mapping[str, Any]) -> Any:
    """The key of a message, where the keys of a scenario are seen."""
    return message_key(properties, "venue,symbol" if "venue" in properties else "k")


EVERYTHING = 10_000
"""More messages than any scenario has."""


def files() -> list[Path]:
    """The files of scenarios, which are those beside this one but for the list of ids."""
    return [path for path in sorted(HERE.glob("*.toml")) if path.name != "ids.toml"]


@cache
def scenarios_in(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of one file."""
    return tuple(
        Scenario(
            table["id"],
            table["title"],
            table.get("options", {}),
            tuple(table["steps"]),
            tuple(table.get("also", ())),
            tuple(table.get("over", ("queue", "broker"))),
        )
        for table in tomllib.loads(path.read_text())["scenario"]
    )


def scenarios(over: str) -> list[Scenario]:
    """Every scenario of every file that a driver of that name can show."""
    return [scenario for path in files() for scenario in scenarios_in(path) if scenario.is_for(over)]


def run(scenario: Scenario, driver: Driver, check: Callable[[], object] = bool) -> None:
    """Drive every step and assert what it says; `check` raises if something is wrong after one."""
    for number, step in enumerate(scenario.steps, 1):
        ((action, what),) = step.items()
        where = f"{scenario} step {number}: {step}"
        STEPS[action](driver, what, where)
        check()


# ---------------------------------------------------------------------- messages


def _send(driver: Driver, what: dict[str, Any], where: str) -> None:
    fields = ("subject", "priority", "durable", "group_sequence")
    more = {name: what[name] for name in fields if name in what}
    annotations = dict(what.get("annotations", {}))
    if "delay_ms" in what:
        annotations["x-opt-delivery-delay"] = what["delay_ms"]
    for name, annotation in (
        ("delivery_time_in_ms", "x-opt-delivery-time"),
        ("not_valid_before_in_ms", "x-qpid-not-valid-before"),
    ):
        if name in what:
            annotations[annotation] = driver.now + what[name]
    if annotations:
        more["message_annotations"] = annotations
    if "group" in what:
        more["group_id"] = what["group"]
    if "expires_in_ms" in what:
        more["absolute_expiry_time"] = driver.now + what["expires_in_ms"]
    taken = driver.send(what["body"], what.get("properties", {}), what.get("ttl_ms"), **more)
    assert taken is not what.get("refused", False), where


def _send_many(driver: Driver, what: dict[str, Any], where: str) -> None:
    for message in many(what):
        _send(driver, message, f"{where}: {message}")


# ---------------------------------------------------------------------- readers


def _asked(what: dict[str, Any]) -> Asked:
    terms = ("selector", "replay_period_s", "only_new", "priority")
    return Asked(**{name: what[name] for name in terms if name in what})


def _attach(driver: Driver, what: dict[str, Any], where: str) -> None:
    said = ""
    try:
        driver.attach(what["by"], what["reads"], _asked(what))
    except ReaderRefusedError as refusal:
        said = str(refusal)
        assert said, where
    assert bool(said) is ("refused" in what), f"{where}: {said}"
    assert what.get("refused", "") in said, f"{where}: {said}"


def _contents(driver: Driver, what: list[str] | str, where: str) -> None:
    seen = driver.read("somebody new", "browse", EVERYTHING, Asked())
    assert [given.body for given in seen] == bodies(what), where
    driver.close("somebody new")


def _values(driver: Driver, what: list[str], where: str) -> None:
    seen = [_parsed(given.body) for given in driver.read("somebody new", "browse", EVERYTHING, Asked())]
    wanted = [json.loads(each) for each in what]
    assert len(seen) == len(wanted), f"{where}: {seen}"
    for value, expected in zip(seen, wanted, strict=True):
        names = expected.keys() if isinstance(expected, dict) and "updates" in expected else value
        shown = {name: value[name] for name in names} if isinstance(value, dict) else value
        assert shown == expected, f"{where}: {seen}"
        if isinstance(value, dict) and "first_time" in value:
            assert value["first_time"] <= value["last_time"], where
    driver.close("somebody new")


def _parsed(body: str) -> Any:
    return json.loads(body) if body.startswith("{") else body


def _browse(driver: Driver, what: dict[str, Any], where: str) -> None:
    seen = driver.read(what["by"], "browse", what.get("count", EVERYTHING), _asked(what))
    _check(seen, bodies(what["sees"]), what, where)
    _check_expiry(driver, seen, what, where)


def _acquire(driver: Driver, what: dict[str, Any], where: str) -> None:
    gets = what["gets"]
    count = gets if isinstance(gets, int) else len(bodies(gets))
    given = driver.read(what["by"], "acquire", max(1, count), _asked(what))
    if isinstance(gets, int):
        assert len(given) == gets, where
    else:
        _check(given, bodies(gets), what, where)
        _check_expiry(driver, given, what, where)


def _listen(driver: Driver, what: dict[str, Any], where: str) -> None:
    driver.listen(what["by"], what["credit"], _asked(what))


def _hears(driver: Driver, what: dict[str, Any], where: str) -> None:
    _check(driver.hears(what["by"]), bodies(what["gets"]), what, where)


def _check(given: list[Given], expected: list[str], what: dict[str, Any], where: str) -> None:
    assert [each.body for each in given] == expected, where
    if "delivery_count" in what:
        assert {each.delivery_count for each in given} <= {what["delivery_count"]}, where
    if "first" in what:
        assert [each.body for each in given if each.first_of_group] == bodies(what["first"]), where


def _check_expiry(driver: Driver, given: list[Given], what: dict[str, Any], where: str) -> None:
    if "expires_ms" in what:
        read = ["never" if each.expires_ms is None else each.expires_ms - driver.now for each in given]
        assert read == what["expires_ms"], where


def _settle(driver: Driver, what: dict[str, Any], where: str) -> None:
    by = what["by"]
    settled = [what["body"]] if "body" in what else bodies(what.get("bodies", driver.held(by)))
    assert settled, f"{where}: nothing is held"
    for body in settled:
        driver.settle(by, body, what["outcome"])


# ---------------------------------------------------------------------- the queue


def _figures(driver: Driver, what: dict[str, Any], where: str) -> None:
    figures = driver.figures()
    if "oldest_age_ms" in what:
        figures["oldest_age_ms"] = driver.now - figures["oldest_ms"]
    assert {name: figures[name] for name in what} == what, where
    assert figures["published"] == figures["depth"] + sum(figures["removed"].values()), where


def _purge(driver: Driver, what: int, where: str) -> None:
    assert driver.purge() == what, where


def _delete(driver: Driver, what: int, where: str) -> None:
    assert driver.delete() == what, where


def _gone(driver: Driver, what: bool, where: str) -> None:
    assert driver.gone() is what, where


def _alternate(driver: Driver, what: list[str] | str, where: str) -> None:
    assert driver.alternate() == bodies(what), where


def _refused_declaration(driver: Driver, what: dict[str, Any], where: str) -> None:
    refusal = driver.refusal(what["options"])
    assert refusal, where
    assert what["says"] in refusal, f"{where}: {refusal}"


def _declaration(driver: Driver, what: dict[str, Any], where: str) -> None:
    assert driver.meaning(what["options"]) == what["means"], where


def _watch(driver: WatchingDriver, what: dict[str, Any], where: str) -> None:
    asked = Asked(selector=what.get("selector", ""), watch=what.get("asks", {}))
    assert driver.watch(what["by"], asked, resumes=what.get("resumes", False)) == what["hears"], where


def _change(driver: ChangingDriver, what: dict[str, Any], where: str) -> None:
    put = [(each["body"], each["properties"]) for each in what.get("put", ())]
    refusal = driver.change(KeyChange(put, what.get("delete", []), what.get("if_sequences", {})))
    assert bool(refusal) is ("refused" in what), f"{where}: {refusal}"
    assert what.get("refused", "") in refusal, f"{where}: {refusal}"


STEPS: dict[str, Callable[[Any, Any, str], None]] = {
    "send": _send,
    "send_many": _send_many,
    "contents": _contents,
    "values": _values,
    "attach": _attach,
    "browse": _browse,
    "acquire": _acquire,
    "listen": _listen,
    "hears": _hears,
    "settle": _settle,
    "watch": _watch,
    "change": _change,
    "close": lambda driver, what, where: driver.close(what),
    "wait_ms": lambda driver, what, where: driver.wait(what),
    "purge": _purge,
    "delete": _delete,
    "gone": _gone,
    "reconfigure": lambda driver, what, where: driver.reconfigure(what),
    "alternate": _alternate,
    "refused_declaration": _refused_declaration,
    "declaration": _declaration,
    "figures": _figures,
}
