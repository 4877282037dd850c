"""Taking each message of a producer once."""

from typing import Any

import pytest
from canned_message import CannedMessage

from lastvalue.queues.duplicates import MOST_PRODUCERS
from lastvalue.queues.effects import Effect, Identified, Reason
from lastvalue.queues.ids import DuplicateIdError, explicit_id
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments


def declared(**options: Any) -> Queue:
    return Queue(spec_from_arguments("q", options))


def marked(duplicate_id: str, key: str = "a", **more: Any) -> CannedMessage:
    """A message as a link that asks for detection hands it over."""
    message = CannedMessage({"k": key, "o": more.pop("order", None)}, body=duplicate_id.encode(), **more)
    message.duplicate_id = explicit_id(duplicate_id.encode())
    return message


def send(queue: Queue, *ids: str) -> None:
    for duplicate_id in ids:
        assert enqueue_once(queue, marked(duplicate_id), 0)


def count(queue: Queue, producer: str, *numbers: int, durable: bool = False) -> None:
    for number in numbers:
        message = marked(f"lastvalue:{producer}-{number}")
        message.durable = durable
        assert enqueue_once(queue, message, 0)


def bodies(queue: Queue) -> list[str]:
    return [entry.message.encoded.decode() for entry in queue.entries()]


def remembered(queue: Queue) -> list[bytes]:
    return [known.duplicate_id[1:] for known in queue.duplicates.ids()]


def test_a_second_message_of_one_id_is_taken_and_goes_nowhere() -> None:
    queue = declared()
    send(queue, "1", "2", "1")
    assert bodies(queue) == ["1", "2"]
    assert queue.removed(Reason.DUPLICATE) == 1
    assert queue.published == queue.depth + 1 == 3
    assert queue.sequence == 3


def test_messages_without_an_id_are_all_taken() -> None:
    queue = declared(duplicate_window=10)
    for _ in range(2):
        assert enqueue_once(queue, CannedMessage(body=b"x"), 0)
    assert queue.depth == 2
    assert queue.duplicates.ids() == []


def test_a_queue_with_a_window_reads_the_id_that_a_message_carries() -> None:
    queue = declared(duplicate_window=10)
    for _ in range(2):
        assert enqueue_once(queue, CannedMessage({"_AMQ_DUPL_ID": "7"}), 0)
    assert queue.depth == 1
    assert queue.removed(Reason.DUPLICATE) == 1


def test_a_queue_without_a_window_leaves_alone_what_no_link_has_marked() -> None:
    queue = declared()
    for _ in range(2):
        assert enqueue_once(queue, CannedMessage({"_AMQ_DUPL_ID": "7"}), 0)
    assert queue.depth == 2


def test_the_oldest_id_is_forgotten_when_the_window_is_full() -> None:
    queue = declared(duplicate_window=2)
    send(queue, "1", "2", "3")
    assert remembered(queue) == [b"2", b"3"]
    send(queue, "1", "3")
    assert bodies(queue) == ["1", "2", "3", "1"]


def test_a_known_id_that_comes_again_stays_as_old_as_it_was() -> None:
    queue = declared(duplicate_window=2)
    send(queue, "1", "2", "1", "3")
    assert remembered(queue) == [b"2", b"3"]


def test_an_id_outlives_its_message() -> None:
    queue = declared()
    send(queue, "1")
    queue.purge()
    send(queue, "1")
    assert queue.depth == 0


def test_what_a_full_queue_refused_may_come_again() -> None:
    queue = declared(max_messages=1)
    send(queue, "1")
    assert not enqueue_once(queue, marked("2"), 0)
    queue.purge()
    send(queue, "2")
    assert bodies(queue) == ["2"]


def test_a_duplicate_takes_no_room_on_a_full_queue() -> None:
    queue = declared(max_messages=1)
    send(queue, "1", "1")
    assert queue.refused == 0


def test_a_stale_message_is_not_taken_again_when_its_key_is_gone() -> None:
    queue = declared(lvq_key="k", order_by="o")
    assert enqueue_once(queue, marked("new", order=2), 0)
    assert enqueue_once(queue, marked("old", order=1), 0)
    queue.purge()
    assert enqueue_once(queue, marked("old", order=1), 0)
    assert queue.depth == 0
    assert queue.removed(Reason.DUPLICATE) == 1


def test_a_duplicate_replaces_nothing() -> None:
    queue = declared(lvq_key="k")
    send(queue, "1", "2", "1")
    assert bodies(queue) == ["2"]


def test_an_id_that_is_too_long_takes_nothing() -> None:
    queue = declared(duplicate_window=5)
    with pytest.raises(DuplicateIdError):
        enqueue_once(queue, CannedMessage({"_AMQ_DUPL_ID": "x" * 2000}), 0)
    assert queue.published == 0


def test_enqueue_alone_looks_for_no_ids() -> None:
    queue = declared(duplicate_window=5)
    for _ in range(2):
        assert queue.enqueue(marked("1"), 0)
    assert queue.depth == 2


def test_a_smaller_window_forgets_with_the_next_id() -> None:
    queue = declared(duplicate_window=5)
    send(queue, "1", "2", "3")
    queue.reconfigure(spec_from_arguments("q", {"duplicate_window": 2}), 0)
    send(queue, "4")
    assert remembered(queue) == [b"3", b"4"]


def test_effects_rebuild_the_window() -> None:
    queue = declared(duplicate_window=3)
    effects: list[Effect] = []
    send(queue, "1", "2", "1", "3", "4")
    effects += queue.drain()
    queue.reconfigure(spec_from_arguments("q", {"duplicate_window": 2}), 0)
    send(queue, "5")
    effects += queue.drain()
    rebuilt = declared(duplicate_window=3)
    rebuilt.replay(effects)
    assert remembered(rebuilt) == remembered(queue) == [b"4", b"5"]
    assert rebuilt.removed(Reason.DUPLICATE) == 1
    assert rebuilt.published == queue.published


def test_effects_say_which_ids_were_forgotten() -> None:
    queue = declared(duplicate_window=1)
    send(queue, "1", "2")
    told = [effect for effect in queue.drain() if isinstance(effect, Identified)]
    assert [effect.known.sequence for effect in told] == [1, 2]
    assert [[known.sequence for known in effect.forgotten] for effect in told] == [[], [1]]


def test_restored_ids_are_known() -> None:
    queue = declared()
    send(queue, "1", "2")
    restored = declared()
    restored.restore(queue.entries(), queue.sequence, queue.duplicates.ids())
    assert restored.drain() == []
    send(restored, "2", "3")
    assert bodies(restored) == ["1", "2", "3"]


def test_the_memory_of_the_ids_counts_as_long_as_they_are_remembered() -> None:
    queue = declared(duplicate_window=2)
    sizes = []
    for each in ("one", "three", "five5"):
        send(queue, each)
        sizes.append(int(queue.duplicates.size_bytes))
    assert sizes[0] > len("one")
    assert sizes[1] == 2 * sizes[0] + len("three") - len("one")
    assert sizes[2] == sizes[1] + len("five5") - len("one")


def test_of_a_producer_that_counts_each_number_is_taken_once() -> None:
    queue = declared()
    count(queue, "p", 1, 2, 4, 2, 3, 4, 3)
    count(queue, "q", 2)
    assert bodies(queue) == [f"lastvalue:{each}" for each in ("p-1", "p-2", "p-4", "p-3", "q-2")]
    assert queue.removed(Reason.DUPLICATE) == 3


def test_a_producer_that_counts_does_not_push_out_other_ids() -> None:
    queue = declared(duplicate_window=2)
    send(queue, "a")
    count(queue, "p", *range(100))
    send(queue, "a")
    count(queue, "p", 0)
    assert queue.removed(Reason.DUPLICATE) == 2


def test_the_numbers_of_a_turn_are_noted_as_one_id_in_place_of_the_last_one() -> None:
    queue = declared()
    count(queue, "p", 1, 2, 3, durable=True)
    first = [each for each in queue.drain() if isinstance(each, Identified)]
    count(queue, "p", 4, 5, durable=True)
    second = [each for each in queue.drain() if isinstance(each, Identified)]
    assert [len(first), len(second)] == [1, 1]
    assert second[0].forgotten == [first[0].known]
    assert second[0].known.durable
    assert queue.duplicates.ids() == [second[0].known]
    assert [each for each in queue.drain() if isinstance(each, Identified)] == []


def test_a_restored_queue_knows_the_numbers_of_the_newest_of_several_notes() -> None:
    queue = declared()
    stored = []
    for numbers in ([1, 2], [3], [7]):
        count(queue, "p", *numbers)
        queue.drain()
        stored += queue.duplicates.ids()
    restored = declared()
    restored.restore(queue.entries(), queue.sequence, stored)
    count(restored, "p", 1, 2, 3, 7)
    assert restored.removed(Reason.DUPLICATE) == 4
    count(restored, "p", 5)
    assert restored.removed(Reason.DUPLICATE) == 4
    assert len(restored.duplicates.ids()) == 1


def test_producers_that_have_been_silent_longest_are_forgotten() -> None:
    queue = declared()
    for producer in range(MOST_PRODUCERS):
        count(queue, f"p{producer}", 1)
    count(queue, "p0", 2)
    queue.drain()
    most = queue.duplicates.size_bytes
    count(queue, "another", 1)
    assert queue.duplicates.size_bytes < most
    noted = [each for each in queue.drain() if isinstance(each, Identified)]
    assert len(noted[0].forgotten) == MOST_PRODUCERS // 10
    count(queue, "p0", 1)
    count(queue, "p1", 1)
    assert queue.removed(Reason.DUPLICATE) == 1


def test_the_memory_of_all_numbers_of_a_producer_is_that_of_one() -> None:
    queue = declared()
    count(queue, "p", 1)
    one = queue.duplicates.size_bytes
    count(queue, "p", *range(2, 500))
    assert queue.duplicates.size_bytes == one
