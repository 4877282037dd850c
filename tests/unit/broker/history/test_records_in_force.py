"""Which records of a history are in force."""

import pytest
from broker_desk import message
from canned_message import Bell, CannedMessage

from lastvalue.broker.history.recorder import DELETED, QUEUE, TIME, Recorder, without_content
from lastvalue.broker.history.records_in_force import NO_RECORD, RecordHead, RecordsInForce
from lastvalue.codec.amqp10.annotations import text_annotation, time_annotation, with_annotations
from lastvalue.history.records import read_record
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome

NOW_MS = 1_700_000_000_000


def in_order(records: RecordsInForce) -> list[Entry]:
    """The records in force of the queue, oldest first."""
    return sorted(records.entries_of("q"), key=lambda entry: entry.sequence)


class Recorded:
    """A queue and the records of its history, each taken as it comes."""

    def __init__(self, **options: object) -> None:
        self.queue = Queue(spec_from_arguments("q", {"history_deliveries": True, "history": "h", **options}))
        self.recorder = Recorder(self.queue, "h")
        self.in_force = RecordsInForce()
        self.last = 0

    def take(self) -> list[str]:
        """The effects of the records in force."""
        for each in self.recorder.record(self.queue.drain(), NOW_MS):
            self.last += 1
            self.in_force.take(Entry(self.last, each, NOW_MS, NOW_MS, 1))
        effects = [read_record(each.encoded, 1).effect for each in in_order(self.in_force)]
        assert self.in_force.count == len(effects)
        return effects


def test_a_message_is_in_force_until_it_leaves() -> None:
    recorded = Recorded()
    recorded.queue.enqueue(message("a"), NOW_MS)
    assert recorded.take() == ["declared", "added"]
    recorded.queue.purge()
    assert recorded.take() == ["declared"]


def test_the_last_release_and_what_came_after_it_are_in_force() -> None:
    recorded = Recorded()
    queue = recorded.queue
    queue.enqueue(message("a"), NOW_MS)
    consumer = queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS)
    for _ in range(3):
        entry = queue.next(consumer, NOW_MS)
        assert entry is not None
        queue.settle(entry, Outcome.MODIFIED_FAILED, NOW_MS)
    assert recorded.take() == ["declared", "added", "released"]
    queue.next(consumer, NOW_MS)
    assert recorded.take() == ["declared", "added", "released", "acquired"]


def test_the_last_options_are_in_force() -> None:
    recorded = Recorded()
    for most in (3, 4, 5):
        options = {"history_deliveries": True, "history": "h", "max_messages": most}
        recorded.queue.reconfigure(spec_from_arguments("q", options), NOW_MS)
    assert recorded.take() == ["declared", "reconfigured"]


def test_a_deletion_ends_all() -> None:
    recorded = Recorded()
    recorded.queue.enqueue(message("a"), NOW_MS)
    recorded.take()
    (deleted,) = recorded.recorder.end(DELETED, NOW_MS)
    assert recorded.in_force.take(Entry(9, deleted, NOW_MS, NOW_MS, 1))
    assert [each.sequence for each in in_order(recorded.in_force)] == [9]


def test_a_record_without_its_content_is_read_too() -> None:
    recorded = Recorded()
    recorded.queue.enqueue(message("a"), NOW_MS)
    (_, added) = recorded.recorder.record(recorded.queue.drain(), NOW_MS)
    head, other = RecordHead(), RecordHead()
    head.read(added.encoded)
    other.read(without_content(added).encoded)
    assert (head.queue, head.sequence, head.time_ms) == (b"\xa1\x01q", 1, NOW_MS)
    assert (other.kind, other.queue, other.sequence, other.time_ms) == (
        *(head.kind, head.queue, head.sequence, head.time_ms),
    )


@pytest.mark.parametrize(
    "encoded", [b"", b"\x00", message("a").encoded, b"\x00\x53\x72\xd1\x00", b"nonsense"]
)
def test_other_messages_are_no_records(encoded: bytes) -> None:
    head = RecordHead()
    head.read(encoded)
    assert head.kind == NO_RECORD
    assert not RecordsInForce().take(Entry(1, CannedMessage(), NOW_MS, NOW_MS, 1))


def test_a_record_may_end_with_a_short_annotation_that_no_recorder_wrote() -> None:
    annotations = DELETED + text_annotation(QUEUE, "q") + time_annotation(TIME, 7) + b"\xa3\x01x\x40"
    head = RecordHead()
    head.read(with_annotations(b"", annotations, 4, b"none"))
    assert (head.kind != NO_RECORD, head.time_ms, head.sequence) == (True, 7, 0)


def test_without_its_beginning_nothing_is_known_of_a_queue() -> None:
    recorded = Recorded()
    recorded.queue.enqueue(message("a"), NOW_MS)
    recorded.take()
    assert recorded.in_force.knows("q")
    declared, added = in_order(recorded.in_force)
    recorded.in_force.forget(added)
    assert in_order(recorded.in_force) == [declared]
    recorded.in_force.forget(declared)
    assert not recorded.in_force.knows("q")
    assert recorded.in_force.count == 0
