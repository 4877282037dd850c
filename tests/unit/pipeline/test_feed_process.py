"""The process of a feed, without Spark."""

import io
import shlex
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Self

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


class Start:
    """A session that has started at once."""

    options = SessionOptions()

    def __init__(self, options: SessionOptions) -> None:
        Start.options = options

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""

    def session(self) -> SimpleNamespace:
        return SimpleNamespace(stop=lambda: None)


@pytest.fixture
def specs(monkeypatch: pytest.MonkeyPatch) -> list[FeedSpec]:
    """The feeds that were started, which finish at once."""
    started: list[FeedSpec] = []

    def start_feed(_session: object, spec: FeedSpec, _checkpoint: Path) -> SimpleNamespace:
        started.append(spec)
        return SimpleNamespace(progress=lambda: [FeedProgress("finished", 3)], stop=lambda: None)

    monkeypatch.setattr(feed_process, "SessionStart", Start)
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
    arguments: tuple[str, ...],
    line: str,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(line))
    assert feed_process.run_feed_process(arguments) == 0
    assert specs == [SPEC]
    # Which is how the demo starts one.
    assert Start.options.quick_start == (arguments == ("--later",))
    assert '"event": "finished", "updates": 3' in capsys.readouterr().out


def test_a_feed_that_is_not_told_what_to_do_ends(
    monkeypatch: pytest.MonkeyPatch, specs: list[FeedSpec]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert feed_process.run_feed_process(["--later"]) == 0
    assert specs == []
