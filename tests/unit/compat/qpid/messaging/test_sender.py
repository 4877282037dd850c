"""lastvalue.compat.qpid.messaging.sender."""

import pytest

from lastvalue.compat.qpid.messaging import (
    Empty,
    InvalidOption,
    LinkClosed,
    MalformedAddress,
    Message,
    SendError,
    Session,
    SessionClosed,
    TargetCapacityExceeded,
)
from lastvalue.model.conditions import Condition

FULL = (
    "orders; {create: always, node: {x-declare: {arguments: {qpid.max_count: 1, qpid.policy_type: reject}}}}"
)


def test_a_content_is_sent_as_a_message(session: Session) -> None:
    sender = session.sender("orders; {create: always}")
    for content in ("text", b"bytes", {"a": [1, 2.5]}, ["list"], None):
        sender.send(content)
    receiver = session.receiver("orders")
    assert [receiver.fetch(5).content for _ in range(5)] == [
        "text",
        b"bytes",
        {"a": [1, 2.5]},
        ["list"],
        None,
    ]


def test_a_full_queue_is_told(session: Session) -> None:
    sender = session.sender(FULL)
    sender.send("a")
    with pytest.raises(TargetCapacityExceeded) as full:
        sender.send("b", timeout=10)
    assert full.value.condition is Condition.RESOURCE_LIMIT_EXCEEDED


def test_what_is_sent_without_waiting_is_told_with_the_next_sync(session: Session) -> None:
    sender = session.sender(FULL)
    sender.send("a", sync=False)
    sender.send("b", sync=False)
    with pytest.raises(TargetCapacityExceeded):
        session.sync()
    sender.sync()


def test_closing_waits_for_what_was_sent(session: Session, other: Session) -> None:
    sender = session.sender("orders; {create: always}", capacity=10)
    for number in range(100):
        sender.send(number, sync=False)
    sender.close()
    receiver = other.receiver("orders")
    assert [receiver.fetch(0).content for _ in range(100)] == list(range(100))


def test_an_unreliable_sender_does_not_wait(session: Session) -> None:
    session.sender(FULL)
    sender = session.sender("orders; {link: {reliability: unreliable}}")
    sender.send("a")
    sender.send("b")
    session.sync()
    receiver = session.receiver("orders; {mode: browse}")
    receiver.fetch(5)
    with pytest.raises(Empty):
        receiver.fetch(0)


def test_the_subject_of_the_address_is_that_of_messages_without_one(session: Session) -> None:
    """S-299, of a queue."""
    sender = session.sender("orders/a; {create: always}")
    sender.send(Message("one"))
    sender.send(Message("two", subject="b"))
    receiver = session.receiver("orders")
    assert [receiver.fetch(5).subject, receiver.fetch(5).subject] == ["a", "b"]


def test_a_queue_may_be_keyed_by_the_subject(session: Session) -> None:
    sender = session.sender(
        "news; {create: always, node: {x-declare: {arguments: {qpid.last_value_queue_key: qpid.subject}}}}"
    )
    for content, subject in (("old", "weather"), ("goal", "sports"), ("new", "weather")):
        sender.send(Message(content, subject=subject))
    receiver = session.receiver("news; {mode: browse}")
    first, second = receiver.fetch(0), receiver.fetch(0)
    assert [(first.subject, first.content), (second.subject, second.content)] == [
        ("sports", "goal"),
        ("weather", "new"),
    ]
    assert first.properties == {}


def test_a_message_that_cannot_be_encoded_is_refused(session: Session) -> None:
    sender = session.sender("orders; {create: always}")
    with pytest.raises(SendError, match="cannot be encoded"):
        sender.send(object())
    sender.send("the next")


def test_a_sender_that_was_closed_sends_nothing(session: Session) -> None:
    sender = session.sender("orders; {create: always}")
    sender.close()
    sender.close()
    with pytest.raises(LinkClosed):
        sender.send("a")


@pytest.mark.parametrize("options", ["mode: browse", "link: {selector: 'a = 1'}"])
def test_options_of_receivers_are_refused(session: Session, options: str) -> None:
    with pytest.raises(InvalidOption, match="for receivers"):
        session.sender(f"orders; {{create: always, {options}}}")


@pytest.mark.parametrize(
    ("address", "error"),
    [("orders; {", MalformedAddress), ("orders; {crate: always}", InvalidOption), ("", MalformedAddress)],
)
def test_a_wrong_address_is_refused(session: Session, address: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        session.sender(address)


@pytest.mark.parametrize("options", [{"capacty": 1}, {"capacity": "many"}])
def test_a_wrong_option_is_refused(session: Session, options: dict[str, object]) -> None:
    with pytest.raises(InvalidOption, match="capacity"):
        session.sender("orders; {create: always}", **options)


def test_a_session_that_was_closed_opens_nothing(session: Session) -> None:
    session.close()
    session.close()
    with pytest.raises(SessionClosed):
        session.sender("orders; {create: always}")
