from canned_message import CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.store.shelf import Shelf


def filled(count: int) -> tuple[Shelf, list[Entry]]:
    shelf = Shelf()
    entries = [Entry(number, CannedMessage(), 0, NEVER, 1) for number in range(1, count + 1)]
    for entry in entries:
        shelf.put(entry)
    return shelf, entries


def test_what_is_cleared_is_not_there_any_more_and_the_rest_keeps_its_order() -> None:
    shelf, entries = filled(5)
    for entry in (entries[1], entries[4], entries[0]):
        shelf.clear(entry)
    assert shelf.entries() == [entries[2], entries[3]]
    assert shelf.live == 2


def test_entries_are_taken_in_order_a_few_at_a_time_whatever_was_cleared_or_put_meanwhile() -> None:
    shelf, entries = filled(6)
    shelf.clear(entries[1])
    assert shelf.take(2) == [entries[0], entries[2]]
    shelf.clear(entries[4])
    shelf.put(entries[0])
    assert (shelf.entries(), shelf.live) == ([entries[3], entries[5], entries[0]], 3)
    assert shelf.take(10) == [entries[3], entries[5], entries[0]]
    assert (shelf.take(10), shelf.live) == ([], 0)
