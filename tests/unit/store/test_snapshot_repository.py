"""Snapshots in object storage: moto's S3, in a process of its own."""

import errno
import json
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from s3_server import empty_bucket, s3_server
from stored_queue import StoredQueue

from lastvalue.store import snapshot_repository
from lastvalue.store.object_address import ObjectAddress
from lastvalue.store.object_storage import ObjectStorageError
from lastvalue.store.segments import segment_numbers, segment_path
from lastvalue.store.snapshot import RESTORING, SnapshotError, capture, release
from lastvalue.store.snapshot_repository import SnapshotRepository
from lastvalue.store.store_contents import load_contents

pytestmark = pytest.mark.interop

ADDRESS = ObjectAddress("s3://bucket/deep/prices")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with s3_server() as url:
        yield url


@pytest.fixture(autouse=True)
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(snapshot_repository, "PART_BYTES", 1000)
    return empty_bucket(endpoint, monkeypatch)


@pytest.fixture
def stored(tmp_path: Path) -> StoredQueue:
    """A store of several segments with a hundred messages."""
    (tmp_path / "store").mkdir()
    stored = StoredQueue(tmp_path / "store", segment_bytes=3000)
    fill(stored, 100)
    return stored


def fill(stored: StoredQueue, messages: int) -> None:
    for number in range(messages):
        stored.send(f"{number:0100d}")
        stored.flush()


def quiet(done: int, of: int) -> None:
    """Nobody looks."""


def write(directory: Path, name: str, progress: Callable[[int, int], None] = quiet) -> int:
    """Write a snapshot of what a store has; returns how many bytes were sent."""
    paths = [segment_path(directory, each) for each in segment_numbers(directory)]
    parts = capture({path: path.stat().st_size for path in paths})
    try:
        return SnapshotRepository(ADDRESS).write(name, parts, 1000, progress)
    finally:
        release(parts)


def keys(bucket: Any, below: str = "") -> list[str]:
    return sorted(each.key for each in bucket.objects.filter(Prefix=f"deep/prices/{below}"))


def files_of(directory: Path) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.glob("*.journal")}


def test_what_is_restored_is_what_was_written(stored: StoredQueue, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    before = files_of(stored.directory)
    size = sum(map(len, before.values()))
    assert write(stored.directory, "one", lambda done, of: told.append((done, of))) == size
    assert told[-1] == (size, size)
    SnapshotRepository(ADDRESS).restore("one", tmp_path / "new", lambda done, of: told.append((done, of)))
    assert told[-1] == (size, size)
    assert len(before) > 3
    assert files_of(tmp_path / "new") == before
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "new").iterdir()} == {0o600}
    assert len(load_contents(tmp_path / "new", salvage=False).messages[1]) == 100


def test_a_second_snapshot_sends_what_has_changed_only(stored: StoredQueue, tmp_path: Path) -> None:
    first = write(stored.directory, "one")
    assert write(stored.directory, "two") == 0
    fill(stored, 3)
    third = write(stored.directory, "three")
    assert 0 < third < first / 5
    SnapshotRepository(ADDRESS).restore("three", tmp_path / "new", quiet)
    assert files_of(tmp_path / "new") == files_of(stored.directory)


def test_parts_that_somebody_has_removed_are_sent_again(
    stored: StoredQueue, tmp_path: Path, bucket: Any
) -> None:
    write(stored.directory, "one")
    bucket.Object(keys(bucket, "parts/")[0]).delete()
    (one,) = SnapshotRepository(ADDRESS).summaries()
    assert "is missing; take another snapshot" in one.fault
    with pytest.raises(SnapshotError, match=r"parts/\w+-\w+, a part of \d+.journal, is missing"):
        SnapshotRepository(ADDRESS).restore("one", tmp_path / "old", quiet)
    assert write(stored.directory, "two") > 0
    SnapshotRepository(ADDRESS).restore("two", tmp_path / "new", quiet)
    assert files_of(tmp_path / "new") == files_of(stored.directory)


def test_a_damaged_part_is_named_and_the_store_does_not_open(
    stored: StoredQueue, tmp_path: Path, bucket: Any
) -> None:
    write(stored.directory, "one")
    part = bucket.Object(keys(bucket, "parts/")[0])
    data = bytearray(part.get()["Body"].read())
    data[len(data) // 2] ^= 1
    part.put(Body=bytes(data))
    with pytest.raises(SnapshotError, match=r"parts/.* is damaged: its bytes are not those of its digest"):
        SnapshotRepository(ADDRESS).restore("one", tmp_path / "new", quiet)
    assert (tmp_path / "new" / RESTORING).exists()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"taken_ms": 5}, "its digest is another one"),
        ({"version": 2}, "has the version 2; this lastvalue restores 1"),
        ({"files": 5}, "cannot be read"),
        ({"files": {"../lock": [1, []]}}, "its digest is another one"),
    ],
)
def test_a_damaged_manifest_is_named(
    stored: StoredQueue, tmp_path: Path, bucket: Any, change: dict[str, Any], text: str
) -> None:
    write(stored.directory, "one")
    manifest = bucket.Object("deep/prices/snapshots/one.json")
    content = json.loads(manifest.get()["Body"].read())
    manifest.put(Body=json.dumps(content | change).encode())
    with pytest.raises(SnapshotError, match=text):
        SnapshotRepository(ADDRESS).restore("one", tmp_path / "new", quiet)
    assert not (tmp_path / "new").exists()
    (one,) = SnapshotRepository(ADDRESS).summaries()
    assert text in one.fault
    # Its parts are of no use, so all is sent again.
    assert write(stored.directory, "two") > 0


def test_a_name_is_taken_once(stored: StoredQueue) -> None:
    write(stored.directory, "one")
    with pytest.raises(SnapshotError, match="take another name, or delete it: lastvalue"):
        write(stored.directory, "one")
    assert [(each.name, each.fault) for each in SnapshotRepository(ADDRESS).summaries()] == [("one", "")]


def test_of_two_at_once_both_are_whole(stored: StoredQueue, tmp_path: Path) -> None:
    meeting = threading.Barrier(2)
    met = threading.local()

    def meet(done: int, of: int) -> None:
        if not hasattr(met, "once"):
            met.once = meeting.wait(120)

    threads = [threading.Thread(target=write, args=(stored.directory, name, meet)) for name in ("one", "two")]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for name in ("one", "two"):
        SnapshotRepository(ADDRESS).restore(name, tmp_path / name, quiet)
        assert files_of(tmp_path / name) == files_of(stored.directory)
    # What only one of them has goes with it.
    SnapshotRepository(ADDRESS).delete("one")
    SnapshotRepository(ADDRESS).restore("two", tmp_path / "again", quiet)


def test_one_that_fails_leaves_nothing_and_the_one_before_whole(
    stored: StoredQueue, tmp_path: Path, bucket: Any
) -> None:
    write(stored.directory, "one")
    before = keys(bucket)
    fill(stored, 50)

    def full(done: int, of: int) -> None:
        if done > of * 0.9:
            raise OSError(errno.EIO, "the disk is broken")

    with pytest.raises(OSError, match="is broken"):
        write(stored.directory, "two", full)
    assert keys(bucket) == before
    SnapshotRepository(ADDRESS).restore("one", tmp_path / "new", quiet)


def test_one_that_is_killed_leaves_the_one_before_whole_and_can_be_deleted(
    stored: StoredQueue, tmp_path: Path, bucket: Any
) -> None:
    write(stored.directory, "one")
    before = keys(bucket)
    fill(stored, 50)

    killed = multiprocessing.get_context("spawn").Process(target=_killed, args=(stored.directory,))
    killed.start()
    killed.join()
    assert killed.exitcode == 9
    left = set(keys(bucket)) - set(before)
    assert "deep/prices/begun/two.json" in left
    assert any("/parts/" in each for each in left)
    repository = SnapshotRepository(ADDRESS)
    unfinished, one = repository.summaries()
    assert (unfinished.name, one.name, one.fault) == ("two", "one", "")
    assert "two is not a finished snapshot" in unfinished.fault
    repository.restore("one", tmp_path / "new", quiet)
    write(stored.directory, "three")
    # While it may still be written, nothing that it may have is deleted.
    assert repository.delete("one") == 0
    assert repository.delete("two") > 0
    assert not left & set(keys(bucket))
    repository.restore("three", tmp_path / "third", quiet)
    assert files_of(tmp_path / "third") == files_of(stored.directory)
    repository.delete("three")
    assert keys(bucket) == []


def _killed(directory: Path) -> None:
    # As in the process that started this one.
    pytest.MonkeyPatch().setattr(snapshot_repository, "PART_BYTES", 1000)

    def kill(done: int, of: int) -> None:
        if done > of * 0.9:
            os._exit(9)

    write(directory, "two", kill)


def test_one_that_is_deleted_while_it_is_written_says_so(stored: StoredQueue, bucket: Any) -> None:
    def delete(done: int, of: int) -> None:
        if done == of:
            SnapshotRepository(ADDRESS).delete("one")

    with pytest.raises(SnapshotError, match="one was deleted while it was being written"):
        write(stored.directory, "one", delete)
    assert keys(bucket, "snapshots/") == []


def test_what_is_not_there_is_named(
    stored: StoredQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = SnapshotRepository(ADDRESS)
    assert repository.summaries() == []
    with pytest.raises(SnapshotError, match=r"prices/one is not a finished snapshot: .*one.json is missing"):
        repository.restore("one", tmp_path / "new", quiet)
    with pytest.raises(SnapshotError, match="has no snapshot one"):
        repository.delete("one")
    nowhere = SnapshotRepository(ObjectAddress("s3://nobucket/prices"))
    with pytest.raises(ObjectStorageError, match=r"nobucket/prices cannot be listed: NoSuchBucket: \S"):
        nowhere.summaries()
    with pytest.raises(ObjectStorageError, match=r"nobucket/prices cannot be written: NoSuchBucket: \S"):
        nowhere.write("one", [], 1000, quiet)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(
        ObjectStorageError, match=r"prices cannot be written: .*error sending request"
    ) as caught:
        SnapshotRepository(ADDRESS).write("one", [], 1000, quiet)
    assert not any(secret in str(caught.value) for secret in ("anyone", "anything"))


class Forbidding(BaseHTTPRequestHandler):
    """Refuses everything as S3 does."""

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
        self.send_response(403)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


def test_a_user_without_rights_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with HTTPServer(("127.0.0.1", 0), Forbidding) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        with pytest.raises(ObjectStorageError) as caught:
            SnapshotRepository(ADDRESS).write("one", [], 1000, quiet)
        server.shutdown()
    assert str(caught.value) == "s3://bucket/deep/prices cannot be written: AccessDenied: Access Denied"
