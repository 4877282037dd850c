"""Parts of messages, and the memory that they take."""

import pytest

from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget, MemoryLimitError
from lastvalue.protocols.message_parts import PARTS_JOINED, MessageParts


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
    for _ in range(3 * PARTS_JOINED + 1):
        parts.add(b"x")
    assert len(parts._parts) + len(parts._chunks) == 4
    assert parts.join() == b"x" * (3 * PARTS_JOINED + 1)


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
