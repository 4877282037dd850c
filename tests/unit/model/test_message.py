import pytest

from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import (
    AT_ONCE,
    NEVER,
    Message,
    MessageExtras,
    MessageFilter,
    PropertyName,
    selects,
    size_of,
)

NAME = PropertyName("k")


def test_a_message_without_any_headers_never_expires_and_has_the_default_priority() -> None:
    message = Message(b"octets")
    assert (message.encoded, message.durable, message.priority) == (b"octets", False, 4)
    assert (message.ttl_ms, message.expires_ms) == (NEVER, NEVER)
    assert (message.annotated, message.origin, message.duplicate_id) == (False, "", b"")


def extras_of(message: Message) -> MessageExtras | None:
    return message.extras


def test_messages_share_what_few_have_until_one_is_given_something_else() -> None:
    extras = MessageExtras(7, 1_000, NEVER, "c1", b"id", 9)
    one, other = Message(b"1"), Message(b"2")
    one.extras = other.extras = extras
    one.priority, one.ttl_ms, one.origin, one.duplicate_id, one.wire_bytes = 7, 1_000, "c1", b"id", 9
    assert one.extras is extras
    one.expires_ms = 2_000
    assert (one.priority, one.ttl_ms, one.expires_ms) == (7, 1_000, 2_000)
    assert (one.origin, one.duplicate_id, one.wire_bytes) == ("c1", b"id", 9)
    assert (other.extras, other.expires_ms, extras.equals(extras.copy())) == (extras, NEVER, True)
    assert one.extras is not None
    assert not one.extras.equals(extras)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("priority", 0),
        ("ttl_ms", 5),
        ("expires_ms", 5),
        ("origin", "c1"),
        ("duplicate_id", b"id"),
        ("wire_bytes", 5),
    ],
)
def test_each_of_what_few_messages_have_is_set_alone(field: str, value: object) -> None:
    message = Message(b"octets")
    usual = getattr(message, field)
    setattr(message, field, usual)
    extras = extras_of(message)
    assert extras is None
    setattr(message, field, value)
    assert getattr(message, field) == value
    extras = extras_of(message)
    assert extras is not None
    assert not extras.equals(MessageExtras())
    assert extras.expires is (field in ("ttl_ms", "expires_ms"))
    setattr(message, field, usual)
    assert (getattr(message, field), size_of(message)) == (usual, 6)


def test_the_sooner_of_two_times_is_their_minimum() -> None:
    assert min(NEVER, 2**53) == 2**53
    assert max(AT_ONCE, 0) == 0


def test_a_property_name_has_its_utf_8_at_hand() -> None:
    assert PropertyName("schlüssel").utf8 == "schlüssel".encode()


def test_an_encoding_without_annotations_forwards_the_message_itself() -> None:
    message = Message(b"")
    assert message.forwarded({"x-opt-reason": "rejected"}, True) is message
    assert message.with_priority(9) is message


@pytest.mark.parametrize(
    "ask",
    [
        lambda message: message.key(NAME),
        lambda message: message.order(NAME),
        lambda message: message.text(NAME),
        lambda message: message.field("k"),
        lambda message: message.not_before(0),
        lambda message: message.explicit_id(),
        lambda message: message.updates(),
        lambda message: MessageFilter().matches(message),
    ],
)
def test_what_a_codec_or_a_filter_has_to_say_has_no_default(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(NotImplementedError):
        ask(Message(b""))


class OfThisBody(MessageFilter):
    """Selects messages of one encoding; it cannot read empty ones."""

    def matches(self, message: Message) -> bool:
        if not message.encoded:
            raise LastvalueError("no sections")
        return message.encoded == b"this"


def test_a_filter_selects_no_message_that_it_cannot_read_and_without_one_all_are_selected() -> None:
    messages = [Message(encoded) for encoded in (b"this", b"that", b"")]
    assert [selects(OfThisBody(), message) for message in messages] == [True, False, False]
    assert [selects(None, message) for message in messages] == [True, True, True]
