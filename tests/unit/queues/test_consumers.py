from itertools import count

import pytest
from canned_message import Bell, CannedMessage

from lastvalue.model.message import NEVER, Message, MessageFilter
from lastvalue.queues.available_list import AvailableList
from lastvalue.queues.consumers import MOST_OFFERED, Consumers
from lastvalue.queues.due_entries import PAGE
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec, Readers
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscription, Terms
from lastvalue.selectors.selector import parse_selector

NUMBERS = count(1)


def consumer(terms: Terms = ANY, bell: Bell | None = None) -> Subscription:
    return Subscription(next(NUMBERS), Mode.CONSUME, bell or Bell(), terms)


def joined(readers: Readers, *subscriptions: Subscription, paused: bool = False) -> Consumers:
    """Consumers of an empty list, which came at 100."""
    consumers = Consumers(AvailableList(), readers, paused)
    for subscription in subscriptions:
        consumers.join(subscription, 100)
    return consumers


def entry(sequence: int, colour: str = "red") -> Entry:
    return Entry(sequence, CannedMessage({"colour": colour}), 0, NEVER, 1)


@pytest.mark.parametrize(
    ("readers", "priorities", "live"),
    [
        (Readers(), [0, 0, 0], [True, True, True]),
        (Readers(live=1), [0, 0, 0], [True, False, False]),
        (Readers(live=2), [0, 0, 0], [True, True, False]),
        (Readers(live=1), [0, 9, 9], [True, False, False]),
    ],
    ids=str,
)
def test_as_many_consumers_are_served_as_may_and_those_that_are_stay(
    readers: Readers, priorities: list[int], live: list[bool]
) -> None:
    subscriptions = [consumer(Terms(priority=priority)) for priority in priorities]
    consumers = joined(readers, *subscriptions)
    assert [consumers.serves(each, 100) for each in subscriptions] == live


def test_the_consumer_of_the_highest_priority_follows_one_that_leaves_and_then_the_first_that_came() -> None:
    first, low, high, late = (consumer(Terms(priority=priority)) for priority in (0, 0, 5, 5))
    consumers = joined(Readers(live=1), first, low, high, late)
    consumers.leave(first)
    assert [each.live for each in (low, high, late)] == [False, True, False]
    consumers.leave(high)
    assert [each.live for each in (low, late)] == [False, True]
    assert consumers.number == 2


def test_another_declaration_chooses_again_by_priority() -> None:
    low, high = consumer(), consumer(Terms(priority=5))
    consumers = joined(Readers(live=1), low, high)
    consumers.configure(Readers(live=1), paused=False)
    assert (low.live, high.live) == (False, True)


def test_nobody_is_served_while_the_queue_is_paused() -> None:
    one = consumer()
    consumers = joined(Readers(), one, paused=True)
    assert not consumers.serves(one, 100)
    consumers.configure(Readers(), paused=False)
    assert consumers.serves(one, 100)


def test_a_queue_that_waits_for_consumers_serves_once_enough_have_come_and_goes_on() -> None:
    one, two = consumer(), consumer()
    consumers = joined(Readers(before_dispatch=2), one)
    assert (consumers.dispatches(10**9), consumers.opens_at()) == (False, NEVER)
    consumers.join(two, 100)
    assert consumers.dispatches(100)
    consumers.leave(two)
    assert consumers.dispatches(100)


def test_a_queue_waits_for_more_consumers_no_longer_than_its_delay() -> None:
    one = consumer()
    consumers = joined(Readers(before_dispatch=2, dispatch_delay_ms=50), one)
    assert consumers.opens_at() == 150
    assert [consumers.dispatches(now) for now in (149, 150, 149)] == [False, True, True]
    assert consumers.opens_at() == NEVER


def test_a_queue_without_consumers_does_not_open_by_time() -> None:
    consumers = joined(Readers(before_dispatch=2, dispatch_delay_ms=50))
    assert consumers.opens_at() == NEVER


def test_a_consumer_with_a_filter_is_given_the_first_entry_that_it_admits() -> None:
    available = AvailableList()
    red, green = entry(1), entry(2, "green")
    available.add(red)
    available.add(green)
    consumers = Consumers(available, Readers(), False)
    anybody, picky = consumer(), consumer(Terms(parse_selector("colour = 'green'")))
    consumers.join(anybody, 0)
    consumers.join(picky, 0)
    assert (consumers.first(anybody), consumers.first(picky)) == (red, green)
    assert (consumers.chooses(anybody), consumers.chooses(picky)) == (False, True)
    consumers.leave(picky)
    assert available.views == {}


def test_a_consumer_is_not_given_again_what_is_excluded_for_it() -> None:
    available = AvailableList()
    available.index()
    refused, other = entry(1), entry(2)
    available.add(refused)
    available.add(other)
    consumers = Consumers(available, Readers(), False)
    one, two = consumer(), consumer()
    consumers.join(one, 0)
    consumers.join(two, 0)
    available.unlink(refused)
    consumers.exclude(one, refused)
    available.insert(refused)
    assert (consumers.first(one), consumers.first(two)) == (other, refused)


def test_each_consumer_that_waits_is_woken_once() -> None:
    bell = Bell()
    one = consumer(bell=bell)
    consumers = joined(Readers(), one)
    consumers.wait(one)
    consumers.wait(one)
    consumers.wake()
    consumers.wake()
    assert (bell.rung, consumers.waits) == (1, False)


class NotedBell(Bell):
    """Notes which one rang."""

    def __init__(self, name: str, rung: list[str]) -> None:
        super().__init__()
        self._name = name
        self._rung = rung

    def wake(self) -> None:
        self._rung.append(self._name)


def test_consumers_are_woken_in_the_order_in_which_they_came_to_wait() -> None:
    order: list[str] = []
    a, b, c = (consumer(bell=NotedBell(name, order)) for name in "abc")
    consumers = joined(Readers(), a, b, c)
    for each in (a, b, c):
        consumers.wait(each)
    consumers.leave(a)
    d = consumer(bell=NotedBell("d", order))
    consumers.join(d, 100)
    consumers.wait(d)
    consumers.wake()
    assert order == ["b", "c", "d"]


@pytest.mark.parametrize("leaving", [0, 1])
def test_a_consumer_that_left_is_not_woken(leaving: int) -> None:
    bells = [Bell(), Bell()]
    both = [consumer(bell=bell) for bell in bells]
    consumers = joined(Readers(), *both)
    for each in both:
        consumers.wait(each)
    consumers.leave(both[leaving])
    assert consumers.waits
    consumers.wake()
    assert (bells[leaving].rung, bells[1 - leaving].rung) == (0, 1)


class CountingFilter(MessageFilter):
    """Matches a body, and counts what it was asked."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.asked = 0

    def matches(self, message: Message) -> bool:
        self.asked += 1
        return message.encoded == self._body


def queue_of_others(count: int) -> Queue:
    queue = Queue(QueueSpec("q"))
    for _ in range(count):
        queue.enqueue(CannedMessage(body=b"other"), 0)
    return queue


def got(queue: Queue, reader: Subscription) -> Entry:
    found, _ = next_in_calls(queue, reader)
    assert found is not None
    return found


def next_in_calls(queue: Queue, reader: Subscription) -> tuple[Entry | None, int]:
    """What the reader gets, and how many calls that took."""
    calls = 1
    entry = queue.next(reader, 0)
    while entry is None and reader.scans_on:
        calls += 1
        entry = queue.next(reader, 0)
    return entry, calls


def test_a_selector_is_asked_about_a_page_of_entries_in_each_call() -> None:
    queue = queue_of_others(2 * MOST_OFFERED + 50)
    queue.enqueue(CannedMessage(body=b"wanted"), 0)
    wanted = CountingFilter(b"wanted")
    reader = queue.subscribe(Mode.CONSUME, Bell(), Terms(wanted), 0)
    assert wanted.asked == 0
    assert queue.next(reader, 0) is None
    assert (wanted.asked, reader.scans_on, reader.waiting) == (MOST_OFFERED, True, False)
    entry, calls = next_in_calls(queue, reader)
    assert (entry is not None and entry.message.encoded, calls) == (b"wanted", 2)


def test_what_comes_leaves_and_returns_while_a_selector_is_asked_is_delivered_in_order() -> None:
    queue = Queue(QueueSpec("q"))
    bodies = [str(number).encode() for number in range(3 * MOST_OFFERED)]
    for body in bodies:
        queue.enqueue(CannedMessage({"even": int(body) % 2 == 0}, body=body), 0)
    other = queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
    held = [got(queue, other) for _ in range(MOST_OFFERED + 10)]
    reader = queue.subscribe(Mode.CONSUME, Bell(), Terms(parse_selector("even = TRUE")), 0)
    first = got(queue, reader)
    assert first.message.encoded == bodies[MOST_OFFERED + 10]
    for entry in held:
        queue.settle(entry, Outcome.RELEASED, 0)
    queue.enqueue(CannedMessage({"even": True}, body=b"last"), 0)
    received = []
    while (found := next_in_calls(queue, reader)[0]) is not None:
        received.append(found.message.encoded)
    expected = [body for body in bodies[::2] if body != first.message.encoded]
    assert received == [*expected, b"last"]
    assert reader.waiting


def test_few_large_entries_are_passed_in_a_call() -> None:
    queue = Queue(QueueSpec("q"))
    for _ in range(20):
        queue.enqueue(CannedMessage(body=bytes(25_600)), 0)
    wanted = CountingFilter(b"wanted")
    reader = queue.subscribe(Mode.CONSUME, Bell(), Terms(wanted), 0)
    assert queue.next(reader, 0) is None
    assert wanted.asked == 2
    wanted.asked = 0
    browser = queue.subscribe(Mode.BROWSE, Bell(), Terms(wanted), 0)
    assert queue.next(browser, 0) is None
    assert wanted.asked == 2


def test_expired_entries_leave_a_page_at_a_time_before_a_consumer_gets_the_next() -> None:
    queue = Queue(QueueSpec("q"))
    for _ in range(PAGE + 10):
        queue.enqueue(CannedMessage(expires_ms=5), 0)
    queue.enqueue(CannedMessage(body=b"lasting"), 0)
    reader = queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
    assert queue.next(reader, 9) is None
    assert (queue.depth, reader.scans_on) == (11, True)
    entry = queue.next(reader, 9)
    assert entry is not None
    assert (entry.message.encoded, reader.scans_on) == (b"lasting", False)


def test_a_paused_queue_does_not_let_a_consumer_scan_on() -> None:
    queue = queue_of_others(2 * MOST_OFFERED)
    reader = queue.subscribe(Mode.CONSUME, Bell(), Terms(CountingFilter(b"wanted")), 0)
    assert queue.next(reader, 0) is None
    queue.reconfigure(QueueSpec("q", paused=True), 0)
    assert queue.next(reader, 0) is None
    assert (reader.scans_on, reader.waiting) == (False, True)
