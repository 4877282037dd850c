from canned_message import CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.store.segment_entries import SegmentEntries


def filled(count: int) -> tuple[SegmentEntries, list[Entry]]:
    segment_entries = SegmentEntries()
    entries = [Entry(number, CannedMessage(), 0, NEVER, 1) for number in range(1, count + 1)]
    for entry in entries:
        segment_entries.put(entry)
    return segment_entries, entries


def test_what_is_cleared_is_not_there_any_more_and_the_rest_keeps_its_order() -> None:
    segment_entries, entries = filled(5)
    for entry in (entries[1], entries[4], entries[0]):
        segment_entries.clear(entry)
    assert segment_entries.entries() == [entries[2], entries[3]]
    assert segment_entries.live == 2


def test_entries_are_taken_in_order_a_few_at_a_time_whatever_was_cleared_or_put_meanwhile() -> None:
    segment_entries, entries = filled(6)
    segment_entries.clear(entries[1])
    assert segment_entries.take(2) == [entries[0], entries[2]]
    segment_entries.clear(entries[4])
    segment_entries.put(entries[0])
    assert (segment_entries.entries(), segment_entries.live) == ([entries[3], entries[5], entries[0]], 3)
    assert segment_entries.take(10) == [entries[3], entries[5], entries[0]]
    assert (segment_entries.take(10), segment_entries.live) == ([], 0)
