"""lastvalue.server.queue_alerts."""

import pytest
from canned_message import CannedMessage

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.client import Message, connect
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec, Thresholds
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.queue_alerts import MOST_TOLD, QueueThreshold, queue_alerts, read_threshold


def queue_of(broker: Broker, name: str) -> Queue:
    hosted = broker.authorization.shown_queue(BROKER, name)
    assert hosted is not None
    return hosted.queue


@pytest.mark.parametrize(
    ("text", "threshold"),
    [
        ("orders:messages=10", QueueThreshold("orders", "messages", 10)),
        ("a:b.*:age_s=300", QueueThreshold("a:b.*", "age_s", 300)),
        ("jobs.#:bytes=5000000000", QueueThreshold("jobs.#", "bytes", 5_000_000_000)),
    ],
)
def test_a_threshold_is_read(text: str, threshold: QueueThreshold) -> None:
    assert read_threshold(text) == threshold


@pytest.mark.parametrize(
    "text", ["", "orders", "orders:messages=0", "orders:depth=1", ":age_s=1", "jobs[1]:age_s=1"]
)
def test_what_is_no_threshold_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no threshold"):
        read_threshold(text)


def test_a_pattern_is_one_as_everywhere() -> None:
    """`*` stands for any text without a dot, `#` for any text."""
    one, all_ = (QueueThreshold(pattern, "messages", 1) for pattern in ("jobs.*", "jobs.#"))
    assert [one.is_of(name) for name in ("jobs.a", "jobs.a.b", "jobs", "orders")] == [
        True,
        False,
        False,
        False,
    ]
    assert [all_.is_of(name) for name in ("jobs.a", "jobs.a.b", "jobs", "orders")] == [
        True,
        True,
        False,
        False,
    ]


async def test_queues_that_hold_more_are_told_with_what_they_hold() -> None:
    thresholds = [read_threshold("orders:messages=2"), read_threshold("*:age_s=60")]
    async with BrokerServer(ServerOptions(port=0)) as server:
        async with connect(f"amqp://127.0.0.1:{server.port}") as connection:
            orders = await connection.declare("orders")
            await orders.send_many([Message("x")] * 2)
            now_ms = await connection.clock_ms()
            assert await queue_alerts(server.broker, thresholds, now_ms) == []
            await orders.send(Message("x"))
        [alert] = await queue_alerts(server.broker, thresholds, now_ms)
        assert alert == {"queue": "orders", "what": "messages", "value": 3, "most": 2}
        later = await queue_alerts(server.broker, thresholds, now_ms + 120_000)
        assert [each["what"] for each in later] == ["messages", "age_s"]


async def test_a_queues_own_thresholds_come_before_those_of_the_setting() -> None:
    broker = Broker()
    broker.declare(QueueSpec("orders", alerts=Thresholds(messages=1, size_bytes=1, age_ms=1500)))
    broker.declare(QueueSpec("others", alerts=Thresholds(age_ms=60_000)))
    for name in ("orders", "others"):
        for _ in range(2):
            queue_of(broker, name).enqueue(CannedMessage(None, body=b"text"), 1_000)
    thresholds = [
        read_threshold("#:messages=5"),
        read_threshold("o#:bytes=1000"),
        read_threshold("#:bytes=1"),
    ]
    size_bytes = queue_of(broker, "orders").depth_bytes
    assert 1 < size_bytes < 1000
    assert await queue_alerts(broker, thresholds, 2_500) == [
        {"queue": "orders", "what": "messages", "value": 2, "most": 1},
        {"queue": "orders", "what": "bytes", "value": size_bytes, "most": 1},
    ]
    later = await queue_alerts(broker, [], 2_501)
    assert later[2:] == [{"queue": "orders", "what": "age_s", "value": 1.501, "most": 1.5}]


async def test_no_more_are_told_than_a_line_can_have() -> None:
    broker = Broker()
    for number in range(MOST_TOLD + 5):
        broker.declare(QueueSpec(f"q{number}"))
    told = await queue_alerts(broker, [QueueThreshold("*", "messages", -1)], 0)
    assert len(told) == MOST_TOLD
