"""The pipeline that a broker tells, and requests to its runner."""

from pathlib import Path

import pytest

from lastvalue.broker.administration.pipeline_requests import RestartRefusedError
from lastvalue.cli.served_pipeline import ServedPipeline
from lastvalue.config.toml_reader import parse_toml

pytest.importorskip("pyspark")

from lastvalue.pipeline.running.state import StateDirectory
from lastvalue.pipeline.running.status import PartStatus, State, StatusBoard

TEXT = """
[[feed]]
name = "rows"
format = "csv"
path = "in"
schema = "k STRING"
queue = "q"
key = "k"
order_by = "k"
sink = { onRejected = "letters" }
options = { password = "secret" }

[[history]]
name = "past"
queues = ["q"]
tables = "tables"

[[replay]]
name = "again"
queue = "q"
into = "copy"
start = "2020-01-01T00:00:00Z"
"""


@pytest.fixture
def state(tmp_path: Path) -> StateDirectory:
    return StateDirectory(tmp_path / "p.state", "")


@pytest.fixture
def pipeline(tmp_path: Path) -> ServedPipeline:
    return ServedPipeline(tmp_path / "p.toml", parse_toml(TEXT).pipeline)


def test_before_it_runs_its_parts_are_told_as_they_are_declared(pipeline: ServedPipeline) -> None:
    told = pipeline.state()
    assert told["state"] == "not running"
    assert "pipeline run" in told["error"]
    ways = {part["name"]: (part["kind"], part["from"], part["to"]) for part in told["parts"]}
    assert ways == {
        "rows": ("feed", ["csv in"], ["q"]),
        "past": ("history", ["q"], ["tables"]),
        "again": ("replay", ["q"], ["copy"]),
    }
    assert told["parts"][0]["dead_letter_queue"] == "letters"
    assert "secret" not in str(told)


def test_the_status_of_a_run_is_told_and_a_dead_runner_noticed(
    pipeline: ServedPipeline, state: StateDirectory
) -> None:
    with state.locked():
        board = StatusBoard(state.status, "local[1]", [PartStatus("rows", "feed", State.RUNNING, rejected=3)])
        board.write()
        told = pipeline.state()
        assert (told["state"], told["master"]) == ("running", "local[1]")
        assert (told["parts"][0]["state"], told["parts"][0]["rejected"]) == ("running", 3)
        assert told["parts"][0]["to"] == ["q"]
    assert pipeline.state()["parts"][0]["state"] == "dead"


def test_a_part_is_asked_to_begin_again_once(pipeline: ServedPipeline, state: StateDirectory) -> None:
    with state.locked():
        StatusBoard(state.status, "local[1]", [PartStatus("rows", "feed", State.FAILED)]).write()
        pipeline.restart("rows")
        pipeline.restart("rows")
    assert state.take_restarts() == ["rows"]
    assert state.take_restarts() == []


def test_what_cannot_begin_again_is_refused(pipeline: ServedPipeline, state: StateDirectory) -> None:
    with pytest.raises(RestartRefusedError, match="it has rows, past, again"):
        pipeline.restart("../rows")
    with pytest.raises(RestartRefusedError, match="pipeline run"):
        pipeline.restart("rows")
    with state.locked():
        StatusBoard(state.status, "local[1]", [PartStatus("again", "replay", State.FINISHED)]).write()
        for name in ("again", "past"):
            with pytest.raises(RestartRefusedError, match="has ended"):
                pipeline.restart(name)
