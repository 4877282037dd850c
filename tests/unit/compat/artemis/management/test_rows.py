"""Lists as JSON: filtered, sorted, in pages, made in steps."""

import json
from typing import Any

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.compat.artemis.management.management_call import ManagementCall, ManagementError
from lastvalue.compat.artemis.management.rows import MOST_ANSWER_BYTES, ForEach, Names, Row, Rows
from lastvalue.model.memory_budget import MemoryLimitError

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


def test_rows_of_the_same_place_keep_their_order_in_either_direction() -> None:
    made: list[Row | None] = [{"name": name, "kind": 1} for name in "abc"]
    for order in ("asc", "desc"):
        options = json.dumps({"sortField": "kind", "sortOrder": order})
        rows = json.loads(Rows(call(), made, options).array())
        assert [row["name"] for row in rows] == ["a", "b", "c"]


def test_a_sorted_page_has_its_rows() -> None:
    found: Any = json.loads(Rows(call(), MADE, json.dumps({"sortField": "depth"}), (2, 2)).page())
    assert ([row["name"] for row in found["data"]], found["count"]) == (["q30"], 3)


def test_an_answer_that_is_too_large_is_refused_and_a_page_of_it_is_not() -> None:
    made: list[Row | None] = [{"name": "x" * (MOST_ANSWER_BYTES // 20)} for _ in range(21)]
    with pytest.raises(ManagementError, match="ask for a page"):
        Rows(call(), made).array()
    with pytest.raises(ManagementError, match="ask for a page"):
        Rows(call(), made, json.dumps({"sortField": "name"})).array()
    assert json.loads(Rows(call(), made, "", (1, 2)).page())["count"] == 21
    assert Rows(call(), made, "", (1, 0)).count() == 21


def test_rows_take_memory_of_their_caller_until_they_are_made() -> None:
    asked = call()
    asked.broker.memory.user_limit_bytes = 60_000
    many: list[Row | None] = [{"name": "x" * 500}] * 70
    rows = Rows(asked, many)
    assert asked.broker.memory.used_bytes > 25_000
    asked.broker.long_commands.step(0)
    assert (len(json.loads(rows.array())), asked.broker.memory.used_bytes) == (70, 0)
    refused = Rows(asked, many * 2)
    asked.broker.long_commands.step(0)
    asked.broker.long_commands.step(0)
    assert asked.broker.memory.used_bytes == 0
    with pytest.raises(MemoryLimitError):
        refused.page()


def test_names_are_found_in_steps() -> None:
    asked = call()
    names = Names(asked, [str(number) if number % 2 else None for number in range(900)])
    assert names.count() == 250
    asked.broker.long_commands.step(0)
    assert (names.count(), names.names()[:2], asked.broker.long_commands.busy) == (450, ["1", "3"], False)


def test_names_that_are_too_many_for_an_answer_are_refused() -> None:
    with pytest.raises(ManagementError, match="have more than"):
        Names(call(), ["x" * MOST_ANSWER_BYTES, "y"]).names()


def test_changes_are_made_in_steps_until_one_is_refused() -> None:
    asked = call()
    changed: list[int] = []

    def change(number: int) -> int:
        if number == 25:
            raise ManagementError("not this one")
        changed.append(number)
        return 1

    each = ForEach(asked, range(22), change, 10)
    assert (len(changed), each.total()) == (10, 10)
    asked.broker.long_commands.step(0)
    asked.broker.long_commands.step(0)
    each.done()
    assert (each.total(), asked.broker.long_commands.busy) == (22, False)
    refused = ForEach(asked, range(20, 30), change, 10)
    with pytest.raises(ManagementError, match="not this one"):
        refused.done()


def test_many_rows_are_made_in_steps() -> None:
    asked = call()
    rows = Rows(asked, iter([{"name": str(number)} for number in range(120)]))
    assert rows.count() == 50
    asked.broker.long_commands.step(0)
    asked.broker.long_commands.step(0)
    assert (rows.count(), asked.broker.long_commands.busy) == (120, False)
