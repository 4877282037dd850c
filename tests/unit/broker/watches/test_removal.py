"""lastvalue.broker.watches.removal."""

import pytest

from lastvalue.broker.canonical_keys import canonical_key
from lastvalue.broker.watches.removal import removal_payload
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec

QUEUE = Queue(QueueSpec("q", LastValue("k")))


@pytest.mark.parametrize("key", ["AAPL", "x" * 300, 5, True, b"\x01"])
def test_a_removal_has_the_key_as_its_property_and_no_body(key: object) -> None:
    content = decode_content(removal_payload(QUEUE, canonical_key(QUEUE, key)))
    assert (content.application_properties, content.body) == ({"k": key}, None)


def test_a_key_that_is_compared_as_text_is_told_as_one() -> None:
    queue = Queue(QueueSpec("q", LastValue("k", keys_as_text=True)))
    assert decode_content(removal_payload(queue, canonical_key(queue, 5))).application_properties == {
        "k": "5"
    }
