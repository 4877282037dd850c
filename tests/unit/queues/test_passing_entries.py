"""What leaves unless a consumer takes it at once; see also tests/dialogue/test_passing_messages.py."""

from canned_message import Bell, CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.effects import Reason
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import Expiry, Limit, QueueSpec
from lastvalue.queues.subscription import ANY, Mode, Outcome

NOW_MS = 100


def served(spec: QueueSpec) -> tuple[Queue, Bell]:
    queue = Queue(spec)
    bell = Bell()
    queue.passing.request_pass = bell.wake
    return queue, bell


def test_a_pass_is_requested_and_the_time_noted_at_which_the_first_one_came() -> None:
    queue, bell = served(QueueSpec("q"))
    queue.enqueue(CannedMessage(ttl_ms=2), NOW_MS)
    assert (bell.rung, queue.passing.since_ms) == (0, NEVER)
    queue.enqueue(CannedMessage(ttl_ms=1), NOW_MS)
    queue.enqueue(CannedMessage(ttl_ms=1), NOW_MS + 1)
    assert (bell.rung, queue.passing.since_ms) == (2, NOW_MS)
    assert queue.passing.end()
    assert (queue.depth, queue.removed(Reason.EXPIRED), queue.passing.since_ms) == (1, 2, NEVER)
    assert not queue.passing.end()


def test_what_a_consumer_has_stays_until_it_is_settled() -> None:
    queue, _ = served(QueueSpec("q", limit=Limit(nothing=True)))
    consumer = queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS)
    queue.enqueue(CannedMessage(), NOW_MS)
    entry = queue.next(consumer, NOW_MS)
    assert entry is not None
    queue.passing.end()
    assert queue.depth == 1
    queue.settle(entry, Outcome.ACCEPTED, NOW_MS)
    assert (queue.depth, queue.removed(Reason.OVERFLOW)) == (0, 0)


def test_without_an_owner_nothing_stays_and_a_millisecond_is_one() -> None:
    queue = Queue(QueueSpec("q", limit=Limit(nothing=True)))
    queue.enqueue(CannedMessage(), NOW_MS)
    assert (queue.depth, queue.removed(Reason.OVERFLOW)) == (0, 1)
    queue = Queue(QueueSpec("q"))
    queue.enqueue(CannedMessage(ttl_ms=1), NOW_MS)
    assert queue.depth == 1
    queue.advance(NOW_MS + 1)
    assert queue.removed(Reason.EXPIRED) == 1


def test_one_whose_time_was_lengthened_meanwhile_stays() -> None:
    queue, _ = served(QueueSpec("q", expiry=Expiry(maximum_ttl_ms=1)))
    queue.enqueue(CannedMessage(), NOW_MS)
    queue.reconfigure(QueueSpec("q", expiry=Expiry(maximum_ttl_ms=5)), NOW_MS)
    queue.passing.end()
    assert queue.depth == 1
