"""Depths that cross the marks of their queues."""

from collections.abc import Mapping

import pytest
from broker_desk import enqueue, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.statistics.depth_alerts import DepthAlerts, Mark
from lastvalue.queues.effects import Effect

NOW = 1_700_000_000_000


class Watcher(Observer):
    """Notes the crossings of a queue."""

    def __init__(self, arguments: Mapping[str, object]) -> None:
        self.alerts = DepthAlerts()
        self.alerts.set("q", arguments)
        self.crossed: list[tuple[str, int, int, bool]] = []

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: int) -> None:
        self.crossed += [
            (each.way, each.depth, each.depth_bytes, each.exceeds)
            for each in self.alerts.crossings(hosted, effects)
        ]


def watched(broker: Broker, **arguments: object) -> Watcher:
    watcher = Watcher({name.replace("__", "."): value for name, value in arguments.items()})
    broker.observers.append(watcher)
    return watcher


def test_a_mark_is_crossed_once_up_and_once_down() -> None:
    mark = Mark(3, 1)
    ways = [mark.crossed(depth) for depth in (2, 3, 4, 2, 1, 2, 3)]
    assert ways == ["", "Upward", "", "", "Downward", "", "Upward"]


def test_every_depth_of_a_turn_is_looked_at() -> None:
    broker = made("q")
    watcher = watched(broker, qpid__alert_count_up=2, qpid__alert_count_down=1)
    enqueue(broker, "q", "a", "b", "c")
    broker.purge("q")
    broker.drain(NOW)
    assert [(way, depth) for way, depth, _, _ in watcher.crossed] == [("Upward", 2), ("Downward", 1)]


def test_the_size_has_a_mark_too() -> None:
    broker = made("q")
    watcher = watched(broker, qpid__alert_size=1)
    enqueue(broker, "q", "a")
    broker.drain(NOW)
    ((way, depth, depth_bytes, _),) = watcher.crossed
    assert (way, depth) == ("Upward", 1)
    assert depth_bytes > 1


@pytest.mark.parametrize(
    ("name", "exceeds"), [("x-qpid-maximum-message-count", True), ("qpid.alert_count", False)]
)
def test_the_older_names_have_an_event_of_their_own(name: str, *, exceeds: bool) -> None:
    broker = made("q")
    watcher = watched(broker, **{name: 2})
    enqueue(broker, "q", "a", "b")
    broker.drain(NOW)
    assert [each[3] for each in watcher.crossed] == [exceeds]
    broker.purge("q")
    broker.drain(NOW)
    assert [each[:2] for each in watcher.crossed] == [("Upward", 2), ("Downward", 1)]


def test_a_queue_that_was_forgotten_has_no_marks() -> None:
    broker = made("q", "other")
    watcher = watched(broker, qpid__alert_count=1)
    watcher.alerts.forget("q")
    enqueue(broker, "q", "a")
    enqueue(broker, "other", "a")
    broker.drain(NOW)
    assert watcher.crossed == []


@pytest.mark.parametrize("value", ["x", 0, -1, None])
def test_a_mark_that_is_no_positive_number_is_none(value: object) -> None:
    broker = made("q")
    watcher = watched(broker, qpid__alert_count=value)
    enqueue(broker, "q", "a")
    broker.drain(NOW)
    assert watcher.crossed == []
