"""Lists as JSON: filtered, sorted, in pages, made in steps."""

import json
from typing import Any

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.owner import Owner
from lastvalue.frontends.core.management.management_call import ManagementCall, ManagementError
from lastvalue.frontends.core.management.rows import Row, Rows

MADE: list[Row | None] = [{"name": f"q{depth}", "depth": depth} for depth in (5, 30, 4)] + [None]


def call() -> ManagementCall:
    return ManagementCall(Broker(), "node", Owner(connection=1), 0)


@pytest.mark.parametrize(
    ("operation", "value", "names"),
    [
        ("CONTAINS", "5", ["q5"]),
        ("NOT_CONTAINS", "5", ["q30", "q4"]),
        ("EQUALS", "q4", ["q4"]),
        ("NOT_EQUALS", "q4", ["q5", "q30"]),
        ("", "", ["q5", "q30", "q4"]),
    ],
)
def test_a_filter_chooses_rows_by_a_text(operation: str, value: str, names: list[str]) -> None:
    options = json.dumps({"field": "name", "operation": operation, "value": value})
    assert [row["name"] for row in json.loads(Rows(call(), MADE, options).array())] == names


@pytest.mark.parametrize(("operation", "names"), [("GREATER_THAN", ["q5", "q30"]), ("LESS_THAN", [])])
def test_a_filter_compares_numbers(operation: str, names: list[str]) -> None:
    options = json.dumps({"field": "depth", "operation": operation, "value": "4"})
    assert [row["name"] for row in json.loads(Rows(call(), MADE, options).array())] == names


@pytest.mark.parametrize("field", ["messageCount", "MESSAGE_COUNT", "messagecount"])
def test_a_field_has_the_name_that_the_tool_gives_it(field: str) -> None:
    options = json.dumps({"field": field, "operation": "EQUALS", "value": "2"})
    made: list[Row | None] = [{"name": "q", "messageCount": 2}, {"name": "r", "messageCount": 3}]
    assert [row["name"] for row in json.loads(Rows(call(), made, options).array())] == ["q"]


@pytest.mark.parametrize(("order", "depths"), [("asc", [4, 5, 30]), ("desc", [30, 5, 4])])
def test_rows_are_sorted_by_numbers(order: str, depths: list[int]) -> None:
    options = json.dumps({"sortField": "depth", "sortOrder": order})
    assert [row["depth"] for row in json.loads(Rows(call(), MADE, options).array())] == depths


@pytest.mark.parametrize(
    ("page", "names"),
    [((1, 2), ["q5", "q30"]), ((2, 2), ["q4"]), ((3, 2), []), ((-1, 2), ["q5", "q30", "q4"])],
)
def test_a_page_has_its_rows_and_the_number_of_all(page: tuple[int, int], names: list[str]) -> None:
    found: Any = json.loads(Rows(call(), MADE, "", page).page())
    assert ([row["name"] for row in found["data"]], found["count"]) == (names, 3)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("{", "is not JSON"),
        ("[]", "expected a JSON object"),
        ('{"field": "a", "operation": "IS"}', "expected one of"),
    ],
)
def test_a_wrong_filter_is_refused(options: str, fault: str) -> None:
    with pytest.raises(ManagementError, match=fault):
        Rows(call(), MADE, options)


def test_many_rows_are_made_in_steps() -> None:
    asked = call()
    rows = Rows(asked, iter([{"name": str(number)} for number in range(120)]))
    assert rows.count() == 50
    asked.broker.long_commands.step(0)
    asked.broker.long_commands.step(0)
    assert (rows.count(), asked.broker.long_commands.busy) == (120, False)
