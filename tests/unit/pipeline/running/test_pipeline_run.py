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


def test_the_paths_are_those_of_the_feeds_that_run() -> None:
    assert run_of("files").paths() == {"files": "/a/rows"}


def test_a_run_is_described_before_spark_is_imported() -> None:
    code = "import sys, lastvalue.pipeline.running.pipeline_run; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
