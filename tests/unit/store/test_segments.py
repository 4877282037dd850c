"""Segment files: what is whole, what is torn, and what is damaged."""

from pathlib import Path

import pytest

from lastvalue.store.segments import (
    BATCH_HEAD,
    FORMAT_VERSION,
    SEGMENT_HEAD,
    SEGMENT_MAGIC,
    SegmentReader,
    StoreError,
    Tail,
    batch,
    head,
    segment_numbers,
    segment_path,
)

BODIES = [b"first", b"second", b"third"]


def written(directory: Path, *batches: bytes, zeros: int = 0) -> Path:
    path = segment_path(directory, 5)
    path.write_bytes(head(5, Tail(4, 9)) + b"".join(batches) + bytes(zeros))
    return path


def batches(synced: int = 0) -> list[bytes]:
    """Three batches, of which each says that so many before it were safe."""
    return [batch(body, 5, index, min(index, synced)) for index, body in enumerate(BODIES)]


def read(path: Path, *, salvage: bool = False) -> tuple[SegmentReader, list[bytes]]:
    reader = SegmentReader(path)
    return reader, [each.records for each in reader.read(salvage=salvage)]


def test_segments_are_found_oldest_first(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        segment_path(tmp_path, number).touch()
    (tmp_path / "notes.journal").touch()
    (tmp_path / "lock").touch()
    assert segment_numbers(tmp_path) == [1, 2, 10]


@pytest.mark.parametrize("zeros", [0, 1, 5000])
def test_batches_are_read_up_to_the_zeros(tmp_path: Path, zeros: int) -> None:
    path = written(tmp_path, *batches(), zeros=zeros)
    reader, bodies = read(path)
    assert (bodies, reader.batches, reader.before) == (BODIES, 3, Tail(4, 9))
    assert (reader.damage, reader.torn, reader.end) == ("", False, path.stat().st_size - zeros)


def test_a_last_batch_that_is_cut_off_is_a_torn_end(tmp_path: Path) -> None:
    one, two, three = batches()
    reader, bodies = read(written(tmp_path, one, two, three[:-1]))
    assert (bodies, reader.torn) == (BODIES[:2], True)


def test_a_damaged_batch_of_which_nobody_was_told_that_it_is_safe_is_a_torn_end(tmp_path: Path) -> None:
    one, two, three = batches(synced=1)
    reader, bodies = read(written(tmp_path, one, bytes(len(two)), three))
    assert (bodies, reader.torn or not reader.damage) == (BODIES[:1], True)


def test_a_damaged_batch_that_was_said_to_be_safe_is_damage(tmp_path: Path) -> None:
    one, two, three = batches(synced=2)
    garbled = two[:-1] + b"?"
    reader, bodies = read(written(tmp_path, one, garbled, three))
    assert (bodies, reader.torn) == (BODIES[:1], False)
    assert reader.damage


def test_salvage_goes_on_behind_the_damage_and_says_what_is_lost(tmp_path: Path) -> None:
    one, two, three = batches(synced=2)
    reader, bodies = read(written(tmp_path, one, two[:-1] + b"?", three), salvage=True)
    start = SEGMENT_HEAD.size + len(one)
    assert (bodies, reader.lost) == ([BODIES[0], BODIES[2]], [(start, start + len(two))])


def test_a_batch_of_another_segment_is_none_of_this(tmp_path: Path) -> None:
    _, bodies = read(written(tmp_path, batch(b"other", 6, 0, 0)))
    assert bodies == []


@pytest.mark.parametrize("size", [0, 5, SEGMENT_HEAD.size, 4096])
def test_a_file_that_was_made_and_not_written_holds_nothing(tmp_path: Path, size: int) -> None:
    path = segment_path(tmp_path, 5)
    path.write_bytes(bytes(size))
    reader, bodies = read(path)
    assert (bodies, reader.damage) == ([], "")


@pytest.mark.parametrize(
    "first",
    [
        SEGMENT_HEAD.pack(b"something!", FORMAT_VERSION, 5, 0, 0),
        SEGMENT_HEAD.pack(SEGMENT_MAGIC, FORMAT_VERSION + 1, 5, 0, 0),
        SEGMENT_HEAD.pack(SEGMENT_MAGIC, FORMAT_VERSION, 6, 0, 0),
    ],
    ids=["another file", "a later format", "another number"],
)
def test_a_file_that_is_no_such_segment_is_refused(tmp_path: Path, first: bytes) -> None:
    path = segment_path(tmp_path, 5)
    path.write_bytes(first)
    with pytest.raises(StoreError):
        read(path)


def test_a_batch_knows_where_it_ends(tmp_path: Path) -> None:
    (first, *_) = SegmentReader(written(tmp_path, *batches())).read()
    assert (first.offset, first.end) == (
        SEGMENT_HEAD.size,
        SEGMENT_HEAD.size + BATCH_HEAD.size + len(b"first"),
    )
