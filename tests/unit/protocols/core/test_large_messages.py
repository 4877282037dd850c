"""Messages in parts: see also the tests of the producer."""

import pytest

from lastvalue.codec.core.errors import SECURITY_EXCEPTION, CoreError
from lastvalue.codec.core.packets import SEND_CONTINUATION, Packet
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.large_messages import LargeMessages

pytestmark = pytest.mark.pure


def part(body: bytes, *, continues: bool) -> Packet:
    return Packet(SEND_CONTINUATION, {"body": body, "continues": continues, "wants_response": True})


def test_parts_take_memory_until_the_message_is_whole_or_dropped() -> None:
    budget = MemoryBudget()
    messages = LargeMessages(1000, MemoryAccount(budget))
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    messages.begin(channel, b"head")
    assert budget.used_bytes == 4
    assert not messages.add(channel, part(bytes(100), continues=True), 120).head
    assert budget.used_bytes == 104
    whole = messages.add(channel, part(b"x", continues=False), 20)
    assert (whole.head, len(whole.body), whole.fault, budget.used_bytes) == (b"head", 101, None, 0)
    messages.begin(channel, b"head")
    messages.add(channel, part(bytes(100), continues=True), 120)
    messages.drop(channel)
    assert budget.used_bytes == 0


def test_a_message_for_which_there_is_no_memory_is_refused_at_its_end() -> None:
    budget = MemoryBudget()
    budget.account_limit_bytes = 50
    messages = LargeMessages(1000, MemoryAccount(budget))
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    messages.begin(channel, b"head")
    messages.add(channel, part(bytes(100), continues=True), 120)
    assert "may take 50 bytes" in str(messages.add(channel, part(b"", continues=False), 20).fault)


def test_a_head_for_which_there_is_no_memory_is_refused_at_its_end() -> None:
    budget = MemoryBudget()
    budget.account_limit_bytes = 50
    messages = LargeMessages(1000, MemoryAccount(budget))
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    messages.begin(channel, bytes(100))
    assert budget.used_bytes == 0
    assert "may take 50 bytes" in str(messages.add(channel, part(b"x", continues=False), 20).fault)


def test_a_message_that_is_refused_meanwhile_keeps_nothing() -> None:
    budget = MemoryBudget()
    messages = LargeMessages(1000, MemoryAccount(budget))
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    messages.begin(channel, b"head")
    messages.add(channel, part(bytes(100), continues=True), 120)
    fault = CoreError(SECURITY_EXCEPTION, "not there")
    messages.refuse(channel, fault)
    messages.add(channel, part(bytes(100), continues=True), 120)
    assert budget.used_bytes == 0
    assert messages.add(channel, part(b"x", continues=False), 20).fault is fault
