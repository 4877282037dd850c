"""lastvalue.server.gateway_process, with commands that take the gateway's place."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from waiting import until

from lastvalue.config.tls_listener import TlsOptions
from lastvalue.server import gateway_process
from lastvalue.server.gateway_process import GatewayProcess

NO_ANSWER = (ConnectionResetError, ValueError)

READS = """
import json, os, signal, socket, sys
told = json.loads(sys.stdin.readline())
listening = socket.socket(fileno=told["listening"])
print('{"serving": true}', flush=True)
"""
ANSWERS = """
while True:
    caller, _ = listening.accept()
    caller.sendall(str(os.getpid()).encode())
    caller.close()
"""
SHOWS = """
print("told", told["certificate"], flush=True)
told = json.loads(sys.stdin.readline())
print("told", told["certificate"], told["private_key"], flush=True)
signal.pause()
"""
TELLS_FIGURES = """
for _ in range(2):
    print("told", json.loads(sys.stdin.readline())["figures"]["published"], flush=True)
while True:
    sys.stdin.readline()
"""
IS_DEAF = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
while True:
    signal.pause()
"""


@asynccontextmanager
async def running(script: str, **settings: Any) -> AsyncIterator[tuple[GatewayProcess, int]]:
    """A process that runs a script, and the port it listens on."""
    listening = socket.create_server(("127.0.0.1", 0))
    process = GatewayProcess((sys.executable, "-c", script), settings, listening)
    port = listening.getsockname()[1]
    process.start()
    try:
        yield process, port
    finally:
        hurried = asyncio.Event()
        hurried.set()
        await process.stop(hurried)


async def answer(port: int) -> int:
    """The number of the process that answers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    told = await reader.read()
    writer.close()
    return int(told)


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """What was logged of the process: each event with its fields."""
    found = [each for each in caplog.records if each.name == "lastvalue.gateway"]
    return [{"event": vars(each)["event"].name, **vars(each)["fields"]} for each in found]


async def test_callers_wait_while_it_starts_again_and_its_end_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    script = f"{READS}caller = listening.accept()\nos.kill(os.getpid(), 9)"
    caplog.set_level("INFO", "lastvalue")
    async with running(script) as (process, port):
        assert process.lack == "the HTTP gateway does not answer: it starts"
        await until(lambda: process.serves)
        assert process.known() == {"gateway_serves": True, "gateway_restarts": 0}
        with pytest.raises(NO_ANSWER):
            await answer(port)
        await until(lambda: process.fault is not None)
        assert process.lack == (
            "the HTTP gateway does not answer: its process has ended (signal 9, Killed) and starts again"
        )
        with pytest.raises(NO_ANSWER):
            # It waits for the second process, which ends by it, too.
            await answer(port)
        await until(lambda: process.restarts == 2 and process.serves)
        assert process.fault is None
    told = lines(caplog)
    assert [each["event"] for each in told[:3]] == ["gateway.started", "gateway.ended", "gateway.started"]
    assert (told[1]["cause"], told[1]["restart_s"]) == ("signal 9, Killed", gateway_process.FIRST_DELAY_S)


async def test_what_ends_at_once_is_started_less_and_less_often(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_process, "FIRST_DELAY_S", 0.001)
    monkeypatch.setattr(gateway_process, "_LONGEST_DELAY_S", 0.003)
    async with running("raise SystemExit(3)") as (process, _):
        await until(lambda: process.restarts > 2)
    ends = [each for each in lines(caplog) if each["event"] == "gateway.ended"][:3]
    assert [(each["cause"], each["restart_s"]) for each in ends] == [
        ("exit code 3", 0.001),
        ("exit code 3", 0.002),
        ("exit code 3", 0.003),
    ]


async def test_what_it_prints_is_logged_and_a_command_that_does_not_exist_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with running("import sys; print('x' * 70_000, flush=True); sys.exit('Traceback: \\x1b[31m')"):
        await until(lambda: any(each["event"] == "gateway.ended" for each in lines(caplog)))
    printed = [each["line"] for each in lines(caplog) if "line" in each]
    assert printed[0] == "a line of more than 65536 bytes, which is left out"
    assert printed[-1] == "Traceback: \\x1b[31m"
    listening = socket.create_server(("127.0.0.1", 0))
    missing = GatewayProcess(("/nonexistent/python",), {}, listening)
    missing.start()
    await until(lambda: missing.fault is not None)
    await missing.stop(asyncio.Event())
    assert "it cannot be started: No such file or directory" in str(missing.fault)


async def test_changed_settings_reach_it_and_the_next_one(caplog: pytest.LogCaptureFixture) -> None:
    def printed() -> list[str]:
        return [each["line"] for each in lines(caplog) if "line" in each]

    async with running(READS + SHOWS, certificate=None) as (process, _):
        await until(lambda: printed() == ["told None"])
        process.use_certificate(TlsOptions(Path("new.pem"), Path("new.key")))
        await until(lambda: printed()[1:] == ["told new.pem new.key"])
    async with running("raise SystemExit(1)", certificate=None) as (ended, _):
        await until(lambda: ended.fault is not None)
        ended.use_certificate(TlsOptions(Path("new.pem")))
        ended._command = (sys.executable, "-c", READS + SHOWS)
        await until(lambda: printed()[2:] == ["told new.pem"])


async def test_figures_are_told_again_and_again_once_it_serves(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_process, "EVERY_S", 0.01)
    numbers = iter(range(1_000_000))

    async def figures() -> dict[str, float]:
        return {"published": next(numbers)}

    listening = socket.create_server(("127.0.0.1", 0))
    process = GatewayProcess((sys.executable, "-c", READS + TELLS_FIGURES), {}, listening)
    process.start(figures)
    await until(lambda: len([each for each in lines(caplog) if "line" in each]) == 2)
    await process.stop(asyncio.Event())
    assert [each["line"] for each in lines(caplog) if "line" in each] == ["told 0", "told 1"]


async def test_a_fault_of_the_figures_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def figures() -> dict[str, float]:
        raise ZeroDivisionError

    listening = socket.create_server(("127.0.0.1", 0))
    process = GatewayProcess((sys.executable, "-c", READS + TELLS_FIGURES), {}, listening)
    process.start(figures)
    await until(
        lambda: any(each.exc_info and each.exc_info[0] is ZeroDivisionError for each in caplog.records)
    )
    await process.stop(asyncio.Event())


async def test_one_that_does_not_read_its_settings_is_ended(caplog: pytest.LogCaptureFixture) -> None:
    async with running("print('up', flush=True)\nimport signal\nsignal.pause()") as (process, _):
        await until(lambda: bool(lines(caplog)))
        for _ in range(3):
            process.use_certificate(TlsOptions(Path("x" * 40_000)))
        await until(lambda: process.fault is not None)
    assert "signal 9" in str(process.fault)


async def test_one_that_answers_ends_in_order_and_nobody_can_connect_any_more() -> None:
    async with running(READS + ANSWERS) as (process, port):
        assert await answer(port) > 0
        await asyncio.wait_for(process.stop(asyncio.Event()), 60)
        with pytest.raises(ConnectionRefusedError):
            await answer(port)
        assert (process.serves, process.lack) == (False, "the HTTP gateway does not answer: it ends")


async def test_one_that_does_not_end_is_killed_when_the_broker_is_in_a_hurry(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with running(READS + IS_DEAF) as (process, _):
        await until(lambda: any(each.get("line") == "deaf" for each in lines(caplog)))
        hurried = asyncio.Event()
        stopping = asyncio.create_task(process.stop(hurried))
        hurried.set()
        await asyncio.wait_for(stopping, 60)
