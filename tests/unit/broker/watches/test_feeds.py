"""lastvalue.broker.watches.feeds."""

from canned_message import Bell, CannedMessage

from lastvalue.broker.queue_counts import QueueCounts
from lastvalue.broker.turn_time import TurnTime
from lastvalue.broker.watches.conflated_values import ConflatedValues
from lastvalue.broker.watches.feeds import (
    SCAN_KEYS,
    ConflatingFeed,
    KeyFeed,
    QueueFeed,
    UpdateFeed,
)
from lastvalue.broker.watches.key_index import KeyIndex
from lastvalue.broker.watches.key_pattern import key_pattern
from lastvalue.broker.watches.update_log import MOST_KEPT, UpdateLog
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget
from lastvalue.queues.effects import Reason, Tombstone
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Subscription
from lastvalue.queues.watch_terms import WatchTerms

NOW_MS = 1_000


def queue_with(*keys: str, **options: object) -> Queue:
    queue = Queue(spec_from_arguments("q", options))
    for key in keys:
        send(queue, key)
    return queue


def send(queue: Queue, key: str, now: int = NOW_MS) -> None:
    assert queue.enqueue(CannedMessage({"k": key}, body=key.encode()), now)


def browser(queue: Queue) -> Subscription:
    return queue.subscribe(Mode.BROWSE, Bell(), ANY, NOW_MS)


def given(feed: QueueFeed | KeyFeed | ConflatingFeed, subscription: Subscription) -> list[str]:
    found = []
    while (change := feed.next(subscription, NOW_MS)) is not None:
        key = (change.key or b"?").decode()
        found.append(f"-{key}" if isinstance(change, Tombstone) else f"{key}{change.updates}")
    return found


def test_a_queue_feed_gives_removals_and_values_each_once() -> None:
    queue = queue_with("a", "b", "a", lvq_key="k")
    feed = QueueFeed(queue, queue.contents.keep_tombstones(0), 0, True)
    subscription = browser(queue)
    assert given(feed, subscription) == ["'b'1", "'a'2"]
    queue.purge()
    send(queue, "b")
    assert given(feed, subscription) == ["-'a'", "'b'1"]
    assert not feed.is_lost


def test_a_queue_feed_whose_removals_were_forgotten_is_lost() -> None:
    queue = queue_with("a", lvq_key="k", tombstone_ms=10)
    feed = QueueFeed(queue, queue.contents.keep_tombstones(10), 0, True)
    queue.purge()
    queue.advance(NOW_MS)
    queue.advance(NOW_MS + 10)
    assert given(feed, browser(queue)) == []
    assert feed.is_lost


def key_feed(queue: Queue, number: int = 0, after: int = 0, *, text: str) -> tuple[KeyFeed, KeyIndex]:
    index = KeyIndex(queue, MemoryAccount())
    return another(queue, index, number, after, text=text), index


def another(queue: Queue, index: KeyIndex, number: int = 0, after: int = 0, *, text: str) -> KeyFeed:
    pattern = key_pattern(WatchTerms(prefix=text), lambda key: str(key).encode())
    tombstones = queue.contents.keep_tombstones(queue.spec.tombstone_ms)
    feed = KeyFeed(queue, tombstones, index, pattern, True, Bell().wake)
    feed.begin(after, number)
    return feed


def change(index: KeyIndex, *keys: str) -> None:
    for key in keys:
        index.change(key.encode())


KEYED: dict[str, object] = {"lvq_key": "k", "lvq_key_equality": "text"}


def test_a_key_feed_gives_the_values_of_its_keys_by_sequence_and_then_their_changes() -> None:
    queue = queue_with("a1", "b", "a2", "a1", **KEYED)
    feed, index = key_feed(queue, text="a")
    subscription = browser(queue)
    assert given(feed, subscription) == ["a21", "a12"]
    queue.purge()
    change(index, "a1", "b")
    assert given(feed, subscription) == ["-a1"]


def test_a_key_feed_looks_at_many_keys_in_steps() -> None:
    queue = queue_with(*(f"a{number}" for number in range(SCAN_KEYS + 1)), **KEYED)
    feed, index = key_feed(queue, text="a")
    subscription = browser(queue)
    for _ in range(2):
        assert feed.next(subscription, NOW_MS) is None
        assert subscription.scans_on
        assert len(given(feed, subscription)) == SCAN_KEYS + 1
        change(index, *(f"a{number}" for number in range(SCAN_KEYS + 1)))


def test_removals_of_keys_that_come_and_go_take_no_more_memory() -> None:
    queue = queue_with(**KEYED)
    feed, index = key_feed(queue, text="a")
    subscription = browser(queue)
    for _ in range(500):
        send(queue, "a1")
        change(index, "a1")
        queue.purge()
        change(index, "a1")
        assert feed._reader.shared is not None
        assert len(feed._reader.shared) == 1
        assert len(feed._reader.shared.after(0)) <= 2
        assert len(feed._removals) == 0
    assert given(feed, subscription) == ["-a1"]


def test_a_key_that_changes_while_a_feed_looks_is_given_in_the_order_of_its_last_change() -> None:
    queue = queue_with(**KEYED)
    feed, index = key_feed(queue, text="a")
    subscription = browser(queue)
    assert given(feed, subscription) == []
    for key in ("a1", "a2", "a3"):
        send(queue, key)
        change(index, key)
    first = feed.next(subscription, NOW_MS)
    assert isinstance(first, Entry)
    assert first.key == b"a1"
    send(queue, "a2")
    change(index, "a2")
    assert given(feed, subscription) == ["a31", "a22"]


def test_a_key_feed_gives_removals_by_number_in_whichever_order_it_is_told_them() -> None:
    queue = queue_with("a1", "a2", "a3", **KEYED)
    feed, index = key_feed(queue, text="a")
    subscription = browser(queue)
    assert len(given(feed, subscription)) == 3
    first, second, _ = queue.entries()
    queue.remove([second], Reason.KEY_DELETED)
    queue.remove([first], Reason.KEY_DELETED)
    change(index, "a1", "a2")
    # With the token of the second number alone, a reader that comes back would not be told the first.
    removed = feed.next(subscription, NOW_MS)
    assert isinstance(removed, Tombstone)
    assert (removed.key, feed.number) == (b"a2", 1)
    assert given(feed, subscription) == ["-a1"]
    assert feed.number == 2


def test_a_key_feed_of_which_a_removal_was_forgotten_gives_no_later_one() -> None:
    queue = queue_with("a1", "a2", tombstone_ms=10, **KEYED)
    stays, index = key_feed(queue, text="a")
    subscription = browser(queue)
    assert given(stays, subscription) == ["a11", "a21"]
    first, second = queue.entries()
    queue.remove([first], Reason.KEY_DELETED)
    change(index, "a1")
    queue.advance(NOW_MS)
    # It has had both values, and looks once the first removal is forgotten.
    returns = another(queue, index, 0, 2, text="a")
    queue.remove([second], Reason.KEY_DELETED)
    change(index, "a2")
    queue.advance(NOW_MS + 10)
    for feed in (stays, returns):
        assert given(feed, subscription) == []
        assert feed.is_lost


def values(most: int) -> ConflatedValues:
    return ConflatedValues(None, 0, most, QueueCounts(), MemoryAccount())


def test_a_conflating_feed_gives_the_newest_of_each_key_with_its_updates() -> None:
    queue = queue_with("a", "b", "a", "a")
    feed = ConflatingFeed(queue, "k", values(10))
    subscription = browser(queue)
    assert given(feed, subscription) == ["'b'1", "'a'3"]
    send(queue, "a")
    assert given(feed, subscription) == ["'a'1"]


def test_a_conflating_feed_keeps_only_so_many_keys_and_leaves_the_rest_on_the_queue() -> None:
    queue = queue_with("a", "b", "c", "a")
    feed = ConflatingFeed(queue, "k", values(2))
    assert given(feed, browser(queue)) == ["'a'1", "'b'1", "'c'1", "'a'1"]


def test_messages_without_the_property_are_not_conflated() -> None:
    queue = Queue(spec_from_arguments("q", {}))
    for _ in range(2):
        queue.enqueue(CannedMessage({}, body=b"x"), NOW_MS)
    assert len(given(ConflatingFeed(queue, "k", values(10)), browser(queue))) == 2


class Told:
    """A feed of updates of a queue with one message, of which it is told."""

    def __init__(self) -> None:
        queue = queue_with("a", lvq_key="k")
        self.counts, self.budget = QueueCounts(), MemoryBudget()
        self.memory, self.bell = MemoryAccount(self.budget), Bell()
        self.updates = UpdateLog(self.memory)
        self.feed = self.join(queue)
        self.entry: Entry = queue.contents.current.entries()[0]
        self.subscription = browser(queue)

    def join(self, queue: Queue) -> UpdateFeed:
        values = ConflatedValues(None, 0, 10, self.counts, self.memory)
        return UpdateFeed(queue, self.updates, values, None, self.bell.wake)

    def tell(self, times: int = 1) -> None:
        for _ in range(times):
            self.updates.add(self.entry)

    def take(self, *looks: bool) -> bool:
        left = iter(looks)
        time = TurnTime()
        time.begin(lambda shares: next(left))
        return self.feed.take_updates(time)

    def taken(self) -> int:
        """Of how many updates a value is made."""
        assert self.feed.take_updates(TurnTime())
        change = self.feed.next(self.subscription, NOW_MS)
        assert isinstance(change, Entry)
        return int(change.updates)


def test_values_are_made_of_all_updates_that_a_feed_was_told_as_far_as_there_is_time() -> None:
    told = Told()
    told.tell(10)
    assert told.bell.rung == 1
    assert told.memory.used_bytes > 0
    assert not told.take(True)
    assert told.take(False, False)
    change = told.feed.next(told.subscription, NOW_MS)
    assert isinstance(change, Entry)
    assert change.updates == 10
    assert told.memory.used_bytes == 0
    told.tell()
    assert told.bell.rung == 2


def test_a_feed_whose_time_ends_with_the_last_update_is_woken_by_the_next() -> None:
    told = Told()
    told.tell(4)
    assert told.take(True)
    told.tell()
    assert told.bell.rung == 2


def test_updates_for_which_there_is_no_time_for_long_are_left_out_and_counted() -> None:
    told = Told()
    told.tell(MOST_KEPT + 5)
    assert told.taken() + told.counts.left_out == MOST_KEPT + 5
    assert 0 < told.counts.left_out <= MOST_KEPT // 10
    told.feed.close()
    assert told.memory.used_bytes == 0
    assert told.updates.empty


def test_updates_for_which_there_is_no_memory_are_left_out_and_counted() -> None:
    told = Told()
    told.budget.account_limit_bytes = 300
    told.tell(5)
    assert (told.taken(), told.counts.left_out) == (2, 3)
