"""lastvalue.pipeline.running.runner and parts: what fails begins again, and the others continue."""

import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from waiting import wait_until

pytest.importorskip("pyspark")

from lastvalue.client import Message, blocking
from lastvalue.config.pipeline_settings import PipelineDeclaration
from lastvalue.config.toml_reader import parse_toml
from lastvalue.pipeline.running.parts import HistoryPart
from lastvalue.pipeline.running.pipeline_run import PipelineRun
from lastvalue.pipeline.running.runner import Runner, plan_feeds
from lastvalue.pipeline.running.status import RunStatus, State, read_status

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

SOON_S = 60


def declared(directory: Path, text: str, *, once: bool = True) -> PipelineRun:
    pipeline: PipelineDeclaration = parse_toml(text).pipeline
    (directory / "p.state").mkdir()
    names = frozenset(part.name for _, part in pipeline.parts())
    return PipelineRun(directory / "p.toml", pipeline, names, once)


def history(queue: str, name: str = "past") -> str:
    return f'[[history]]\nname = "{name}"\nqueues = "{queue}"\ntables = "{name}.tables"\nevery = "10ms"\n'


def nothing(_: RunStatus) -> None:
    """Nobody watches."""


def test_a_part_that_fails_begins_again_until_its_cause_is_gone(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    text = f'[pipeline]\nurl = "{broker_url}"\nrestarts = 100\nrestart_delay = "10ms"\n' + history("mended")
    runner = Runner(declared(tmp_path, text), spark, [])
    told: list[RunStatus] = []
    with blocking.connect(broker_url) as connection:
        queue = connection.declare("mended")
        running = threading.Thread(target=runner.run, args=(told.append,))
        running.start()
        wait_until(lambda: any(status.parts[0].restarts >= 2 for status in list(told)))
        queue.update(history="mended.history")
        running.join(SOON_S)
    (part,) = told[-1].parts
    assert (told[-1].state, part.state, part.rows) == (State.FINISHED, State.FINISHED, 1)
    assert any("has no history" in status.parts[0].error for status in told)


def test_a_part_that_fails_too_often_is_given_up_and_the_others_go_on(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    with blocking.connect(broker_url) as connection:
        connection.declare("no-history")
        connection.declare("with-history", history="with-history.history")
    text = f'[pipeline]\nurl = "{broker_url}"\nrestarts = 1\nrestart_delay = "10ms"\n'
    run = declared(tmp_path, text + history("no-history", "bad") + history("with-history", "good"))
    done = Runner(run, spark, []).run(nothing)
    assert not done.healthy
    bad, good = done.parts
    assert (bad.state, bad.restarts, good.state) == (State.FAILED, 1, State.FINISHED)
    assert "queue 'no-history' has no history" in bad.error
    assert read_status(run.state.status) == done


def test_a_part_that_was_given_up_begins_again_on_request_and_so_does_one_that_runs(
    spark: "SparkSession", broker_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    run_part = HistoryPart.run

    def noted(part: HistoryPart, stop: threading.Event) -> State:
        begun.append(part.name)
        return run_part(part, stop)

    monkeypatch.setattr(HistoryPart, "run", noted)
    text = f'[pipeline]\nurl = "{broker_url}"\nrestarts = 0\n'
    run = declared(tmp_path, text + history("later", "bad") + history("asked", "good"), once=False)
    told: list[RunStatus] = []

    def states() -> list[State]:
        return [part.state for part in told[-1].parts] if told else []

    with blocking.connect(broker_url) as connection:
        connection.declare("asked", history="asked.history")
        queue = connection.declare("later")
        runner = Runner(run, spark, [])
        running = threading.Thread(target=runner.run, args=(told.append,))
        running.start()
        wait_until(lambda: State.FAILED in states())
        queue.update(history="later.history")
        run.state.ask_restart("bad")
        run.state.ask_restart("good")
        wait_until(lambda: begun.count("bad") == begun.count("good") == 2)
        queue.send(Message("1"))
        wait_until(lambda: all(part.rows for part in told[-1].parts[:1]))
        runner.stop()
        running.join(SOON_S)
    assert states() == [State.STOPPED, State.STOPPED]


def test_a_feed_that_fails_tells_the_cause_in_a_line(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "0.json").write_text('{"body": "a", "priority": 999}\n')
    feed = '[[feed]]\nname = "rows"\nformat = "json"\npath = "rows"\nschema = "body STRING, priority INT"\n'
    text = f'[pipeline]\nurl = "{broker_url}"\nrestarts = 0\n{feed}queue = "picky"\n'
    run = declared(tmp_path, text)
    with blocking.connect(broker_url) as connection:
        connection.declare("picky")
    (part,) = Runner(run, spark, plan_feeds(spark, run)).run(nothing).parts
    assert part.state is State.FAILED
    assert "priority" in part.error
    assert "999" in part.error
    assert "\n" not in part.error
    assert len(part.error) < 300


def test_a_value_that_does_not_fit_is_told_with_its_file_line_and_column(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    (tmp_path / "ticks").mkdir()
    bad = tmp_path / "ticks" / "bad.csv"
    bad.write_text("symbol,sequence,at\n\nA,1,2026-03-01T12:00:00Z\nA,xx,zz\n")
    schema = "symbol STRING, sequence BIGINT, at TIMESTAMP"
    feed = f'[[feed]]\nname = "ticks"\nformat = "csv"\npath = "ticks"\nschema = "{schema}"\n'
    text = f'[pipeline]\nurl = "{broker_url}"\nrestarts = 0\n{feed}queue = "fits"\n'
    run = declared(tmp_path, text + "options = { header = true }\n")
    with blocking.connect(broker_url) as connection:
        connection.declare("fits")
    (part,) = Runner(run, spark, plan_feeds(spark, run)).run(nothing).parts
    assert (part.lag, part.lag_unit) == (1, "files")
    assert part.error == f"{bad} line 4: column sequence: 'xx' is not a BIGINT"
    assert part.trace == str(tmp_path / "p.state" / "failures" / "ticks.txt")
    assert "NumberFormatException" in Path(part.trace).read_text()


def test_a_feed_tells_how_old_its_newest_row_was_when_the_broker_had_it(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    (tmp_path / "ticks").mkdir()
    began = datetime.now(UTC)
    rows = [
        {"symbol": "A", "at": (began - age).isoformat()} for age in (timedelta(hours=2), timedelta(hours=1))
    ]
    (tmp_path / "ticks" / "0.json").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    feed = (
        '[[feed]]\nname = "ticks"\nformat = "json"\npath = "ticks"\nschema = "symbol STRING, at TIMESTAMP"\n'
        'time = "at"\nqueue = "aged"\n'
    )
    run = declared(tmp_path, f'[pipeline]\nurl = "{broker_url}"\n{feed}')
    with blocking.connect(broker_url) as connection:
        connection.declare("aged")
    (part,) = Runner(run, spark, plan_feeds(spark, run)).run(nothing).parts
    took = datetime.now(UTC) - began
    assert (part.state, part.published) == (State.FINISHED, 2), part.error
    assert part.end_to_end_ms is not None
    assert timedelta(0) < timedelta(milliseconds=part.end_to_end_ms) - timedelta(hours=1) < took


def test_a_runner_that_is_stopped_ends_its_parts(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    with blocking.connect(broker_url) as connection:
        connection.declare("endless", history="endless.history")
        connection.declare("rates")
    feed = '[[feed]]\nname = "rates"\nformat = "rate"\nqueue = "rates"\n'
    text = f'[pipeline]\nurl = "{broker_url}"\n{feed}{history("endless")}'
    run = declared(tmp_path, text, once=False)
    runner = Runner(run, spark, plan_feeds(spark, run))
    told: list[RunStatus] = []
    running = threading.Thread(target=runner.run, args=(told.append,))
    running.start()
    wait_until(lambda: bool(told) and told[-1].parts[0].published > 0)
    runner.stop()
    running.join(SOON_S)
    assert told[-1].state is State.STOPPED
    assert [part.state for part in told[-1].parts] == [State.STOPPED, State.STOPPED]
    assert told[-1].healthy
    with blocking.connect(broker_url) as connection:
        # The broker has no more than what the runner knows of.
        assert connection.queue("rates").info().published == told[-1].parts[0].published


def test_a_feed_reads_a_queue_of_the_same_broker(
    spark: "SparkSession", broker_url: str, tmp_path: Path
) -> None:
    feed = (
        '[[feed]]\nname = "copy"\nformat = "lastvalue"\nqueue = "copied"\noptions = { queue = "original" }\n'
    )
    text = f'[pipeline]\nurl = "{broker_url}"\n{feed}select = "CAST(body AS STRING) AS body"\n'
    with blocking.connect(broker_url) as connection:
        original = connection.declare("original", non_destructive=True)
        copied = connection.declare("copied")
        original.send_many([Message("a"), Message("b")])
        run = declared(tmp_path, text)
        done = Runner(run, spark, plan_feeds(spark, run)).run(nothing)
        assert done.healthy, done.parts
        assert [message.body for message in copied.browse()] == ["a", "b"]
