"""The metrics of a broker as Prometheus reads them."""

from collections.abc import Mapping
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from lastvalue.client import QueueInfo
from lastvalue.delivery.producer import StopCause
from lastvalue.http import metrics
from lastvalue.http.metrics import BROKER_METRICS, LABELLED_METRICS, QUEUE_METRICS, metrics_text
from lastvalue.pipeline.running.status import PartStatus, State

BROKER = {
    "version": "1.2",
    "compiled": True,
    "now_ms": 100_000,
    "started_ms": 40_000,
    "queues": 2,
    "event_loop_lag_ms": 25,
    "memory_alarm_since_ms": 90_000,
    "producers_waiting": {"queue": 3},
    "login_failures_by": {"PLAIN": 4, "none": 0},
    "connections_by": {"AMQP 1.0": 2},
    "denied_by": {"publish": 5},
    "protocol_errors": {"amqp-0-9-1:501": 1},
    "config_reload_ok": False,
    "certificate_expires_ms": 2_000,
    "gateway_serves": True,
    "gateway_restarts": 3,
    "snapshot_ms": 0,
    "store_syncs": 5,
    "store_sync_ms": 1500,
    "store_last_sync_ms": 0.25,
    "store_syncs_within": {"1": 2, "250": 4, "2500": 5},
}
CLUSTER = {
    "role": "leader",
    "term": 4,
    "lease_ms": 3000,
    "followers": 1,
    "missing_brokers": 2,
    "log_servers": 3,
    "log_servers_current": 2,
    "config_hash": "0123456789ab",
    "resident_bytes": 5_000_000,
    "cpu_ms": 1500,
}
SYNCS_WITHIN = {"0.001": 2, "0.25": 4, "2.5": 5, "+Inf": 5}
PRICES = QueueInfo(
    "prices",
    "lvq",
    depth=3,
    published=10,
    removed={"replaced": 6, "expired": 1},
    statistics={"oldest_ms": 98_000, "last_in_ms": 99_000, "conflated": 6},
)
ORDERS = QueueInfo(
    "orders", "standard", depth=5, published=9, removed={"accepted": 3}, statistics={"oldest_ms": 70_000}
)


def samples(*queues: QueueInfo, broker: Mapping[str, Any] = BROKER) -> dict[str, float]:
    totals = queues and not queues[0].name
    text = metrics_text(broker, queues[0] if totals else queues).decode()
    return {
        ",".join([sample.name.removeprefix("lastvalue_"), *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_the_broker_s_metrics_are_in_base_units() -> None:
    told = samples()
    assert told["build_info,true,1.2"] == 1
    assert (told["up_seconds"], told["event_loop_lag_seconds"]) == (60, 0.025)
    assert (told["memory_alarm"], told["store_alarm"]) == (1, 0)
    assert (told["gateway_up"], told["gateway_restarts_total"]) == (1, 3)
    # What the broker does not have is left out, and not 0.
    assert "store_bytes" not in told


def test_a_broker_that_shares_a_log_tells_its_part_and_who_is_missing() -> None:
    told = samples(broker=BROKER | CLUSTER)
    cluster = ("leader", "term", "lease_seconds", "followers", "missing_brokers")
    assert [told[f"cluster_{each}"] for each in cluster] == [1, 4, 3, 1, 2]
    assert (told["log_servers"], told["log_servers_current"]) == (3, 2)
    assert told["config_info,0123456789ab"] == 1
    assert (told["resident_memory_bytes"], told["cpu_seconds_total"]) == (5_000_000, 1.5)
    assert samples(broker=BROKER | CLUSTER | {"role": "follower"})["cluster_leader"] == 0
    # One that is alone has no part.
    assert "cluster_leader" not in samples()


def test_causes_failures_and_times_are_told() -> None:
    told = samples()
    assert (told["producers_blocked,queue"], told["producers_blocked,memory"]) == (3, 0)
    assert (told["auth_failures_total,PLAIN"], told["auth_failures_total,none"]) == (4, 0)
    assert (told["connections,AMQP 1.0"], told["denied_total,publish"]) == (2, 5)
    assert (told["protocol_errors_total,amqp-0-9-1:501"], told["config_last_reload_success"]) == (1, 0)
    assert told["tls_certificate_expiry_timestamp_seconds"] == 2
    assert told["snapshot_last_success_timestamp_seconds"] == 0
    assert (told["store_sync_seconds_count"], told["store_sync_seconds_sum"]) == (5, 1.5)
    buckets = {name: count for name, count in told.items() if name.startswith("store_sync_seconds_bucket,")}
    assert buckets == {f"store_sync_seconds_bucket,{le}": n for le, n in SYNCS_WITHIN.items()}
    assert told["store_last_sync_seconds"] == 0.00025


def test_producers_wait_for_the_causes_that_the_broker_knows() -> None:
    assert set(metrics.CAUSES) == {cause.value for cause in StopCause}


def test_each_queue_has_its_metrics() -> None:
    told = samples(PRICES, ORDERS)
    assert (told["queue_depth_messages,prices"], told["queue_depth_messages,orders"]) == (3, 5)
    assert told["queue_removed_total,prices,replaced"] == 6
    assert told["queue_oldest_message_age_seconds,orders"] == 30
    assert told["queue_newest_update_age_seconds,prices"] == 1


def test_a_queue_whose_messages_do_not_add_up_is_told() -> None:
    told = samples(PRICES, ORDERS)
    assert (told["queue_accounting_error,prices"], told["queue_accounting_error,orders"]) == (0, 1)


def test_totals_have_no_queue() -> None:
    told = samples(QueueInfo("", "", depth=8, published=19, removed={"replaced": 6, "accepted": 3}))
    assert (told["queue_depth_messages"], told["queue_accounting_error"]) == (8, 2)
    assert (told["queue_removed_total,replaced"], told["queue_removed_total,accepted"]) == (6, 3)


def test_each_part_of_a_pipeline_has_its_metrics() -> None:
    feed = PartStatus(
        "ticks",
        "feed",
        State.RUNNING,
        rows=9,
        rejected=2,
        batch_ms=250,
        end_to_end_ms=900,
        lag=7,
        lag_unit="files",
    )
    replay = PartStatus("again", "replay", State.FAILED, restarts=1, all_restarts=3)
    declared: dict[str, object] = {"name": "later", "kind": "feed"}
    parts: list[dict[str, object]] = [feed.record(), replay.record(), declared]
    text = metrics_text(BROKER, (), parts=parts).decode()
    told = {
        (sample.name.removeprefix("lastvalue_pipeline_"), *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        if family.name.startswith("lastvalue_pipeline_")
        for sample in family.samples
    }
    assert told["part_state", "feed", "ticks", "running"] == 1
    assert told["part_state", "replay", "again", "failed"] == 1
    assert told["lag", "feed", "ticks", "files"] == 7
    assert (told["rows_total", "feed", "ticks"], told["rejected_total", "feed", "ticks"]) == (9, 2)
    assert (told["batch_seconds", "feed", "ticks"], told["restarts_total", "replay", "again"]) == (0.25, 3)
    assert told["end_to_end_seconds", "feed", "ticks"] == 0.9
    # What a part does not have, or one without a status, is left out.
    assert ("batch_seconds", "replay", "again") not in told
    assert ("end_to_end_seconds", "replay", "again") not in told
    assert "later" not in {name for _, _, name, *_ in told}


def test_names_are_unique() -> None:
    names = [each.name for each in BROKER_METRICS]
    names += [each.name for each in LABELLED_METRICS]
    names += [each.name for each in QUEUE_METRICS]
    assert len(names) == len(set(names))
