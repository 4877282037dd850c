"""What always holds on a queue, and that it is noticed where it does not."""

from collections.abc import Callable

import pytest
from canned_message import Bell, CannedMessage

from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.queues.invariants import FEW, BrokenInvariantError, check_queue, is_turn_of_all
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome

NOW_MS = 1_000


def used_queue() -> Queue:
    """A queue of which one message is acquired, two are available and one is held back."""
    queue = Queue(spec_from_arguments("prices", {"lvq_key": "key", "group_key": "group", "tombstone_ms": 99}))
    for key, delay_ms in (("a", 0), ("b", 0), ("c", 0), ("d", 0), ("e", 1)):
        message = CannedMessage({"key": key, "group": key}, body=b"1234", not_before_ms=delay_ms + NOW_MS)
        message.durable = True
        queue.enqueue(message, NOW_MS)
    reader = queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS)
    gone = queue.next(reader, NOW_MS)
    assert gone is not None
    queue.settle(gone, Outcome.ACCEPTED, NOW_MS)
    assert queue.next(reader, NOW_MS) is not None
    return queue


def head(queue: Queue) -> Entry:
    entry = queue.contents.available_list.head
    assert entry is not None
    return entry


def count(name: str, more: int = 1) -> Callable[[Queue], None]:
    """Adds to a count of the contents."""

    def add(queue: Queue) -> None:
        setattr(queue.contents, name, getattr(queue.contents, name) + more)

    return add


def count_size(queue: Queue) -> None:
    queue.contents.counts.removed_bytes += 3


def count_durable(queue: Queue) -> None:
    queue.contents.counts.durable_removed -= 1


def lose_the_tail(queue: Queue) -> None:
    queue.contents.available_list.tail = head(queue)


def lose_a_link(queue: Queue) -> None:
    after = head(queue).next
    assert after is not None
    after.previous = None


def swap_places(queue: Queue) -> None:
    head(queue).place = 9


def change_state(queue: Queue) -> None:
    head(queue).state = ACQUIRED


def change_holder(queue: Queue) -> None:
    (reader,) = queue.subscriptions.values()
    reader.held.entries()[0].holder = 77


def lose_a_value(queue: Queue) -> None:
    queue.contents.current.remove(head(queue).key or b"")


def bury_a_value(queue: Queue) -> None:
    tombstones = queue.contents.tombstones
    assert tombstones is not None
    buried = tombstones.all()[0]
    buried.key = head(queue).key or b""


def count_in_a_group(queue: Queue) -> None:
    group = head(queue).group
    assert group is not None
    group.present += 1


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (count("published"), "published is 6, depth and removed is 5"),
        (count("depth"), "published is 5, depth and removed is 6"),
        (count("replaced", -1), "published is 5, depth and removed is 4"),
        (count("available"), "available is 3, the list is 2"),
        (
            count("available", -2),
            "whether any of 0 is available is 0, whether the list has a first is 1",
        ),
        (count("held_back", -2), "the smallest of counts that are 0 or more is -1, its bound is 0"),
        (count("depth_bytes"), "depth_bytes is 17, the messages is 16"),
        (count("held_bytes", -1), "held_bytes is 3, those that are held is 4"),
        (count_size, "published_bytes without removed_bytes is 13, the sizes of the messages is 16"),
        (count_durable, "durable_published without durable_removed is 5, the durable messages is 4"),
        (lose_the_tail, "the list does not end with its last message"),
        (lose_a_link, "4 does not lead back to the message before it"),
        (swap_places, "3 is before 4"),
        (change_state, r"\[3\] are in a list of another state"),
        (change_holder, r"reader 1 has \[2\], which others hold"),
        (lose_a_value, r"\[3\] are not the values of their keys"),
        (bury_a_value, r"the keys of the tombstones \[1\] have values"),
        (count_in_a_group, "present in group '99' is 2, its messages is 1"),
    ],
)
def test_numbers_that_do_not_agree_are_named_with_their_queue(
    harm: Callable[[Queue], None], says: str
) -> None:
    queue = used_queue()
    check_queue(queue)
    harm(queue)
    with pytest.raises(BrokenInvariantError, match=f"^queue 'prices': .*{says}"):
        check_queue(queue)


def test_a_quick_check_compares_counts_alone() -> None:
    queue = used_queue()
    swap_places(queue)
    check_queue(queue, whole=False)
    queue.contents.published += 1
    with pytest.raises(BrokenInvariantError, match="published is 6"):
        check_queue(queue, whole=False)


def test_an_empty_queue_has_no_bytes() -> None:
    queue = Queue(spec_from_arguments("empty", {}))
    check_queue(queue)
    queue.contents.depth_bytes += 1
    with pytest.raises(BrokenInvariantError, match="depth is 0, depth_bytes is 1"):
        check_queue(queue)


def test_what_is_large_is_checked_whole_in_fewer_turns() -> None:
    assert all(is_turn_of_all(FEW, turn) for turn in range(100))
    assert [turn for turn in range(1, 100) if is_turn_of_all(10 * FEW, turn)] == list(range(10, 100, 10))


def test_what_keeps_faults_to_a_queue_does_not_keep_this_one() -> None:
    assert not issubclass(BrokenInvariantError, Exception)
