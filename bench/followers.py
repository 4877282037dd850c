"""Many browsers follow one queue over server-sent events, beside a bare uvicorn loop that sends as much.

    python bench/followers.py
    python bench/followers.py --followers 100 --rate 1000 --seconds 5 --json

A broker, a gateway of its own and a publisher run; each value carries the time at which it was sent. The
followers read as fast as they can, and one in ten reads nothing for most of the time. What counts:

* the gateway's memory at the end over that after the followers came, which must not grow with what they miss;
* how old a value is when a follower reads it, and that this does not grow with the length of the run: the
  ages of the last third are beside those of the first;
* for slow followers, whose ages are as long as it takes them to read what waits for them, how much that is;
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

AGE_GROWTH = 1.5
"""By so much the ages of values may grow from the first third of the time to the last."""

MOST_BEHIND_KB = 256
"""So much may wait for a slow follower, on its own machine, too, however long it has followed."""

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
    read_s: list[float] = field(default_factory=list)
    behind_kb: list[float] = field(default_factory=list)
    began: int = 0
    all_began: asyncio.Event = field(default_factory=asyncio.Event)

    def clear(self) -> None:
        """Count from now on."""
        self.events = 0
        self.ages_s, self.slow_ages_s = [], []
        self.read_s, self.behind_kb = [], []

    def take(self, part: bytes, bytes_per_s: float | None) -> None:
        """A follower has read this; a slow one reads so many bytes a second."""
        # The figures of a reader that is the slowest of all would be its own.
        self.events += part.count(EVENT)
        sent = SENT.search(part, max(0, part.rfind(EVENT, 0, -500)))
        if sent is None:
            return
        age_s = time.time() - float(sent[1])
        if bytes_per_s is None:
            self.ages_s.append(age_s)
            self.read_s.append(time.monotonic())
        else:
            self.slow_ages_s.append(age_s)
            self.behind_kb.append(age_s * bytes_per_s / 1000)

    def begin(self) -> None:
        """A follower has its first value."""
        self.began += 1
        if self.began == self.expected:
            self.all_began.set()


async def follow(port: int, path: str, followers: Followers, *, slow: bool) -> None:
    """Read events until cancelled; a slow one reads a little, twice a second."""
    loop = asyncio.get_running_loop()
    with socket.socket() as reading:
        if slow:
            # What waits in the reader's own buffer is old already.
            reading.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
        reading.setblocking(False)
        await loop.sock_connect(reading, (HOST, port))
        await loop.sock_sendall(reading, f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        began_s, size, has_begun = time.monotonic(), 0, False
        while part := await loop.sock_recv(reading, 4096 if slow else 1 << 16):
            if EVENT in part and not has_begun:
                has_begun = True
                followers.begin()
            size += len(part)
            followers.take(part, size / (time.monotonic() - began_s) if slow else None)
            if slow:
                await asyncio.sleep(0.5)


def thirds(ages_s: list[float], read_s: list[float]) -> tuple[float, float]:
    """The median age of what was read in the first third of the time, and in the last."""
    if not read_s:
        return 0.0, 0.0
    began_s, third_s = read_s[0], (read_s[-1] - read_s[0]) / 3
    read = list(zip(ages_s, read_s, strict=True))
    first = [age_s for age_s, at_s in read if at_s <= began_s + third_s]
    last = [age_s for age_s, at_s in read if at_s >= began_s + 2 * third_s]
    return statistics.median(first), statistics.median(last)


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
    first_s, last_s = thirds(followers.ages_s, followers.read_s)
    told = {
        "followers": followers.began,
        "began_within_s": began_within_s,
        "events_per_s": followers.events / options.seconds,
        "age_s": statistics.median(followers.ages_s),
        "age_99_s": statistics.quantiles(followers.ages_s, n=100)[98],
        "slow_age_s": statistics.median(followers.slow_ages_s or [0.0]),
        "age_first_s": first_s,
        "age_last_s": last_s,
        "slow_behind_kb": statistics.median(followers.behind_kb or [0.0]),
        "slow_behind_99_kb": statistics.quantiles(followers.behind_kb or [0.0, 0.0], n=100)[98],
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
    return int(bool(faults(told["gateway"], options.followers)))


def faults(ours: dict[str, float], followers: int) -> list[str]:
    """What must not be."""
    found = {
        "its memory grew": ours["memory_growth"] > GROWTH,
        "a follower was lost": ours["ended"] > 0 or ours["followers"] < followers,
        "values grew older": ours["age_last_s"] > AGE_GROWTH * ours["age_first_s"] + 1,
        "much waits for a slow follower": ours["slow_behind_99_kb"] > MOST_BEHIND_KB,
    }
    return [fault for fault, is_so in found.items() if is_so]


if __name__ == "__main__":
    sys.exit(main())
