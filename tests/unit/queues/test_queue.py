"""What the scenarios and the models do not say of a queue: its effects, its errors, whom it wakes."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from bare_queue import BareQueue, encoded
from canned_message import Bell, CannedMessage, UnreadableError

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import (
    Acquired,
    Added,
    Dismissed,
    Effect,
    EpochBegan,
    Identified,
    Reason,
    Reconfigured,
    Refused,
    Released,
    Removed,
    TakenRun,
    Tombstoned,
    Updated,
)
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, REMOVED, Entry
from lastvalue.queues.errors import NotAcquiredError
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscription


def declared(**options: Any) -> Queue:
    return Queue(spec_from_arguments("q", options))


def value(key: str | None, body: str = "", **more: Any) -> CannedMessage:
    properties: dict[str, object] = {"k": key, "o": more.pop("order", None)}
    return CannedMessage(properties, body=body.encode(), **more)


def bodies(queue: Queue) -> list[str]:
    return [entry.message.encoded.decode() for entry in queue.entries()]


def told(effects: list[Effect]) -> list[str]:
    """Effects as a reader would say them."""
    words = []
    for effect in effects:
        if isinstance(effect, Refused):
            words.append(f"refused {effect.message.encoded.decode()}")
            continue
        if isinstance(effect, Updated):
            words.append(f"updated {effect.entry.message.encoded.decode()}")
            words.append(f"replaced {effect.previous.message.encoded.decode()}")
            continue
        assert not isinstance(effect, Reconfigured | Identified | Tombstoned | EpochBegan | TakenRun)
        reason = f" {effect.reason.name.lower()}" if isinstance(effect, Removed | Dismissed) else ""
        words.append(f"{type(effect).__name__.lower()} {effect.entry.message.encoded.decode()}{reason}")
    return words


def consumer(queue: Queue) -> Subscription:
    return queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)


def acquired(queue: Queue, subscription: Subscription, now: int) -> Entry:
    entry = queue.next(subscription, now)
    assert entry is not None
    return entry


# ---- what an enqueue leaves in the effects


def test_a_message_is_added() -> None:
    queue = declared()
    assert queue.enqueue(value(None, "A"), 7)
    (added,) = queue.drain()
    assert isinstance(added, Added)
    assert (added.entry.sequence, added.entry.arrival_ms, added.entry.state) == (1, 7, AVAILABLE)
    assert queue.drain() == []


def test_a_new_value_replaces_and_counts_the_updates_of_both() -> None:
    queue = declared(lvq_key="k")
    queue.enqueue(value("x", "A", updates=3), 0)
    queue.enqueue(value("x", "B", updates=4), 0)
    assert told(queue.drain()) == ["added A", "updated B", "replaced A"]
    assert [entry.updates for entry in queue.entries()] == [7]


def test_a_message_on_a_standard_queue_stands_for_the_updates_it_says() -> None:
    queue = declared()
    queue.enqueue(value("x", updates=5), 0)
    assert [entry.updates for entry in queue.entries()] == [5]


def test_a_stale_update_keeps_its_key_and_order_in_the_effects_and_adds_no_updates() -> None:
    queue = declared(lvq_key="k", order_by="o")
    queue.enqueue(value("x", "new", order=2, ttl_ms=50), 0)
    queue.drain()
    assert queue.enqueue(value("x", "old", order=1, ttl_ms=9), 0)
    effects = queue.drain()
    assert told(effects) == ["dismissed old stale"]
    assert isinstance(effects[0], Dismissed)
    stale = effects[0].entry
    assert (stale.sequence, stale.key, stale.order, stale.expires_ms) == (2, b"'x'", 1, 9)
    assert (bodies(queue), queue.next_deadline()) == (["new"], 50)
    assert [entry.updates for entry in queue.entries()] == [1]


@pytest.mark.parametrize("order", [2, 2.0, 3, "a", None], ids=repr)
def test_an_update_that_is_not_strictly_older_replaces(order: object) -> None:
    queue = declared(lvq_key="k", order_by="o")
    queue.enqueue(value("x", "first", order=2), 0)
    queue.enqueue(value("x", "second", order=order), 0)
    assert bodies(queue) == ["second"]


def test_an_update_of_a_value_that_is_held_is_stale_by_the_held_value() -> None:
    queue = declared(lvq_key="k", order_by="o")
    queue.enqueue(value("x", "new", order=2), 0)
    acquired(queue, consumer(queue), 0)
    queue.enqueue(value("x", "old", order=1), 0)
    assert bodies(queue) == ["new"]


def test_an_older_update_is_taken_once_the_newer_value_was_accepted() -> None:
    queue = declared(lvq_key="k", order_by="o")
    queue.enqueue(value("x", "new", order=2), 0)
    queue.settle(acquired(queue, consumer(queue), 0), Outcome.ACCEPTED, 0)
    queue.enqueue(value("x", "old", order=1), 0)
    assert bodies(queue) == ["old"]


@pytest.mark.parametrize(
    ("broken", "updates"),
    [({"k": UnreadableError}, 1), ({"k": "x", "o": UnreadableError}, 1), ({"k": "x", "o": 1}, -1)],
    ids=["key", "order", "updates"],
)
def test_a_message_that_cannot_be_read_leaves_the_queue_as_it_was(
    broken: Mapping[str, object], updates: int
) -> None:
    queue = declared(lvq_key="k", order_by="o")
    queue.enqueue(value("x", "A", order=1), 0)
    queue.drain()
    with pytest.raises(UnreadableError):
        queue.enqueue(CannedMessage(broken, updates=updates), 0)
    assert (queue.drain(), queue.sequence, queue.depth, queue.published) == ([], 1, 1, 1)


def test_a_message_whose_key_cannot_be_read_changes_nothing() -> None:
    driver = BareQueue({"lvq_key": "k"})
    driver.send("1", {"k": "a"}, None)
    good = encoded("2", {"k": "a"}, None)
    # The text's length reaches beyond the map that it stands in.
    broken = good.replace(b"\xa1\x01a", b"\xa1\x7fa")
    assert broken != good
    with pytest.raises(DecodeError):
        driver.queue.enqueue(read_message(broken), driver.now)
    assert driver.browse("b") == ["1"]
    assert driver.figures()["published"] == 1


# ---- expiry


def test_a_value_past_its_deadline_expires_and_is_not_replaced() -> None:
    queue = declared(lvq_key="k")
    queue.enqueue(value("x", "A", ttl_ms=10, updates=3), 0)
    queue.enqueue(value("x", "B"), 10)
    assert told(queue.drain()) == ["added A", "removed A expired", "added B"]
    assert [entry.updates for entry in queue.entries()] == [1]


def test_a_value_past_its_deadline_makes_no_update_stale() -> None:
    queue = declared(lvq_key="k", order_by="o")
    queue.enqueue(value("x", "new", order=2, ttl_ms=10), 0)
    queue.enqueue(value("x", "old", order=1), 10)
    assert bodies(queue) == ["old"]


def test_a_value_past_its_deadline_that_is_held_is_replaced() -> None:
    queue = declared(lvq_key="k")
    queue.enqueue(value("x", "A", ttl_ms=10), 0)
    acquired(queue, consumer(queue), 0)
    queue.advance(10)
    queue.enqueue(value("x", "B"), 10)
    assert told(queue.drain()) == ["added A", "acquired A", "updated B", "replaced A"]


def test_what_expired_makes_room_on_a_queue_that_refuses() -> None:
    queue = declared(max_messages=2)
    queue.enqueue(value(None, "A"), 0)
    queue.enqueue(value(None, "B", ttl_ms=10), 0)
    assert not queue.enqueue(value(None, "C"), 9)
    assert queue.enqueue(value(None, "D"), 10)
    assert told(queue.drain()) == ["added A", "added B", "refused C", "removed B expired", "added D"]


def test_what_expired_leaves_a_ring_before_anything_is_dropped() -> None:
    queue = declared(max_messages=2, when_full="drop-oldest")
    queue.enqueue(value(None, "A"), 0)
    queue.enqueue(value(None, "B", ttl_ms=10), 0)
    queue.enqueue(value(None, "C"), 10)
    assert bodies(queue) == ["A", "C"]


def test_neither_consumers_nor_browsers_are_given_what_expired() -> None:
    queue = declared()
    queue.enqueue(value(None, "A", ttl_ms=10), 0)
    queue.enqueue(value(None, "B"), 0)
    seen = queue.next(queue.subscribe(Mode.BROWSE, Bell(), ANY, 0), 10)
    assert seen is not None
    assert (seen.message.encoded, queue.removed(Reason.EXPIRED)) == (b"B", 1)
    assert acquired(queue, consumer(queue), 10) is seen


def test_a_clock_that_is_set_back_revives_nothing_that_was_passed() -> None:
    queue = declared()
    queue.enqueue(value(None, "A", ttl_ms=10), 0)
    entry = acquired(queue, consumer(queue), 0)
    queue.advance(20)
    queue.settle(entry, Outcome.RELEASED, 5)
    assert (queue.depth, queue.removed(Reason.EXPIRED)) == (0, 1)


def test_the_deadline_of_what_is_held_is_announced_once() -> None:
    queue = declared()
    queue.enqueue(value(None, "A", ttl_ms=10), 0)
    acquired(queue, consumer(queue), 0)
    assert queue.next_deadline() == 10
    queue.advance(10)
    assert (queue.next_deadline(), queue.depth) == (NEVER, 1)


# ---- limits


def test_a_refusal_changes_nothing_but_its_count() -> None:
    queue = declared(max_messages=1)
    queue.enqueue(value(None, "A"), 0)
    assert not queue.enqueue(value(None, "B"), 0)
    assert (bodies(queue), queue.refused, queue.published, queue.sequence) == (["A"], 1, 1, 1)


def test_what_is_held_counts_on_a_queue_that_refuses() -> None:
    queue = declared(max_messages=1)
    queue.enqueue(value(None, "A"), 0)
    acquired(queue, consumer(queue), 0)
    assert not queue.enqueue(value(None, "B"), 0)


@pytest.mark.parametrize(("body", "taken"), [("1234", True), ("12345678", True), ("123456789", False)])
def test_a_new_value_on_a_full_queue_is_refused_only_where_it_grows_beyond_the_bytes(
    body: str, taken: bool
) -> None:
    queue = declared(lvq_key="k", max_messages=2, max_bytes=10)
    queue.enqueue(value("x", "ab"), 0)
    queue.enqueue(value("y", "123456"), 0)
    assert queue.enqueue(value("y", body), 0) is taken


def test_a_stale_update_is_stale_and_not_refused_on_a_full_queue() -> None:
    queue = declared(lvq_key="k", order_by="o", max_bytes=2)
    queue.enqueue(value("x", "A", order=2), 0)
    assert queue.enqueue(value("x", "long", order=1), 0)
    assert (queue.refused, queue.removed(Reason.STALE)) == (0, 1)


def test_a_ring_drops_as_many_as_the_bytes_of_the_newest_need() -> None:
    queue = declared(max_bytes=6, when_full="drop-oldest")
    for body in ("aa", "bb", "cc", "dddd"):
        queue.enqueue(value(None, body), 0)
    assert bodies(queue) == ["cc", "dddd"]


def test_a_ring_refuses_what_would_not_fit_alone_and_drops_nothing_for_it() -> None:
    queue = declared(max_bytes=3, when_full="drop-oldest")
    queue.enqueue(value(None, "aa"), 0)
    assert not queue.enqueue(value(None, "bbbb"), 0)
    assert bodies(queue) == ["aa"]


def test_what_comes_back_to_a_full_ring_is_dropped_as_the_oldest() -> None:
    queue = declared(max_messages=2, when_full="drop-oldest")
    queue.enqueue(value(None, "A"), 0)
    held = acquired(queue, consumer(queue), 0)
    for body in "BC":
        queue.enqueue(value(None, body), 0)
    assert bodies(queue) == ["A", "B", "C"]
    queue.settle(held, Outcome.RELEASED, 0)
    assert (bodies(queue), held.state) == (["B", "C"], REMOVED)


# ---- delivery


def test_settling_what_nobody_holds_is_an_error_that_names_it() -> None:
    queue = declared()
    queue.enqueue(value(None), 0)
    with pytest.raises(NotAcquiredError, match="entry 1 is not acquired") as caught:
        queue.settle(queue.entries()[0], Outcome.ACCEPTED, 0)
    assert caught.value.condition.amqp10 == "amqp:illegal-state"


@pytest.mark.parametrize("outcome", Outcome)
def test_settling_what_left_meanwhile_does_nothing(outcome: Outcome) -> None:
    queue = declared(lvq_key="k")
    queue.enqueue(value("x", "A"), 0)
    entry = acquired(queue, consumer(queue), 0)
    queue.enqueue(value("x", "B"), 0)
    queue.drain()
    queue.settle(entry, outcome, 0)
    assert (queue.drain(), bodies(queue)) == ([], ["B"])


def test_only_a_failed_delivery_is_counted() -> None:
    queue = declared()
    queue.enqueue(value(None, "A"), 0)
    reader = consumer(queue)
    queue.settle(acquired(queue, reader, 0), Outcome.MODIFIED_FAILED, 0)
    queue.settle(acquired(queue, reader, 0), Outcome.RELEASED, 0)
    released = [effect.delivery_count for effect in queue.drain() if isinstance(effect, Released)]
    assert released == [1, 1]


def test_the_effects_name_the_consumer() -> None:
    queue = declared()
    queue.enqueue(value(None, "A"), 0)
    consumer(queue)
    second = consumer(queue)
    acquired(queue, second, 0)
    (holder,) = [effect.holder for effect in queue.drain() if isinstance(effect, Acquired)]
    assert holder == second.number


def test_a_consumer_that_goes_gives_back_what_it_holds_and_is_gone() -> None:
    queue = declared()
    for body in "ABC":
        queue.enqueue(value(None, body), 0)
    first, second = consumer(queue), consumer(queue)
    held = [acquired(queue, reader, 0) for reader in (first, second, first)]
    queue.unsubscribe(first, 0)
    queue.unsubscribe(first, 0)
    assert [entry.state for entry in held] == [AVAILABLE, ACQUIRED, AVAILABLE]
    assert list(queue.subscriptions) == [second.number]


def test_deleting_removes_what_is_held_too() -> None:
    queue = declared()
    for body in "AB":
        queue.enqueue(value(None, body), 0)
    acquired(queue, consumer(queue), 0)
    queue.drain()
    queue.delete()
    assert told(queue.drain()) == ["removed B deleted", "removed A deleted"]


def test_an_entry_that_left_keeps_no_links() -> None:
    queue = declared()
    for body in "ABC":
        queue.enqueue(value(None, body), 0)
    entries = queue.entries()
    queue.purge()
    assert [(entry.previous, entry.next) for entry in entries] == [(None, None)] * 3


def test_many_browsers_at_one_entry_all_move_on_when_it_leaves() -> None:
    driver = BareQueue({"lvq_key": "k"})
    names = [str(number) for number in range(50)]
    driver.send("a1", {"k": "a"}, None)
    assert {tuple(driver.browse(name)) for name in names} == {("a1",)}
    driver.send("a2", {"k": "a"}, None)
    driver.send("b1", {"k": "b"}, None)
    driver.send("a3", {"k": "a"}, None)
    assert {tuple(driver.browse(name)) for name in names} == {("b1", "a3")}


def test_a_browser_in_the_middle_of_a_batch_sees_what_is_released_before_its_next_entry() -> None:
    queue = declared()
    for body in "ABC":
        queue.enqueue(value(None, body), 0)
    reader, browser = consumer(queue), queue.subscribe(Mode.BROWSE, Bell(), ANY, 0)
    first, second = acquired(queue, reader, 0), acquired(queue, reader, 0)
    queue.settle(first, Outcome.RELEASED, 0)
    assert queue.next(browser, 0) is first
    queue.settle(second, Outcome.RELEASED, 0)
    assert queue.next(browser, 0) is second


def test_a_browser_in_the_middle_of_a_batch_goes_on_behind_what_expires() -> None:
    queue = declared()
    for body, ttl_ms in (("A", NEVER), ("B", 10), ("C", NEVER)):
        queue.enqueue(value(None, body, ttl_ms=ttl_ms), 0)
    browser = queue.subscribe(Mode.BROWSE, Bell(), ANY, 0)
    assert queue.next(browser, 0) is not None
    queue.advance(10)
    assert queue.next(browser, 0) is queue.entries()[1]


# ---- waking


def test_a_waiting_reader_is_woken_once_for_each_time_it_found_nothing() -> None:
    queue = declared()
    bells = {mode: Bell() for mode in Mode}
    readers = {mode: queue.subscribe(mode, bell, ANY, 0) for mode, bell in bells.items()}
    queue.enqueue(value(None, "A"), 0)
    assert [bell.rung for bell in bells.values()] == [0, 0]
    acquired(queue, readers[Mode.CONSUME], 0)
    for reader in readers.values():
        assert queue.next(reader, 0) is None
    queue.enqueue(value(None, "B"), 0)
    queue.enqueue(value(None, "C"), 0)
    assert [bell.rung for bell in bells.values()] == [1, 1]


def test_a_consumer_that_asks_twice_for_nothing_is_woken_once() -> None:
    queue = declared()
    bell = Bell()
    reader = queue.subscribe(Mode.CONSUME, bell, ANY, 0)
    assert (queue.next(reader, 0), queue.next(reader, 0)) == (None, None)
    queue.enqueue(value(None), 0)
    assert bell.rung == 1


def test_a_release_wakes_those_that_have_not_passed_it() -> None:
    queue = declared()
    bells = [Bell(), Bell()]
    passed, behind = [queue.subscribe(Mode.BROWSE, bell, ANY, 0) for bell in bells]
    queue.enqueue(value(None, "A"), 0)
    assert queue.next(passed, 0) is not None
    held = acquired(queue, consumer(queue), 0)
    assert (queue.next(passed, 0), queue.next(behind, 0)) == (None, None)
    queue.settle(held, Outcome.RELEASED, 0)
    assert [bell.rung for bell in bells] == [0, 1]
    assert queue.next(behind, 0) is held
    assert queue.next(passed, 0) is None


def test_a_stale_update_wakes_nobody() -> None:
    queue = declared(lvq_key="k", order_by="o")
    bell = Bell()
    reader = queue.subscribe(Mode.BROWSE, bell, ANY, 0)
    queue.enqueue(value("x", order=2), 0)
    assert [queue.next(reader, 0) is None for _ in range(2)] == [False, True]
    queue.enqueue(value("x", order=1), 0)
    assert bell.rung == 0


@pytest.mark.parametrize("mode", Mode)
def test_a_reader_that_went_is_not_woken(mode: Mode) -> None:
    queue = declared()
    bell = Bell()
    reader = queue.subscribe(mode, bell, ANY, 0)
    assert queue.next(reader, 0) is None
    queue.unsubscribe(reader, 0)
    queue.enqueue(value(None), 0)
    assert bell.rung == 0


# ---- recovery


def test_a_restored_queue_goes_on_where_the_kept_one_stood() -> None:
    kept = declared(lvq_key="k")
    for body in "ABC":
        kept.enqueue(value("x", body, ttl_ms=100), 0)
    queue = declared(lvq_key="k")
    queue.restore(kept.entries(), kept.sequence)
    assert (queue.depth, queue.published, queue.sequence, queue.next_deadline()) == (1, 1, 3, 100)
    assert queue.drain() == []
    queue.enqueue(value("x", "D"), 0)
    assert [(entry.sequence, entry.updates) for entry in queue.entries()] == [(4, 4)]


def test_a_restored_queue_shares_no_entry_with_the_kept_one() -> None:
    kept = declared()
    kept.enqueue(value(None, "A"), 0)
    queue = declared()
    queue.restore(kept.entries())
    kept.purge()
    assert bodies(queue) == ["A"]


def test_of_kept_values_with_one_key_the_newest_stays() -> None:
    kept = declared()
    for body in "AB":
        kept.enqueue(value("x", body), 0)
    entries = kept.entries()
    for entry in entries:
        entry.key = b"x"
    queue = declared(lvq_key="k")
    queue.restore(entries)
    assert (bodies(queue), queue.removed(Reason.REPLACED)) == (["B"], 1)


def test_a_kept_value_that_a_newer_one_stood_beside_is_not_its_keys_value() -> None:
    queue = declared(lvq_key="k", lvq_placement="in-place-no-browse")
    reader = consumer(queue)
    queue.enqueue(value("a", "older"), 0)
    older = acquired(queue, reader, 0)
    queue.enqueue(value("a", "newer"), 0)
    assert told(queue.drain())[-1] == "superseded older"
    restored = declared(lvq_key="k", lvq_placement="in-place-no-browse")
    restored.restore([older])
    restored.enqueue(value("a", "newest"), 0)
    restored.release_all(0)
    assert bodies(restored) == ["newest"]
    restored.enqueue(value("a", "last"), 0)
    assert bodies(restored) == ["last"]


def test_what_was_held_at_the_end_comes_back_with_one_more_failed_delivery() -> None:
    crashed = declared()
    for body in "AB":
        crashed.enqueue(value(None, body), 0)
    acquired(crashed, consumer(crashed), 0)
    queue = declared()
    queue.replay(crashed.drain())
    assert queue.available == 1
    queue.release_all(0)
    assert [(entry.state, entry.delivery_count) for entry in queue.entries()] == [
        (AVAILABLE, 1),
        (AVAILABLE, 0),
    ]


@pytest.mark.parametrize("mode", ["default", "shared"])
@pytest.mark.parametrize(
    "rebuild", [lambda old, new: new.restore(old.entries()), lambda old, new: new.replay(old.drain())]
)
def test_a_group_whose_consumer_went_with_the_old_process_is_anybodys(
    rebuild: Callable[[Queue, Queue], None], mode: str
) -> None:
    crashed = declared(group_mode=mode, group_key="k")
    for body in "AB":
        crashed.enqueue(value("x", body), 0)
    acquired(crashed, consumer(crashed), 0)
    queue = declared(group_mode=mode, group_key="k")
    rebuild(crashed, queue)
    assert [entry.holder for entry in queue.entries()] == [0, 0]
    queue.release_all(0)
    first, second = consumer(queue), consumer(queue)
    assert [acquired(queue, second, 0).sequence for _ in range(2)] == [1, 2]
    assert queue.next(first, 0) is None


def test_what_expired_by_a_new_declaration_expires_once_when_that_is_replayed() -> None:
    queue = declared()
    for body in "AB":
        queue.enqueue(value(None, body), 0)
    queue.reconfigure(spec_from_arguments("q", {"maximum_ttl_ms": 10}), 50)
    queue.enqueue(value(None, "C"), 60)
    rebuilt = declared()
    rebuilt.replay(queue.drain())
    assert (bodies(rebuilt), rebuilt.removed(Reason.EXPIRED)) == (["C"], 2)
    assert rebuilt.next_deadline() == 70


def test_replaying_a_refusal_counts_it() -> None:
    full = declared(max_messages=1)
    for body in "AB":
        full.enqueue(value(None, body), 0)
    queue = declared(max_messages=1)
    queue.replay(full.drain())
    assert (queue.refused, queue.published) == (1, 1)


def test_where_history_lost_a_replacement_the_older_value_does_not_end_the_key() -> None:
    kept = declared(lvq_key="k")
    for body in "AB":
        kept.enqueue(value("x", body), 0)
    first, second = kept.drain()
    assert isinstance(second, Updated)
    queue = declared(lvq_key="k")
    queue.replay([first, Added(second.entry), Removed(second.previous, Reason.PURGED)])
    queue.enqueue(value("x", "C"), 0)
    assert bodies(queue) == ["C"]


def test_a_delivery_time_that_has_passed_holds_nothing_back() -> None:
    queue = declared()
    for not_before_ms in (0, 99, 100):
        queue.enqueue(CannedMessage(not_before_ms=not_before_ms), 100)
    assert (queue.available, queue.next_deadline()) == (3, NEVER)
