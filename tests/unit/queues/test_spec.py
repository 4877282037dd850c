import re

import pytest

from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec import LARGEST, Expiry, LastValue, Limit, QueueSpec, Standard


def test_a_queue_is_standard_and_unlimited_unless_said_otherwise() -> None:
    assert QueueSpec("q") == QueueSpec("q", Standard(), Limit(0, 0), durable=False)


def test_declarations_are_equal_by_value() -> None:
    assert QueueSpec("q", LastValue("k")) == QueueSpec("q", LastValue("k"))
    assert QueueSpec("q", LastValue("k")) != QueueSpec("q", LastValue("other"))


@pytest.mark.parametrize(
    ("refused", "says"),
    [
        (lambda: QueueSpec(""), "1 to 255 characters"),
        (lambda: QueueSpec("x" * 256), "1 to 255 characters"),
        (lambda: QueueSpec("$management"), "begin with $"),
        (lambda: LastValue(""), "lvq_key is empty"),
        (lambda: LastValue("k", ""), "order_by is empty"),
        (lambda: Limit(-1), "max_messages and max_bytes"),
        (lambda: Limit(0, LARGEST + 1), "max_messages and max_bytes"),
        (lambda: QueueSpec("q", expiry=Expiry(minimum_ttl_ms=-1)), "0 (off)"),
        (lambda: QueueSpec("q", expiry=Expiry(maximum_ttl_ms=LARGEST + 1)), "0 (off)"),
        (
            lambda: QueueSpec("q", expiry=Expiry(minimum_ttl_ms=5, maximum_ttl_ms=4)),
            "minimum_ttl_ms 5 exceeds",
        ),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused(refused: object, says: str) -> None:
    assert callable(refused)
    with pytest.raises(InvalidSpecError, match=re.escape(says)):
        refused()


def test_equal_time_limits_are_one_time_to_live() -> None:
    assert QueueSpec("q", expiry=Expiry(minimum_ttl_ms=5, maximum_ttl_ms=5)).expiry.maximum_ttl_ms == 5
