from itertools import count

import pytest
from canned_message import Bell, CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.available_list import AvailableList
from lastvalue.queues.consumers import Consumers
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import Readers
from lastvalue.queues.subscription import ANY, Mode, Subscription, Terms
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
    assert available.views == []


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
    assert (bell.rung, consumers.waiting) == (1, [])


def test_a_consumer_that_left_is_not_woken() -> None:
    bell = Bell()
    one = consumer(bell=bell)
    consumers = joined(Readers(), one)
    consumers.wait(one)
    consumers.leave(one)
    consumers.wake()
    assert bell.rung == 0
