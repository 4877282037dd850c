"""`lastvalue conflate` on files."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from rich.console import Console

from lastvalue.cli.app import run
from lastvalue.cli.spark_progress import SparkProgress
from lastvalue.pipeline.spark import session as sessions

pytestmark = [pytest.mark.spark, pytest.mark.timeout(300)]

Command = Callable[..., int]

TICKS = """
    SELECT 'S' || id % 3 AS symbol, id + if(id >= 500, 7, 0) AS sequence,
        timestamp_millis(1767225600000 + 20 * id) AS time, id % 17 / 4 AS price, id % 5 AS size
    FROM range(1000)
"""


@pytest.fixture
def command(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, in the session of the tests, which it does not end."""
    monkeypatch.setattr(sessions, "create_session", lambda options: spark)
    monkeypatch.setattr(spark, "stop", lambda: None, raising=False)

    def conflate(*arguments: Any) -> int:
        return run(["conflate", *map(str, arguments)])

    return conflate


@pytest.fixture
def ticks(spark: SparkSession) -> DataFrame:
    return spark.sql(TICKS)


def written(frame: DataFrame, path: Path, kind: str) -> Path:
    frame.coalesce(1).write.format(kind).option("header", "true").save(str(path))
    return path


def test_two_columns_are_the_key_together(
    command: Command, spark: SparkSession, ticks: DataFrame, tmp_path: Path
) -> None:
    source, out, report = (
        written(ticks, tmp_path / "in", "parquet"),
        tmp_path / "out",
        tmp_path / "report.json",
    )
    options = ["--key", "symbol", "--key", "size", "--order-by", "sequence", "--json", report]
    assert command(source, *options, "--out", out) == 0
    found = spark.read.parquet(str(out))
    assert sorted(found.columns) == ["price", "sequence", "size", "symbol", "time", "updates"]
    newest = ticks.groupBy("symbol", "size").agg({"sequence": "max"})
    assert sorted(found.select("symbol", "size", "sequence").collect()) == sorted(newest.collect())
    assert json.loads(report.read_text())["keys"] == 15


def test_a_list_has_the_newest_values_of_a_key_and_interval(
    command: Command, spark: SparkSession, ticks: DataFrame, tmp_path: Path
) -> None:
    source, out = written(ticks, tmp_path / "in", "parquet"), tmp_path / "out"
    options = ["--key", "symbol", "--order-by", "sequence", "--time", "time", "--every", "10s"]
    assert command(source, *options, "--policy", "list", "--value", "price", "--most", 2, "--out", out) == 0
    found = spark.read.parquet(str(out)).where("symbol = 'S0'").orderBy("interval_start").collect()
    assert [row["price"] for row in found] == [
        [row % 17 / 4 for row in (495, 498)],
        [row % 17 / 4 for row in (996, 999)],
    ]


@pytest.mark.parametrize(("kind", "name"), [("parquet", "out"), ("csv", "out.csv"), ("json", "out.jsonl")])
def test_a_table_of_each_format_is_conflated_and_reported(
    command: Command,
    spark: SparkSession,
    ticks: DataFrame,
    tmp_path: Path,
    kind: str,
    name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = written(ticks, tmp_path / "in", kind)
    options = ["--key", "symbol", "--order-by", "sequence", "--time", "time", "--every", "5s"]
    options += ["--policy", "ohlc", "--value", "price", "--volume", "size", "--sequence", "sequence"]
    report, picture = tmp_path / "report.json", tmp_path / "picture.html"
    out = tmp_path / name
    assert command(source, *options, "--out", out, "--json", report, "--picture", picture) == 0
    found = spark.read.option("header", "true").option("inferSchema", "true").format(kind).load(str(out))
    assert [found.count(), found.agg({"updates": "sum"}).collect()[0][0]] == [12, 1000]
    told = json.loads(report.read_text())
    assert {name: told[name] for name in ("rows", "keys", "results", "late", "equal", "duplicates")} == {
        "rows": 1000,
        "keys": 3,
        "results": 12,
        "late": 0,
        "equal": 0,
        "duplicates": 0,
    }
    assert told["sequence"] == {"first": 0, "last": 1006, "missing": 7, "gaps": 1}
    assert sum(bucket["rows"] for bucket in told["over_time"]) == 1000
    assert sum(bucket["results"] for bucket in told["over_time"]) == 12
    assert picture.read_text().count("<svg") == 3
    assert "sequence    0 to 1,006, 7 missing in 1 gaps" in capsys.readouterr().out


def test_late_equal_and_duplicate_rows_are_counted_in_the_order_of_the_files(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.csv").write_text("key,number,text\na,1,x\na,3,y\nb,9,x\n")
    (tmp_path / "in" / "2.csv").write_text("key,number,text\na,2,late\na,3,z\na,3,z\n,1,keyless\n")
    report = tmp_path / "report.json"
    arguments = ["-k", "key", "--order-by", "number", "--json", report, "--out", tmp_path / "out"]
    assert command(tmp_path / "in", *arguments) == 0
    told = json.loads(report.read_text())
    assert {name: told[name] for name in ("rows", "keyless", "late", "equal", "duplicates", "ratio")} == {
        "rows": 7,
        "keyless": 1,
        "late": 1,
        "equal": 1,
        "duplicates": 1,
        "ratio": 7 / 3,
    }
    assert "conflating and writing" in capsys.readouterr().err


def test_quickly_only_rows_keys_and_results_are_counted(
    command: Command, ticks: DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = written(ticks, tmp_path / "in", "parquet")
    assert (
        command(source, "-k", "symbol", "--order-by", "sequence", "--quick", "--out", tmp_path / "out") == 0
    )
    names = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["rows", "keys", "results", "ratio", "time", "written"]


def test_tombstones_delete_and_what_was_there_is_overwritten(
    command: Command, spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "in.csv").write_text("key,number,gone\na,1,false\na,2,true\nb,1,false\n")
    (tmp_path / "out").mkdir()
    arguments = [tmp_path / "in.csv", "-k", "key", "--order-by", "number", "--tombstone", "gone"]
    arguments += ["--out", tmp_path / "out", "--overwrite", "--out-format", "parquet"]
    assert command(*arguments) == 0
    assert [row.key for row in spark.read.parquet(str(tmp_path / "out")).collect()] == ["b"]
    assert command(*arguments, "--keep-deletions") == 0
    assert sorted(row.key for row in spark.read.parquet(str(tmp_path / "out")).collect()) == ["a", "b"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ["--order-by", "nummer"],
            "no column 'nummer'; there are key, number, text; is it 'number'?",
        ),
        (["--order-by", "text"], "column 'text' cannot order rows: it is string; cast it"),
        (["--order-by", "number", "--every", "5s"], "an interval needs a time"),
        (["--order-by", "number", "--picture", "p.html"], "a picture needs a time"),
        (
            ["--order-by", "number", "--sequence", "text"],
            "column 'text' is not a sequence of numbers",
        ),
        (
            ["--order-by", "number", "--policy", "sum", "--value", "text"],
            "'text' is not a value to add up",
        ),
        (["--order-by", "number", "--format", "parquet"], "as parquet:"),
    ],
)
def test_what_cannot_be_done_with_the_columns_is_told_and_nothing_is_written(
    command: Command, tmp_path: Path, options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.csv").write_text("key,number,text\na,1,x\n")
    assert command(tmp_path / "in.csv", "-k", "key", *options, "--out", tmp_path / "out") == 1
    assert complaint in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_a_line_that_cannot_be_parsed_is_told(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.json").write_text('{"key": "a", "number": 1}\n{"key": \n')
    assert command(tmp_path / "in.json", "-k", "key", "--order-by", "number", "--out", tmp_path / "out") == 1
    assert f"cannot read {tmp_path / 'in.json'}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_table_without_rows_has_a_result_without_rows(
    command: Command, spark: SparkSession, ticks: DataFrame, tmp_path: Path
) -> None:
    source = written(ticks.limit(0), tmp_path / "in", "parquet")
    report = tmp_path / "report.json"
    arguments = ["-k", "symbol", "--order-by", "time", "--sequence", "sequence", "--out", tmp_path / "out"]
    assert command(source, *arguments, "--json", report, "--picture", tmp_path / "picture.html") == 0
    told = json.loads(report.read_text())
    assert [told[name] for name in ("rows", "keys", "results", "ratio", "sequence", "over_time")] == [
        *(0, 0, 0),
        *(None, None, []),
    ]
    assert spark.read.parquet(str(tmp_path / "out")).count() == 0


def test_on_a_terminal_a_bar_is_shown(spark: SparkSession) -> None:
    screen = io.StringIO()
    with SparkProgress(spark.sparkContext, Console(file=screen, force_terminal=True)) as progress:
        progress.enter("counting all")
        assert spark.range(1000).repartition(4).count() == 1000
    assert "counting all" in screen.getvalue()
    assert "tasks" in screen.getvalue()
