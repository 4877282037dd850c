"""lastvalue.broker.watches.removal."""

import pytest

from lastvalue.broker.watches.removal import key_bytes, key_text, removal_payload
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec

QUEUE = Queue(QueueSpec("q", LastValue("k")))


@pytest.mark.parametrize("key", ["AAPL", "x" * 300, 5, -7, 2**62, True, False, ""])
def test_a_removal_has_the_key_as_its_property_and_no_body(key: object) -> None:
    content = decode_content(removal_payload(QUEUE, key_bytes(QUEUE, key)))
    assert (content.application_properties, content.body) == ({"k": key}, None)


def test_a_key_that_is_compared_as_text_is_told_as_one() -> None:
    queue = Queue(QueueSpec("q", LastValue("k", keys_as_text=True)))
    assert decode_content(removal_payload(queue, key_bytes(queue, 5))).application_properties == {"k": "5"}


def test_keys_of_other_types_are_told_as_their_bytes() -> None:
    assert decode_content(removal_payload(QUEUE, key_bytes(QUEUE, b"\x01"))).application_properties == {
        "k": b"\x01"
    }


def test_only_texts_have_a_text() -> None:
    found = [key_text(key_bytes(QUEUE, key), as_text=False) for key in ("a", "x" * 300, 5)]
    assert found == [b"a", b"x" * 300, None]


@pytest.mark.parametrize("key", [None, ["a"], 2**70])
def test_what_cannot_be_a_key_is_refused(key: object) -> None:
    with pytest.raises(InvalidSpecError, match="cannot be a key"):
        key_bytes(QUEUE, key)
