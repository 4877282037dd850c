"""The process of a feed, without Spark."""

import io
import shlex
import signal
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline import feed, feed_process
from lastvalue.pipeline.feed import FeedProgress, FeedSpec
from lastvalue.pipeline.spark.session import SessionOptions

ARGUMENTS = (
    "--path", "a b.parquet", "--key", "k", "--order-by", "n", "--time-column", "t", "--queue", "q",
    "--url", "amqp://h", "--end-row", "3",
)  # fmt: skip
SPEC = FeedSpec("a b.parquet", "k", "n", "t", "q", "amqp://h", end_row=3)


@pytest.fixture
def started_with(monkeypatch: pytest.MonkeyPatch) -> list[SessionOptions]:
    """The options of the sessions, which start at once."""
    asked: list[SessionOptions] = []

    def create_session(options: SessionOptions) -> SimpleNamespace:
        asked.append(options)
        return SimpleNamespace(stop=lambda: None)

    monkeypatch.setattr(feed_process, "create_session", create_session)
    return asked


@pytest.fixture
def specs(monkeypatch: pytest.MonkeyPatch) -> list[FeedSpec]:
    """The feeds that were started, which finish at once."""
    started: list[FeedSpec] = []

    def start_feed(_session: object, spec: FeedSpec, _checkpoint: Path) -> SimpleNamespace:
        started.append(spec)
        return SimpleNamespace(progress=lambda: [FeedProgress("finished", 3)], stop=lambda: None)

    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(feed, "start_feed", start_feed)
    return started


@pytest.mark.parametrize(
    ("arguments", "line"), [(ARGUMENTS, ""), (("--later",), f"{shlex.join(ARGUMENTS)}\n")]
)
def test_a_feed_is_told_what_to_do_at_once_or_once_spark_runs(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    specs: list[FeedSpec],
    started_with: list[SessionOptions],
    arguments: tuple[str, ...],
    line: str,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(line))
    assert feed_process.run_feed_process(arguments) == 0
    assert specs == [SPEC]
    # Which is how the demo starts one.
    assert [each.quick_start for each in started_with] == [arguments == ("--later",)]
    assert '"event": "finished", "updates": 3' in capsys.readouterr().out


@pytest.mark.usefixtures("started_with")
def test_a_feed_that_is_not_told_what_to_do_ends(
    monkeypatch: pytest.MonkeyPatch, specs: list[FeedSpec]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert feed_process.run_feed_process(["--later"]) == 0
    assert specs == []
