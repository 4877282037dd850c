"""What a queue knows of the values that its newest messages have replaced."""

from bare_queue import START_MS, Woken, encoded, queue_of
from librt.strings import write_i64_le

from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.queue import Queue
from lastvalue.queues.recent_replacements import MOST, RecentReplacements
from lastvalue.queues.spec import LastValue, Placement, QueueSpec
from lastvalue.queues.subscription import ANY, Mode


def published(queue: Queue, *keys: str) -> RecentReplacements:
    for at, key in enumerate(keys):
        queue.enqueue(read_message(encoded("x", {"k": key}, None)), START_MS + at)
    return queue.contents.recent


def noted(*replacements: tuple[int, int]) -> RecentReplacements:
    recent = RecentReplacements()
    for sequence, replaced in replacements:
        write_i64_le(recent.begin(sequence, START_MS), replaced)
    return recent


def test_a_value_that_a_consumer_holds_is_replaced_unless_it_stays_beside_the_newer_one() -> None:
    replaced = []
    for placement in (Placement.TAIL, Placement.IN_PLACE):
        queue = queue_of(QueueSpec("q", LastValue("k", placement=placement)))
        published(queue, "a")
        assert queue.next(queue.subscribe(Mode.CONSUME, Woken(), ANY, START_MS), START_MS) is not None
        replaced.append(published(queue, "a").replaced_by(2))
    assert replaced == [1, 0]


def test_one_goes_back_from_a_value_to_what_it_replaced() -> None:
    recent = published(queue_of(QueueSpec("q", LastValue("k"))), "a", "b", "a", "a")
    assert [recent.replaced_by(sequence) for sequence in (4, 3, 2, 1)] == [3, 1, 0, 0]
    assert [recent.newer_than(sequence) for sequence in (1, 2, 3, 4)] == [3, 0, 4, 0]
    assert [recent.time_of(sequence) - START_MS for sequence in (3, 4)] == [2, 3]


def test_messages_that_are_not_told_have_replaced_nothing() -> None:
    recent = noted((5, 2), (9, 5))
    assert [recent.replaced_by(sequence) for sequence in (9, 8, 6, 5, 4)] == [5, 0, 0, 2, 0]


def test_the_oldest_are_forgotten_and_the_newest_never() -> None:
    recent = noted(*((sequence, sequence - 1) for sequence in range(2, 10 * MOST)))
    known = [recent.replaced_by(sequence) for sequence in range(2, 10 * MOST)]
    assert known[-MOST:] == list(range(9 * MOST - 1, 10 * MOST - 1))
    assert known[: 8 * MOST - 2] == [0] * (8 * MOST - 2)
    assert recent.memory_bytes() <= 2 * MOST * 24


def test_what_is_far_away_begins_anew() -> None:
    recent = noted((5, 2), (10_000_000, 5))
    assert (recent.replaced_by(10_000_000), recent.replaced_by(5)) == (5, 2)
    assert recent.memory_bytes() < 100
