"""What waits on the queues of one user together, and what one queue drops of it."""

import pytest
from canned_message import CannedMessage

from lastvalue.queues.backlog_share import ENTRY_BYTES, BacklogShare, UserBacklog
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import Limit, QueueSpec, WhenFull

SIZE = 712
ENTRY = ENTRY_BYTES + SIZE
RING = QueueSpec("q", limit=Limit(1000, when_full=WhenFull.DROP_OLDEST))


def rings(most_bytes: int, number: int) -> list[Queue]:
    """Queues of one user."""
    backlog = UserBacklog(most_bytes)
    queues = [Queue(RING) for _ in range(number)]
    for each in queues:
        each.contents.share = BacklogShare(backlog)
    return queues


def fill(queue: Queue, messages: int, size_bytes: int = SIZE) -> None:
    for _ in range(messages):
        queue.enqueue(CannedMessage(body=bytes(size_bytes)), 0)


def test_one_queue_may_take_all_that_its_user_may() -> None:
    first, second = rings(10 * ENTRY, 2)
    fill(first, 10)
    assert (first.depth, second.depth) == (10, 0)


def test_a_queue_beyond_its_equal_part_drops_its_oldest_where_there_is_too_much() -> None:
    first, second = rings(10 * ENTRY, 2)
    fill(first, 10)
    fill(second, 5)
    assert (first.depth, second.depth) == (10, 5)
    fill(first, 1)
    oldest = first.contents.available_list.head
    assert oldest is not None
    assert (first.depth, oldest.sequence) == (9, 3)
    fill(first, 9)
    assert (first.depth, second.depth) == (5, 5)
    fill(second, 3)
    assert second.depth == 5


def test_what_is_counted_takes_the_place_of_what_has_come() -> None:
    backlog = UserBacklog(100)
    share = BacklogShare(backlog)
    share.add(70)
    share.count(40)
    share.add(5)
    assert (backlog.used_bytes, share.has_room(55), share.has_room(56)) == (45, True, False)
    share.leave()
    assert (backlog.used_bytes, backlog.queues) == (0, 0)


def test_half_of_an_equal_part_is_filled_once_half_of_all_is() -> None:
    backlog = UserBacklog(100)
    share = BacklogShare(backlog)
    BacklogShare(backlog)
    share.add(50)
    assert not share.is_half_filled_by(50)
    share.add(1)
    assert [share.is_half_filled_by(size_bytes) for size_bytes in (25, 26)] == [False, True]


@pytest.mark.parametrize(("size_bytes", "depth"), [(20 * ENTRY, 0), (3 * ENTRY, 3)])
def test_a_large_message_drops_no_more_than_it_has_to(size_bytes: int, depth: int) -> None:
    (queue,) = rings(10 * ENTRY, 1)
    fill(queue, 10)
    fill(queue, 3, size_bytes)
    assert queue.depth == depth
