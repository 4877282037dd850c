"""lastvalue.compat.qpid.messaging.message."""

from lastvalue.client.message import Message as ClientMessage
from lastvalue.compat.qpid.messaging.message import Message, incoming, outgoing


def test_a_message_shows_what_was_given() -> None:
    assert repr(Message("Content")) == "Message(content='Content')"
    shown = repr(Message("Content", subject="s", properties={"a": 1}, ttl=5))
    assert shown == "Message(subject='s', properties={'a': 1}, ttl=5, content='Content')"


def test_messages_do_not_share_their_properties() -> None:
    first, second = Message(), Message()
    first.properties["a"] = 1
    assert second.properties == {}


def test_what_is_sent_does_not_change_with_the_message() -> None:
    message = Message("Content", properties={"ticker": "key1"})
    sent = outgoing(message, None)
    message.properties["ticker"] = "key2"
    assert sent.properties == {"ticker": "key1"}


def test_times_to_live_are_seconds_here_and_milliseconds_there() -> None:
    assert outgoing(Message(ttl=1.5), None).ttl_ms == 1500
    assert incoming(ClientMessage(ttl_ms=250)).ttl == 0.25


def test_the_subject_is_a_property_too() -> None:
    assert outgoing(Message(), "s").properties == {"qpid.subject": "s"}
    assert outgoing(Message(subject="own"), "s").subject == "own"
    got = incoming(ClientMessage(None, {"qpid.subject": "s", "a": 1}))
    assert (got.subject, got.properties) == ("s", {"a": 1})
