"""lastvalue.cli.pipelines and pipeline_display."""

import io
import json
import signal
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from rich.console import Console

from lastvalue.cli.app import run
from lastvalue.cli.pipeline_display import PipelineDisplay, line
from lastvalue.client import blocking
from lastvalue.pipeline.running.state import StateDirectory
from lastvalue.pipeline.running.status import PartStatus, RunStatus, State, StatusBoard

FEED = '[[feed]]\nname = "ticks"\nformat = "csv"\nschema = "k STRING"\npath = "ticks"\nqueue = "prices"\n'


def written(directory: Path, text: str = FEED) -> str:
    file = directory / "prices.toml"
    file.write_text(text)
    return str(file)


def left_behind(directory: Path, state: State, part: PartStatus) -> StateDirectory:
    """What a runner leaves that ended so."""
    path = directory / "prices.state"
    path.mkdir()
    StatusBoard(path / "status.json", "local[2]", [part]).write(state)
    return StateDirectory(path, "")


def test_validate_says_what_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pipeline", "validate", written(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("prices.toml has no faults and declares 1 feed\n")


def test_validate_tells_all_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faulty = FEED.replace('queue = "prices"', 'key = "k"') + '[pipeline]\nmaster = "x"'
    assert run(["pipeline", "validate", written(tmp_path, faulty)]) == 1
    complaints = capsys.readouterr().err.splitlines()
    assert len(complaints) == 3
    assert all("prices.toml:" in complaint for complaint in complaints)


@pytest.mark.parametrize(
    ("names", "text", "fault"),
    [
        (["tocks"], FEED, "has no part 'tocks'; it has ticks"),
        ([], "", "declares no [[feed]], [[history]] or [[replay]]"),
    ],
)
def test_run_refuses_what_is_not_declared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], names: list[str], text: str, fault: str
) -> None:
    assert run(["pipeline", "run", written(tmp_path, text), *names]) == 2
    assert fault in capsys.readouterr().err


def test_run_tells_what_is_missing_before_spark_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOBODY", raising=False)
    url = '[pipeline]\nurl = "amqp://127.0.0.1:1"\n'
    assert run(["pipeline", "run", written(tmp_path, url + FEED)]) == 1
    told = capsys.readouterr().err
    assert "feed[1].path is 'ticks': there is nothing at" in told
    assert "pipeline.url is 'amqp://127.0.0.1:1': cannot connect" in told
    assert run(["pipeline", "run", written(tmp_path, '[pipeline]\nuser_env = "NOBODY"\n' + FEED)]) == 1
    assert "pipeline.user_env is 'NOBODY': no environment variable" in capsys.readouterr().err


def test_run_tells_which_queues_are_missing_or_have_other_keys(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ticks").mkdir()
    monkeypatch.setenv("BROKER_USER", "alice")
    monkeypatch.setenv("BROKER_PASSWORD", "secret")
    with blocking.connect(url.replace("//", "//alice:secret@")) as connection:
        connection.declare("keyed", lvq_key="symbol")
    keyed = FEED.replace("prices", "keyed") + 'key = "k"\norder_by = "k"\nkey_property = "k"\n'
    history = '[[history]]\nname = "past"\nqueues = ["keyed", "absent"]\ntables = "d"\n'
    broker = f'[pipeline]\nurl = "{url}"\nuser_env = "BROKER_USER"\npassword_env = "BROKER_PASSWORD"\n'
    file = written(tmp_path, broker + keyed + history + FEED.replace("ticks", "t2"))
    (tmp_path / "t2").mkdir()
    assert run(["pipeline", "run", file]) == 1
    told = capsys.readouterr().err
    assert "feed[1].key_property is 'k': queue 'keyed' has its keys in the property 'symbol'" in told
    assert "feed[2].queue is 'prices': the broker has no queue of that name" in told
    assert "history[1].queues is 'keyed': the queue has no history" in told


def test_validate_asks_the_broker_that_it_is_given(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broker = url.replace("//", "//alice:secret@")
    with blocking.connect(broker) as connection:
        connection.declare("pairs", lvq_key="venue,symbol")
        keyed = FEED.replace("k STRING", "venue STRING, symbol STRING").replace("prices", "pairs")
        good = keyed + 'key = ["venue", "symbol"]\norder_by = "venue"\n'
        assert run(["pipeline", "validate", written(tmp_path, good), "--broker", broker]) == 0
        connection.delete("pairs")
    capsys.readouterr()
    assert run(["pipeline", "validate", written(tmp_path, good), "--broker", broker]) == 1
    told = capsys.readouterr().err
    assert "prices.toml:6: feed 'ticks': feed[1].queue is 'pairs': the broker has no queue" in told
    with blocking.connect(broker) as connection:
        connection.declare("pairs", lvq_key="venue,symbol")
    one = good.replace('["venue", "symbol"]', '"symbol"')
    assert run(["pipeline", "validate", written(tmp_path, one), "--broker", broker]) == 1
    told = capsys.readouterr().err
    assert "prices.toml:7: feed 'ticks': feed[1].key is 'symbol': queue 'pairs' has keys of venue, sy" in told


def test_run_tells_that_a_password_is_wrong(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ticks").mkdir()
    monkeypatch.setenv("BROKER_USER", "alice")
    monkeypatch.setenv("BROKER_PASSWORD", "guessed")
    broker = f'[pipeline]\nurl = "{url}"\nuser_env = "BROKER_USER"\npassword_env = "BROKER_PASSWORD"\n'
    assert run(["pipeline", "run", written(tmp_path, broker + FEED)]) == 1
    told = capsys.readouterr().err
    assert f"pipeline.url is '{url}'" in told
    assert "see user_env and password_env" in told
    assert "guessed" not in told


def test_status_of_a_pipeline_that_has_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pipeline", "status", written(tmp_path)]) == 1
    assert "the pipeline has not run" in capsys.readouterr().err


def test_status_of_a_pipeline_that_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = left_behind(tmp_path, State.RUNNING, PartStatus("ticks", "feed", State.RUNNING, rows=5))
    with state.locked():
        assert run(["pipeline", "status", written(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("running, process ")


def test_status_of_a_runner_that_died(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left_behind(tmp_path, State.RUNNING, PartStatus("ticks", "feed", State.RUNNING, rows=5))
    assert run(["pipeline", "status", written(tmp_path), "-o", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["state"] == "dead"
    assert (told["parts"][0]["state"], told["parts"][0]["rows"]) == ("dead", 5)


def test_a_signal_while_spark_starts_stops_the_run(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ticks").mkdir()
    with blocking.connect(url) as connection:
        connection.declare("prices")

    def terminated(*_: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr("lastvalue.pipeline.spark.session.create_session", terminated)
    before = signal.getsignal(signal.SIGTERM)
    file = written(tmp_path, f'[pipeline]\nurl = "{url}"\n' + FEED)
    assert run(["pipeline", "run", file]) == 130
    assert signal.getsignal(signal.SIGTERM) is before
    assert "feed ticks: starting Spark" in capsys.readouterr().err
    assert run(["pipeline", "status", file]) == 0
    assert capsys.readouterr().out.startswith("stopped, ")


def test_the_file_and_the_output_have_the_same_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = left_behind(tmp_path, State.STOPPED, PartStatus("ticks", "feed", State.STOPPED, rows=5))
    run(["pipeline", "status", written(tmp_path), "-o", "json"])
    written_status = json.loads(state.status.read_text())
    del written_status["version"]
    assert json.loads(capsys.readouterr().out) == written_status


def test_a_run_that_does_not_start_leaves_the_cause_in_its_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ticks").mkdir()
    file = written(tmp_path, '[pipeline]\nurl = "amqp://127.0.0.1:1"\n' + FEED)
    assert run(["pipeline", "run", file]) == 1
    capsys.readouterr()
    assert run(["pipeline", "status", file]) == 1
    told = capsys.readouterr().out
    assert told.startswith("failed, process ")
    assert "pipeline.url is 'amqp://127.0.0.1:1': cannot connect" in told


@pytest.mark.parametrize(("end", "code"), [(State.FINISHED, 0), (State.STOPPED, 0), (State.FAILED, 1)])
def test_status_of_a_runner_that_ended(tmp_path: Path, end: State, code: int) -> None:
    left_behind(tmp_path, end, PartStatus("ticks", "feed", end))
    assert run(["pipeline", "status", written(tmp_path)]) == code


def test_a_part_is_told_on_one_line() -> None:
    part = PartStatus(
        "ticks",
        "feed",
        State.RESTARTING,
        7,
        None,
        250,
        1000,
        400.0,
        10,
        0,
        1,
        3,
        "files",
        900,
        1,
        2,
        "why",
        "t.txt",
    )
    assert line(part) == (
        "feed ticks: restarting, rows 1,000, rows_per_s 400, published 10, conflation 100, rejected 1, "
        "batch 7, batch_ms 250, end_to_end_ms 900, lag 3 files, restarts 1, why, trace in t.txt"
    )


def test_without_a_terminal_a_change_of_state_is_told_at_once() -> None:
    told = io.StringIO()
    running = PartStatus("ticks", "feed", State.RUNNING)
    with PipelineDisplay(Console(file=told)) as display:
        for part in (running, running, PartStatus("ticks", "feed", State.FAILED, error="why")):
            display.show(RunStatus(1, "local[*]", "", "", State.RUNNING, "", (part,)))
    assert told.getvalue().splitlines() == [
        "feed ticks: running",
        "feed ticks: failed, why",
    ]


def test_a_terminal_shows_a_table() -> None:
    told = io.StringIO()
    part = PartStatus("ticks", "feed", State.RUNNING, rows=1234, published=10)
    with PipelineDisplay(Console(file=told, force_terminal=True, width=120)) as display:
        display.show(RunStatus(1, "local[*]", "", "", State.RUNNING, "", (part,)))
    assert "conflation" in told.getvalue()
    assert "rejected" not in told.getvalue()
    assert "1,234" in told.getvalue()
