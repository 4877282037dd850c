"""Texts that are converted in steps, within the limit of the memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.core import reader
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget, MemoryLimitError
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.events import Published
from lastvalue.protocols.core.prepared_messages import STEP_BYTES, LargeText

pytestmark = pytest.mark.pure


def prepared(text: bytes, account: MemoryAccount) -> LargeText:
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    body = b"\x01" + len(text).to_bytes(4, "big") + text
    return LargeText(Published(channel, 1, b"head", body), account)


@given(st.text(st.sampled_from("aé€\U0001f600"), max_size=60), st.integers(1, 40))
def test_the_steps_make_the_text_in_utf_8(text: str, step: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_STEP_BYTES", 6)
        account = MemoryAccount()
        message = prepared(text.encode("utf-16-le"), account)
        while not message.is_over:
            message.step(step)
        published = message.published
        assert (published.body.decode(), published.fault, published.converted) == (text, None, True)
        assert account.used_bytes == message.waiting_bytes == 0


def test_half_a_pair_of_surrogates_is_replaced() -> None:
    message = prepared("a\ud83d".encode("utf-16-le", "surrogatepass"), MemoryAccount())
    message.step(STEP_BYTES)
    assert message.published.body.decode() == "a\N{REPLACEMENT CHARACTER}"


def test_a_step_reads_and_makes_a_bounded_number_of_bytes() -> None:
    text = "€" * (1 << 20)
    message = prepared(text.encode("utf-16-le"), MemoryAccount())
    steps = []
    while not message.is_over:
        steps.append(message.step(STEP_BYTES))
    assert max(steps) <= 2 * STEP_BYTES
    assert sum(steps) == 5 * len(text)


def test_a_text_for_which_there_is_no_memory_is_refused() -> None:
    budget = MemoryBudget()
    budget.account_limit_bytes = STEP_BYTES
    account = MemoryAccount(budget)
    message = prepared(("€" * STEP_BYTES).encode("utf-16-le"), account)
    while not message.is_over:
        message.step(STEP_BYTES)
    published = message.published
    assert isinstance(published.fault, MemoryLimitError)
    assert (published.body, account.used_bytes) == (b"", 0)
