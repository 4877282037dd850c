"""A cluster under load is upgraded broker by broker, from an earlier build to this one."""

import asyncio
import subprocess
import tarfile
from contextlib import AsyncExitStack
from io import BytesIO
from pathlib import Path

import pytest
from broker_process import BrokerProcess, serving
from test_followers import (
    Load,
    bodies,
    cluster_state,
    until_count,
    until_depth,
    until_followed,
    until_role,
)
from waiting import until_answer

from lastvalue.client import connect

ROOT = Path(__file__).parents[2]
COMMITS_AGO = 20
EARLIER = "0.0.1"
WITHOUT_LEADER_S = 2.0
"""How long a producer may wait while a leader steps down."""
SLOWNESS = 10
"""Of a busy machine."""


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of an earlier build: of the last tag, or of some commits ago, with a version of its own."""
    tag = _git("describe", "--tags", "--abbrev=0").decode().strip()
    archive = _git("archive", tag or f"HEAD~{COMMITS_AGO}", "src")
    if not archive:
        pytest.skip("needs the history of the repository, for the source of an earlier build")
    directory = tmp_path_factory.mktemp("earlier")
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(directory, filter="data")
    package = directory / "src" / "lastvalue" / "__init__.py"
    text = package.read_text()
    lines = [
        f'__version__ = "{EARLIER}"' if line.startswith("__version__") else line for line in text.splitlines()
    ]
    package.write_text("\n".join(lines) + "\n")
    return directory / "src"


def _git(*arguments: str) -> bytes:
    """What git prints; nothing where it fails, or is not there."""
    try:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return b""


async def version(url: str) -> str:
    async with connect(url, reconnect=False) as connection:
        return str((await connection.broker_statistics())["version"])


async def replaced(stack: AsyncExitStack, address: str, old: BrokerProcess) -> BrokerProcess:
    """A broker of this build on the port of one that has ended, as a follower that has read everything."""
    port = old.url.rpartition(":")[2]
    new = await stack.enter_async_context(serving(address, "--follow", "--port", port))
    await until_role(new.url, "follower")

    async def has_read_all() -> bool:
        return bool((await cluster_state(new.url))["lag_records"] == 0)

    await until_answer(has_read_all)
    return new


async def test_a_rolling_upgrade_loses_nothing_and_stops_producers_for_moments(
    log_address: str, earlier: Path
) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(serving(log_address, "--follow", source=earlier))
        await until_role(first.url, "leader")
        second = await stack.enter_async_context(serving(log_address, "--follow", source=earlier))
        await until_role(second.url, "follower")
        assert [await version(each.url) for each in (first, second)] == [EARLIER, EARLIER]
        async with connect(first.url) as writing:
            await writing.declare("all", durable=True)
            await writing.declare("values", durable=True, lvq_key="k")
        async with connect(second.url) as reading:
            await until_depth(reading, "values", 0)
        load = Load([first.url, second.url])
        sending = asyncio.create_task(load.run())
        await until_count(load, 100)
        # The follower first, then the leader, which steps down for it.
        second.process.terminate()
        assert (await second.ended())[0] == 0
        newer = await replaced(stack, log_address, second)
        await until_followed(first.url)
        async with connect(first.url, reconnect=False) as asking:
            await asking.manage("STEP_DOWN", kind="cluster")
        assert (await first.ended())[0] == 0
        await until_role(newer.url, "leader")
        last = await replaced(stack, log_address, first)
        await until_count(load, len(load.confirmed) + 100)
        load.stopped = True
        await sending
        assert EARLIER not in [await version(each.url) for each in (newer, last)]
        async with connect(newer.url) as reading:
            held = await bodies(reading, "all")
            assert set(load.confirmed) <= set(held)
            assert load.confirmed[-1] in await bodies(reading, "values")
        async with connect(last.url) as reading:
            await until_depth(reading, "all", len(held))
        print(f"\nthe longest pause of a producer: {load.longest_s:.2f} s")
        assert load.longest_s < SLOWNESS * WITHOUT_LEADER_S
