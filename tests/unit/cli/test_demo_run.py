"""Where the demo's values are shown."""

import asyncio
import webbrowser
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from lastvalue.cli.demo_processes import show_console
from lastvalue.cli.demo_run import DemoPlan, _Subscriber
from lastvalue.cli.exits import CommandFailedError
from lastvalue.cli.live_table import LiveTable
from lastvalue.client import Message, connect
from lastvalue.pipeline.feeds.recording import Recording
from lastvalue.server.broker_server import BrokerServer, ServerOptions

RECORDING = Recording("positions", Path("p"), "id", "t", "t", 1, 1, 1.0, ("latitude", "longitude"), "")
PICTURE = "console/#/queues/positions/map"
MAP = f"http://localhost:1/{PICTURE}"


def test_aircraft_are_on_the_map_and_prices_are_candles() -> None:
    plan = DemoPlan(RECORDING, 1, 1, 1, 0)
    assert plan.picture == PICTURE
    assert replace(plan, recording=replace(RECORDING, shown=("price",))).picture.endswith("/prices")


@pytest.mark.parametrize("mqtt", [False, True])
def test_a_subscriber_has_the_last_values_by_either_protocol(mqtt: bool) -> None:
    plan = DemoPlan(RECORDING, 1, 1, 1, 0, mqtt=mqtt)
    table = LiveTable("id", ())
    subscriber = _Subscriber("id", "t", table)

    async def follow() -> None:
        async with BrokerServer(ServerOptions(port=0)) as server:
            server.retained_queues.divide([(plan.topics, "positions")])
            url = f"amqp://127.0.0.1:{server.port}"
            async with connect(url) as connection:
                queue = await connection.declare("positions", lvq_key="id", order_by="t")
                following = asyncio.create_task(
                    subscriber.follow_topics(url, "positions") if mqtt else subscriber.follow(queue)
                )
                for number, key in enumerate(("a", "b", "a"), 1):
                    position = Message(f'{{"n": {number}}}', properties={"id": key, "t": number, "due_us": 1})
                    await queue.send(position)
                await subscriber.reach({"a": 3, "b": 2})
                following.cancel()

    asyncio.run(follow())
    assert {key: (message.properties["t"], body) for key, (message, body) in subscriber.last.items()} == {
        "a": (3, {"n": 3}),
        "b": (2, {"n": 2}),
    }
    assert table.keys == 2


def test_values_that_never_come_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.cli.demo_run._CATCH_UP_TIMEOUT_S", 0.01)
    subscriber = _Subscriber("id", "t", LiveTable("id", ()))
    with pytest.raises(CommandFailedError, match="lacks the last values of 2 keys"):
        asyncio.run(subscriber.reach({"a": 3, "b": 2}))


@pytest.mark.parametrize(
    ("opens", "opened", "asked", "printed"),
    [
        (False, True, [], f"console  {MAP}"),
        (True, True, [MAP], f"console  {MAP}"),
        (True, False, [MAP], f"console  {MAP} (no browser could be opened)"),
    ],
)
def test_the_console_is_printed_and_opened_on_request(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    opens: bool,
    opened: bool,
    asked: list[str],
    printed: str,
) -> None:
    urls: list[str] = []

    def open_(url: str) -> bool:
        urls.append(url)
        return opened

    monkeypatch.setattr(webbrowser, "open", open_)
    show_console(PICTURE, ["http://localhost:1"], opens=opens)
    assert (urls, capsys.readouterr().out.strip()) == (asked, printed)


def test_without_its_packages_the_console_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    show_console(PICTURE, [], opens=False)
    assert "pip install 'lastvalue[http]'" in capsys.readouterr().out
