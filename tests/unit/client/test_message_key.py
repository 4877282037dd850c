"""The client finds the same key in a message as its queue."""

from typing import Any

import pytest

from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message, encode_message
from lastvalue.client.message_key import message_key
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Char, Symbol, Timestamp, UByte
from lastvalue.model.composite_key import composite_key_of, composite_names


@pytest.mark.parametrize(
    "value",
    [
        "a,b",
        "\\",
        7,
        UByte(7),
        True,
        0.5,
        1e300,
        float("nan"),
        Symbol("s"),
        Char("c"),
        Timestamp(5),
        b"x",
        None,
    ],
)
def test_a_key_of_several_properties_is_the_one_that_the_queue_reads(value: Any) -> None:
    encoded = encode_message(Message("body", {"venue": "X", "symbol": value}))
    key = message_key(decode_message(encoded).properties, "venue,symbol")
    assert key == composite_key_of(read_message(encoded), composite_names("venue,symbol"))


def test_a_key_of_one_property_is_its_value() -> None:
    assert message_key({"symbol": 5}, "symbol") == 5
    assert message_key({}, "symbol") is None
