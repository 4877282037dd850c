"""One run of the demo: a broker, a feed, a subscriber and its view, from start to verdict."""

import asyncio
import json
import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from lastvalue.cli.demo_processes import (
    DemoProcess,
    feed_reports,
    show_console,
    start_broker,
    until_interrupted,
    while_running,
)
from lastvalue.cli.demo_result import DemoResult, differing_keys
from lastvalue.cli.exits import CommandFailedError, ExitCode
from lastvalue.cli.http import has_gateway
from lastvalue.cli.live_table import LiveTable, display
from lastvalue.cli.mqtt_peer import MqttPeer
from lastvalue.client.connection import Connection, connect
from lastvalue.client.message import Message
from lastvalue.client.queue import Queue
from lastvalue.client.url import parse_url
from lastvalue.codec.mqtt.packets import Publish
from lastvalue.pipeline.feeds.recording import Recording, newest_rows

_DUE_PROPERTY: Final = "due_us"
"""The name in `lastvalue.pipeline.feed`; importing that would load Spark into this process."""

_CATCH_UP_TIMEOUT_S: Final = 15.0
_SPARK_TIMEOUT_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class DemoPlan:
    """The data of a demo, and how it is replayed.

    Attributes:
        recording: the data.
        speed: how much faster than recorded.
        duration_s: the length of the replay, in seconds.
        end_row: how many rows are due by its end.
        port: the broker's port, if it is free.
        opens: open the console in a browser.
        mqtt: the subscriber reads by MQTT, each key as a topic.
    """

    recording: Recording
    speed: float
    duration_s: float
    end_row: int
    port: int
    opens: bool = False
    mqtt: bool = False

    @property
    def topics(self) -> str:
        """The topics of the keys, for `[[mqtt.topics]]`."""
        return f"{self.recording.queue}/{{{self.recording.key}}}"

    @property
    def picture(self) -> str:
        """The place in the console that shows the recording."""
        view = "map" if "latitude" in self.recording.shown else "prices"
        return f"console/#/queues/{self.recording.queue}/{view}"


def run_demo(plan: DemoPlan) -> int:
    """Run the demo; returns the exit code. Ctrl-C, TERM and a closed terminal end it and its child processes.

    Raises:
        CommandFailedError: the broker or the feed failed, or something takes far too long.
        ClientError: the connection to the broker was lost.
    """
    return asyncio.run(until_interrupted(_run(plan)))


async def _run(plan: DemoPlan) -> int:
    # The feed starts first: Spark takes longest, and learns later where to publish.
    feed = await DemoProcess.start("feed", ["-m", "lastvalue.pipeline.feed_process", "--later"])
    try:
        return await _run_beside(feed, plan)
    finally:
        await feed.end()


async def _run_beside(feed: DemoProcess, plan: DemoPlan) -> int:
    """Start the broker and show what the feed publishes to it."""
    recording = plan.recording
    topics = (plan.topics, recording.queue) if plan.mqtt else None
    broker, (url, *gateway) = await start_broker(plan.port, serves_http=has_gateway(), topics=topics)
    try:
        moved = "" if url.endswith(f":{plan.port}") or not plan.port else f" (port {plan.port} is taken)"
        print(f"broker   {url}{moved}")
        async with connect(url, reconnect=False) as connection:
            queue = await connection.declare(
                recording.queue, lvq_key=recording.key, order_by=recording.order_by
            )
            await asyncio.to_thread(show_console, plan.picture, gateway, opens=plan.opens)
            print(f"queue    {queue.name}: the last value by {recording.key}, newest by {recording.order_by}")
            if plan.mqtt:
                print(f"topics   {plan.topics}: mosquitto_sub -p {urlsplit(url).port} -t '{queue.name}/#'")
            feed.tell(shlex.join(_feed_arguments(plan, queue.name, url)))
            result = await _replay(plan, connection, queue, feed, url)
    finally:
        await broker.end()
    print(*result.lines(), result.verdict(), sep="\n")
    return ExitCode.FAILED if result.differences else ExitCode.OK


async def _replay(
    plan: DemoPlan, connection: Connection, queue: Queue, feed: DemoProcess, url: str
) -> DemoResult:
    """Follow the messages of the feed, and compare the result."""
    recording = plan.recording
    table = LiveTable(recording.key, recording.shown)
    subscriber = _Subscriber(recording.key, recording.order_by, table)
    follow = subscriber.follow_topics(url, queue.name) if plan.mqtt else subscriber.follow(queue)
    print(f"feed     {plan.end_row:,} updates at {plan.speed:g} times the recorded speed, once Spark runs")
    await while_running(_to_the_end(feed, plan, queue, subscriber), follow, display(table))
    expected = await asyncio.to_thread(newest_rows, recording, plan.end_row)
    info = next(info for info in await connection.queues() if info.name == queue.name)
    return DemoResult(
        read=table.read,
        published=info.published,
        delivered=table.delivered,
        keys=table.keys,
        latencies_ms=subscriber.latencies_ms,
        differences=differing_keys(expected, subscriber.last, recording.order_by),
    )


def _feed_arguments(plan: DemoPlan, queue: str, url: str) -> list[str]:
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
    return [part for name, value in options.items() for part in (f"--{name}", str(value))]


async def _to_the_end(feed: DemoProcess, plan: DemoPlan, queue: Queue, subscriber: "_Subscriber") -> None:
    """Wait until the feed has finished, and until the subscriber has seen its last message.

    Raises:
        CommandFailedError: the feed failed, or something takes far longer than it should.
    """
    table = subscriber.table
    table.phase = "starting"
    longest_s = _SPARK_TIMEOUT_S + 2 * plan.duration_s
    try:
        async with asyncio.timeout(longest_s):
            async for report in feed_reports(feed):
                table.phase = "replaying"
                table.read = report.updates
    except TimeoutError:
        raise CommandFailedError(f"the feed has not finished after {longest_s:.0f} s") from None
    values = [message.properties async for message in queue.browse()]
    await subscriber.reach({each[subscriber.key]: each[subscriber.order_by] for each in values})
    table.phase = "done"


@dataclass(slots=True)
class _Subscriber:
    """Follows the queue over AMQP, or its topics by MQTT, and keeps the last message of each key."""

    key: str
    order_by: str
    table: LiveTable
    last: dict[object, tuple[Message, Mapping[str, object]]] = field(default_factory=dict)
    latencies_ms: list[float] = field(default_factory=list)
    _moved: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, queue: Queue) -> None:
        """Receive messages until cancelled."""
        async for message in queue.browse(follow=True):
            self._take(message.properties[self.key], message)

    async def follow_topics(self, url: str, name: str) -> None:
        """The same by MQTT, in a thread that ends with the broker at the latest."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            with MqttPeer(parse_url(url)) as peer:
                for publish in peer.messages([f"{name}/+"]):
                    loop.call_soon_threadsafe(self._take_topic, publish)

        await asyncio.to_thread(read)

    def _take_topic(self, publish: Publish) -> None:
        numbers: dict[str, object] = {
            name: int(value)
            for name, value in publish.properties.user
            if name in (self.order_by, _DUE_PROPERTY)
        }
        self._take(publish.topic.rpartition("/")[2], Message(publish.payload.decode(), properties=numbers))

    def _take(self, key: object, message: Message) -> None:
        now_us = time.time_ns() // 1000
        body = json.loads(str(message.body))
        self.last[key] = message, body
        self.latencies_ms.append((now_us - int(str(message.properties[_DUE_PROPERTY]))) / 1000)
        self.table.update(key, body, message.updates, now_us // 1000)
        self._moved.set()

    async def reach(self, values: Mapping[object, object]) -> None:
        """Wait until the message of each key with this value of `order_by` has arrived.

        Raises:
            CommandFailedError: they do not arrive in time.
        """
        waits = dict(values)
        try:
            async with asyncio.timeout(_CATCH_UP_TIMEOUT_S):
                while waits := {key: value for key, value in waits.items() if not self._has(key, value)}:
                    self._moved.clear()
                    await self._moved.wait()
        except TimeoutError:
            raise CommandFailedError(
                f"after {_CATCH_UP_TIMEOUT_S:g} s the subscriber lacks the last values of {len(waits)} keys"
            ) from None

    def _has(self, key: object, value: object) -> bool:
        return key in self.last and self.last[key][0].properties.get(self.order_by) == value
