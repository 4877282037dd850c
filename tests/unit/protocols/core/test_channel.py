"""A channel: what it keeps until its peer confirms it, and what it confirms."""

import pytest

from lastvalue.codec.core.packets import (
    HEADER_BYTES,
    NULL_RESPONSE,
    PACKETS_CONFIRMED,
    read_packet,
    write_packet,
)
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget
from lastvalue.protocols.core.channel import Channel

pytestmark = pytest.mark.pure


def channel(window: int, budget: MemoryBudget | None = None) -> Channel:
    return Channel(10, 136, window, OutputBuffer(), MemoryAccount(budget))


def confirmed(octets: bytes) -> int:
    return int(read_packet(PACKETS_CONFIRMED, CoreReader(octets, HEADER_BYTES), 136).number("command"))


def test_commands_are_confirmed_when_their_bytes_fill_the_window() -> None:
    one = channel(100)
    one.carried_out(60)
    assert one.output.take() == b""
    one.carried_out(40)
    assert confirmed(one.output.take()) == 1
    assert one.last_command == 1


def test_a_channel_without_a_window_confirms_and_keeps_nothing() -> None:
    one = channel(-1)
    one.carried_out(10_000)
    one.put(b"packet")
    assert one.output.take() == b"packet"
    assert not one.reattaches


def test_what_the_peer_has_not_received_is_sent_again_on_its_next_connection() -> None:
    one = channel(100)
    for packet in (b"first", b"second", b"third"):
        one.put(packet)
    one.detach()
    one.put(b"fourth")
    output = OutputBuffer()
    one.attach(output, 0)
    assert output.take() == b"secondthirdfourth"


def test_a_channel_keeps_at_most_what_can_be_sent_again_at_once() -> None:
    budget = MemoryBudget()
    one = channel(100, budget)
    for _ in range(32):
        one.put(bytes(1 << 20))
        one.output.take()
    assert not one.reattaches
    assert budget.used_bytes == 0


def test_what_is_kept_takes_memory_until_it_is_confirmed() -> None:
    budget = MemoryBudget()
    one = channel(100, budget)
    one.put(bytes(1000))
    used = budget.used_bytes
    assert used >= 1000
    one.confirmed(0)
    assert budget.used_bytes < used


def test_a_channel_whose_peer_confirms_too_little_keeps_nothing_more() -> None:
    budget = MemoryBudget()
    budget.account_limit_bytes = 500
    one = channel(100, budget)
    one.put(bytes(400))
    one.put(bytes(400))
    assert not one.reattaches
    assert budget.used_bytes == 0
    assert len(one.output.take()) == 800


def test_a_closed_channel_keeps_nothing() -> None:
    budget = MemoryBudget()
    one = channel(100, budget)
    one.put(bytes(400))
    one.close()
    assert budget.used_bytes == 0


@pytest.mark.parametrize("version", [130, 136])
@pytest.mark.parametrize("correlation", [-1, 0, 1 << 40])
def test_the_usual_answer_is_what_the_table_of_the_packets_says(correlation: int, version: int) -> None:
    one = Channel(10, version, -1, OutputBuffer(), MemoryAccount())
    expected = write_packet(NULL_RESPONSE, 10, version, {"correlation": correlation})
    assert one.null_response(correlation.to_bytes(8, "big", signed=True)) == expected
