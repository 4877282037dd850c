"""lastvalue.compat.broker_j.attribute_query."""

from typing import Any

import pytest

from lastvalue.client import Page
from lastvalue.compat.broker_j.attribute_query import AttributeQuery, QueryRows
from lastvalue.http.problems import FieldProblem

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


def test_an_attribute_may_have_another_header() -> None:
    answer = AttributeQuery(select="name AS n, depth").answer(OBJECTS[:1])
    assert (answer["headers"], answer["results"]) == (["n", "depth"], [["a", 3]])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"select": "concat(name, 'x')"}, "select"),
        ({"select": "name n"}, "select"),
        ({"order_by": "name sideways"}, "orderBy"),
        ({"order_by": "lower(name)"}, "orderBy"),
        ({"where": "now() > 5"}, "where"),
    ],
)
def test_what_cannot_be_selected_or_sorted_by_is_refused_by_name(query: dict[str, Any], field: str) -> None:
    with pytest.raises(FieldProblem, match=f"^{field}|{field}") as refused:
        AttributeQuery(**query).answer(OBJECTS)
    assert refused.value.field == field


def test_of_many_rows_only_those_wanted_are_kept_and_all_are_counted() -> None:
    rows = QueryRows(AttributeQuery(select="name", order_by="depth desc, name", limit=2, offset=1))
    for begin in range(0, 5000, 500):
        rows.add({"name": f"q{each:04}", "depth": each // 2} for each in range(begin, begin + 500))
    told = rows.document()
    assert (told["results"], told["total"]) == ([["q4999"], ["q4996"]], 5000)


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ({"limit": 5}, Page(sort="name", count=5)),
        ({"limit": 5, "offset": 7, "order_by": "size desc"}, Page(sort="-bytes", count=5, offset=7)),
        ({"limit": 5, "order_by": "other"}, None),
        ({"limit": 5, "order_by": "size,name"}, None),
        ({"limit": 5, "where": "size > 3"}, None),
        ({"order_by": "size"}, None),
        ({"limit": 0}, None),
    ],
    ids=str,
)
def test_what_the_broker_sorts_is_asked_for_as_a_page(query: dict[str, Any], page: Page | None) -> None:
    assert AttributeQuery(**query).page({"name": "name", "size": "bytes"}) == page


def test_a_condition_is_refused_where_there_is_nothing_either() -> None:
    with pytest.raises(FieldProblem, match="where"):
        AttributeQuery(where="=").answer([])
