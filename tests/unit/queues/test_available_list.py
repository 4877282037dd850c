import pytest
from canned_message import Bell, CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.available_list import MOST_WALKED, AvailableList
from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.queues.subscription import ANY, AcquiredList, Mode, Subscription


def entry(sequence: int) -> Entry:
    return Entry(sequence, CannedMessage(), 0, NEVER, 1)


def line_of(*entries: Entry) -> AvailableList:
    line = AvailableList()
    for each in entries:
        line.add(each)
    return line


def browser_at(line: AvailableList, place: Entry | None, last_place: int = 0) -> Subscription:
    browser = Subscription(1, Mode.BROWSE, Bell(), ANY)
    browser.last_place = last_place
    line.attach(browser, place)
    return browser


def place_of(browser: Subscription) -> Entry | None:
    assert browser.browser_position is not None
    return browser.browser_position.entry


def sequences(line: AvailableList) -> list[int]:
    found = []
    each = line.head
    while each is not None:
        found.append(each.sequence)
        each = each.next
    return found


def came_back(line: AvailableList) -> int:
    return len(line.placed.entries())


def test_an_entry_that_leaves_hands_its_browsers_to_its_successor() -> None:
    first, second, third = (entry(n) for n in (1, 2, 3))
    line = line_of(first, second, third)
    browsers = [browser_at(line, first), browser_at(line, second), browser_at(line, second)]
    line.unlink(first)
    assert [place_of(browser) for browser in browsers] == [second] * 3
    line.unlink(second)
    assert [place_of(browser) for browser in browsers] == [third] * 3
    assert line.positions == 1


def test_the_last_entry_that_leaves_hands_its_browsers_to_the_next_that_comes() -> None:
    first, second = entry(1), entry(2)
    line = line_of(first)
    browser = browser_at(line, first)
    line.unlink(first)
    assert (place_of(browser), line.positions) == (None, 0)
    position = line.add(second)
    assert position is not None
    assert (position.subscriptions, place_of(browser)) == ([browser], second)


def test_an_entry_nobody_waits_for_is_in_no_list() -> None:
    assert AvailableList().add(entry(1)) is None


def test_an_entry_that_comes_back_takes_the_browsers_that_have_not_passed_it() -> None:
    first, second = entry(1), entry(2)
    line = line_of(first, second)
    line.unlink(first)
    behind, passed = browser_at(line, second), browser_at(line, second, 1)
    position = line.insert(first)
    assert position is not None
    assert position.subscriptions == [behind]
    assert (place_of(behind), place_of(passed)) == (first, second)


def test_an_entry_that_comes_back_to_an_empty_line_takes_those_that_are_caught_up() -> None:
    first = entry(1)
    line = line_of(first)
    line.unlink(first)
    behind, passed = browser_at(line, None), browser_at(line, None, 1)
    line.insert(first)
    assert (place_of(behind), place_of(passed)) == (first, None)


@pytest.mark.parametrize("back", [[1, 2, 3, 4], [4, 3, 2, 1], [2, 4, 1, 3], [3, 1, 4, 2]], ids=str)
def test_entries_come_back_to_their_places_in_any_order(back: list[int]) -> None:
    entries = {n: entry(n) for n in range(1, 7)}
    line = line_of(*entries.values())
    for n in range(1, 5):
        line.unlink(entries[n])
    for n in back:
        line.insert(entries[n])
    assert (sequences(line), came_back(line)) == ([1, 2, 3, 4, 5, 6], 4)


def test_an_entry_that_leaves_again_is_not_counted_as_come_back() -> None:
    entries = [entry(n) for n in range(1, 5)]
    line = line_of(*entries)
    for each in entries[:3]:
        line.unlink(each)
    for each in entries[:3]:
        line.insert(each)
    line.unlink(entries[1])
    line.unlink(entries[3])
    assert (sequences(line), came_back(line)) == ([1, 3], 2)
    line.unlink(entries[0])
    line.unlink(entries[2])
    assert (sequences(line), came_back(line), line.head, line.tail) == ([], 0, None, None)


def test_an_entry_comes_back_behind_older_ones_that_never_left() -> None:
    entries = [entry(n) for n in range(1, 5)]
    line = line_of(*entries)
    line.unlink(entries[2])
    line.insert(entries[2])
    assert sequences(line) == [1, 2, 3, 4]


@pytest.mark.parametrize("after", [0, 1, 3999, 4000, 4001, 10_000, 19_998, 19_999])
def test_an_entry_of_a_long_line_is_found_in_few_steps(after: int) -> None:
    line = line_of(*(entry(n) for n in range(1, 20_001)))
    found = line.near(after)
    walks = 0
    while found is not None and found.sequence <= after:
        found = line.walk(found, after)
        walks += 1
    assert found is not None
    assert (found.sequence, walks <= after // MOST_WALKED) == (after + 1, True)


def test_nothing_comes_after_the_last_entry() -> None:
    line = line_of(entry(1), entry(2))
    assert (line.near(2), line.near(9), AvailableList().near(0)) == (None, None, None)
    assert line.walk(line_of(entry(5)).head or entry(1), 5) is None


def test_what_was_found_last_is_near_to_what_follows() -> None:
    line = line_of(*(entry(n) for n in range(1, 4 * MOST_WALKED)))
    middle = 2 * MOST_WALKED
    found = line.near(middle)
    while found is not None and found.sequence <= middle:
        found = line.walk(found, middle)
    assert [getattr(line.near(middle + n), "sequence", None) for n in (100, -100)] == [
        middle + 101,
        middle - 99,
    ]


def test_an_entry_that_a_consumer_has_is_no_place_to_begin() -> None:
    first, second, third = (entry(n) for n in (1, 2, 3))
    line = line_of(first, second, third)
    assert line.near(1) is second
    line.unlink(second)
    second.state = ACQUIRED
    held = AcquiredList()
    held.add(second)
    assert line.near(1) is third
