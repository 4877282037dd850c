"""The header segment and the body of messages that are delivered over AMQP 0-10."""

import pytest

from lastvalue.codec.amqp010.command_layouts import MESSAGE_MESSAGE_PROPERTIES
from lastvalue.codec.amqp010.encoded_message import encoded_message
from lastvalue.codec.amqp010.encoder import encode_struct
from lastvalue.codec.amqp010.header_and_body import header_and_body, left_ms, routed_by
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.values import Byte, Char, Int, UInt, Value
from lastvalue.model.message import NEVER


class NoNames(Names):
    """A broker without exchanges and queues."""

    def is_exchange(self, name: str) -> bool:
        return False

    def is_queue(self, name: str) -> bool:
        return False


NAMES = NoNames()


def headers_of(payload: bytes) -> dict[str, Value]:
    """The application headers that a subscriber gets."""
    header, _ = header_and_body(payload, NAMES, {}, 0, NEVER, 0)
    return read_properties(header).message.map("application_headers")


def published(headers: dict[str, Value]) -> bytes:
    """A message that was published with these application headers."""
    properties = Record(MESSAGE_MESSAGE_PROPERTIES, {"application_headers": headers})
    return encoded_message("", read_properties(encode_struct(properties)), b"", NAMES)


def typed(headers: dict[str, Value]) -> list[tuple[str, type, Value]]:
    return [(name, type(value), value) for name, value in headers.items()]


@pytest.mark.parametrize(
    "headers",
    [
        {"JMSXGroupID": "g", "JMSXGroupSeq": Int(3)},
        {"JMSXGroupSeq": Int(2**31 - 1)},
        {"JMSXGroupSeq": UInt(2**31)},
        {"JMSXGroupSeq": Int(-1)},
        {"JMSXGroupSeq": "text"},
        {"grade": Char("A"), "sign": Char("é"), "currency": Char("€"), "byte": Byte(65)},
    ],
    ids=repr,
)
def test_headers_come_back_with_their_types(headers: dict[str, Value]) -> None:
    assert typed(headers_of(published(headers))) == typed(headers)


@pytest.mark.parametrize(("number", "header"), [(0, Int(0)), (7, Int(7)), (2**32 - 1, UInt(2**32 - 1))])
def test_a_group_sequence_is_the_int_of_jms_where_it_fits(number: int, header: Value) -> None:
    payload = encode_content(MessageContent(group_id="g", group_sequence=number))
    assert typed(headers_of(payload)) == typed({"JMSXGroupID": "g", "JMSXGroupSeq": header})


def test_a_message_is_routed_by_its_address_and_subject() -> None:
    assert routed_by(encode_content(MessageContent(to="news", subject="eu"))) == ("news", "eu")
    assert routed_by(encode_content(MessageContent(body="x"))) == (None, None)


@pytest.mark.parametrize(("expires_ms", "left"), [(NEVER, 100), (1_030, 30), (900, 1)])
def test_the_time_to_live_that_is_left(expires_ms: int, left: int) -> None:
    assert left_ms(100, expires_ms, 1_000) == left
