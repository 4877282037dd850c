"""lastvalue.broker.watches.conflated_values."""

from bare_queue import body_of, encoded

from lastvalue.broker.queue_counts import QueueCounts
from lastvalue.broker.watches.conflated_values import ConflatedValues
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.memory_budget import WATCHED_VALUE_BYTES, MemoryAccount, MemoryBudget
from lastvalue.model.message import NEVER
from lastvalue.queues.conflator import Conflator
from lastvalue.queues.entry import Entry
from lastvalue.queues.policy import policy_from_text

START_MS = 1_700_000_000_000


class Kept:
    """Values of a policy, and what is counted."""

    def __init__(self, policy: str, interval_ms: int = 0, most: int = 10) -> None:
        self.counts = QueueCounts()
        conflator = Conflator(policy_from_text(policy), interval_ms, None, "a reader")
        self.budget = MemoryBudget()
        self.memory = MemoryAccount(self.budget)
        self.values = ConflatedValues(conflator, interval_ms, most, self.counts, self.memory)
        self.sequence = 0

    def keep(self, key: bytes, body: str, now: int) -> None:
        self.sequence += 1
        self.values.keep(key, Entry(self.sequence, read_message(encoded(body, {}, None)), now, NEVER, 1), 1)

    def take(self, now: int) -> tuple[bytes | None, str, int] | None:
        entry = self.values.take(now)
        return None if entry is None else (entry.key, body_of(entry.message.encoded), int(entry.updates))


def test_updates_of_a_key_become_one_value_and_begin_anew_once_it_is_taken() -> None:
    kept = Kept("merge")
    kept.keep(b"a", '{"x":1}', START_MS)
    kept.keep(b"b", '{"x":5}', START_MS + 1)
    kept.keep(b"a", '{"y":2}', START_MS + 2)
    assert kept.values.due_ms() == 0
    assert kept.take(START_MS) == (b"b", '{"x":5}', 1)
    assert kept.take(START_MS) == (b"a", '{"x":1,"y":2}', 2)
    assert kept.values.first_ms == START_MS
    assert (kept.take(START_MS), kept.values.due_ms()) == (None, NEVER)
    kept.keep(b"a", '{"z":3}', START_MS)
    assert kept.take(START_MS) == (b"a", '{"z":3}', 1)


def test_a_value_of_an_interval_may_be_taken_when_that_is_over() -> None:
    kept = Kept("merge", 1000)
    kept.keep(b"a", '{"x":1}', START_MS + 999)
    kept.keep(b"a", '{"y":2}', START_MS + 1000)
    assert (kept.values.due_ms(), kept.take(START_MS + 999)) == (START_MS + 1000, None)
    assert kept.take(START_MS + 1000) == (b"a", '{"x":1}', 1)
    assert (kept.take(START_MS + 1999), kept.values.due_ms()) == (None, START_MS + 2000)
    assert kept.take(START_MS + 2000) == (b"a", '{"y":2}', 1)


def test_a_value_whose_interval_is_over_does_not_wait_for_one_that_was_read_before_it() -> None:
    kept = Kept("merge", 1000)
    kept.keep(b"a", '{"x":1}', START_MS + 1000)
    kept.keep(b"b", '{"y":2}', START_MS)
    kept.keep(b"a", '{"z":3}', START_MS)
    assert kept.values.due_ms() == START_MS + 1000
    assert kept.take(START_MS + 1000) == (b"b", '{"y":2}', 1)
    assert kept.take(START_MS + 1000) == (b"a", '{"z":3}', 1)
    assert (kept.take(START_MS + 1000), kept.values.due_ms()) == (None, START_MS + 2000)


def test_what_cannot_be_used_and_what_has_no_room_is_left_out_and_counted() -> None:
    kept = Kept("sum(size)", most=1)
    kept.keep(b"a", '{"size":"x"}', START_MS)
    kept.keep(b"a", '{"size":1}', START_MS)
    kept.keep(b"b", '{"size":1}', START_MS)
    kept.keep(b"a", '{"size":"x"}', START_MS)
    kept.keep(b"a", '{"size":2}', START_MS)
    taken = kept.take(START_MS)
    assert taken is not None
    assert (taken[1].startswith('{"size":3,'), taken[2], kept.counts.left_out) == (True, 2, 3)
    kept.keep(b"b", '{"size":1}', START_MS)
    kept.values.clear()
    assert kept.take(START_MS) is None


def test_values_take_memory_until_they_are_taken_or_forgotten() -> None:
    kept = Kept("merge")
    for key, body in ((b"a", '{"x":1}'), (b"a", '{"x":22}'), (b"b", '{"x":3}')):
        kept.keep(key, body, START_MS)
    both = kept.memory.used_bytes
    assert 2 * WATCHED_VALUE_BYTES < both < 4 * WATCHED_VALUE_BYTES
    kept.take(START_MS)
    assert WATCHED_VALUE_BYTES < kept.memory.used_bytes < both
    kept.values.clear()
    assert kept.memory.used_bytes == 0


def test_without_memory_there_is_one_value_which_does_not_grow() -> None:
    kept = Kept("merge")
    kept.budget.account_limit_bytes = 10
    assert not kept.values.full
    kept.keep(b"a", '{"x":10}', START_MS)
    taken = kept.memory.used_bytes
    kept.keep(b"b", '{"x":1}', START_MS)
    kept.keep(b"a", '{"y":1}', START_MS)
    kept.keep(b"a", '{"x":20}', START_MS)
    assert (kept.values.full, kept.counts.left_out, kept.memory.used_bytes) == (True, 2, taken)
    assert kept.take(START_MS) == (b"a", '{"x":20}', 2)
