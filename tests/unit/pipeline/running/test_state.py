"""The state directory of a pipeline."""

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from lastvalue.config.pipeline_settings import FeedSettings, PipelineSettings, ReplaySettings
from lastvalue.pipeline.running.state import (
    IdentityChangedError,
    PipelineRunningError,
    StateDirectory,
    StateUnusableError,
    feed_identity,
    located,
    replay_identity,
)

FEED = FeedSettings(
    "ticks", "csv", "prices", "ticks", {"header": "true", "maxFilesPerTrigger": "1"}, key=("k",)
)


def state(path: Path) -> StateDirectory:
    return StateDirectory(path, str(path / "checkpoints"))


def test_what_is_remembered_stands_beside_the_file(tmp_path: Path) -> None:
    plain = StateDirectory.of(tmp_path / "prices.toml", PipelineSettings())
    assert plain.path == tmp_path.resolve() / "prices.state"
    assert plain.checkpoint("ticks") == str(plain.path / "checkpoints" / "ticks")
    told = PipelineSettings(state="here", checkpoints="hdfs://name/there")
    assert StateDirectory.of(tmp_path / "prices.toml", told).checkpoint("t") == "hdfs://name/there/t"


@pytest.mark.parametrize(
    ("path", "used"), [("a/b", "/home/a/b"), ("/a", "/a"), ("s3a://b/c", "s3a://b/c"), ("file:/a", "file:/a")]
)
def test_relative_paths_are_so_to_the_file(path: str, used: str) -> None:
    assert located(path, Path("/home")) == used


def test_one_process_runs_a_pipeline(tmp_path: Path) -> None:
    assert not state(tmp_path / "s").is_locked()
    with state(tmp_path / "s").locked():
        assert state(tmp_path / "s").is_locked()
        with (
            pytest.raises(PipelineRunningError, match="another process runs this pipeline"),
            state(tmp_path / "s").locked(),
        ):
            pass
    assert not state(tmp_path / "s").is_locked()


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StateUnusableError, match="cannot be used"), state(tmp_path / "file" / "s").locked():
        pass


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (replace(FEED, queue="other"), "queue is 'other' and was 'prices' when 'ticks' began"),
        (replace(FEED, path="elsewhere"), "path is 'elsewhere' and was 'ticks'"),
        (replace(FEED, partitions=2), "partitions is '2' and was '1'"),
        (replace(FEED, options={}), "options.header is not set and was set when"),
        (replace(FEED, options={"header": "no"}), "options.header has another value than it had when"),
        (replace(FEED, every_ms=5000), "every is '5000ms' and was not set"),
    ],
)
def test_a_feed_with_another_source_or_queue_is_another(
    tmp_path: Path, changed: FeedSettings, fault: str
) -> None:
    state(tmp_path).claim("ticks", feed_identity(FEED))
    with pytest.raises(IdentityChangedError, match="give it another name") as raised:
        state(tmp_path).claim("ticks", feed_identity(changed))
    assert fault in str(raised.value)


def test_a_feed_may_change_its_pace_and_its_messages(tmp_path: Path) -> None:
    state(tmp_path).claim("ticks", feed_identity(FEED))
    changed = replace(
        FEED, trigger_ms=1, message={"subject": "'a'"}, options={"header": "true"}, policy="first"
    )
    state(tmp_path).claim("ticks", feed_identity(changed))


def test_a_replay_of_another_period_is_another(tmp_path: Path) -> None:
    replay = ReplaySettings("again", "prices", "copy", "-1h")
    state(tmp_path).claim("again", replay_identity(replay))
    with pytest.raises(IdentityChangedError, match="start is '-2h' and was '-1h'"):
        state(tmp_path).claim("again", replay_identity(replace(replay, start="-2h")))


def test_a_replay_has_the_period_of_its_first_run(tmp_path: Path) -> None:
    assert state(tmp_path).period("again", 1000, 2000) == (1000, 2000)
    assert state(tmp_path).period("again", 5000, 6000) == (1000, 2000)
