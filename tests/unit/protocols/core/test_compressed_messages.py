"""Bodies that are decompressed: in steps, within the limits of a message and of the memory."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.compressed_messages import CompressedMessage, may_be_compressed
from lastvalue.protocols.core.events import Published

pytestmark = pytest.mark.pure

MOST = 1000


def compressed(body: bytes, budget: MemoryBudget | None = None, most_bytes: int = MOST) -> CompressedMessage:
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    return CompressedMessage(Published(channel, 1, b"head", body), most_bytes, MemoryAccount(budget))


@given(st.binary(max_size=300), st.integers(1, 400), st.integers(0, 9))
def test_the_steps_make_the_body(body: bytes, step: int, level: int) -> None:
    message = compressed(zlib.compress(body, level))
    done = 0
    while not message.is_over:
        done += message.step(step)
    published = message.published
    assert (published.body, published.fault, published.inflated) == (body, None, True)
    assert done >= len(body)


def test_a_step_reads_and_makes_a_bounded_number_of_bytes() -> None:
    most = 1 << 16
    empty_blocks = b"\x78\x9c" + b"\x00\x00\x00\xff\xff" * 200_000
    for body in (zlib.compress(bytes(1 << 20)), zlib.compress(bytes(range(256)) * 4096, 0), empty_blocks):
        message = compressed(body, most_bytes=1 << 22)
        steps = [message.step(most)]
        while not message.is_over:
            steps.append(message.step(most))
        assert max(steps) <= most + (1 << 14)
        assert sum(steps) >= min(len(body), 1 << 20)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (zlib.compress(bytes(MOST + 1)), "larger than 1000 bytes"),
        (zlib.compress(b"body")[:-1], "ends too early"),
        (zlib.compress(b"body")[:-1] + b"x", "cannot be decompressed"),
        (b"", "ends too early"),
    ],
)
def test_a_body_that_cannot_be_decompressed_is_refused(body: bytes, fault: str) -> None:
    budget = MemoryBudget()
    message = compressed(body, budget)
    while not message.is_over:
        message.step(100)
    assert fault in str(message.published.fault)
    assert (message.published.body, budget.used_bytes) == (b"", 0)


def test_what_a_body_becomes_takes_memory_until_it_is_whole() -> None:
    budget = MemoryBudget()
    message = compressed(zlib.compress(bytes(500)), budget)
    message.step(100)
    message.step(100)
    assert 100 < budget.used_bytes <= 200
    assert message.waiting_bytes > 0
    message.step(500)
    assert (message.is_over, budget.used_bytes, message.waiting_bytes) == (True, 0, 0)


def test_a_body_for_which_there_is_no_memory_is_refused() -> None:
    budget = MemoryBudget()
    budget.account_limit_bytes = 150
    message = compressed(zlib.compress(bytes(500)), budget)
    message.step(100)
    message.step(100)
    assert "may take 150 bytes" in str(message.published.fault)
    assert (message.is_over, budget.used_bytes) == (True, 0)


@pytest.mark.parametrize("level", range(10))
def test_what_zlib_compresses_has_its_header(level: int) -> None:
    assert may_be_compressed(b"x" + zlib.compress(b"body", level), 1)


@pytest.mark.parametrize("body", [b"\x78\x9d", b"\x79\x9c", b"ab", b"\0\0"])
def test_what_has_another_header_is_not_compressed(body: bytes) -> None:
    assert not may_be_compressed(body, 0)
