import pytest
from canned_message import Bell, CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.queues.subscription import (
    ANY,
    MOST_NUMBERS,
    AcquiredList,
    BrowserPosition,
    Mode,
    Subscriber,
    Subscription,
    next_number,
    unlink_acquired,
    wake,
)


def entry(sequence: int) -> Entry:
    return Entry(sequence, CannedMessage(), 0, NEVER, 1)


def test_what_is_held_is_listed_latest_first() -> None:
    held = AcquiredList()
    entries = [entry(n) for n in (1, 2, 3)]
    for each in entries:
        held.add(each)
    assert held.entries() == entries[::-1]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_any_held_entry_can_be_let_go_without_asking_who_holds_it(place: int) -> None:
    held = AcquiredList()
    entries = [entry(n) for n in (1, 2, 3)]
    for each in entries:
        held.add(each)
    gone = entries.pop(place)
    unlink_acquired(gone)
    assert (held.entries(), gone.previous, gone.next) == (entries[::-1], None, None)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_browser_leaves_its_place_in_the_list_wherever_it_stands(place: int) -> None:
    position = BrowserPosition(None)
    browsers = [Subscription(n, Mode.BROWSE, Bell(), ANY) for n in (1, 2, 3)]
    for browser in browsers:
        position.join(browser)
    leaver = browsers.pop(place)
    position.leave(leaver)
    assert leaver.browser_position is None
    assert {browser.number for browser in position.subscriptions} == {browser.number for browser in browsers}
    assert [position.subscriptions[browser.position_index] for browser in browsers] == browsers


def test_only_the_dry_are_woken_and_are_dry_no_more() -> None:
    bells = [Bell(), Bell()]
    readers = [Subscription(1, Mode.BROWSE, bell, ANY) for bell in bells]
    readers[1].waiting = True
    wake(readers)
    wake(readers)
    assert [bell.rung for bell in bells] == [0, 1]


def test_a_subscriber_has_to_say_what_waking_is() -> None:
    with pytest.raises(NotImplementedError):
        Subscriber().wake()


def test_a_number_is_given_again_when_it_is_free_after_all_have_been() -> None:
    reader = Subscription(1, Mode.BROWSE, Bell(), ANY)
    assert next_number(0, {}) == 1
    assert next_number(1, {1: reader}) == 2
    assert next_number(MOST_NUMBERS - 1, {}) == MOST_NUMBERS
    assert next_number(MOST_NUMBERS, {1: reader, 2: reader}) == 3
    assert next_number(MOST_NUMBERS - 1, {MOST_NUMBERS: reader, 1: reader}) == 2
