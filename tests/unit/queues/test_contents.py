"""One change of a queue's contents at a time."""

import pytest
from canned_message import CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.contents import Contents
from lastvalue.queues.deadlines import Lifetimes
from lastvalue.queues.effects import EXPIRED, REPLACED, Reason
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK, REMOVED, Entry
from lastvalue.queues.groups import Groups
from lastvalue.queues.spec import Expiry, Grouping
from lastvalue.queues.subscription import UNBOUNDED, AcquiredList

SIZE = 10


def entry(sequence: int, key: bytes | None = None, expires_ms: int = NEVER, size: int = SIZE) -> Entry:
    made = Entry(sequence, CannedMessage(body=bytes(size)), 0, expires_ms, 1)
    made.key = key
    return made


def with_entries(*entries: Entry) -> Contents:
    contents = Contents()
    for each in entries:
        contents.add(each, None)
    contents.drain()
    return contents


def kinds(contents: Contents) -> list[str]:
    return [type(effect).__name__ for effect in contents.drain()]


def figures(contents: Contents) -> tuple[int, int, int, int]:
    """Depth, available, bytes, bytes that are held."""
    return contents.depth, contents.available, contents.depth_bytes, contents.held_bytes


def test_what_is_added_is_counted_and_is_the_value_of_its_key() -> None:
    contents, new = Contents(), entry(1, b"k")
    contents.add(new, None)
    assert (figures(contents), contents.published, contents.sequence) == ((1, 1, SIZE, 0), 1, 1)
    assert contents.value_of(b"k", 0) is new
    assert kinds(contents) == ["Added"]


def test_a_new_value_takes_over_the_updates_of_the_one_that_leaves() -> None:
    old, new = entry(1, b"k"), entry(2, b"k", size=30)
    contents = with_entries(old)
    contents.add(new, old)
    assert (figures(contents), new.updates, old.state) == ((1, 1, 30, 0), 2, REMOVED)
    assert (contents.removed(REPLACED), contents.highest_removed) == (1, 0)
    assert kinds(contents) == ["Updated"]


def test_a_value_that_is_replaced_in_its_place_leaves_before_the_new_one_comes() -> None:
    old, other, new = entry(1, b"k"), entry(2), entry(3, b"k")
    contents = with_entries(old, other)
    contents.available_list.index()
    contents.replace(old, new)
    assert (contents.available_list.head, new.place, new.updates) == (new, 1, 2)
    assert contents.value_of(b"k", 0) is new
    assert kinds(contents) == ["Removed", "Added"]


def test_a_value_beside_another_is_the_one_of_their_key() -> None:
    old, new = entry(1, b"k"), entry(2, b"k")
    contents = with_entries(old)
    contents.add_beside(new, old)
    assert (old.superseded, contents.value_of(b"k", 0), contents.depth) == (True, new, 2)
    contents.remove(old, Reason.PURGED)
    assert contents.value_of(b"k", 0) is new


def test_holding_and_putting_back_leave_the_entry_in_its_place() -> None:
    first, second = entry(1), entry(2)
    contents, held = with_entries(first, second), AcquiredList()
    contents.hold(first, held, 7)
    assert (first.state, first.holder, figures(contents)) == (ACQUIRED, 7, (2, 1, 2 * SIZE, SIZE))
    assert contents.available_list.head is second
    contents.put_back(first, 1)
    assert (first.state, first.holder, first.delivery_count) == (AVAILABLE, 0, 1)
    assert (contents.available_list.head, held.first, figures(contents)) == (first, None, (2, 2, 2 * SIZE, 0))
    assert kinds(contents) == ["Acquired", "Released"]


def test_what_is_held_back_is_counted_and_not_available_until_it_is_due() -> None:
    contents, later = Contents(), entry(1, b"k")
    later.not_before_ms = 50
    contents.hold_back(later)
    assert (later.state, figures(contents), contents.held_back) == (HELD_BACK, (1, 0, SIZE, 0), 1)
    assert (contents.waiting.next(), contents.value_of(b"k", 0)) == (50, None)
    contents.show_due(later, None)
    assert (later.state, figures(contents), contents.held_back) == (AVAILABLE, (1, 1, SIZE, 0), 0)
    assert kinds(contents) == ["Scheduled", "Due"]


@pytest.mark.parametrize("state", [AVAILABLE, ACQUIRED, HELD_BACK])
def test_an_entry_leaves_from_every_state(state: int) -> None:
    contents, leaving = Contents(), entry(1, b"k", expires_ms=99)
    if state == HELD_BACK:
        contents.hold_back(leaving)
    else:
        contents.add(leaving, None)
    if state == ACQUIRED:
        contents.hold(leaving, AcquiredList(), 1)
    contents.remove(leaving, Reason.PURGED)
    assert (leaving.state, figures(contents), contents.held_back) == (REMOVED, (0, 0, 0, 0), 0)
    assert (contents.removed(Reason.PURGED), contents.highest_removed) == (1, 1)
    assert (len(contents.current), contents.deadlines.next()) == (0, NEVER)


def test_what_is_due_expires_unless_a_consumer_holds_it() -> None:
    due, held, later = entry(1, expires_ms=10), entry(2, expires_ms=10), entry(3, expires_ms=11)
    contents = with_entries(due, held, later)
    contents.hold(held, AcquiredList(), 1)
    contents.expire(10)
    assert [each.state for each in (due, held, later)] == [REMOVED, ACQUIRED, AVAILABLE]
    contents.expire(5)
    assert (contents.advanced_ms, contents.removed(EXPIRED)) == (10, 1)


def test_a_key_whose_value_has_expired_has_none() -> None:
    contents = with_entries(entry(1, b"k", expires_ms=10))
    assert contents.value_of(b"k", 9) is not None
    assert contents.value_of(b"k", 10) is None
    assert contents.removed(EXPIRED) == 1


def test_clearing_leaves_what_is_held() -> None:
    held, other, later = entry(1), entry(2), entry(3)
    contents = with_entries(held, other)
    contents.hold_back(later)
    contents.hold(held, AcquiredList(), 1)
    assert contents.clear(Reason.PURGED, UNBOUNDED) == 2
    assert (contents.depth, held.state) == (1, ACQUIRED)
    assert contents.take_out([held, other], Reason.PURGED) == 0


def test_clearing_a_part_removes_the_first_ones_and_what_is_held_back_last() -> None:
    first, second, later = entry(1), entry(2), entry(3)
    contents = with_entries(first, second)
    contents.hold_back(later)
    removed = [int(contents.clear(Reason.PURGED, most)) for most in (1, 1, 1, 1)]
    assert removed == [1, 1, 1, 0]
    assert [each.state for each in (first, second, later)] == [REMOVED] * 3
    assert (contents.depth, contents.held_back, len(contents.waiting)) == (0, 0, 0)


def test_only_removals_for_watched_reasons_are_noted() -> None:
    first, second = entry(1), entry(2)
    contents = with_entries(first, second)
    contents.watch(frozenset({Reason.REJECTED}))
    contents.remove(first, Reason.REJECTED)
    contents.remove(second, Reason.PURGED)
    assert contents.take_removals() == [(first, Reason.REJECTED)]
    assert contents.take_removals() == []


def test_an_amended_entry_counts_with_its_new_size() -> None:
    changed = entry(1)
    contents = with_entries(changed)
    contents.hold(changed, AcquiredList(), 1)
    contents.amend(changed, CannedMessage(body=bytes(25)))
    assert (contents.depth_bytes, contents.held_bytes) == (25, 25)


def test_other_lifetimes_give_every_entry_its_deadline_anew_and_take_none_away() -> None:
    endless, ending = entry(1), entry(2, expires_ms=500)
    contents = with_entries(endless, ending)
    contents.reschedule([endless, ending], Lifetimes(Expiry(maximum_ttl_ms=300)))
    assert (endless.expires_ms, ending.expires_ms, contents.deadlines.next()) == (300, 300, 300)
    contents.reschedule([endless, ending], Lifetimes(Expiry()))
    assert (endless.expires_ms, contents.deadlines.next()) == (300, 300)


def test_a_value_that_need_not_leave_at_an_age_any_more_has_the_deadline_of_its_message() -> None:
    endless, ending = entry(1, b"a"), entry(2, b"b")
    ending.message.ttl_ms = 800
    contents = with_entries(endless, ending)
    removing = Expiry(maximum_age_ms=300, removes_aged=True)
    contents.reschedule([endless, ending], Lifetimes(removing))
    assert (endless.expires_ms, ending.expires_ms) == (300, 300)
    contents.lifetimes = Lifetimes(removing)
    assert contents.reschedule([endless, ending], Lifetimes(Expiry(maximum_age_ms=300))) == [endless]
    assert (endless.expires_ms, ending.expires_ms, contents.deadlines.next()) == (NEVER, 800, 800)


def test_a_message_that_is_not_taken_is_counted_apart() -> None:
    contents = Contents()
    contents.refuse(CannedMessage())
    assert (contents.refused, contents.published, kinds(contents)) == (1, 0, ["Refused"])


def test_what_is_dismissed_was_published_and_is_not_there() -> None:
    contents = Contents()
    contents.dismiss(entry(1, b"k"), Reason.STALE)
    assert (contents.published, contents.depth, contents.removed(Reason.STALE)) == (1, 0, 1)
    assert contents.sequence == 1


def test_a_shared_group_is_its_holders_until_the_last_of_it_is_put_back() -> None:
    contents = Contents()
    contents.groups = Groups(Grouping("g", shared=True))
    entries = [entry(1), entry(2)]
    for each in entries:
        contents.groups.join(each, "a")
        contents.add(each, None)
    (group,) = contents.groups.all()
    held = AcquiredList()
    for each in entries:
        contents.hold(each, held, 7)
    assert (group.owner, group.held) == (7, 2)
    contents.put_back(entries[0], 0)
    assert group.owner == 7
    contents.put_back(entries[1], 0)
    assert group.owner == 0


def test_a_shared_group_stays_closed_while_an_entry_is_kept_for_nobody() -> None:
    contents = Contents()
    contents.groups = Groups(Grouping("g", shared=True))
    only, held, aside = entry(1), AcquiredList(), AcquiredList()
    contents.groups.join(only, "a")
    contents.add(only, None)
    contents.hold(only, held, 7)
    contents.keep(only, aside)
    (group,) = contents.groups.all()
    assert (only.holder, held.first, aside.first, group.owner) == (0, None, only, -7)
    contents.remove(only, Reason.PURGED)
    assert contents.groups.all() == []
