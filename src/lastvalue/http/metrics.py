"""The metrics of a broker as Prometheus reads them [OpenMetrics; Prometheus text format 0.0.4].

A metric is one entry of a table: its name in base units, what it is, and the statistic that it shows.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from lastvalue.client import QueueInfo
from lastvalue.client.queue_info import statistic_of
from lastvalue.model.queue_statistics import QUEUE_STATISTICS, QueueStatistic, Unit

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
_MS: Final = 1000


@dataclass(frozen=True, slots=True)
class BrokerMetric:
    """A metric of the broker.

    Attributes:
        name: without the prefix; a counter's ends in _total.
        meaning: what it is.
        read: its value from the statistics of the broker; None if it has none.
    """

    name: str
    meaning: str
    read: Callable[[Mapping[str, Any]], float | None]


@dataclass(frozen=True, slots=True)
class QueueMetric:
    """A metric of each queue, or of all of them together; see queue_totals."""

    name: str
    meaning: str
    read: Callable[[QueueInfo, int], float]


@dataclass(frozen=True, slots=True)
class LabelledMetric:
    """A metric of the broker whose statistic `read` has a count for each value of a label.

    `values` are those of the label that are shown even if nothing is counted.
    """

    name: str
    meaning: str
    label: str
    read: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PipelineMetric:
    """A metric of each part of a pipeline: the number of its status `read`, times `factor`."""

    name: str
    meaning: str
    read: str
    factor: float = 1


def _age_s(since_ms: int, now_ms: int) -> float:
    return max(0, now_ms - since_ms) / _MS if since_ms else 0.0


def _statistic(name: str) -> Callable[[Mapping[str, Any]], float | None]:
    return lambda broker: broker.get(name)


def _seconds(name: str) -> Callable[[Mapping[str, Any]], float | None]:
    return lambda broker: broker[name] / _MS if name in broker else None


def _since(alarm: str) -> Callable[[Mapping[str, Any]], float]:
    return lambda broker: broker.get(f"{alarm}_since_ms", 0) > 0


def _leads(broker: Mapping[str, Any]) -> float | None:
    return float(broker["role"] == "leader") if "role" in broker else None


def _uptime_s(broker: Mapping[str, Any]) -> float:
    return _age_s(broker["started_ms"], broker["now_ms"])


def _loop_lag_s(broker: Mapping[str, Any]) -> float:
    return float(broker["event_loop_lag_ms"]) / _MS


def queue_metrics(
    prefix: str, statistics: Iterable[QueueStatistic] = QUEUE_STATISTICS
) -> tuple[QueueMetric, ...]:
    """The metrics that begin so, of the statistics of queues."""
    return tuple(
        QueueMetric(each.prometheus, _meaning(each), _reading(each))
        for each in statistics
        if each.prometheus.startswith(prefix)
    )


def _meaning(statistic: QueueStatistic) -> str:
    if statistic.prometheus.endswith("_age_seconds"):
        return statistic.meaning.replace("when ", "how long ago ", 1)
    return statistic.meaning


def _reading(statistic: QueueStatistic) -> Callable[[QueueInfo, int], float]:
    name = statistic.name
    if statistic.prometheus.endswith("_age_seconds"):
        return lambda queue, now_ms: _age_s(statistic_of(queue, name), now_ms)
    if statistic.unit is Unit.MOMENT:
        return lambda queue, _: statistic_of(queue, name) / _MS
    return lambda queue, _: statistic_of(queue, name)


def _accounting_error(queue: QueueInfo, _: int) -> float:
    return queue.published - queue.depth - sum(queue.removed.values())


BROKER_METRICS: Final = (
    BrokerMetric("up_seconds", "how long it has listened", _uptime_s),
    BrokerMetric("queues", "queues that there are", _statistic("queues")),
    BrokerMetric("connections_opened_total", "connections that were made", _statistic("connections_opened")),
    BrokerMetric("faults_total", "faults of the broker itself; its log has them", _statistic("faults")),
    BrokerMetric("producers", "links and channels that publish", _statistic("producers")),
    BrokerMetric("memory_held_bytes", "memory of messages and unfinished work", _statistic("held_bytes")),
    BrokerMetric("memory_unfinished_bytes", "of these, unfinished work", _statistic("unfinished_bytes")),
    BrokerMetric("memory_limit_bytes", "where producers wait; 0 is none", _statistic("memory_limit_bytes")),
    BrokerMetric("memory_alarm", "whether producers wait for memory", _since("memory_alarm")),
    BrokerMetric("store_alarm", "whether durable producers wait for the disk", _since("store_alarm")),
    BrokerMetric("store_fault", "whether the store cannot be written", _since("store_fault")),
    BrokerMetric("store_bytes", "the size of the store's segments", _statistic("store_bytes")),
    BrokerMetric("store_live_bytes", "of these, what is still needed", _statistic("store_live_bytes")),
    BrokerMetric("store_free_bytes", "free on its file system", _statistic("store_free_bytes")),
    BrokerMetric("store_segments", "segments of the store", _statistic("store_segments")),
    BrokerMetric("store_waiting_bytes", "what waits to be written", _statistic("store_waiting_bytes")),
    BrokerMetric("store_write_failures_total", "writes that failed", _statistic("store_write_failures")),
    BrokerMetric(
        "store_salvaged_bytes_total",
        "damaged bytes that were skipped when it was opened",
        _statistic("store_salvaged_bytes"),
    ),
    BrokerMetric("store_last_sync_seconds", "how long the last sync took", _seconds("store_last_sync_ms")),
    BrokerMetric("cluster_leader", "whether it leads the brokers that share its log", _leads),
    BrokerMetric("cluster_term", "the term of the leader", _statistic("term")),
    BrokerMetric(
        "cluster_lease_seconds", "how long it serves without an answer of the log", _seconds("lease_ms")
    ),
    BrokerMetric("cluster_followers", "brokers that follow the log", _statistic("followers")),
    BrokerMetric(
        "cluster_missing_brokers",
        "brokers of cluster_brokers that neither lead nor follow",
        _statistic("missing_brokers"),
    ),
    BrokerMetric("log_servers", "servers that keep the log", _statistic("log_servers")),
    BrokerMetric(
        "log_servers_current",
        "of these, those that have all that is confirmed",
        _statistic("log_servers_current"),
    ),
    BrokerMetric("follower_lag_seconds", "how far it is behind its leader", _seconds("lag_ms")),
    BrokerMetric("follower_lag_records", "how many messages of the log that are", _statistic("lag_records")),
    BrokerMetric(
        "snapshot_last_success_timestamp_seconds",
        "when a snapshot was written last; 0 is never",
        _seconds("snapshot_ms"),
    ),
    BrokerMetric(
        "config_last_reload_success",
        "whether the configuration file was applied without a fault last",
        _statistic("config_reload_ok"),
    ),
    BrokerMetric(
        "tls_certificate_expiry_timestamp_seconds",
        "when the listeners' certificate ends",
        _seconds("certificate_expires_ms"),
    ),
    BrokerMetric("gateway_up", "whether the gateway's process answers", _statistic("gateway_serves")),
    BrokerMetric(
        "gateway_restarts_total",
        "how often the gateway's process has ended and was started again",
        _statistic("gateway_restarts"),
    ),
    BrokerMetric("event_loop_lag_seconds", "by how much the event loop was late", _loop_lag_s),
    BrokerMetric("descriptors", "open descriptors", _statistic("descriptors")),
    BrokerMetric("resident_memory_bytes", "memory of its process", _statistic("resident_bytes")),
    BrokerMetric("cpu_seconds_total", "the processor's time that its process has used", _seconds("cpu_ms")),
)

STORE_SYNC: Final = ("store_sync_seconds", "how long syncs of the disk took")
"""A histogram."""

CAUSES: Final = ("memory", "store-fault", "store", "shutdown", "queue")
"""What stops producers."""

LABELLED_METRICS: Final = (
    LabelledMetric("connections", "connections that there are", "protocol", "connections_by"),
    LabelledMetric(
        "auth_failures_total", "peers refused for their credentials", "mechanism", "login_failures_by"
    ),
    LabelledMetric("denied_total", "commands that were refused for lack of a right", "action", "denied_by"),
    LabelledMetric(
        "protocol_errors_total", "connections that ended by an error", "condition", "protocol_errors"
    ),
    LabelledMetric(
        "producers_blocked",
        "producers that wait, by what they wait for",
        "cause",
        "producers_waiting",
        CAUSES,
    ),
)

PIPELINE_METRICS: Final = (
    PipelineMetric("rows_total", "rows that a part has read", "rows"),
    PipelineMetric("published_total", "messages that it published, or records that have landed", "published"),
    PipelineMetric("repeated_total", "of these, what there was from an interrupted run", "repeated"),
    PipelineMetric("rejected_total", "rows that went to its dead-letter queue", "rejected"),
    PipelineMetric("restarts_total", "how often it was started again after a failure", "all_restarts"),
    PipelineMetric("batch_seconds", "how long its last micro-batch took", "batch_ms", 1 / _MS),
    PipelineMetric(
        "end_to_end_seconds",
        "how old the newest row of its last micro-batch was when the broker had confirmed it",
        "end_to_end_ms",
        1 / _MS,
    ),
)
"""Of each part of the pipeline since its runner started, with the labels `part` and `kind`."""

PART_STATE: Final = "pipeline_part_state"
"""1, with the state of the part."""

PART_LAG: Final = "pipeline_lag"
"""What the part has not processed, with the label `unit`, which tells what is counted."""


class HistoryRecords(NamedTuple):
    """The values of HISTORY_METRICS for a history."""

    unlanded: int
    limit: int
    lost: int


HISTORY_METRICS: Final = (
    ("history_unlanded_records", "records that the broker has and that have not landed"),
    ("history_limit_records", "records that it may hold; 0 is any number"),
    ("history_gap_records_total", "records that the broker had dropped before they landed"),
)
"""Of each history in the gateway's tables, with the label `history`."""

EXTENT_METRICS: Final[tuple[QueueMetric, ...]] = queue_metrics("history_")
"""Of each history that has records, with the label `history`; not in the totals of all queues."""

QUEUE_METRICS: Final[tuple[QueueMetric, ...]] = (
    *queue_metrics("queue_"),
    QueueMetric("queue_accounting_error", "published - depth - removed, which must be 0", _accounting_error),
)
REMOVED: Final = "queue_removed_total"
"""Messages that left, with the label `reason`."""


def metrics_text(
    broker: Mapping[str, Any],
    queues: Sequence[QueueInfo] | QueueInfo,
    *,
    histories: Mapping[str, HistoryRecords] | None = None,
    parts: Sequence[Mapping[str, Any]] = (),
) -> bytes:
    """The metrics.

    Args:
        broker: its statistics.
        queues: each has its metrics; or one without a name, which has the totals of all.
        histories: the values of HISTORY_METRICS, by history.
        parts: the status of the pipeline's parts.
    """
    registry = CollectorRegistry()
    registry.register(_Collector(broker, queues, histories or {}))
    registry.register(_PartCollector(parts))
    return generate_latest(registry)


class _Collector(Collector):
    def __init__(
        self,
        broker: Mapping[str, Any],
        queues: Sequence[QueueInfo] | QueueInfo,
        histories: Mapping[str, HistoryRecords],
    ) -> None:
        self._broker = broker
        self._histories = histories
        self._by_queue = not isinstance(queues, QueueInfo)
        self._queues = [queues] if isinstance(queues, QueueInfo) else queues

    def collect(self) -> Iterable[Metric]:
        """See Collector."""
        info = GaugeMetricFamily("lastvalue_build_info", "the broker's build", labels=["version", "compiled"])
        info.add_metric([str(self._broker["version"]), str(self._broker["compiled"]).lower()], 1)
        yield info
        if "config_hash" in self._broker:
            config = GaugeMetricFamily(
                "lastvalue_config_info", "the configuration file as it was applied last", labels=["hash"]
            )
            config.add_metric([str(self._broker["config_hash"])], 1)
            yield config
        for metric in BROKER_METRICS:
            value = metric.read(self._broker)
            if value is not None:
                family = _family(metric.name, metric.meaning)
                family.add_metric([], value)
                yield family
        yield from self._syncs()
        yield from self._labelled()
        yield from self._of_histories()
        now_ms = int(self._broker["now_ms"])
        for queue_metric in QUEUE_METRICS:
            family = self._queue_family(queue_metric.name, queue_metric.meaning)
            for queue in self._queues:
                family.add_metric(self._labels(queue), queue_metric.read(queue, now_ms))
            yield family
        yield self._removed()

    def _syncs(self) -> Iterable[Metric]:
        within = self._broker.get("store_syncs_within")
        if within is None:
            return
        name, meaning = STORE_SYNC
        family = HistogramMetricFamily(f"lastvalue_{name}", meaning)
        buckets = [(str(int(bound_ms) / _MS), count) for bound_ms, count in within.items()]
        buckets.append(("+Inf", self._broker["store_syncs"]))
        family.add_metric([], buckets, self._broker["store_sync_ms"] / _MS)
        yield family

    def _labelled(self) -> Iterable[Metric]:
        for metric in LABELLED_METRICS:
            family = _family(metric.name, metric.meaning, metric.label)
            for value, count in {
                **dict.fromkeys(metric.values, 0),
                **self._broker.get(metric.read, {}),
            }.items():
                family.add_metric([value], count)
            yield family

    def _of_histories(self) -> Iterable[Metric]:
        for column, (name, meaning) in enumerate(HISTORY_METRICS):
            family = _family(name, meaning, "history")
            for history, values in sorted(self._histories.items()):
                family.add_metric([history], values[column])
            yield family
        for metric in EXTENT_METRICS:
            family = _family(metric.name, metric.meaning, "history")
            for queue in self._queues if self._by_queue else ():
                if queue.statistics.get("history_records"):
                    family.add_metric([queue.name], metric.read(queue, 0))
            yield family

    def _queue_family(self, name: str, meaning: str, *labels: str) -> CounterMetricFamily | GaugeMetricFamily:
        if self._by_queue:
            return _family(name, meaning, "queue", *labels)
        return _family(name, f"{meaning}, of all queues", *labels)

    def _labels(self, queue: QueueInfo) -> list[str]:
        return [queue.name] if self._by_queue else []

    def _removed(self) -> Metric:
        family = self._queue_family(REMOVED, "messages that left", "reason")
        for queue in self._queues:
            for reason, count in sorted(queue.removed.items()):
                family.add_metric([*self._labels(queue), reason], count)
        return family


class _PartCollector(Collector):
    """The parts of a pipeline that have a status."""

    def __init__(self, parts: Sequence[Mapping[str, Any]]) -> None:
        self._parts = [part for part in parts if "state" in part]

    def collect(self) -> Iterable[Metric]:
        """See Collector."""
        state = _family(PART_STATE, "1, by the state of the part", "part", "kind", "state")
        lag = _family(PART_LAG, "what the part has not processed", "part", "kind", "unit")
        for part in self._parts:
            state.add_metric([part["name"], part["kind"], part["state"]], 1)
            if part.get("lag") is not None:
                lag.add_metric([part["name"], part["kind"], part["lag_unit"]], part["lag"])
        yield state
        yield lag
        for metric in PIPELINE_METRICS:
            family = _family(f"pipeline_{metric.name}", metric.meaning, "part", "kind")
            for part in self._parts:
                if part.get(metric.read) is not None:
                    family.add_metric([part["name"], part["kind"]], part[metric.read] * metric.factor)
            yield family


def _family(name: str, meaning: str, *labels: str) -> CounterMetricFamily | GaugeMetricFamily:
    kind = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
    return kind(f"lastvalue_{name}", meaning, labels=labels)
