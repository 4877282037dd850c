"""lastvalue.broker.watches.changed_keys."""

from canned_message import Bell

from lastvalue.broker.watches.changed_keys import PAGE_KEYS, ChangedKeys, Place

PAGES = 10


def with_readers(*places: Place, known: frozenset[bytes] | None = None) -> ChangedKeys:
    changes = ChangedKeys(lambda key: known is None or key in known)
    for place in places:
        changes.readers[place] = None
    return changes


def key(number: int) -> bytes:
    return b"%d" % number


def change_all(changes: ChangedKeys, count: int, first: int = 1) -> None:
    for place in range(first, first + count):
        changes.add(place, key(place), key(place))


def all_after(changes: ChangedKeys, place: int) -> list[bytes]:
    found: list[bytes] = []
    while some := changes.after(place):
        found += [each.key for each in some if not each.stale]
        place = some[-1].place
    return found


def test_changes_are_read_in_order_from_any_place() -> None:
    changes = with_readers(Place(0, Bell().wake))
    change_all(changes, 3 * PAGE_KEYS)
    for place in (0, 1, PAGE_KEYS - 1, PAGE_KEYS, PAGE_KEYS + 1, 3 * PAGE_KEYS):
        assert all_after(changes, place) == [key(each) for each in range(place + 1, 3 * PAGE_KEYS + 1)]


def test_a_key_that_changes_for_ever_takes_no_more_memory() -> None:
    changes = with_readers(Place(0, Bell().wake))
    change_all(changes, 10)
    for place in range(11, PAGES * PAGE_KEYS):
        changes.add(place, b"often", None)
    assert len(changes) == 11
    assert sum(len(page.changes) for page in changes._pages) < 30
    assert all_after(changes, 10) == [b"often"]


def test_what_all_readers_have_passed_is_dropped() -> None:
    slow, quick = Place(0, Bell().wake), Place(0, Bell().wake)
    changes = with_readers(slow, quick)
    change_all(changes, PAGES * PAGE_KEYS)
    slow.passed = quick.passed = PAGES * PAGE_KEYS
    change_all(changes, PAGES * PAGE_KEYS, PAGES * PAGE_KEYS + 1)
    assert len(changes) <= PAGES * PAGE_KEYS
    assert changes.place_of(key(1)) == 0
    assert changes.forgotten == 0
    assert len(all_after(changes, PAGES * PAGE_KEYS)) == PAGES * PAGE_KEYS


def test_keys_of_which_nothing_is_known_are_forgotten_although_a_reader_has_not_looked() -> None:
    changes = with_readers(Place(0, Bell().wake), known=frozenset({key(1), key(2000)}))
    change_all(changes, 100 * PAGE_KEYS)
    assert len(changes) < 51 * PAGE_KEYS
    assert changes.forgotten > 0
    assert changes.place_of(key(1)) == 1
    assert changes.place_of(key(2000)) == 2000


def test_a_change_wakes_those_that_wait_once() -> None:
    bell = Bell()
    place = Place(0, bell.wake)
    changes = with_readers(place)
    changes.waiting[place] = None
    change_all(changes, 5)
    assert bell.rung == 1
