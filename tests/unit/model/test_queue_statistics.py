"""The table of statistics of queues, against everything that reads it."""

from collections.abc import Iterable

import pytest

from lastvalue.broker.statistics.statistic import QMF_QUEUE
from lastvalue.client import QueueInfo
from lastvalue.client.queue_info import queue_info, statistic_of
from lastvalue.compat.artemis.management.queue_attributes import QUEUE_ATTRIBUTES
from lastvalue.compat.broker_j.queue_attributes import queue_statistics
from lastvalue.compat.rabbitmq.resources import queue_resource
from lastvalue.http.metrics import EXTENT_METRICS, QUEUE_METRICS
from lastvalue.model.queue_statistics import QUEUE_STATISTICS, Unit

QUEUE = queue_info({each.name: number for number, each in enumerate(QUEUE_STATISTICS, 1)})


def rabbitmq_paths(queue: QueueInfo) -> set[str]:
    shown = queue_resource(queue)
    within = {f"message_stats.{name}" for name in shown["message_stats"]}
    return {*shown, *within}


SHOWN: dict[str, Iterable[str]] = {
    "prometheus": {each.name for each in (*QUEUE_METRICS, *EXTENT_METRICS)},
    "qmf": QMF_QUEUE,
    "broker_j": queue_statistics(QUEUE, 0),
    "rabbitmq": rabbitmq_paths(QUEUE),
    "artemis": QUEUE_ATTRIBUTES,
}


@pytest.mark.parametrize("product", SHOWN)
def test_every_name_in_another_product_is_shown_there_and_is_its_own(product: str) -> None:
    names = [getattr(each, product) for each in QUEUE_STATISTICS if getattr(each, product)]
    assert sorted(set(names) - set(SHOWN[product])) == []
    assert len(names) == len(set(names))


def test_names_are_unique_and_say_their_unit() -> None:
    names = [each.name for each in QUEUE_STATISTICS]
    assert len(names) == len(set(names))
    by_ending = {"_ms": Unit.MOMENT, "_bytes": Unit.BYTES}
    for ending, unit in by_ending.items():
        ending_so = {name for name in names if name.endswith(ending)}
        assert ending_so == {each.name for each in QUEUE_STATISTICS if each.unit is unit}


def test_a_metric_of_a_moment_says_whether_it_is_an_age_and_begins_with_whose_it_is() -> None:
    metrics = {each.prometheus: each.unit for each in QUEUE_STATISTICS if each.prometheus}
    in_time = {name for name in metrics if name.endswith(("_age_seconds", "_timestamp_seconds"))}
    assert in_time == {name for name, unit in metrics.items() if unit is Unit.MOMENT}
    assert [name for name in metrics if not name.startswith(("queue_", "history_"))] == []


def test_a_client_reads_every_number() -> None:
    read = [statistic_of(QUEUE, each.name) for each in QUEUE_STATISTICS if each.unit is not Unit.TEXT]
    assert read == [number for number, each in enumerate(QUEUE_STATISTICS, 1) if each.unit is not Unit.TEXT]
