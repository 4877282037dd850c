"""lastvalue.compat.broker_j.message_objects."""

from typing import Any

import pytest

from lastvalue.compat.broker_j.message_objects import published_message
from lastvalue.http.problems import Problem


def test_an_expiry_in_the_past_is_soon() -> None:
    assert published_message({"expiration": 5}, 10).ttl_ms == 1
    assert published_message({}, 10).ttl_ms is None


@pytest.mark.parametrize(
    "fields",
    [
        {"headers": [1]},
        {"messageId": 7},
        {"priority": "high"},
        {"expiration": True},
        {"content": "???", "contentTransferEncoding": "base64"},
        {"content": "üüüü", "contentTransferEncoding": "base64"},
    ],
)
def test_a_field_of_a_wrong_type_is_named(fields: dict[str, Any]) -> None:
    with pytest.raises(Problem, match=next(iter(fields))):
        published_message(fields, 0)
