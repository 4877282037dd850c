"""lastvalue.http.broker_j.attribute_query."""

from typing import Any

import pytest

from lastvalue.http.broker_j.attribute_query import AttributeQuery

OBJECTS: list[dict[str, Any]] = [
    {"id": "1", "name": "a", "durable": True, "statistics": {"depth": 3}},
    {"id": "2", "name": "b", "durable": False, "statistics": {"depth": 1}},
    {"id": "3", "name": "c", "durable": True, "lvqKey": "k", "statistics": {"depth": 2}},
]


@pytest.mark.parametrize(
    ("query", "results"),
    [
        ({}, [["1"], ["2"], ["3"]]),
        ({"select": "name, depth"}, [["a", 3], ["b", 1], ["c", 2]]),
        ({"select": "name", "order_by": "depth"}, [["b"], ["c"], ["a"]]),
        ({"select": "name", "order_by": "durable desc, name desc"}, [["c"], ["a"], ["b"]]),
        ({"select": "name,lvqKey", "order_by": "lvqKey", "limit": 1, "offset": 2}, [["c", "k"]]),
        ({"where": "durable = TRUE AND depth BETWEEN 2 AND 3"}, [["1"], ["3"]]),
        ({"where": "lvqKey IS NOT NULL"}, [["3"]]),
    ],
)
def test_a_query_selects_filters_sorts_and_pages(query: dict[str, Any], results: list[list[Any]]) -> None:
    assert AttributeQuery(**query).answer(OBJECTS)["results"] == results


def test_the_total_is_without_the_limit() -> None:
    assert AttributeQuery(limit=1).answer(OBJECTS)["total"] == 3
