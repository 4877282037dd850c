"""`lastvalue conflate`: reduces tables in files to one row per key and interval."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lastvalue.cli.exits import CommandFailedError, UsageError, confirm
from lastvalue.queues import policy as policies
from lastvalue.queues.policy import MOST_LISTED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from lastvalue.pipeline.conflation.bulk import BulkConflation, Report
    from lastvalue.queues.policy import Policy


class PolicyName(StrEnum):
    """How the rows of a key become one row."""

    LAST = "last"
    FIRST = "first"
    MAX = "max"
    MIN = "min"
    SUM = "sum"
    COUNT = "count"
    OHLC = "ohlc"
    VWAP = "vwap"
    MERGE = "merge"
    LIST = "list"


class FormatName(StrEnum):
    """The file format of a table."""

    PARQUET = "parquet"
    CSV = "csv"
    JSON = "json"


_WITHOUT_VALUE = (PolicyName.LAST, PolicyName.FIRST, PolicyName.COUNT)
_NESTED = (PolicyName.MERGE, PolicyName.LIST)


def conflate(  # noqa: PLR0913 - the command's options
    source: Annotated[Path, typer.Argument(metavar="IN", help="A file, or a directory of files.")],
    *,
    key: Annotated[
        list[str],
        typer.Option(
            "--key", "-k", help="The column of the key; may be repeated: the columns are the key together."
        ),
    ],
    order_by: Annotated[
        list[str],
        typer.Option("--order-by", help="A column that says which row is newer; may be repeated."),
    ],
    out: Annotated[Path, typer.Option("--out", help="The directory to write.")],
    every: Annotated[
        str | None, typer.Option("--every", help="The interval, as 500ms, 5s, 1m, 1h or 1d.")
    ] = None,
    policy: Annotated[
        PolicyName, typer.Option("--policy", help="How the rows of a key become one row.")
    ] = PolicyName.LAST,
    value: Annotated[
        str | None, typer.Option("--value", help="The column of values, for policies that compute.")
    ] = None,
    volume: Annotated[
        str | None, typer.Option("--volume", help="The column of volumes, for ohlc and vwap.")
    ] = None,
    most: Annotated[
        int | None, typer.Option("--most", help="How many of the newest values, for list.", min=1)
    ] = None,
    time: Annotated[
        str | None, typer.Option("--time", help="The column of times. Default: the first --order-by.")
    ] = None,
    tombstone: Annotated[
        str | None,
        typer.Option(
            "--tombstone", help="A column that marks deletions: by true or, unless it is boolean, by null."
        ),
    ] = None,
    keep_deletions: Annotated[
        bool, typer.Option("--keep-deletions", help="Keep deletions in the result.")
    ] = False,
    sequence: Annotated[
        str | None, typer.Option("--sequence", help="A column of whole numbers whose gaps are reported.")
    ] = None,
    read_as: Annotated[
        FormatName | None, typer.Option("--format", help="The format of IN. Default: by its name.")
    ] = None,
    write_as: Annotated[
        FormatName | None,
        typer.Option("--out-format", help="The format of --out. Default: by its name, else as IN."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace --out if it exists.")] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Do not count late, equal and duplicate rows; this saves a sort.")
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the report to this file, too.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Draw rates and ratio over time to this HTML file.")
    ] = None,
    memory: Annotated[str, typer.Option("--memory", help="Memory for Spark.")] = "2g",
    master: Annotated[str, typer.Option("--master", help="The master of Spark.")] = "local[*]",
) -> None:
    """Conflate tables in Parquet, CSV or JSON files of any size, and report what they contain."""
    chosen = PolicyName(policy)
    _check_values(chosen, value, volume, most)
    if keep_deletions and tombstone is None:
        raise UsageError("--keep-deletions needs --tombstone")
    # Imported here: other commands must not need Spark, and a missing package has an error of ours.
    from lastvalue.pipeline.spark.session import SessionOptions, check_requirements, create_session

    check_requirements()
    from lastvalue.pipeline.conflation.bulk import BulkConflation
    from lastvalue.pipeline.conflation.interval import interval_us
    from lastvalue.pipeline.conflation.table_files import Format, check_output, format_of
    from lastvalue.pipeline.conflation.tombstones import Tombstones

    source_format = Format(read_as or format_of(source))
    target_format = Format(write_as or _format_of(out) or source_format)
    if chosen in _NESTED and target_format is Format.CSV:
        raise UsageError(f"CSV cannot hold what --policy {chosen} makes; name --out-format parquet or json")
    check_output(out, overwrite=overwrite)
    if every is not None:
        interval_us(every)
    job = BulkConflation(
        source=source,
        source_format=source_format,
        target=out,
        target_format=target_format,
        keys=tuple(key),
        order_by=tuple(order_by),
        policy=_policy(chosen, value, volume, most),
        every=every,
        time=time,
        tombstones=None if tombstone is None else Tombstones(tombstone, keep_deletions),
        sequence=sequence,
        thorough=not quick,
        over_time=picture is not None,
    )
    confirm(f"starting Spark on {master}")
    session = create_session(SessionOptions("lastvalue conflate", master, driver_memory=memory))
    try:
        report = _run(session, job)
    finally:
        session.stop()
    _tell(report, job, json_file, picture)


def _run(session: "SparkSession", job: "BulkConflation") -> "Report":
    from lastvalue.cli.spark_progress import SparkProgress
    from lastvalue.pipeline.conflation.bulk import conflate_files

    with SparkProgress(session.sparkContext) as progress:
        return conflate_files(session, job, progress.enter)


def _tell(report: "Report", job: "BulkConflation", json_file: Path | None, picture: Path | None) -> None:
    from lastvalue.pipeline.conflation import report_page

    facts = [*report_page.report_facts(report), ("written", str(job.target))]
    width = max(len(name) for name, _ in facts)
    for name, text in facts:
        print(f"{name.ljust(width)}  {text}")
    if json_file is not None:
        _write(json_file, json.dumps(report.record(), indent=2) + "\n")
    if picture is not None:
        _write(picture, report_page.report_page(report, f"{job.source.name} by {', '.join(job.keys)}"))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandFailedError(f"cannot write {path}: {error.strerror}") from error


def _check_values(policy: PolicyName, value: str | None, volume: str | None, most: int | None) -> None:
    if most is not None and policy is not PolicyName.LIST:
        raise UsageError(f"--policy {policy} does not use --most; leave it out")
    if policy in _WITHOUT_VALUE:
        if value is not None or volume is not None:
            raise UsageError(f"--policy {policy} keeps whole rows: leave out --value and --volume")
        return
    if value is None:
        raise UsageError(f"--policy {policy} needs --value, the column of values")
    if policy is PolicyName.LIST and (most is None or most > MOST_LISTED):
        raise UsageError(f"--policy list needs --most, how many values: 1 to {MOST_LISTED}")
    if policy is PolicyName.VWAP and volume is None:
        raise UsageError("--policy vwap needs --volume, the column of weights")
    if volume is not None and policy not in (PolicyName.OHLC, PolicyName.VWAP):
        raise UsageError(f"--policy {policy} does not use --volume; leave it out")


def _policy(name: PolicyName, value: str | None, volume: str | None, most: int | None) -> "Policy":
    own, weight = value or "", volume or ""
    made: dict[PolicyName, Policy] = {
        PolicyName.LAST: policies.Last(),
        PolicyName.FIRST: policies.First(),
        PolicyName.COUNT: policies.Count(),
        PolicyName.MAX: policies.Max(own),
        PolicyName.MIN: policies.Min(own),
        PolicyName.SUM: policies.Sum(own),
        PolicyName.OHLC: policies.Ohlc(own, volume),
        PolicyName.VWAP: policies.Vwap(own, weight),
        PolicyName.MERGE: policies.Merge(own),
        PolicyName.LIST: policies.List(own, most or 1),
    }
    return made[name]


def _format_of(out: Path) -> str | None:
    suffix = out.suffix.lower().removeprefix(".")
    return {"jsonl": "json", "ndjson": "json"}.get(suffix, suffix) if suffix in _SUFFIXES else None


_SUFFIXES = ("parquet", "csv", "json", "jsonl", "ndjson")
