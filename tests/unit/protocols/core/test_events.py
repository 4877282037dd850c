"""The events of the engine."""

import pytest

from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.events import Acknowledged, Published, PublishedRun

pytestmark = pytest.mark.pure


def test_an_acknowledgement_names_a_message_of_a_consumer() -> None:
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    event = Acknowledged(channel, 30, (1, 5), False)
    assert (event.consumer, event.message, event.one, event.answered) == (1, 5, False, False)


def test_a_message_is_not_answered_unless_the_peer_asks_for_it() -> None:
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    assert not Published(channel, 30, b"head", b"body").answered


def test_a_run_begins_without_messages() -> None:
    channel = Channel(10, 136, -1, OutputBuffer(), MemoryAccount())
    run = PublishedRun(channel)
    assert run.channel is channel
    assert not run.messages
