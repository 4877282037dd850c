"""lastvalue.server.followed_queue; batches of records are in tests/properties/test_following.py."""

import pytest
from bare_queue import START_MS, queue_of

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.model.message import NEVER, PropertyName
from lastvalue.queues.effects import Reason
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.server.followed_queue import FollowedQueue
from lastvalue.store.records import StoredMessage
from lastvalue.store.store_contents import StoreContents

NUMBER = 7


def content(*, expires_ms: int) -> StoreContents:
    """Of a queue with one message, in the second segment, and of another queue."""
    encoded = encode_content(MessageContent(body="x", durable=True))
    stored = StoreContents(sequences={NUMBER: 5, NUMBER + 1: 9})
    one = StoredMessage(NUMBER, 3, encoded)
    one.expires_ms = expires_ms
    stored.messages = {NUMBER: {3: (2, one)}, NUMBER + 1: {9: (2, StoredMessage(NUMBER + 1, 9, encoded))}}
    stored.ids = {NUMBER: {b"id": (2, 3)}}
    return stored


def filled(stored: StoreContents) -> tuple[Queue, FollowedQueue]:
    queue = queue_of(QueueSpec("q", durable=True, duplicate_window=10))
    return queue, FollowedQueue(queue, NUMBER, stored)


def test_a_queue_has_what_the_content_has_of_it_and_nothing_of_others() -> None:
    queue, _ = filled(content(expires_ms=NEVER))
    (entry,) = queue.entries()
    assert (entry.sequence, entry.stored, queue.sequence) == (3, 2, 5)


@pytest.mark.parametrize(("expires_ms", "kept"), [(NEVER, []), (START_MS, [3])])
def test_a_message_leaves_a_content_that_empties_unless_it_has_a_time(
    expires_ms: int, kept: list[int]
) -> None:
    stored = content(expires_ms=expires_ms)
    queue = queue_of(QueueSpec("q", durable=True))
    followed = FollowedQueue(queue, NUMBER, stored, empties=True)
    assert [*stored.messages[NUMBER]] == kept
    (entry,) = followed.lead(stored)
    assert (entry.sequence, entry.stored, entry.expires_ms) == (3, 2, expires_ms)


def test_a_deadline_of_the_content_counts_once_the_queue_leads() -> None:
    stored = content(expires_ms=START_MS)
    queue, followed = filled(stored)
    queue.advance(START_MS)
    assert queue.depth == 1
    followed.lead(stored)
    queue.advance(START_MS)
    assert (queue.depth, queue.removed(Reason.EXPIRED)) == (0, 1)


def test_a_queue_that_leads_knows_the_ids_of_the_content() -> None:
    stored = content(expires_ms=NEVER)
    queue, followed = filled(stored)
    assert [*queue.duplicates.ids()] == []
    followed.lead(stored)
    assert [(each.duplicate_id, each.stored) for each in queue.duplicates.ids()] == [(b"id", 2)]


def test_a_message_that_the_content_has_no_more_leaves_for_the_reason_of_its_record() -> None:
    stored = content(expires_ms=NEVER)
    queue, followed = filled(stored)
    del stored.messages[NUMBER][3]
    followed.apply(stored, {3}, {3: Reason.ACCEPTED.value}, [])
    assert (queue.depth, queue.removed(Reason.ACCEPTED)) == (0, 1)


def test_messages_that_are_alike_share_an_example_and_have_their_keys_in_their_encodings() -> None:
    stored = StoreContents(sequences={NUMBER: 4})
    stored.messages = {NUMBER: {}}
    for sequence, (key, origin) in enumerate([("a", "x"), ("b", "x"), ("c", "y"), ("long", "y")], 1):
        content = MessageContent(
            application_properties={"k": key}, body=b"%d" % sequence, body_kind=BodyKind.DATA, durable=True
        )
        one = StoredMessage(NUMBER, sequence, encode_content(content))
        one.origin = origin
        stored.messages[NUMBER][sequence] = (1, one)
    queue = queue_of(QueueSpec("q", LastValue("k"), durable=True))
    FollowedQueue(queue, NUMBER, stored).lead(stored)
    first, second, third, fourth = queue.entries()
    assert first.example is second.example
    assert third.example is not second.example
    assert [each.message.origin for each in (first, second, third, fourth)] == ["x", "x", "y", "y"]
    assert [each.message.key(PropertyName("k")) for each in (first, fourth)] == [first.key, fourth.key]
    assert [each.key for each in queue.entries()] == [
        b"\xa1\x01a",
        b"\xa1\x01b",
        b"\xa1\x01c",
        b"\xa1\x04long",
    ]
    data, start, end = second.key_in()
    assert (data is second.encoded, data[start:end]) == (True, b"\xa1\x01b")
