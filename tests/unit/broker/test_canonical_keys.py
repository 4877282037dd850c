"""lastvalue.broker.canonical_keys."""

import pytest

from lastvalue.broker.canonical_keys import canonical_key, key_property, key_text, key_value
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec

QUEUE = Queue(QueueSpec("q", LastValue("k")))
AS_TEXT = Queue(QueueSpec("q", LastValue("k", keys_as_text=True)))


@pytest.mark.parametrize("key", ["AAPL", "x" * 300, 5, -7, 2**62, True, False, "", b"\x01"])
def test_a_key_comes_back_from_its_canonical_bytes(key: object) -> None:
    assert key_value(QUEUE, canonical_key(QUEUE, key)) == key


def test_a_key_that_is_compared_as_text_is_one() -> None:
    assert canonical_key(AS_TEXT, 5) == b"5"
    assert key_value(AS_TEXT, b"5") == "5"


def test_only_texts_have_a_text() -> None:
    found = [key_text(QUEUE, canonical_key(QUEUE, key)) for key in ("a", "x" * 300, 5)]
    assert found == [b"a", b"x" * 300, None]
    assert key_text(AS_TEXT, b"5") == b"5"


@pytest.mark.parametrize("key", [None, ["a"], 2**70])
def test_what_cannot_be_a_key_is_refused(key: object) -> None:
    with pytest.raises(InvalidSpecError, match="cannot be a key"):
        canonical_key(QUEUE, key)


def test_only_a_last_value_queue_has_a_key_property() -> None:
    assert (key_property(QUEUE), key_property(Queue(QueueSpec("q")))) == ("k", "")
