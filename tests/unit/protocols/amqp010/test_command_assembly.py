"""lastvalue.protocols.amqp010.command_assembly."""

import pytest

from lastvalue.codec.amqp010.frames import BODY, COMMAND, HEADER
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget, MemoryLimitError
from lastvalue.protocols.amqp010.command_assembly import CommandAssembly


def test_a_command_and_its_message_are_put_together_and_count_meanwhile() -> None:
    budget = MemoryBudget()
    assembly = CommandAssembly(MemoryAccount(budget))
    for kind, part in ((COMMAND, b"do"), (HEADER, b"he"), (HEADER, b"ad"), (BODY, b""), (BODY, b"body")):
        assembly.add(kind, part)
    assert (assembly.head(), assembly.has_body) == ((b"do", b"head"), True)
    assert (assembly.size_bytes, budget.used_bytes) == (10, 10)
    assert (assembly.command.join(), assembly.header.join(), assembly.body.join()) == (
        b"do",
        b"head",
        b"body",
    )
    assert budget.used_bytes == 0


def test_what_is_dropped_or_refused_takes_no_memory() -> None:
    budget = MemoryBudget()
    budget.limit_bytes = 9
    assembly = CommandAssembly(MemoryAccount(budget))
    for kind in (COMMAND, HEADER, BODY):
        assembly.add(kind, b"...")
    with pytest.raises(MemoryLimitError):
        assembly.add(BODY, b".")
    assembly.clear()
    assert (assembly.size_bytes, budget.used_bytes) == (0, 0)
