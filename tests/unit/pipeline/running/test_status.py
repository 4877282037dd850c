"""The status of a pipeline and its file."""

from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.running.status import (
    Backoff,
    PartStatus,
    State,
    StatusBoard,
    UnreadableStatusError,
    read_status,
)


def test_a_status_is_read_as_it_was_written(tmp_path: Path) -> None:
    board = StatusBoard(tmp_path / "status.json", "local[*]", [PartStatus("ticks", "feed")])
    board.update("ticks", state=State.FAILED, error="why", published=4)
    board.change("ticks", lambda known: known.after(7, 10, 250, 40.0))
    written = board.write(State.FAILED)
    assert read_status(tmp_path / "status.json") == written
    assert [path.name for path in tmp_path.iterdir()] == ["status.json"]
    (part,) = written.parts
    assert (part.batch, part.rows, part.batch_ms, part.rows_per_s, part.conflation) == (7, 10, 250, 40.0, 2.5)
    assert not written.healthy


def test_a_part_that_lacks_nothing_is_idle_until_it_lacks_something() -> None:
    running = PartStatus("past", "history", State.RUNNING)
    idle = running.behind(0, "records")
    assert (idle.state, idle.lag, idle.lag_unit) == (State.IDLE, 0, "records")
    assert idle.behind(3, "records").state is State.RUNNING
    assert running.behind(None, "").state is State.RUNNING
    assert PartStatus("past", "history", State.FAILED).behind(0, "records").state is State.FAILED


def test_a_part_waits_for_its_broker_and_goes_on() -> None:
    waiting = PartStatus("ticks", "feed", State.IDLE).with_broker("cannot connect")
    assert (waiting.state, waiting.error) == (State.WAITING_FOR_BROKER, "cannot connect")
    assert waiting.active(State.IDLE) is waiting
    answered = waiting.with_broker("")
    assert (answered.state, answered.error) == (State.RUNNING, "")
    ended = PartStatus("ticks", "feed", State.FINISHED)
    assert ended.with_broker("cannot connect") is ended


def test_the_parts_of_a_dead_runner_are_dead_unless_they_had_ended(tmp_path: Path) -> None:
    parts = [PartStatus("ticks", "feed", State.RUNNING), PartStatus("again", "replay", State.FINISHED)]
    run = StatusBoard(tmp_path / "status.json", "local[*]", parts).write()
    dead = run.dead()
    assert (dead.state, [part.state for part in dead.parts]) == (State.DEAD, [State.DEAD, State.FINISHED])
    assert (run.healthy, dead.healthy) == (True, False)


def test_a_run_that_has_ended_cannot_die(tmp_path: Path) -> None:
    ended = StatusBoard(tmp_path / "status.json", "local[*]", []).write(State.STOPPED)
    assert ended.dead() is ended


def test_the_parts_of_a_run_that_fails_before_they_begin_have_failed(tmp_path: Path) -> None:
    board = StatusBoard(tmp_path / "status.json", "local[*]", [PartStatus("ticks", "feed")])
    assert board.write(State.STARTING).parts[0].state is State.STARTING
    failed = board.write(State.FAILED, "no broker")
    assert (failed.error, failed.parts[0].state) == ("no broker", State.FAILED)


def test_a_micro_batch_that_is_told_twice_counts_once() -> None:
    once = PartStatus("ticks", "feed").after(0, 10, 250, 40.0)
    assert once.after(0, 10, 250, 40.0) is once
    assert once.after(1, 5, 250, 40.0).rows == 15


def test_getting_further_forgets_the_last_error() -> None:
    part = PartStatus("ticks", "feed", error="why", restarts=3).after(0, 1, 1, 1.0)
    assert (part.error, part.restarts) == ("", 0)


def test_restarts_are_counted_since_the_last_progress_and_in_all() -> None:
    part = PartStatus("ticks", "feed").failed(State.RESTARTING, "why", "t.txt", 1)
    assert (part.state, part.error, part.trace, part.restarts) == (State.RESTARTING, "why", "t.txt", 1)
    part = part.after(0, 1, 1, 1.0).failed(State.RESTARTING, "why", "", 1)
    assert (part.restarts, part.all_restarts) == (1, 2)
    assert part.failed(State.FAILED, "why", "", 5).all_restarts == 2


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "the pipeline has not run"),
        ("", "is not the status of a pipeline"),
        ("[]", "is not the status of a pipeline"),
        ('{"version": 9}', "another version"),
        ('{"version": 2, "parts": [{"state": "odd"}]}', "is not the status of a pipeline"),
    ],
)
def test_a_status_that_cannot_be_read_is_told(tmp_path: Path, content: str | None, fault: str) -> None:
    path = tmp_path / "status.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UnreadableStatusError, match=fault):
        read_status(path)


def test_restarts_wait_longer_each_time_and_end() -> None:
    backoff = Backoff(most=4, first_s=10.0, longest_s=60.0)
    waits = [backoff.failed(progressed=False) for _ in range(5)]
    assert waits == [10.0, 20.0, 40.0, 60.0, None]


def test_getting_further_begins_the_restarts_anew() -> None:
    backoff = Backoff(most=1, first_s=1.0)
    assert [backoff.failed(progressed=further) for further in (False, True, False)] == [1.0, 1.0, None]
