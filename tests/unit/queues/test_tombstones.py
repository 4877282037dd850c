"""The keys of a queue that lost their values."""

from canned_message import Bell, CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.effects import Reason, Tombstone
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome
from lastvalue.queues.tombstones import ANY_NUMBER, DEFAULT_TOMBSTONE_MS, MOST_EPOCHS, Tombstones

NOW_MS = 1_000


def queue_with(**options: object) -> Queue:
    return Queue(spec_from_arguments("q", {"lvq_key": "k", "tombstone_ms": 100, **options}))


def send(queue: Queue, key: str, body: bytes = b"value", now: int = NOW_MS, **more: int) -> None:
    assert queue.enqueue(CannedMessage({"k": key}, body=body, **more), now)


def tombstones_of(queue: Queue) -> Tombstones:
    assert queue.contents.tombstones is not None
    return queue.contents.tombstones


def reasons(queue: Queue) -> list[tuple[bytes, str]]:
    return [(each.key, each.reason.name) for each in tombstones_of(queue).all()]


def test_every_way_in_which_a_key_loses_its_value_leaves_a_tombstone_with_its_reason() -> None:
    queue = queue_with(delete_on_empty=True, max_messages=5, when_full="drop-oldest")
    for key in "abcdef":
        send(queue, key, ttl_ms=5 if key == "f" else NEVER)
    consumer = queue.subscribe(Mode.CONSUME, Bell(), ANY, NOW_MS)
    for outcome in (Outcome.ACCEPTED, Outcome.REJECTED):
        entry = queue.next(consumer, NOW_MS)
        assert entry is not None
        queue.settle(entry, outcome, NOW_MS)
    send(queue, "d", b"")
    queue.advance(NOW_MS + 5)
    queue.purge()
    assert reasons(queue) == [
        (b"'a'", "OVERFLOW"),
        (b"'b'", "ACCEPTED"),
        (b"'c'", "REJECTED"),
        (b"'d'", "KEY_DELETED"),
        (b"'f'", "EXPIRED"),
        (b"'e'", "PURGED"),
    ]


def test_a_key_that_has_a_value_again_has_no_tombstone_and_a_replacement_leaves_none() -> None:
    queue = queue_with()
    send(queue, "a")
    queue.purge()
    send(queue, "a")
    send(queue, "a")
    assert reasons(queue) == []
    queue.purge()
    (only,) = tombstones_of(queue).all()
    assert (only.number, only.sequence) == (2, 3)


def test_a_tombstone_ends_when_it_has_lived_for_as_long_as_the_queue_says() -> None:
    queue = queue_with()
    send(queue, "a")
    queue.purge()
    assert queue.next_deadline() <= NOW_MS
    queue.advance(NOW_MS)
    assert queue.next_deadline() == NOW_MS + 100
    queue.advance(NOW_MS + 99)
    assert len(tombstones_of(queue)) == 1
    queue.advance(NOW_MS + 100)
    assert (reasons(queue), tombstones_of(queue).forgotten, queue.next_deadline()) == ([], 1, NEVER)
    assert tombstones_of(queue).size_bytes == 0


def test_a_changed_option_changes_how_long_they_live() -> None:
    queue = queue_with()
    send(queue, "a")
    queue.purge()
    queue.advance(NOW_MS)
    queue.reconfigure(spec_from_arguments("q", {"lvq_key": "k", "tombstone_ms": 10}), NOW_MS)
    queue.advance(NOW_MS + 10)
    assert reasons(queue) == []


def test_a_queue_of_which_nobody_asks_keeps_none() -> None:
    queue = Queue(spec_from_arguments("q", {"lvq_key": "k"}))
    send(queue, "a")
    queue.purge()
    assert queue.contents.tombstones is None
    queue.contents.keep_tombstones(0)
    send(queue, "b")
    queue.purge()
    assert tombstones_of(queue).keep_ms == DEFAULT_TOMBSTONE_MS
    assert not any(type(effect).__name__ == "Tombstoned" for effect in queue.drain())


def test_the_next_one_after_a_number_passes_over_those_whose_keys_have_values() -> None:
    queue = queue_with()
    for key in "abc":
        send(queue, key)
    queue.purge()
    send(queue, "b")
    tombstones = tombstones_of(queue)
    assert [each and each.key for each in map(tombstones.after, (0, 1, 2, 3))] == [
        b"'a'",
        b"'c'",
        b"'c'",
        None,
    ]


def test_tombstones_of_many_keys_that_have_values_again_do_not_stay_in_memory() -> None:
    queue = queue_with()
    for _ in range(2):
        for number in range(1000):
            send(queue, str(number))
        queue.purge()
    for number in range(1000):
        send(queue, str(number))
    tombstones = tombstones_of(queue)
    assert (len(tombstones), tombstones.size_bytes) == (0, 0)
    assert len(tombstones._in_order) < 200


def test_what_a_reader_knows_of_an_earlier_epoch_counts_up_to_its_end() -> None:
    tombstones = Tombstones([])
    tombstones.begin_epoch(0, 500)
    tombstones.put(Tombstone(1, b"a", Reason.PURGED, 10))
    tombstones.begin_epoch(10, 500)
    first, second = (each.epoch for each in tombstones.epochs)
    assert second == first + 1
    assert tombstones.knows(first, 10, 1, 12)
    assert not tombstones.knows(first, 11, 1, 12)
    assert tombstones.knows(second, 12, 1, 12)
    assert not tombstones.knows(second, 13, 1, 12)
    assert not tombstones.knows(second + 1, 1, 0, 12)
    tombstones.forget(tombstones.all())
    assert not tombstones.knows(second, 12, 0, 12)
    assert tombstones.knows(first, 10, ANY_NUMBER, 12)
    assert not tombstones.knows(first, 11, ANY_NUMBER, 12)


def test_only_the_last_epochs_are_known() -> None:
    tombstones = Tombstones([])
    for _ in range(MOST_EPOCHS + 1):
        tombstones.begin_epoch(1, 500)
    assert not tombstones.knows(500, 1, 0, 1)
    assert tombstones.knows(501, 1, 0, 1)


def test_only_a_place_in_the_newest_epoch_or_in_an_unknown_one_may_be_later_than_all_that_is_there() -> None:
    tombstones = Tombstones([])
    tombstones.begin_epoch(0, 500)
    tombstones.begin_epoch(10, 500)
    first, second = (each.epoch for each in tombstones.epochs)
    assert not tombstones.may_be_behind(first, 11, 0, 10)
    assert not tombstones.may_be_behind(second, 10, 0, 10)
    assert tombstones.may_be_behind(second, 11, 0, 10)
    assert tombstones.may_be_behind(second, 10, 1, 10)
    assert tombstones.may_be_behind(second + 1, 1, 0, 10)
    assert tombstones.may_be_behind(0, 0, 0, 10)
