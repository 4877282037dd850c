"""`lastvalue demo`: real data through Spark into a last-value queue and out to a live table, checked at the end."""

import asyncio
import contextlib
import json
import shutil
import signal
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from lastvalue.cli.exits import CommandFailedError, ExitCode
from lastvalue.client.connection import Connection, connect
from lastvalue.client.message import Message
from lastvalue.client.queue import Queue

if TYPE_CHECKING:
    from lastvalue.cli.demo_processes import Child
    from lastvalue.cli.demo_result import DemoResult
    from lastvalue.cli.live_table import LiveTable
    from lastvalue.pipeline.feeds.recording import Recording

_DUE_PROPERTY: Final = "due_us"
_SCREEN_PERIOD_S: Final = 0.25
_LINE_PERIOD_S: Final = 2.0
_CATCH_UP_TIMEOUT_S: Final = 15.0
_SPARK_TIMEOUT_S: Final = 120.0


class FeedName(StrEnum):
    """What the demo can replay."""

    AIRCRAFT = "aircraft"
    TICKS = "ticks"


def demo(
    *,
    feed: Annotated[
        FeedName, typer.Option("--feed", help="Real aircraft positions, or generated market ticks.")
    ] = FeedName.AIRCRAFT,
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed", min=0.01, help="How much faster than recorded; 180 for aircraft, 1 for ticks."
        ),
    ] = None,
    duration: Annotated[
        float, typer.Option("--duration", min=1, help="Seconds of replay, after Spark has started.")
    ] = 60.0,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The broker's port; the next free one if taken.")
    ] = 5672,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Other ticks for another seed.")] = 1,
) -> int:
    """Replay real data through Spark into a last-value queue, watch it, and check what arrives.

    Starts a broker, a Spark feed that conflates and publishes, and a subscriber over AMQP 1.0.
    Ends by itself with a summary; exit code 0 means that for every key the subscriber last saw the newest update.
    """
    recording = _recording(feed, seed)
    print(recording.origin)
    plan = _plan(recording, speed or recording.speed, duration, port)
    return asyncio.run(_interruptible(plan))


@dataclass(frozen=True, slots=True)
class _Plan:
    recording: "Recording"
    speed: float
    duration_s: float
    end_row: int
    port: int


def _recording(feed: FeedName, seed: int) -> "Recording":
    # Here, so that other commands need no Spark and an absent package is told in our words.
    from lastvalue.pipeline.session import check_requirements  # noqa: PLC0415 - see above

    check_requirements()
    from lastvalue.pipeline.feeds.aircraft import (  # noqa: PLC0415 - see above
        AircraftUnavailableError,
        aircraft_recording,
    )
    from lastvalue.pipeline.feeds.ticks import TickSpec, ticks_recording  # noqa: PLC0415 - see above

    if feed is FeedName.AIRCRAFT:
        try:
            return aircraft_recording()
        except AircraftUnavailableError as error:
            print(f"{error}\nreplaying generated market ticks instead")
    return ticks_recording(TickSpec(seed=seed))


def _plan(recording: "Recording", speed: float, duration_s: float, port: int) -> _Plan:
    from lastvalue.pipeline.feeds.recording import due_rows  # noqa: PLC0415 - needs the extra `spark`

    return _Plan(recording, speed, duration_s, due_rows(recording, duration_s * speed), port)


async def _interruptible(plan: _Plan) -> int:
    """Run the demo; Ctrl-C, TERM and a closed terminal end it and its children."""
    running = asyncio.create_task(_run(plan))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, running.cancel)
    try:
        return await running
    except asyncio.CancelledError:
        print("interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED


async def _run(plan: _Plan) -> int:
    from lastvalue.cli.demo_processes import start_broker  # noqa: PLC0415 - this command alone needs it

    broker, url = await start_broker(plan.port)
    try:
        print(f"broker   {url}" + ("" if url.endswith(f":{plan.port}") else f" (port {plan.port} is taken)"))
        async with connect(url) as connection:
            queue = await connection.declare(
                plan.recording.queue, lvq_key=plan.recording.key, order_by=plan.recording.order_by
            )
            print(
                f"queue    {queue.name}, a last-value queue by {plan.recording.key}, newest by {plan.recording.order_by}"
            )
            result = await _replay(plan, connection, queue, url)
    finally:
        await broker.end()
    print(*result.lines(), result.verdict(), sep="\n")
    return ExitCode.FAILED if result.differences else ExitCode.OK


async def _replay(plan: _Plan, connection: Connection, queue: Queue, url: str) -> "DemoResult":
    """Start the feed, watch what it causes, and compare."""
    from lastvalue.cli.demo_processes import Child  # noqa: PLC0415 - this command alone needs it
    from lastvalue.cli.demo_result import DemoResult, differing_keys  # noqa: PLC0415 - likewise
    from lastvalue.cli.live_table import LiveTable  # noqa: PLC0415 - needs the extra `cli`
    from lastvalue.pipeline.feeds.recording import newest_rows  # noqa: PLC0415 - needs the extra `spark`

    table = LiveTable(plan.recording.key, plan.recording.shown)
    subscriber = _Subscriber(plan.recording.key, table)
    feed = await Child.start("feed", _feed_arguments(plan, queue.name, url))
    async with contextlib.AsyncExitStack() as cleanup:
        cleanup.push_async_callback(feed.end)
        await cleanup.enter_async_context(_running(subscriber.follow(queue)))
        await cleanup.enter_async_context(_running(_display(table)))
        expected = await asyncio.to_thread(newest_rows, plan.recording, plan.end_row)
        await _watch(feed, table, plan)
        last_sequence = max([message.sequence or 0 async for message in queue.browse()], default=0)
        await subscriber.reach(last_sequence)
        table.phase = "done"
    info = next(info for info in await connection.queues() if info.name == queue.name)
    return DemoResult(
        read=table.read,
        published=info.published,
        delivered=table.delivered,
        keys=table.keys,
        latencies_ms=subscriber.latencies_ms,
        differences=differing_keys(expected, subscriber.last, plan.recording.order_by),
    )


def _feed_arguments(plan: _Plan, queue: str, url: str) -> list[str]:
    recording = plan.recording
    options = {
        "path": recording.path,
        "key": recording.key,
        "order-by": recording.order_by,
        "time-column": recording.time_column,
        "queue": queue,
        "url": url,
        "speed": plan.speed,
        "end-row": plan.end_row,
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return ["-m", "lastvalue.pipeline.feed", *arguments]


async def _watch(feed: "Child", table: "LiveTable", plan: _Plan) -> None:
    """Follow the feed's reports until it has finished.

    Raises:
        CommandFailedError: it failed, or takes far longer than it should.
    """
    from lastvalue.cli.demo_processes import feed_reports  # noqa: PLC0415 - this command alone needs it

    table.phase = "starting"
    print(
        f"feed     Spark is starting; then {plan.end_row:,} updates at {plan.speed:g} times the recorded speed"
    )
    longest_s = _SPARK_TIMEOUT_S + 2 * plan.duration_s
    try:
        async with asyncio.timeout(longest_s):
            async for report in feed_reports(feed):
                table.phase = "replaying"
                table.read = report.updates
    except TimeoutError:
        raise CommandFailedError(f"the feed has not finished after {longest_s:.0f} s") from None


@dataclass
class _Subscriber:
    """Follows the queue over AMQP and remembers the last message of each key."""

    key: str
    table: "LiveTable"
    last: dict[object, tuple[Message, Mapping[str, object]]] = field(default_factory=dict)
    latencies_ms: list[float] = field(default_factory=list)
    _sequence: int = 0
    _moved: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, queue: Queue) -> None:
        """Take in messages until cancelled."""
        async for message in queue.browse(follow=True):
            now_us = time.time_ns() // 1000
            key = message.properties[self.key]
            body = json.loads(str(message.body))
            self.last[key] = message, body
            self.latencies_ms.append((now_us - int(str(message.properties[_DUE_PROPERTY]))) / 1000)
            self.table.update(key, body, message.updates, now_us // 1000)
            self._sequence = message.sequence or 0
            self._moved.set()

    async def reach(self, sequence: int) -> None:
        """Wait until the message of that number, or a later one, has arrived.

        Raises:
            CommandFailedError: it does not come.
        """
        try:
            async with asyncio.timeout(_CATCH_UP_TIMEOUT_S):
                while self._sequence < sequence:
                    self._moved.clear()
                    await self._moved.wait()
        except TimeoutError:
            raise CommandFailedError(
                f"the subscriber has message {self._sequence} and not {sequence} after {_CATCH_UP_TIMEOUT_S:g} s"
            ) from None


async def _display(table: "LiveTable") -> None:
    """Show the table until cancelled: live on a terminal, else a line now and then."""
    from rich.console import Console  # noqa: PLC0415 - needs the extra `cli`
    from rich.live import Live  # noqa: PLC0415 - likewise

    console = Console()
    if not console.is_terminal:
        while True:
            await asyncio.sleep(_LINE_PERIOD_S)
            table.tick(_now_ms())
            print(table.line(), flush=True)
    with Live(console=console, auto_refresh=False, screen=False) as live:
        try:
            while True:
                table.tick(_now_ms())
                height = shutil.get_terminal_size().lines - 1
                live.update(table.render(height, _now_ms()), refresh=True)
                await asyncio.sleep(_SCREEN_PERIOD_S)
        finally:
            live.update(table.render(shutil.get_terminal_size().lines // 2, _now_ms()), refresh=True)


@contextlib.asynccontextmanager
async def _running(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """The work goes on while the block runs; where it fails, the block fails."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work)
        yield
        task.cancel()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
