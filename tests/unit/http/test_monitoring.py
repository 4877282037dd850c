"""The alert rules and the dashboard ask only for what there is."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from lastvalue.client import Connection, Message

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


@pytest.fixture
async def labels(http: httpx.AsyncClient, connection: Connection) -> dict[str, set[str]]:
    """The labels of each sample that a broker shows, by its name."""
    prices = await connection.declare("prices", lvq_key="symbol")
    for number in range(2):
        await prices.send(Message(number, {"symbol": "A"}))
    text = (await http.get("/metrics")).text
    return {
        sample.name: set(sample.labels)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.parametrize("query", QUERIES)
async def test_a_query_reads_metrics_and_labels_that_there_are(
    labels: dict[str, set[str]], query: str
) -> None:
    stored = {f"lastvalue_store_{name}": set[str]() for name in ("bytes", "free_bytes", "waiting_bytes")}
    read = list(selectors(promql_parser.parse(_VARIABLE.sub("x", query))))
    assert read
    for each in read:
        assert each.name in labels | stored
        matchers = {matcher.name for matcher in each.matchers.matchers}
        assert matchers <= (labels | stored)[each.name]


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
