"""The names of a selector, on messages of AMQP 1.0."""

import pytest

from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Described, Symbol, Timestamp, UByte, UInt, ULong, Value
from lastvalue.model.message import Message
from lastvalue.selectors import InvalidSelectorError, parse_selector


def message_of(sections: dict[int, Value]) -> Message:
    written = [encode_value(Described(ULong(code), content)) for code, content in sections.items()]
    return read_message(b"".join(written) + bytes.fromhex("005375a00178"))


FULL = message_of(
    {
        0x70: [True, UByte(7), UInt(5000)],
        0x72: {Symbol("x-opt-origin"): "north", Symbol("both"): "annotation"},
        0x73: [
            "id-1", b"guest", "queue-1", "tick", "answers", "cor-1",
            Symbol("text/plain"), Symbol("gzip"), Timestamp(2000), Timestamp(1000),
            "group-1", UInt(3), "group-2",
        ],
        0x74: {
            "colour": "red", "both": "property",
            "and": 1, "two words": 2, 'it"s': 3, "größe": 4, "a.b$c_d": 5,
        },
    }
)  # fmt: skip
EMPTY = message_of({})


@pytest.mark.parametrize(
    "condition",
    [
        "JMSMessageID = 'id-1'",
        "JMSXUserID = 'guest'",
        "JMSDestination = 'queue-1'",
        "JMSType = 'tick'",
        "JMSReplyTo = 'answers'",
        "JMSCorrelationID = 'cor-1'",
        "JMSExpiration = 2000",
        "JMSTimestamp = 1000",
        "JMSXGroupID = 'group-1'",
        "JMSXGroupSeq = 3",
        "amqp.message_id = 'id-1'",
        "amqp.user_id = 'guest'",
        "amqp.to = 'queue-1'",
        "amqp.subject = 'tick'",
        "amqp.reply_to = 'answers'",
        "amqp.correlation_id = 'cor-1'",
        "amqp.content_type = 'text/plain'",
        "amqp.content_encoding = 'gzip'",
        "amqp.absolute_expiry_time = 2000",
        "amqp.creation_time = 1000",
        "amqp.group_id = 'group-1'",
        "amqp.group_sequence = 3",
        "amqp.reply_to_group_id = 'group-2'",
        "amqp.ttl = 5000",
        "header.ttl = 5000",
        "properties.subject = 'tick'",
        "\"properties.group-id\" = 'group-1'",
        "colour = 'red'",
        "\"x-opt-origin\" = 'north'",
    ],
)
def test_a_name_is_a_field_of_the_message(condition: str) -> None:  # S-285
    name = condition.split(" = ", maxsplit=1)[0]
    assert parse_selector(condition).matches(FULL)
    assert parse_selector(f"{name} IS NULL").matches(EMPTY)


@pytest.mark.parametrize(
    ("condition", "of_full", "of_empty"),
    [
        ("JMSPriority = 7", True, False),
        ("amqp.priority = 4", False, True),
        ("amqp.durable", True, False),
        ("JMSDeliveryMode = 'PERSISTENT'", True, False),
        ("amqp.delivery_mode = 'NON_PERSISTENT'", False, True),
    ],
)
def test_some_fields_have_a_default(condition: str, of_full: bool, of_empty: bool) -> None:
    selector = parse_selector(condition)
    assert (selector.matches(FULL), selector.matches(EMPTY)) == (of_full, of_empty)


def test_each_message_is_picked_by_its_own_field() -> None:  # S-285
    messages = {
        "a": message_of({0x70: [None, UByte(1)], 0x73: ["a"]}),
        "b": message_of({0x73: ["b", None, None, None, None, "b"]}),
        "c": message_of({0x73: ["c"]}),
    }
    selectors = ["amqp.message_id='c'", "amqp.correlation_id='b'", "amqp.priority=1", "JMSMessageID='c'"]
    picked = [
        [name for name, message in messages.items() if parse_selector(selector).matches(message)]
        for selector in selectors
    ]
    assert picked == [["c"], ["b"], ["a"], ["c"]]


def test_an_identifier_that_is_a_number_is_compared_as_text() -> None:
    assert parse_selector("JMSMessageID = '12'").matches(message_of({0x73: [ULong(12)]}))


@pytest.mark.parametrize(
    "condition",
    [
        "both = 'property'",
        '"and" = 1',
        '"two words" = 2',
        '"it""s" = 3',
        "größe = 4",
        "a.b$c_d = 5",
        "COLOUR IS NULL",
    ],
)
def test_names_are_written_plainly_or_in_double_quotes(condition: str) -> None:
    assert parse_selector(condition).matches(FULL)


@pytest.mark.parametrize(
    "name", ["JMSRedelivered", "JMSXDeliveryCount", "amqp.delivery_count", "amqp.redelivered"]
)
def test_nothing_is_selected_by_what_is_known_only_of_a_delivery(name: str) -> None:
    with pytest.raises(InvalidSelectorError, match=f"{name} belongs to a delivery"):
        parse_selector(f"{name} = 1")
