"""The alert rules and the dashboard ask only for what there is."""

import asyncio
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import promql_parser
import pytest
import trustme
import yaml
from prometheus_client.parser import text_string_to_metric_families

from lastvalue.broker.administration.pipeline_requests import Pipeline, RestartRefusedError
from lastvalue.client import Message, connect
from lastvalue.gateway.gateway import make_gateway
from lastvalue.history.landing import LandingOptions, land_history
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.pipeline.running.status import PartStatus, State
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.gateway_process import GatewayProcess
from lastvalue.server.server_cluster import ServerCluster

MONITORING = Path(__file__).parents[3] / "packaging" / "monitoring"
RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
]
DASHBOARD: dict[str, Any] = json.loads((MONITORING / "dashboard.json").read_text())
QUERIES = [
    *(rule["expr"] for rule in RULES),
    *(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]),
]
_VARIABLE = re.compile(r"\$\w+")


def selectors(expression: promql_parser.Expr) -> Iterator[promql_parser.VectorSelector]:
    """The metrics that a query reads."""
    found: list[promql_parser.VectorSelector] = []

    def visit(node: promql_parser.Expr) -> bool:
        if isinstance(node, promql_parser.VectorSelector):
            found.append(node)
        if isinstance(node, promql_parser.MatrixSelector):
            found.append(node.vector_selector)
        return True

    promql_parser.walk(expression, visit)
    return iter(found)


class OnePart(Pipeline):
    """A pipeline whose only part has a lag."""

    def state(self) -> dict[str, Any]:
        part = PartStatus(
            "ticks", "feed", State.RUNNING, batch_ms=5, end_to_end_ms=500, lag=1, lag_unit="files"
        )
        return {"state": "running", "parts": [part.record()]}

    def restart(self, name: str) -> None:
        raise RestartRefusedError(name)


class OneBroker(ServerCluster):
    """A broker that shares a log and follows nobody; it knows what a follower knows, too."""

    def __init__(self) -> None:
        super().__init__(ServerOptions, str, lambda: None, lambda: None, lambda: None)

    def known(self) -> dict[str, Any]:
        return super().known() | {"lag_ms": 0, "lag_records": 0}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The metrics of a broker with a store, TLS, snapshots and a history that lands."""
    return asyncio.run(_text(tmp_path_factory.mktemp("broker")))


async def _text(folder: Path) -> str:
    certificate = trustme.CA().issue_cert("localhost")
    certificate.private_key_and_cert_chain_pem.write_to_path(folder / "tls.pem")
    options = ServerOptions(
        port=0,
        tls_port=0,
        tls_certificate=folder / "tls.pem",
        store=folder / "store",
        snapshots=folder / "snapshots",
    )
    config = folder / "lastvalue.toml"
    config.write_text("")
    async with BrokerServer(options) as server, connect(f"amqp://127.0.0.1:{server.port}") as connection:
        server.serve_configuration(config)
        with socket.socket() as listening:
            server.gateway = GatewayProcess((), {}, listening)
        server.broker.pipeline = OnePart()
        server._cluster = OneBroker()
        prices = await connection.declare("prices", lvq_key="symbol", history="prices.history", durable=True)
        for number in range(2):
            await prices.send(Message(number, {"symbol": "A"}))
        url = f"amqp://127.0.0.1:{server.port}"
        await land_history(url, folder / "tables", ["prices"], LandingOptions(until_now=True))
        await prices.send(Message(2, {"none": "A"}))
        gateway = make_gateway(GatewaySettings(url=url, tables=folder / "tables"))
        async with (
            gateway.router.lifespan_context(gateway),
            httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://localhost") as http,
        ):
            return (await http.get("/metrics")).text


@pytest.fixture(scope="module")
def labels(text: str) -> dict[str, set[str]]:
    """The labels of each sample that a broker shows, by its name."""
    return {
        sample.name: set(sample.labels)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_reads_metrics_and_labels_that_there_are(labels: dict[str, set[str]], query: str) -> None:
    read = list(selectors(promql_parser.parse(_VARIABLE.sub("x", query))))
    assert read
    for each in read:
        assert each.name in labels
        matchers = {matcher.name for matcher in each.matchers.matchers}
        assert matchers <= labels[each.name]


def test_what_a_broker_knows_is_shown(text: str) -> None:
    shown = {
        (sample.name.removeprefix("lastvalue_"), *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert shown["queue_keyless_total", "prices"] == 1
    assert shown["history_unlanded_records", "prices.history"] == 1
    assert shown["history_limit_records", "prices.history"] == 1_000_000
    assert shown["history_gap_records_total", "prices.history"] == 0
    assert shown["history_records", "prices.history"] == shown["queue_depth_messages", "prices.history"]
    assert shown["history_base_records", "prices.history"] == 0
    assert shown["history_is_whole", "prices.history"] == 1
    first_s, last_s = (
        shown[f"history_{each}_timestamp_seconds", "prices.history"] for each in ("first", "last")
    )
    assert 1_700_000_000 < first_s <= last_s
    assert shown["tls_certificate_expiry_timestamp_seconds",] > 1_700_000_000
    assert shown["store_sync_seconds_count",] == shown["store_sync_seconds_bucket", "+Inf"] > 0
    assert shown["store_sync_seconds_sum",] >= 0
    assert shown["pipeline_end_to_end_seconds", "feed", "ticks"] == 0.5
    assert shown["snapshot_last_success_timestamp_seconds",] == 0
    assert shown["auth_failures_total", "PLAIN"] == 0
    assert shown["connections", "AMQP 1.0"] == 2
    assert (shown["store_write_failures_total",], shown["store_salvaged_bytes_total",]) == (0, 0)
    assert shown["config_last_reload_success",] == 1
    assert shown["producers_blocked", "memory"] == 0


def test_each_alert_says_what_is_wrong() -> None:
    names = [rule["alert"] for rule in RULES]
    assert len(names) == len(set(names))
    assert all(rule["annotations"]["summary"] and rule["labels"]["severity"] for rule in RULES)


def test_panels_do_not_overlap() -> None:
    cells = [
        (x, y)
        for panel in DASHBOARD["panels"]
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
