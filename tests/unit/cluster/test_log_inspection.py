"""The commands on stores, for a store in a replicated log."""

import asyncio
import json
import signal
import sys

import pytest
from broker_process import serving

from lastvalue.client import Message, connect
from lastvalue.client.errors import RefusedError


async def command(*words: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lastvalue", *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, told = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), told.decode()


async def test_a_log_is_checked_and_printed_while_a_broker_writes_it(log_address: str) -> None:
    async with serving(log_address) as broker, connect(broker.url) as connection:
        await connection.declare("q", durable=True)
        for number in range(3):
            await connection.queue("q").send(Message(number, durable=True))
        code, out, _ = await command("store", "check", log_address, "-o", "json")
        told = json.loads(out)
        assert (code, told["sound"], told["queues"][0]["live"]) == (0, True, 3)
        code, out, _ = await command("store", "dump", log_address, "--queue", "q", "-o", "jsonl")
        lines = [json.loads(line) for line in out.splitlines()]
        kinds = [each["kind"] for each in lines if each["kind"] != "identified"]
        assert kinds == ["declared", "added", "added", "added"]
        broker.signal(signal.SIGTERM)
        assert (await broker.ended())[0] == 0


async def test_what_files_can_and_a_log_cannot_is_refused_by_name(log_address: str) -> None:
    code, _, told = await command("store", "compact", log_address)
    assert (code, "compacted by its broker" in told) == (2, True)
    code, _, told = await command("serve", "--store", log_address, "--restore", "here")
    assert (code, "nats stream restore" in told) == (2, True)
    code, _, told = await command("store", "check", "nats://127.0.0.1")
    assert (code, "HOST[:PORT]" in told) == (2, True)
    code, _, told = await command("store", "check", log_address)
    assert (code, "the servers have no such stream" in told) == (1, True)
    async with serving(log_address, "--snapshots", ".") as broker, connect(broker.url) as connection:
        with pytest.raises(RefusedError, match="nats stream backup"):
            await connection.snapshot("/tmp/snapshot-of-a-log")
