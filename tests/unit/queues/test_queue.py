"""What the scenarios and the model do not say of a queue: its errors, its sizes inside, its cost."""

import pytest
from bare_queue import BareQueue, encoded

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.conditions import Condition
from lastvalue.queues.effects import Added, Removed
from lastvalue.queues.entry import REMOVED, Entry
from lastvalue.queues.expiry import SLACK, Deadlines
from lastvalue.queues.orderings import is_older
from lastvalue.queues.queue import NotAcquiredError, Queue
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import Mode, Outcome


def test_settling_what_nobody_holds_is_an_error_with_its_condition() -> None:
    driver = BareQueue({})
    driver.send("1", {}, None)
    entry = driver.queue.entries()[0]
    with pytest.raises(NotAcquiredError, match="entry 1 is not acquired") as raised:
        driver.queue.settle(entry, Outcome.ACCEPTED, driver.now)
    assert raised.value.condition is Condition.ILLEGAL_STATE


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


def test_sequences_have_no_gap_in_the_effects() -> None:
    driver = BareQueue({"lvq_key": "k", "order_by": "n"})
    for order in (3, 1, 5, 2, 5):
        driver.send("x", {"k": "a", "n": order}, None)
    added = [effect.entry.sequence for effect in driver.queue.drain() if isinstance(effect, Added)]
    assert added == [1, 2, 3, 4, 5]


def test_drain_hands_effects_over_once() -> None:
    driver = BareQueue({})
    driver.send("1", {}, None)
    assert len(driver.queue.drain()) == 1
    assert driver.queue.drain() == []


def test_deleting_removes_what_is_held_too() -> None:
    driver = BareQueue({})
    driver.send("1", {}, None)
    driver.send("2", {}, None)
    driver.acquire("c", 1)
    driver.queue.drain()
    driver.queue.delete()
    removed = [effect for effect in driver.queue.drain() if isinstance(effect, Removed)]
    assert [effect.reason.name for effect in removed] == ["DELETED", "DELETED"]
    assert driver.queue.depth == 0


def test_the_watch_on_deadlines_does_not_grow_with_what_has_left() -> None:
    driver = BareQueue({"lvq_key": "k"})
    for number in range(5000):
        driver.send(str(number), {"k": "a"}, 60_000)
    watch = Deadlines()
    message = read_message(encoded("x", {}, None))
    for number in range(5000):
        entry = Entry(number, message, 0, 1000, 1)
        watch.add(entry)
        entry.state = REMOVED
        watch.forget()
    assert len(watch) <= SLACK + 1
    assert driver.queue.depth == 1


def test_an_entry_that_left_is_linked_to_nothing() -> None:
    driver = BareQueue({"lvq_key": "k"})
    driver.send("1", {"k": "a"}, None)
    first = driver.queue.entries()[0]
    driver.send("2", {"k": "b"}, None)
    driver.send("3", {"k": "a"}, None)
    assert (first.previous, first.next) == (None, None)


def test_unsubscribing_twice_does_nothing() -> None:
    driver = BareQueue({})
    driver.browse("b")
    reader = driver._readers["b"]
    driver.queue.unsubscribe(reader, driver.now)
    driver.queue.unsubscribe(reader, driver.now)
    assert len(driver.queue.subscriptions) == 0


def test_many_browsers_at_one_entry_all_move_on_when_it_leaves() -> None:
    driver = BareQueue({"lvq_key": "k"})
    names = [str(number) for number in range(50)]
    driver.send("a1", {"k": "a"}, None)
    assert {tuple(driver.browse(name)) for name in names} == {("a1",)}
    driver.send("a2", {"k": "a"}, None)
    driver.send("b1", {"k": "b"}, None)
    driver.send("a3", {"k": "a"}, None)
    assert {tuple(driver.browse(name)) for name in names} == {("b1", "a3")}


@pytest.mark.parametrize(
    ("value", "than", "older"),
    [
        (1, 2, True),
        (2, 2, False),
        (3, 2, False),
        (1, 1.5, True),
        ("a", "b", True),
        ("b", "a", False),
        (1, "2", False),
        ("1", 2, False),
        (None, 2, False),
        (1, None, False),
    ],
)
def test_older_is_strictly_less_within_a_kind(
    value: float | str | None, than: float | str | None, older: bool
) -> None:
    assert is_older(value, than) is older


def test_a_subscription_belongs_to_one_mode() -> None:
    queue = Queue(QueueSpec("q"))
    driver = BareQueue({})
    assert driver._reader("c", Mode.CONSUME).mode is Mode.CONSUME
    assert queue.subscriptions == {}
