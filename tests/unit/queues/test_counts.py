"""What a queue counts of its messages in bytes, durable ones, and of deliveries."""

import pytest

from lastvalue.model.message import Message, size_of
from lastvalue.queues.counts import Counts


@pytest.fixture
def counts() -> Counts:
    return Counts()


def test_what_came_and_left_is_counted_in_bytes(counts: Counts) -> None:
    for _ in range(3):
        counts.add(1, 10, False)
    counts.remove(1, 10, False)
    assert (counts.published_bytes, counts.removed_bytes) == (30, 10)


def test_durable_messages_are_counted_for_themselves_too(counts: Counts) -> None:
    counts.add(1, 10, True)
    counts.add(1, 5, False)
    counts.remove(1, 10, True)
    assert (counts.durable_published, counts.durable_published_bytes) == (1, 10)
    assert (counts.durable_removed, counts.durable_removed_bytes) == (1, 10)


def test_a_message_that_is_amended_leaves_as_large_as_it_came(counts: Counts) -> None:
    before, after = Message(bytes(10), True), Message(bytes(30), True)
    counts.add(1, 10, True)
    counts.amend(before, after)
    counts.remove(1, 30, True)
    assert counts.published_bytes == counts.removed_bytes == 30
    assert counts.durable_published_bytes == counts.durable_removed_bytes == 30


def test_the_size_that_a_protocol_gives_a_message_goes_before_its_encodings() -> None:
    message = Message(bytes(10))
    message.wire_bytes = 7
    assert size_of(message) == 7
    assert size_of(Message(bytes(10))) == 10
