import os
import threading
from pathlib import Path
from typing import Any

import pytest
from canned_message import Bell, CannedMessage

from lastvalue.queues.effects import Reason
from lastvalue.queues.invariants import BrokenInvariantError
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome
from lastvalue.store import records
from lastvalue.store.clean_stop import CLEAN_STOP
from lastvalue.store.file_log import file_journal
from lastvalue.store.records import ADDED_SIZE, Mark
from lastvalue.store.segments import CorruptError, SegmentReader, StoreError, segment_numbers, segment_path
from lastvalue.store.store_contents import StoreContents, load_contents
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync

NOW_MS = 1_000


class Kept:
    """A queue whose effects go to a journal in a directory."""

    def __init__(self, directory: Path, segment_bytes: int = 1 << 20, **options: Any) -> None:
        self.directory = directory
        options_of_store = StoreOptions(Sync.ALWAYS, segment_bytes=segment_bytes, checks=True)
        self.journal = file_journal(directory, options_of_store)
        self.queue = Queue(spec_from_arguments("q", {"durable": True, **options}))
        self.journal.declare("queue", "q", options)

    def send(self, body: str, properties: dict[str, object] | None = None, *, durable: bool = True) -> None:
        message = CannedMessage(properties, body=body.encode())
        message.durable = durable
        self.queue.enqueue(message, NOW_MS)

    def flush(self) -> None:
        position = self.journal.append("q", self.queue.drain())
        while self.journal.flushed < position:
            written = threading.Event()
            self.journal.flush(written.set)
            assert self.journal.flushed >= position or written.wait(120)

    def load(self, *, salvage: bool = False) -> StoreContents:
        self.flush()
        self.journal.close()
        return load_contents(self.directory, salvage=salvage)


def marks(directory: Path, kind: int) -> list[Mark]:
    """What became of messages, from the first segment."""
    told = (batch.records for batch in SegmentReader(segment_path(directory, 1)).read())
    found = (record for data in told for record in records.records(data))
    return [record for record in found if isinstance(record, Mark) and record.kind == kind]


def bodies(stored: StoreContents) -> list[str]:
    return [kept.encoded.decode() for _, (_, kept) in sorted(stored.messages.get(1, {}).items())]


def write_store_of_format(directory: Path, version: int) -> None:
    """A store with one message, of which its file says that it has that version of the format."""
    kept = Kept(directory)
    kept.send("a")
    kept.flush()
    kept.journal.close()
    path = segment_path(directory, 1)
    data = bytearray(path.read_bytes())
    data[11] = version
    path.write_bytes(data)


def test_what_is_on_a_queue_is_read_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.send("a")
    kept.send("b")
    stored = kept.load()
    assert bodies(stored) == ["a", "b"]
    assert stored.declared["queue", "q"].number == 1
    assert stored.sequences == {1: 2}
    assert (stored.next_segment, stored.next_number, stored.lost) == (2, 2, [])


def test_what_a_flush_has_prepared_is_written_once_it_is_submitted(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.send("a")
    position = kept.journal.append("q", kept.queue.drain())
    written = threading.Event()
    kept.journal.prepare_flush(written.set)
    assert kept.journal.syncs.count == 0
    kept.journal.submit()
    assert written.wait(120)
    assert (kept.journal.flushed, kept.journal.syncs.count) == (position, 1)
    kept.journal.submit()
    assert bodies(kept.load()) == ["a"]


def test_what_was_prepared_is_written_before_the_journal_closes(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.send("a")
    kept.journal.append("q", kept.queue.drain())
    kept.journal.prepare_flush(lambda: None)
    kept.journal.close()
    assert bodies(load_contents(tmp_path, salvage=False)) == ["a"]


def test_what_is_not_durable_is_not_written(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.flush()
    size = segment_path(tmp_path, 1).stat().st_size
    kept.send("a", durable=False)
    kept.flush()
    assert segment_path(tmp_path, 1).stat().st_size == size
    assert bodies(kept.load()) == []


def test_what_left_is_not_read_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path, lvq_key="k")
    kept.send("old", {"k": 1})
    kept.send("new", {"k": 1})
    kept.send("other", {"k": 2})
    kept.queue.remove([kept.queue.entries()[1]], Reason.PURGED)
    assert bodies(kept.load()) == ["new"]


def test_what_left_for_several_reasons_at_once_is_not_read_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path, lvq_key="k")
    for key in range(6):
        kept.send(f"old {key}", {"k": key})
    kept.flush()
    for key in range(3):
        kept.send(f"new {key}", {"k": key})
    kept.queue.remove(kept.queue.entries()[:2], Reason.PURGED)
    kept.send("new 5", {"k": 5})
    kept.flush()
    reasons = [mark.number for mark in marks(tmp_path, records.REMOVED)]
    assert reasons == [Reason.REPLACED] * 3 + [Reason.PURGED] * 2 + [Reason.REPLACED]
    assert bodies(kept.load()) == ["new 0", "new 1", "new 2", "new 5"]


def test_removals_for_one_reason_are_one_record(tmp_path: Path) -> None:
    sizes = []
    for count in (1, 11):
        directory = tmp_path / str(count)
        directory.mkdir()
        kept = Kept(directory, lvq_key="k")
        for _ in range(2):
            for key in range(count):
                kept.send("a", {"k": key})
            kept.flush()
        kept.journal.close()
        batches = list(SegmentReader(segment_path(directory, 1)).read())
        sizes.append(len(batches[-1].records))
    added = ADDED_SIZE + len("a")
    assert sizes == [added + 14, 11 * added + 10 + 11 * 8]


def test_a_store_of_the_first_format_is_read(tmp_path: Path) -> None:
    write_store_of_format(tmp_path, 1)
    assert bodies(load_contents(tmp_path, salvage=False)) == ["a"]


def test_what_a_consumer_held_and_how_often_it_failed_is_read_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.send("held")
    kept.send("failed")
    consumer = kept.queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
    held, failed = (kept.queue.next(consumer, NOW_MS) for _ in range(2))
    assert held is not None
    assert failed is not None
    kept.queue.settle(failed, Outcome.MODIFIED_FAILED, NOW_MS)
    stored = kept.load()
    states = [(entry.state, entry.delivery_count) for _, entry in stored.messages[1].values()]
    assert states == [(1, 0), (0, 1)]


def test_what_left_before_it_was_written_never_was_in_the_store(tmp_path: Path) -> None:
    kept = Kept(tmp_path, lvq_key="k")
    kept.flush()
    before = segment_path(tmp_path, 1).read_bytes().rstrip(b"\x00")
    for number in range(100):
        kept.send(f"value {number}", {"k": 1})
        kept.journal.append("q", kept.queue.drain())
    assert kept.journal.waiting_bytes < 200
    stored = kept.load()
    written = segment_path(tmp_path, 1).read_bytes().removeprefix(before)
    assert (bodies(stored), stored.sequences) == (["value 99"], {1: 100})
    assert (written.count(b"value"), stored.messages[1][100][1].updates) == (1, 100)


def test_the_sequence_of_what_left_before_it_was_written_is_not_given_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.send("stays")
    kept.send("goes")
    kept.queue.remove([kept.queue.entries()[1]], Reason.PURGED)
    stored = kept.load()
    assert (bodies(stored), stored.sequences) == (["stays"], {1: 2})


def test_what_happens_to_a_message_before_it_is_written_is_in_its_record(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.send("a")
    kept.journal.append("q", kept.queue.drain())
    consumer = kept.queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
    failed = kept.queue.next(consumer, NOW_MS)
    assert failed is not None
    kept.queue.settle(failed, Outcome.MODIFIED_FAILED, NOW_MS)
    assert kept.queue.next(consumer, NOW_MS) is failed
    stored = kept.load()
    ((_, entry),) = stored.messages[1].values()
    assert (entry.encoded, entry.state, entry.delivery_count) == (b"a", 1, 1)
    assert stored.records == 2


def test_a_queue_that_is_deleted_before_its_messages_are_written_leaves_none(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.send("a")
    kept.journal.append("q", kept.queue.drain())
    kept.journal.forget("queue", "q")
    kept.journal.declare("queue", "q", {})
    stored = kept.load()
    assert (stored.messages, stored.declared["queue", "q"].number) == ({}, 2)


def test_a_deleted_queue_takes_its_messages_with_it(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.send("a")
    kept.flush()
    kept.journal.forget("queue", "q")
    stored = kept.load()
    assert (stored.declared, stored.messages, stored.sequences) == ({}, {}, {})


def test_a_store_of_few_live_messages_stays_small_however_many_come(tmp_path: Path) -> None:
    kept = Kept(tmp_path, segment_bytes=4096, lvq_key="k")
    for number in range(3000):
        kept.send(f"{number:050d}", {"k": number % 10 if number > 20 else -number})
        if number % 10 == 0:
            kept.flush()
    stored = kept.load()
    assert [entry.sequence for entry in kept.queue.entries()] == sorted(stored.messages[1])
    assert len(stored.messages[1]) == 30
    assert len(segment_numbers(tmp_path)) <= 5


@pytest.mark.parametrize("left", range(0, 60, 7))
def test_a_torn_end_is_cut_off_and_all_before_it_stays(tmp_path: Path, left: int) -> None:
    kept = Kept(tmp_path)
    kept.send("a")
    kept.flush()
    kept.send("b")
    kept.flush()
    kept.journal.close()
    whole = segment_path(tmp_path, 1).stat().st_size
    os.truncate(segment_path(tmp_path, 1), whole - 60 + left)
    (tmp_path / CLEAN_STOP).unlink()
    assert bodies(load_contents(tmp_path, salvage=False)) == ["a"]
    assert bodies(load_contents(tmp_path, salvage=False)) == ["a"]


def damaged(tmp_path: Path) -> int:
    kept = Kept(tmp_path)
    for body in "abc":
        kept.send(body * 50)
        kept.flush()
    kept.journal.close()
    path = segment_path(tmp_path, 1)
    data = bytearray(path.read_bytes())
    place = data.index(b"b" * 50)
    data[place] ^= 1
    path.write_bytes(data)
    return place


def test_damage_in_the_middle_is_told_with_its_place_and_nothing_is_read(tmp_path: Path) -> None:
    place = damaged(tmp_path)
    with pytest.raises(
        CorruptError, match=r"damaged at byte \d+: a checksum does not match.*salvage"
    ) as raised:
        load_contents(tmp_path, salvage=False)
    assert raised.value.path == segment_path(tmp_path, 1)
    assert raised.value.offset < place


def test_salvage_keeps_what_is_before_and_behind_the_damage_and_tells_what_is_lost(tmp_path: Path) -> None:
    place = damaged(tmp_path)
    stored = load_contents(tmp_path, salvage=True)
    assert bodies(stored) == ["a" * 50, "c" * 50]
    ((path, start, end),) = stored.lost
    assert path == segment_path(tmp_path, 1)
    assert start < place < end


def segments_of(tmp_path: Path, bodies: str) -> list[Path]:
    """One segment for each letter."""
    kept = Kept(tmp_path, segment_bytes=100)
    for body in bodies:
        kept.send(body * 50)
        kept.flush()
    kept.journal.close()
    return [segment_path(tmp_path, number) for number in segment_numbers(tmp_path)]


def test_an_end_that_is_missing_from_a_segment_that_others_follow_is_damage(tmp_path: Path) -> None:
    path = segments_of(tmp_path, "abc")[1]
    os.truncate(path, path.stat().st_size - 10)
    with pytest.raises(CorruptError, match="file ends within a batch") as raised:
        load_contents(tmp_path, salvage=False)
    assert raised.value.path == path
    assert bodies(load_contents(tmp_path, salvage=True)) == ["a" * 50, "c" * 50]


def test_a_segment_that_is_missing_between_others_is_damage(tmp_path: Path) -> None:
    path = segments_of(tmp_path, "abc")[1]
    path.unlink()
    with pytest.raises(CorruptError, match="the file is missing") as raised:
        load_contents(tmp_path, salvage=False)
    assert raised.value.path == path
    assert bodies(load_contents(tmp_path, salvage=True)) == ["a" * 50, "c" * 50]


@pytest.mark.parametrize("place", ["head", "batch"])
def test_zeros_where_something_was_are_damage(tmp_path: Path, place: str) -> None:
    damaged(tmp_path)
    path = segment_path(tmp_path, 1)
    data = bytearray(path.read_bytes())
    start, end = (0, 32) if place == "head" else (data.index(b"a" * 50), data.index(b"c" * 50) - 100)
    data[start:end] = bytes(end - start)
    path.write_bytes(data)
    with pytest.raises(CorruptError):
        load_contents(tmp_path, salvage=False)


def test_a_segment_under_another_name_is_refused(tmp_path: Path) -> None:
    paths = segments_of(tmp_path, "ab")
    paths[0].rename(segment_path(tmp_path, 7))
    with pytest.raises(StoreError, match="contains segment 1; rename"):
        load_contents(tmp_path, salvage=False)


def test_a_file_that_is_no_segment_is_refused(tmp_path: Path) -> None:
    segment_path(tmp_path, 1).write_bytes(b"something else that is long enough for a head")
    with pytest.raises(StoreError, match="is not a segment"):
        load_contents(tmp_path, salvage=False)


def test_a_later_format_is_refused(tmp_path: Path) -> None:
    write_store_of_format(tmp_path, 9)
    with pytest.raises(StoreError, match="has the format 9"):
        load_contents(tmp_path, salvage=False)


@pytest.mark.parametrize("size", [0, 5, 4096])
def test_a_segment_that_was_made_and_not_written_holds_nothing(tmp_path: Path, size: int) -> None:
    segment_path(tmp_path, 1).write_bytes(bytes(size))
    stored = load_contents(tmp_path, salvage=False)
    assert (stored.messages, stored.next_segment) == ({}, 2)


def test_an_empty_directory_is_a_store_that_holds_nothing(tmp_path: Path) -> None:
    assert load_contents(tmp_path, salvage=False) == StoreContents()


def test_messages_are_read_whatever_they_hold(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    message = CannedMessage(body=bytes(range(256)) + b"\xb1bat" * 3)
    message.durable = True
    kept.queue.enqueue(message, NOW_MS)
    ((_, entry),) = kept.load().messages[1].values()
    assert entry.encoded == message.encoded


def test_what_waits_is_what_is_appended_and_not_flushed_and_large_batches_tell_the_pace(
    tmp_path: Path,
) -> None:
    kept = Kept(tmp_path)
    kept.flush()
    assert (kept.journal.waiting_bytes, kept.journal.bytes_per_s) == (0, 0)
    kept.send("small")
    kept.flush()
    assert kept.journal.bytes_per_s == 0
    kept.send("x" * 100_000)
    kept.journal.append("q", kept.queue.drain())
    assert 100_000 < kept.journal.waiting_bytes < 101_000
    kept.flush()
    assert kept.journal.waiting_bytes == 0
    assert kept.journal.bytes_per_s > 0
    kept.journal.close()


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("_live_bytes", r"the records that are needed is \d+, the sum is \d+"),
        ("_freed_bytes", "the records of queue 1 is 62, the sum is 63"),
    ],
)
def test_a_journal_that_checks_itself_finds_counts_that_do_not_agree(
    tmp_path: Path, harm: str, says: str
) -> None:
    kept = Kept(tmp_path)
    kept.send("1")
    kept.flush()
    builder = kept.journal._builder
    setattr(builder, harm, getattr(builder, harm) + 1)
    kept.send("2")
    with pytest.raises(BrokenInvariantError, match=f"the store: {says}"):
        kept.flush()


def test_a_journal_that_checks_itself_finds_a_message_in_another_segment(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.send("1")
    kept.flush()
    kept.queue.entries()[0].stored = 9
    with pytest.raises(BrokenInvariantError, match="entries of queue 1 in segment 1 that are elsewhere is 1"):
        kept.journal.flush(threading.Event().set)
