"""The messages that tell a queue's history."""

from broker_desk import message
from canned_message import Bell

from lastvalue.broker.history.recorder import Recorder, without_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.history.records import Record, read_record
from lastvalue.model.message import NEVER, Message
from lastvalue.queues.effects import Reason
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome

NOW_MS = 1_700_000_000_000


def recorded(**options: object) -> tuple[Queue, Recorder]:
    """A queue with a recorder that has told its declaration."""
    queue = Queue(spec_from_arguments("q", options))
    recorder = Recorder(queue, "h")
    recorder.record([], NOW_MS)
    return queue, recorder


def told(queue: Queue, recorder: Recorder) -> list[Record]:
    return [read_record(each.encoded, 1) for each in recorder.record(queue.drain(), NOW_MS)]


def effects(queue: Queue, recorder: Recorder) -> list[str]:
    return [record.effect for record in told(queue, recorder)]


def test_a_history_begins_with_the_declaration_and_says_so_once() -> None:
    queue = Queue(spec_from_arguments("q", {"lvq_key": "k"}))
    recorder = Recorder(queue, "h")
    (first,) = told(queue, recorder)
    assert (first.effect, first.queue, first.time_ms) == ("declared", "q", NOW_MS)
    assert first.declaration == spec_to_arguments(queue.spec)
    assert told(queue, recorder) == []


def test_a_queue_that_came_out_of_a_store_says_that_it_was_restarted() -> None:
    queue = Queue(spec_from_arguments("q", {}))
    recorder = Recorder(queue, "h")
    recorder.restarted = True
    assert effects(queue, recorder) == ["restarted"]


def test_a_message_is_told_with_its_content_when_it_comes_and_without_when_it_leaves() -> None:
    queue, recorder = recorded()
    queue.enqueue(message("hello"), NOW_MS)
    queue.purge()
    added, removed = told(queue, recorder)
    assert (added.effect, added.sequence, removed.effect, removed.sequence) == ("added", 1, "removed", 1)
    assert removed.reason == Reason.PURGED.name.lower()
    assert message("hello").encoded in added.message
    assert b"hello" not in removed.message


def test_deliveries_are_told_only_where_the_declaration_asks_for_them() -> None:
    for asked, expected in ((False, []), (True, ["acquired", "released"])):
        queue, recorder = recorded(history="h", history_deliveries=asked)
        queue.enqueue(message("1"), NOW_MS)
        queue.drain()
        reader = queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS)
        entry = queue.next(reader, NOW_MS)
        assert entry is not None
        queue.settle(entry, Outcome.RELEASED, NOW_MS)
        assert effects(queue, recorder) == expected


def test_a_message_that_is_refused_is_told() -> None:
    queue, recorder = recorded(max_messages=1)
    queue.enqueue(message("1"), NOW_MS)
    queue.enqueue(message("2"), NOW_MS)
    assert effects(queue, recorder) == ["added", "refused"]


def test_a_history_that_begins_late_tells_what_is_on_the_queue() -> None:
    queue = Queue(spec_from_arguments("q", {}))
    queue.enqueue(message("1"), NOW_MS)
    queue.enqueue(message("2"), NOW_MS)
    recorder = Recorder(queue, "h")
    stock = [read_record(each.encoded, 1) for each in recorder.take_stock(NOW_MS)]
    assert [(record.effect, record.sequence) for record in stock] == [
        ("declared", None),
        ("present", 1),
        ("present", 2),
    ]


def test_a_message_that_does_not_expire_any_more_is_told_without_a_deadline() -> None:
    queue, recorder = recorded(lvq_key="k", max_age_ms=500, when_aged="remove")
    queue.enqueue(read_message(encode_plain_message(False, {"k": "a"}, None)), NOW_MS)
    added, *_ = told(queue, recorder)
    queue.reconfigure(spec_from_arguments("q", {"lvq_key": "k", "max_age_ms": 500}), NOW_MS)
    declared, moved = told(queue, recorder)
    assert (added.expires_ms, declared.effect) == (NOW_MS + 500, "reconfigured")
    assert (moved.effect, moved.sequence, moved.expires_ms) == ("rescheduled", 1, None)


def test_other_lifetimes_are_told_with_the_new_deadline_of_each_message() -> None:
    queue, recorder = recorded()
    queue.enqueue(message("1"), NOW_MS)
    told(queue, recorder)
    queue.reconfigure(spec_from_arguments("q", {"maximum_ttl_ms": 500}), NOW_MS)
    declared, moved = told(queue, recorder)
    assert (declared.effect, moved.effect, moved.expires_ms) == ("reconfigured", "rescheduled", NOW_MS + 500)


def test_deliveries_are_told_from_the_declaration_on_that_asks_for_them() -> None:
    queue, recorder = recorded(history="h")
    queue.enqueue(message("1"), NOW_MS)
    queue.reconfigure(spec_from_arguments("q", {"history": "h", "history_deliveries": True}), NOW_MS)
    assert effects(queue, recorder) == ["added", "reconfigured"]
    queue.next(queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS), NOW_MS)
    assert effects(queue, recorder) == ["acquired"]


def test_a_record_does_not_expire_or_wait_as_its_message_did() -> None:
    queue, recorder = recorded(durable=True)
    queue.enqueue(message("1", ttl_ms=5), NOW_MS)
    (record,) = recorder.record(queue.drain(), NOW_MS)
    assert (record.ttl_ms, record.expires_ms, record.annotated, record.durable) == (NEVER, NEVER, False, True)


def test_the_content_of_a_record_may_be_left_out() -> None:
    queue, recorder = recorded()
    queue.enqueue(message("hello"), NOW_MS)
    (record,) = recorder.record(queue.drain(), NOW_MS)
    bare: Message = without_content(record)
    assert b"hello" not in bare.encoded
    read = read_record(bare.encoded, 1)
    assert (read.effect, read.sequence) == ("added", 1)
