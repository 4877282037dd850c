"""Which value of a record does not fit; how Spark finds the record is in tests/spark/test_bad_record.py."""

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.running.bad_record import BadRecord, csv_record_fault, json_record_fault

TYPES = {"symbol": "STRING", "sequence": "BIGINT", "price": "DOUBLE"}


@pytest.mark.parametrize(
    ("line", "missing", "options", "fault"),
    [
        ("A,xx,no", ["sequence", "price"], {}, "column sequence: 'xx' is not a BIGINT"),
        ("A,,no", ["sequence", "price"], {}, "column price: 'no' is not a DOUBLE"),
        ("A;1;no", ["price"], {"sep": ";"}, "column price: 'no' is not a DOUBLE"),
        ("'A,B',1,no", ["price"], {"quote": "'"}, "column price: 'no' is not a DOUBLE"),
        ("A,1", ["price"], {}, "it has 2 values; expected 3: symbol, sequence, price"),
        ("A,1,2,3", [], {}, "it has 4 values; expected 3: symbol, sequence, price"),
        ("A,1,2", [], {}, "'A,1,2' does not fit the schema"),
        (f"A,{'9' * 200},2", ["sequence"], {}, f"column sequence: '{'9' * 80}…' is not a BIGINT"),
    ],
)
def test_the_value_of_a_csv_line_that_does_not_fit_is_named(
    line: str, missing: list[str], options: dict[str, str], fault: str
) -> None:
    assert csv_record_fault(line, TYPES, {name: name in missing for name in TYPES}, options) == fault


@pytest.mark.parametrize(
    ("line", "missing", "fault"),
    [
        ('{"symbol": "A", "sequence": "many"}', ["sequence"], "column sequence: 'many' is not a BIGINT"),
        (
            '{"price": {"a": 1}}',
            ["symbol", "sequence", "price"],
            "column price: '{\"a\": 1}' is not a DOUBLE",
        ),
        ("[1]", list(TYPES), "'[1]' is not an object"),
    ],
)
def test_the_value_of_a_json_line_that_does_not_fit_is_named(
    line: str, missing: list[str], fault: str
) -> None:
    assert json_record_fault(line, TYPES, {name: name in missing for name in TYPES}) == fault


def test_a_line_that_is_no_json_is_told_with_the_place() -> None:
    fault = json_record_fault("{oops", TYPES, dict.fromkeys(TYPES, True))
    assert fault.startswith("it is not JSON: ")
    assert "column 2" in fault


def test_a_bad_record_is_one_line() -> None:
    assert str(BadRecord("ticks/bad.csv", 2, "column a: 'x' is not a INT")) == (
        "ticks/bad.csv line 2: column a: 'x' is not a INT"
    )
