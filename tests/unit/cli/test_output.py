"""lastvalue.cli.output."""

import json

import pytest

from lastvalue.cli.output import Output, print_record, print_records

RECORDS: list[dict[str, object]] = [{"name": "prices", "depth": 12}, {"name": "orders", "depth": None}]


def test_a_table_aligns_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    print_records(RECORDS, ("name", "depth"), Output.TABLE)
    assert capsys.readouterr().out == "NAME    DEPTH\nprices  12\norders\n"


def test_an_empty_table_has_its_heading(capsys: pytest.CaptureFixture[str]) -> None:
    print_records([], ("name", "depth"), Output.TABLE)
    assert capsys.readouterr().out == "NAME  DEPTH\n"


def test_records_are_one_json_array(capsys: pytest.CaptureFixture[str]) -> None:
    print_records(RECORDS, ("name",), Output.JSON)
    assert json.loads(capsys.readouterr().out) == RECORDS


def test_records_are_an_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_records(RECORDS, ("name",), Output.JSONL)
    assert list(map(json.loads, capsys.readouterr().out.splitlines())) == RECORDS


@pytest.mark.parametrize(
    ("output", "printed"),
    [
        (Output.TABLE, "name   prices\ndepth  12\n"),
        (Output.JSON, '{\n  "name": "prices",\n  "depth": 12\n}\n'),
        (Output.JSONL, '{"name": "prices", "depth": 12}\n'),
    ],
)
def test_a_record_is_printed(output: Output, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_record(RECORDS[0], output)
    assert capsys.readouterr().out == printed


def test_a_moment_of_a_record_is_a_time_and_its_name_has_no_unit(capsys: pytest.CaptureFixture[str]) -> None:
    print_record({"oldest_ms": 1_700_000_000_123, "default_ttl_ms": 5}, Output.TABLE)
    assert capsys.readouterr().out == "oldest          2023-11-14 22:13:20Z\ndefault_ttl_ms  5\n"
    print_record({"oldest_ms": 1_700_000_000_123}, Output.JSONL)
    assert json.loads(capsys.readouterr().out) == {"oldest_ms": 1_700_000_000_123}
