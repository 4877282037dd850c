"""Parts of messages, and the memory that they take."""

import tracemalloc

import pytest

from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget, MemoryLimitError
from lastvalue.protocols.message_parts import PARTS_KEPT, MessageParts


def test_parts_are_joined_in_their_order_and_take_memory_until_then() -> None:
    memory = MemoryAccount()
    parts = MessageParts(memory)
    for part in (b"one ", b"", b"two ", b"three"):
        parts.add(part)
    assert (parts.size_bytes, memory.used_bytes) == (13, 13)
    assert parts.join() == b"one two three"
    assert (parts.size_bytes, memory.used_bytes, parts.join()) == (0, 0, b"")


def test_many_tiny_parts_do_not_stay_tiny() -> None:
    parts = MessageParts(MemoryAccount())
    for _ in range(3 * PARTS_KEPT + 1):
        parts.add(b"x")
    assert parts._parts == []
    assert parts.join() == b"x" * (3 * PARTS_KEPT + 1)
    parts.add(b"the next message")
    assert parts.join() == b"the next message"


def test_a_large_message_is_not_copied_at_its_end() -> None:
    tracemalloc.start()
    parts = MessageParts(MemoryAccount())
    for _ in range(64):
        parts.add(bytes(1 << 18))
    whole = parts.join()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(whole) == 1 << 24
    assert peak < 1.5 * len(whole)


def test_a_part_for_which_there_is_no_room_is_not_added() -> None:
    budget = MemoryBudget()
    budget.limit_bytes = 5
    parts = MessageParts(MemoryAccount(budget))
    parts.add(b"1234")
    with pytest.raises(MemoryLimitError):
        parts.add(b"56")
    assert parts.size_bytes == 4
    parts.clear()
    assert (parts.size_bytes, budget.used_bytes) == (0, 0)
