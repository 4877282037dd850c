"""What a pipeline's run asks of its session."""

import subprocess
import sys
from pathlib import Path

import pytest

from lastvalue.config.toml_reader import parse_toml
from lastvalue.pipeline.running.pipeline_run import PipelineRun

FEED = """
[[feed]]
name = "{name}"
format = "{format}"
path = "rows"
queue = "q"
"""
OWN = FEED.format(name="replayed", format="lastvalue_replay")
FILES = FEED.format(name="files", format="parquet")


def run_of(*names: str, settings: str = "") -> PipelineRun:
    return PipelineRun(Path("/a/p.toml"), parse_toml(settings + OWN + FILES).pipeline, frozenset(names))


@pytest.mark.parametrize(("name", "registered"), [("replayed", True), ("files", False)])
def test_the_formats_of_lastvalue_are_registered_where_a_feed_that_runs_reads_one(
    name: str, registered: bool
) -> None:
    assert run_of(name).session_options("local[1]").registered is registered


def test_the_settings_of_the_file_override_those_of_a_run() -> None:
    settings = '[pipeline]\nspark = { "spark.scheduler.mode" = "FIFO" }\n'
    options = run_of("files", settings=settings).session_options("local[1]", Path("/logs"))
    assert dict(options.settings) == {"spark.scheduler.mode": "FIFO"}
    assert (options.name, options.log_directory) == ("lastvalue p", Path("/logs"))


@pytest.fixture
def plain_spark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A Spark that this machine configures nowhere."""
    for name in ("SPARK_CONF_DIR", "PYSPARK_SUBMIT_ARGS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))


@pytest.mark.usefixtures("plain_spark")
@pytest.mark.parametrize(
    ("settings", "master", "mllib"),
    [
        ("", "local[2]", False),
        ('spark = { "spark.ui.enabled" = "true" }', "local[2]", False),
        ("", "spark://host:7077", True),
        ('spark = { "spark.jars.packages" = "a:b:1" }', "local[2]", True),
        ('spark = { "spark.sql.extensions" = "a.B" }', "local[2]", True),
    ],
)
def test_mllib_is_left_out_where_spark_runs_no_foreign_code(settings: str, master: str, mllib: bool) -> None:
    run = run_of("files", "replayed", settings=f"[pipeline]\n{settings}\n")
    assert run.session_options(master).mllib is mllib


@pytest.mark.usefixtures("plain_spark")
def test_a_feed_of_a_format_that_others_bring_may_need_mllib() -> None:
    pipeline = parse_toml(FEED.format(name="foreign", format="delta")).pipeline
    run = PipelineRun(Path("/a/p.toml"), pipeline, frozenset({"foreign"}))
    assert run.session_options("local[1]").mllib


@pytest.mark.usefixtures("plain_spark")
@pytest.mark.parametrize("configured", ["SPARK_CONF_DIR", "PYSPARK_SUBMIT_ARGS", "conf"])
def test_a_spark_that_is_configured_elsewhere_may_need_mllib(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, configured: str
) -> None:
    if configured == "conf":
        (tmp_path / "conf").mkdir()
    else:
        monkeypatch.setenv(configured, "x")
    assert run_of("files").session_options("local[1]").mllib


def test_the_paths_are_those_of_the_feeds_that_run() -> None:
    assert run_of("files").paths() == {"files": "/a/rows"}


def test_a_run_is_described_before_spark_is_imported() -> None:
    code = "import sys, lastvalue.pipeline.running.pipeline_run; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
