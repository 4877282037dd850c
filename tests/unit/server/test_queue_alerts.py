"""lastvalue.server.queue_alerts."""

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.client import Message, connect
from lastvalue.queues.spec import QueueSpec
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.queue_alerts import MOST_TOLD, QueueThreshold, queue_alerts, read_threshold


@pytest.mark.parametrize(
    ("text", "threshold"),
    [
        ("orders:messages=10", QueueThreshold("orders", "messages", 10)),
        ("a:b.*:age_s=300", QueueThreshold("a:b.*", "age_s", 300)),
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


async def test_no_more_are_told_than_a_line_can_have() -> None:
    broker = Broker()
    for number in range(MOST_TOLD + 5):
        broker.declare(QueueSpec(f"q{number}"))
    told = await queue_alerts(broker, [QueueThreshold("*", "messages", -1)], 0)
    assert len(told) == MOST_TOLD
