import threading
from pathlib import Path

from lastvalue.store.batch_log import BatchLog, Commit
from lastvalue.store.file_log import FileLog
from lastvalue.store.segments import SegmentReader, segment_path
from lastvalue.store.store_options import StoreOptions


def written(directory: Path) -> list[bytes]:
    return [batch.records for batch in SegmentReader(segment_path(directory, 1)).read()]


def test_a_commit_is_in_its_segment_when_it_is_done(tmp_path: Path) -> None:
    log: BatchLog = FileLog(tmp_path, StoreOptions())
    log.begin(1)
    done = threading.Event()
    log.submit(Commit(1, b"records", done=done.set))
    assert done.wait(120)
    assert [batch.records for batch in SegmentReader(segment_path(tmp_path, 1)).read()] == [b"records"]
    log.close(Commit(1, b"last"))
    assert [batch.records for batch in SegmentReader(segment_path(tmp_path, 1)).read()] == [
        b"records",
        b"last",
    ]


def test_files_always_lead_because_their_store_is_locked(tmp_path: Path) -> None:
    log = FileLog(tmp_path, StoreOptions())
    assert (log.leads, log.ended, log.most_under_way, log.spare_bytes) == (True, None, 1, None)
    log.close(None)


def test_between_two_batches_the_files_are_at_rest(tmp_path: Path) -> None:
    log = FileLog(tmp_path, StoreOptions())
    log.begin(1)
    log.submit(Commit(1, b"records"))
    sizes: list[int] = []
    log.at_rest(lambda files: sizes.extend(files().values()))
    log.close(None)
    assert len(sizes) == 1
    assert sizes[0] > len(b"records")
