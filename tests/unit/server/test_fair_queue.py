"""lastvalue.server.fair_queue."""

from lastvalue.server.fair_queue import FairQueue


def test_addresses_take_turns_and_keep_the_order_of_their_items() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in ("a1", "a2", "a3", "b1", "b2", "c1"):
        queue.add(item[0], item)
    assert [queue.take() for _ in range(len(queue))] == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert len(queue) == 0


def test_an_address_that_comes_later_waits_for_one_item_of_each_other() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in ("a1", "a2", "a3"):
        queue.add("a", item)
    assert queue.take() == "a1"
    queue.add("b", "b1")
    assert [queue.take(), queue.take()] == ["a2", "b1"]


def test_an_item_that_is_discarded_is_not_taken_and_may_be_discarded_again() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in ("a1", "b1", "b2"):
        queue.add(item[0], item)
    for item in ("a1", "a1", "b1"):
        queue.discard(item[0], item)
    assert list(queue) == ["b2"]
    assert queue.take() == "b2"
    queue.discard("b", "b2")
    assert len(queue) == 0
