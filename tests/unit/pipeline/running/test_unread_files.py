"""Files that no micro-batch has finished, by a checkpoint as Spark writes it."""

import json
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from lastvalue.config.pipeline_settings import FeedSettings
from lastvalue.pipeline.running.unread_files import UnreadFiles, unread_files


def write_log(checkpoint: Path, name: str, *files: tuple[Path, int]) -> None:
    log = checkpoint / "sources" / "0"
    log.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"path": file.as_uri(), "timestamp": 0, "batchId": entry}) for file, entry in files]
    (log / name).write_text("\n".join(["v1", *lines]))


def finish(checkpoint: Path, batch: int, offset: int) -> None:
    for directory, text in (("offsets", f'v1\n{{}}\n{{"logOffset":{offset}}}'), ("commits", "v1\n{}")):
        (checkpoint / directory).mkdir(parents=True, exist_ok=True)
        (checkpoint / directory / str(batch)).write_text(text)


@pytest.fixture
def ticks(tmp_path: Path) -> list[Path]:
    directory = tmp_path / "ticks"
    (directory / "day=1").mkdir(parents=True)
    (directory / "_temporary").mkdir()
    files = [directory / "a b.csv", directory / "day=1" / "c.csv", directory / "d.csv"]
    for file in (*files, directory / ".hidden", directory / "_temporary" / "e.csv"):
        file.touch()
    return files


def test_files_count_until_a_micro_batch_has_finished_them(tmp_path: Path, ticks: list[Path]) -> None:
    unread = UnreadFiles(f"{tmp_path}/ticks", f"{tmp_path}/checkpoint")
    assert unread.count() == 3
    checkpoint = tmp_path / "checkpoint"
    write_log(checkpoint, "0", (ticks[0], 0))
    assert unread.count() == 3
    finish(checkpoint, 0, 0)
    assert unread.count() == 2
    write_log(checkpoint, "1", (ticks[1], 1))
    write_log(checkpoint, ".2.tmp", (ticks[2], 2))
    finish(checkpoint, 7, 1)
    assert unread.count() == 1
    write_log(checkpoint, "2.compact", *zip(ticks, range(3), strict=True))
    assert unread.count() == 1
    finish(checkpoint, 8, 2)
    assert unread.count() == 0
    assert UnreadFiles(f"{tmp_path}/ticks/*.csv", f"{tmp_path}/checkpoint").count() == 0
    (tmp_path / "ticks" / "f.csv").touch()
    assert unread.count() == 1


@pytest.mark.parametrize(
    ("feed", "path", "checkpoint"),
    [
        (FeedSettings("ticks", "rate", "q"), None, "/state/ticks"),
        (FeedSettings("ticks", "lastvalue", "q"), None, "/state/ticks"),
        (FeedSettings("ticks", "csv", "q"), "s3://bucket/ticks", "/state/ticks"),
        (FeedSettings("ticks", "csv", "q"), "/ticks", "hdfs:/state/ticks"),
        (FeedSettings("ticks", "csv", "q", options={"pathGlobFilter": "*.csv"}), "/ticks", "/state/ticks"),
    ],
)
def test_files_that_this_process_cannot_count_have_no_count(
    feed: FeedSettings, path: str | None, checkpoint: str
) -> None:
    assert unread_files(feed, path, checkpoint) is None


def test_local_files_have_a_count(tmp_path: Path, ticks: list[Path]) -> None:
    unread = unread_files(
        FeedSettings("ticks", "CSV", "q"), f"file:{tmp_path}/ticks", f"{tmp_path}/checkpoint"
    )
    assert unread is not None
    assert unread.count() == len(ticks)
