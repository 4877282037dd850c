"""Many browsers follow one queue over server-sent events, beside a bare uvicorn loop that sends as much.

    python bench/followers.py
    python bench/followers.py --followers 100 --rate 1000 --seconds 5 --json

A broker, a gateway of its own and a publisher run; each value carries the time at which it was sent. The
followers read as fast as they can, and one in ten reads nothing for most of the time. What counts:

* the gateway's memory at the end over that after the followers came, which must not grow with what they miss;
* how old a value is when a follower reads it;
* how late the broker's event loop was.

The bare loop is an ASGI application that writes the newest values of a dictionary to each follower: the least
that any gateway does. It has no broker, no rights and no conflation by reader.
"""

import argparse
import asyncio
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from lastvalue.client import Message, connect

HOST = "127.0.0.1"
KEYS = 1000
SLOW = 10
"""One follower in so many reads little."""

GROWTH = 1.5
"""By so much the gateway's memory may grow once all followers are there."""

COMMAND = [sys.executable, "-c", "from lastvalue.cli.main import main; main()"]
SENT = re.compile(rb'"(?:body|sent)":([0-9.]+)[,}]')
EVENT = b"event: value"


@dataclass
class Followers:
    """What the followers have read."""

    expected: int
    events: int = 0
    ages_s: list[float] = field(default_factory=list)
    slow_ages_s: list[float] = field(default_factory=list)
    began: int = 0
    all_began: asyncio.Event = field(default_factory=asyncio.Event)

    def clear(self) -> None:
        """Count from now on."""
        self.events = 0
        self.ages_s, self.slow_ages_s = [], []


async def follow(port: int, path: str, followers: Followers, *, slow: bool) -> None:
    """Read events until cancelled; a slow one reads a little, twice a second."""
    connecting = socket.socket()
    if slow:
        # What waits in the reader's own buffer is old already.
        connecting.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
    connecting.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connecting, (HOST, port))
    reader, writer = await asyncio.open_connection(sock=connecting, limit=1 << 14)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
    began = False
    try:
        while part := await reader.read(4096 if slow else 1 << 16):
            # The figures of a reader that is the slowest of all would be its own.
            followers.events += part.count(EVENT)
            if EVENT in part and not began:
                began = True
                followers.began += 1
                if followers.began == followers.expected:
                    followers.all_began.set()
            if sent := SENT.search(part, max(0, part.rfind(EVENT, 0, -500))):
                age_s = time.time() - float(sent[1])
                (followers.slow_ages_s if slow else followers.ages_s).append(age_s)
            if slow:
                await asyncio.sleep(0.5)
    finally:
        writer.close()


async def publish(url: str, rate: int) -> None:
    """Publish so many updates a second, in turn to each key, until cancelled."""
    async with connect(url) as connection, connection.queue("prices").sender(settled=True) as sender:
        began_s, sent = time.monotonic(), 0
        while True:
            due = int((time.monotonic() - began_s) * rate)
            for number in range(sent, due):
                await sender.send(Message(time.time(), {"symbol": f"k{number % KEYS}"}))
            sent = due
            await asyncio.sleep(0.01)


def bare_application(rate: int) -> Starlette:
    """An application that sends each follower the values that have changed since it wrote last."""
    values: dict[int, float] = {}
    order: dict[int, int] = {}

    async def feed() -> None:
        began_s, sent = time.monotonic(), 0
        while True:
            due = int((time.monotonic() - began_s) * rate)
            for number in range(sent, due):
                key = number % KEYS
                values[key], order[key] = time.time(), number
            sent = due
            await asyncio.sleep(0.01)

    async def events() -> AsyncIterator[str]:
        seen: dict[int, int] = {}
        while True:
            changed = [key for key, number in order.items() if seen.get(key) != number]
            for key in changed[:20]:
                seen[key] = order[key]
                yield f'event: value\ndata: {{"key":{key},"sent":{values[key]}}}\n\n'
            await asyncio.sleep(0 if changed else 0.01)

    async def endpoint(_: Request) -> StreamingResponse:
        if not feeding:
            feeding.append(asyncio.ensure_future(feed()))
        return StreamingResponse(events(), media_type="text/event-stream")

    feeding: list[asyncio.Task[None]] = []
    return Starlette(routes=[Route("/follow", endpoint)])


@contextmanager
def running(*arguments: str, pattern: str) -> Iterator[tuple[int, int]]:
    """A process that listens: its id and its port."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=quiet, text=True) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if found := re.search(pattern, line):
                    yield process.pid, int(found[1])
                    break
        finally:
            # What is measured never ends by itself: its followers are still there.
            process.kill()
            process.wait(30)


def memory_bytes(pid: int) -> int:
    """What a process has in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def measure(port: int, path: str, pid: int, options: argparse.Namespace) -> dict[str, float]:
    """Let followers come, and count what they read for some seconds."""
    followers = Followers(options.followers)
    tasks = [
        asyncio.ensure_future(follow(port, path, followers, slow=number % SLOW == 0))
        for number in range(options.followers)
    ]
    began_s = time.monotonic()
    with suppress(TimeoutError):
        await asyncio.wait_for(followers.all_began.wait(), options.begin_within)
    began_within_s = time.monotonic() - began_s
    before_bytes = memory_bytes(pid)
    followers.clear()
    await asyncio.sleep(options.seconds)
    ended = sum(task.done() for task in tasks)
    told = {
        "followers": followers.began,
        "began_within_s": began_within_s,
        "events_per_s": followers.events / options.seconds,
        "age_s": statistics.median(followers.ages_s),
        "age_99_s": statistics.quantiles(followers.ages_s, n=100)[98],
        "slow_age_s": statistics.median(followers.slow_ages_s or [0.0]),
        "memory_mb": memory_bytes(pid) / 1e6,
        "memory_growth": memory_bytes(pid) / before_bytes,
        "ended": ended,
    }
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return told


async def gateway(options: argparse.Namespace) -> dict[str, float]:
    """The figures of the gateway."""
    with running(*COMMAND, "serve", "--port", "0", pattern=r"amqp://[^:]+:(\d+)") as (_, broker_port):
        url = f"amqp://{HOST}:{broker_port}"
        arguments = [*COMMAND, "http", "--port", "0", "--url", url]
        with running(*arguments, pattern=r"http://[^:]+:(\d+)") as (pid, port):
            async with connect(url) as connection:
                await connection.declare("prices", lvq_key="symbol")
                publishing = asyncio.ensure_future(publish(url, options.rate))
                lags_ms: list[float] = []
                looking = asyncio.ensure_future(look(url, lags_ms))
                told = await measure(port, "/queues/prices/follow", pid, options)
                published = (await connection.queue("prices").info()).published
                for task in (publishing, looking):
                    task.cancel()
                await asyncio.gather(publishing, looking, return_exceptions=True)
    return {**told, "published": published, "broker_lag_ms": max(lags_ms or [0.0])}


async def look(url: str, lags_ms: list[float]) -> None:
    """Note how late the broker's event loop is, each second."""
    async with connect(url) as connection:
        while True:
            lags_ms.append(float(str((await connection.broker_statistics())["event_loop_lag_ms"])))
            await asyncio.sleep(1)


async def bare(options: argparse.Namespace) -> dict[str, float]:
    """The figures of the bare loop."""
    arguments = [sys.executable, __file__, "--bare-server", "--rate", str(options.rate)]
    with running(*arguments, pattern=r"listening on (\d+)") as (pid, port):
        return await measure(port, "/follow", pid, options)


def serve_bare(rate: int) -> None:
    """Serve the bare loop, and print where."""
    config = uvicorn.Config(bare_application(rate), log_level="error")
    listening = socket.create_server((HOST, 0), backlog=2048)
    print(f"listening on {listening.getsockname()[1]}", flush=True)
    uvicorn.Server(config).run([listening])


def main() -> int:
    """Print both, and fail where the gateway's memory grew or a follower was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--followers", type=int, default=1000)
    parser.add_argument("--rate", type=int, default=5000, help="updates a second")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--begin-within", type=float, default=120.0, help="seconds until all have values")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bare-server", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.bare_server:
        serve_bare(options.rate)
        return 0
    told = {"gateway": asyncio.run(gateway(options)), "bare uvicorn": asyncio.run(bare(options))}
    if options.json:
        print(json.dumps(told))
    else:
        for name, figures in told.items():
            print(name)
            for what, value in figures.items():
                print(f"  {what:16} {value:12.3f}")
    ours = told["gateway"]
    return int(ours["memory_growth"] > GROWTH or ours["ended"] > 0 or ours["followers"] < options.followers)


if __name__ == "__main__":
    sys.exit(main())
