"""A limit that only ends what hangs is long enough for a machine that is very busy."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LEAST_S = 60.0
SHOWN_S = 1.0
"""A limit up to this one is meant to pass: the test shows that something does not end."""
WAITS = {"acquire", "communicate", "join", "result", "settimeout", "wait"}
"""Methods of events, locks, futures, sockets, threads and processes, of which each argument is a limit."""
STARTS = {"subprocess.run", "subprocess.check_output"}
CALLERS = {
    f"httpx.{each}" for each in ("AsyncClient", "Client", "get", "post", "put", "delete", "request", "stream")
}
LIMITS = {"asyncio.timeout": 0, "asyncio.wait_for": 1}
"""Functions with a limit, and its place among their arguments."""
WAITING = re.compile(
    rf"(?<![\"'])\.({'|'.join(WAITS | {each.partition('.')[2] for each in (*LIMITS, *STARTS)})})\(|httpx\."
)
"""What is in a text that calls one of these; to parse all tests takes seconds."""
METHODS = WAITS | {each.partition(".")[2] for each in (*LIMITS, *STARTS, *CALLERS)}
pytestmark = pytest.mark.pure


def short_limits(text: str) -> Iterator[int]:
    """The lines of calls that end too soon on a busy machine; httpx's own limit is five seconds."""
    for call in ast.walk(ast.parse(text)) if WAITING.search(text) else ():
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
            name = ast.unparse(call.func)
            words = {each.arg for each in call.keywords}
            unlimited = name in CALLERS and not words & {"transport", "timeout"}
            if unlimited or any(is_short(limit) for limit in limits_of(name, call)):
                yield call.lineno


def limits_of(name: str, call: ast.Call) -> Iterator[ast.expr]:
    """The time limits among a call's arguments."""
    owner, _, method = name.rpartition(".")
    waits = method in WAITS and owner != "self"
    if name in LIMITS:
        yield from call.args[LIMITS[name] :][:1]
    elif waits:
        yield from call.args[-1:]
    if waits or name in STARTS | CALLERS:
        yield from (each.value for each in call.keywords if each.arg == "timeout")


def is_short(limit: ast.expr) -> bool:
    number = limit.value if isinstance(limit, ast.Constant) else None
    return isinstance(number, int | float) and SHOWN_S < number < LEAST_S


def test_what_only_ends_a_test_that_hangs_waits_for_a_minute() -> None:
    paths = sorted(TESTS.rglob("*.py"))
    found = [
        f"{path.relative_to(TESTS)}:{line}"
        for path in paths
        for line in sorted(short_limits(path.read_text()))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "done.wait(10)",
        "process.communicate(timeout=30)",
        "subprocess.run(command, timeout=20)",
        "asyncio.timeout(5)",
        "asyncio.wait_for(done, 30)",
        "httpx.get(url)",
    ],
)
def test_a_short_limit_is_found(line: str) -> None:
    assert list(short_limits(line)) == [1]


@pytest.mark.parametrize(
    "line",
    ["done.wait(60)", "asyncio.timeout(0.05)", "httpx.AsyncClient(transport=gateway)", "send(timeout=10)"],
)
def test_what_is_no_short_limit_is_left_alone(line: str) -> None:
    assert list(short_limits(line)) == []
