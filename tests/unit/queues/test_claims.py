"""Entries that are held for no reader."""

from canned_message import Bell, CannedMessage

from lastvalue.queues.claims import claim, release_others
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, REMOVED, Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.recovery import present_entries
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome


def queue_of(*messages: CannedMessage) -> tuple[Queue, list[Entry]]:
    queue = Queue(spec_from_arguments("q", {}))
    for message in messages:
        queue.enqueue(message, 0)
    return queue, present_entries(queue.contents, [])


def test_a_claimed_entry_is_given_to_nobody_until_it_is_settled() -> None:
    queue, (entry,) = queue_of(CannedMessage())
    reader = queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
    assert claim(queue, entry, 0)
    assert queue.next(reader, 0) is None
    queue.settle(entry, Outcome.RELEASED, 0)
    assert queue.next(reader, 0) is entry


def test_what_is_not_available_cannot_be_claimed() -> None:
    queue, (held, expired) = queue_of(CannedMessage(), CannedMessage(ttl_ms=10))
    assert claim(queue, held, 0)
    assert not claim(queue, held, 0)
    assert not claim(queue, expired, 10)
    assert (held.state, expired.state) == (ACQUIRED, REMOVED)


def test_all_claims_but_those_of_some_sequences_are_released() -> None:
    queue, entries = queue_of(*(CannedMessage() for _ in range(4)))
    for entry in entries[:3]:
        claim(queue, entry, 0)
    release_others(queue, {2}, 0)
    assert [entry.state for entry in entries] == [AVAILABLE, ACQUIRED, AVAILABLE, AVAILABLE]
    queue.settle(entries[1], Outcome.ACCEPTED, 0)
    assert queue.depth == 3
