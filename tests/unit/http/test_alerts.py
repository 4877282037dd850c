"""lastvalue.http.alerts, with a receiver on this machine."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from served_broker import ServedBroker
from waiting import until

from lastvalue.client import Message, connect
from lastvalue.http import alerts as module
from lastvalue.http.alerts import Alerts

FULL = {"queue": "orders", "what": "messages", "value": 12, "most": 10}
OLD = {"queue": "jobs", "what": "age_s", "value": 90, "most": 60}


class Receiver(HTTPServer):
    """Keeps what it is posted; answers with the status that it is told, and always with a place to go on."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.got: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.status = 204

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?team=a"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        self.server.got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.paths.append(self.path)
        self.send_response(self.server.status)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    serving = threading.Thread(target=receiver.serve_forever)
    serving.start()
    yield receiver
    receiver.shutdown()
    serving.join()
    receiver.server_close()


async def test_a_webhook_hears_when_an_alert_begins_and_when_it_ends(receiver: Receiver) -> None:
    alerts = Alerts(receiver.url)
    alerts.take([FULL])
    alerts.take([FULL | {"value": 15}, OLD])
    assert [each["value"] for each in alerts.current] == [15, 90]
    alerts.take([OLD])
    await until(lambda: len(receiver.got) == 3)
    told = [(each["event"], each["queue"], each["value"]) for each in receiver.got]
    assert told == [("begins", "orders", 12), ("begins", "jobs", 90), ("ends", "orders", 15)]
    assert receiver.got[0]["time_ms"] > 1_700_000_000_000
    assert set(receiver.paths) == {"/hook?team=a"}


@pytest.mark.parametrize("status", [302, 307, 500])
async def test_what_the_webhook_does_not_take_is_tried_again_and_then_told_in_the_log(
    receiver: Receiver, status: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "RETRY_S", 0.001)
    receiver.status = status
    Alerts(receiver.url).take([FULL])
    await until(lambda: f"it answered {status}" in caplog.text)
    # A redirect is not followed.
    assert receiver.paths == ["/hook?team=a"] * module.TRIES


async def test_a_webhook_that_is_away_holds_nothing_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "RETRY_S", 0.001)
    alerts = Alerts("http://127.0.0.1:1/")
    alerts.take([FULL])
    assert len(alerts.current) == 1
    await until(lambda: "does not take an alert of orders" in caplog.text)


def test_without_a_webhook_alerts_are_only_shown() -> None:
    alerts = Alerts(None)
    alerts.take([OLD])
    alerts.take([])
    assert alerts.current == ()


async def test_a_served_broker_tells_the_webhook_of_a_queue_that_is_too_full(receiver: Receiver) -> None:
    arguments = ("--http-port", "0", "--http-alert", "ord*:messages=2", "--http-webhook", receiver.url)
    with ServedBroker(*arguments) as broker:
        async with connect(broker.url) as connection:
            await (await connection.declare("orders")).send_many([Message("x")] * 3)
            await until(lambda: bool(receiver.got))
            assert receiver.got[0] | {"time_ms": 0} == {
                "event": "begins",
                "queue": "orders",
                "what": "messages",
                "value": 3,
                "most": 2,
                "time_ms": 0,
            }
