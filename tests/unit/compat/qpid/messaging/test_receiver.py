"""lastvalue.compat.qpid.messaging.receiver, and acknowledging."""

import threading

import pytest

from lastvalue.compat.qpid.messaging import (
    REJECTED,
    RELEASED,
    Disposition,
    Empty,
    InvalidOption,
    LinkClosed,
    LinkError,
    Message,
    NotAvailable,
    Receiver,
    Sender,
    Session,
)


@pytest.fixture
def sender(session: Session) -> Sender:
    return session.sender("orders; {create: always}")


@pytest.fixture
def receiver(session: Session, sender: Sender) -> Receiver:
    return session.receiver("orders")


def contents(session: Session, address: str = "orders; {mode: browse}") -> list[object]:
    """What the queue holds."""
    found: list[object] = []
    with session.receiver(address) as browser:
        while True:
            try:
                found.append(browser.fetch(0).content)
            except Empty:
                return found


def test_a_fetch_without_time_ends_at_the_tail(session: Session, sender: Sender) -> None:
    """S-006."""
    for content in ("a", "b"):
        sender.send(content)
    browser = session.receiver("orders; {mode: browse}")
    assert [browser.fetch(0).content, browser.fetch(timeout=0).content] == ["a", "b"]
    with pytest.raises(Empty, match="no message came from 'orders' in 0 s"):
        browser.fetch(timeout=0)
    sender.send("c")
    assert browser.fetch(0).content == "c"


def test_what_was_browsed_waits_for_no_acknowledgement_and_one_means_nothing(
    session: Session, sender: Sender
) -> None:
    sender.send("a")
    with session.receiver("orders; {mode: browse}") as browser:
        message = browser.fetch(0)
    session.acknowledge(message)
    session.acknowledge()
    assert contents(session) == ["a"]


def test_a_fetch_that_ran_out_of_time_takes_nothing(
    session: Session, sender: Sender, receiver: Receiver
) -> None:
    with pytest.raises(Empty):
        receiver.fetch(0.01)
    sender.send("a")
    assert session.receiver("orders").fetch(5).content == "a"
    with pytest.raises(Empty):
        receiver.fetch(0)


def test_a_fetch_waits_for_a_message(sender: Sender, receiver: Receiver) -> None:
    threading.Timer(0.05, sender.send, ["late"]).start()
    assert receiver.fetch().content == "late"


def test_with_a_capacity_messages_come_before_they_are_fetched(
    session: Session, sender: Sender, receiver: Receiver
) -> None:
    for content in range(20):
        sender.send(content)
    receiver.capacity = 4
    assert receiver.capacity == 4
    assert [receiver.fetch(5).content for _ in range(20)] == list(range(20))
    with pytest.raises(Empty):
        receiver.fetch(0)
    sender.send("more")
    assert receiver.fetch(5).content == "more"
    assert receiver.available() == 0


def test_a_capacity_may_be_given_when_a_receiver_is_opened(session: Session, sender: Sender) -> None:
    assert session.receiver("orders", capacity=10).capacity == 10


def test_accepted_messages_leave_the_queue(session: Session, other: Session, sender: Sender) -> None:
    for content in ("a", "b", "c"):
        sender.send(content)
    receiver = session.receiver("orders")
    first, _ = receiver.fetch(5), receiver.fetch(5)
    session.acknowledge(first)
    session.acknowledge(first)
    receiver.close()
    assert contents(other) == ["b", "c"]


def test_acknowledging_all_accepts_what_was_fetched(session: Session, other: Session, sender: Sender) -> None:
    for content in ("a", "b", "c"):
        sender.send(content)
    receiver = session.receiver("orders")
    for _ in range(2):
        receiver.fetch(5)
    session.acknowledge()
    receiver.close()
    assert contents(other) == ["c"]


def test_a_session_acknowledges_its_own_messages_only(
    session: Session, other: Session, sender: Sender
) -> None:
    sender.send("a")
    receiver = session.receiver("orders")
    receiver.fetch(5)
    other.acknowledge()
    receiver.close()
    assert contents(other) == ["a"]


def test_a_message_may_be_released_or_rejected(session: Session, sender: Sender, receiver: Receiver) -> None:
    for content in ("a", "b"):
        sender.send(content)
    first, second = receiver.fetch(5), receiver.fetch(5)
    session.acknowledge(second, Disposition(REJECTED, text="no good"))
    session.acknowledge(first, Disposition(RELEASED))
    again = receiver.fetch(5)
    assert (again.content, again.redelivered) == ("a", False)
    session.acknowledge(again, Disposition(RELEASED, set_redelivered=True))
    once_more = receiver.fetch(5)
    assert (once_more.content, once_more.redelivered) == ("a", True)
    session.acknowledge()
    assert contents(session) == []


def test_a_disposition_is_one_of_two() -> None:
    with pytest.raises(InvalidOption, match="RELEASED or REJECTED"):
        Disposition("accepted")


def test_unreliable_messages_need_no_acknowledgement(
    session: Session, other: Session, sender: Sender
) -> None:
    """S-300."""
    for content in ("a", "b"):
        sender.send(content)
    receiver = session.receiver("orders; {link: {reliability: unreliable}}")
    receiver.fetch(5)
    receiver.close()
    assert contents(other) == ["b"]


def test_at_least_once_gives_back_what_was_not_acknowledged(
    session: Session, other: Session, sender: Sender
) -> None:
    """S-300."""
    for content in ("a", "b", "c"):
        sender.send(content)
    receiver = session.receiver("orders; {link: {reliability: at-least-once}}")
    for _ in range(3):
        receiver.fetch(5)
    receiver.close()
    assert contents(other) == ["a", "b", "c"]


def test_a_message_arrives_whole(sender: Sender, receiver: Receiver) -> None:
    sent = Message(
        {"price": 101.5},
        subject="AAPL",
        properties={"ticker": "AAPL", "size": 5},
        ttl=60.0,
        priority=7,
        durable=True,
        id="one",
        correlation_id="zero",
        reply_to="answers",
        content_type="text/plain",
    )
    sender.send(sent)
    got = receiver.fetch(5)
    assert repr(got) == repr(sent)
    assert got.content == {"price": 101.5}


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ("link: {x-subscribe: {exclusive: true}}", "link.x-subscribe.exclusive"),
        ("link: {x-subscribe: {arguments: {no-such-filter: 1}}}", "by no-such-filter"),
        ("link: {filter: {name: mine, descriptor: 'example:filter', value: 1}}", "by mine"),
    ],
)
def test_what_the_broker_does_not_filter_is_refused(
    session: Session, sender: Sender, options: str, what: str
) -> None:
    with pytest.raises(LinkError, match=what):
        session.receiver(f"orders; {{{options}}}")


def test_a_selector_says_which_messages_are_wanted(session: Session, sender: Sender) -> None:
    for colour in ("red", "blue"):
        sender.send(Message(colour, properties={"colour": colour}))
    receiver = session.receiver("""orders; {mode: browse, link: {selector: "colour = 'blue'"}}""")
    assert receiver.fetch(5).content == "blue"


def test_a_replay_period_of_nothing_leaves_what_comes_later(session: Session, sender: Sender) -> None:
    """S-294, S-175."""
    sender.send("before")
    receiver = session.receiver("orders : {link: {x-subscribe: {arguments: {x-qpid-replay-period: '0'}}}}")
    sender.send("after")
    assert receiver.fetch(5).content == "after"


def test_a_receiver_that_was_closed_fetches_nothing(receiver: Receiver) -> None:
    receiver.close()
    receiver.close()
    with pytest.raises(LinkClosed):
        receiver.fetch(0)


def test_a_receiver_whose_queue_is_deleted_says_so(
    session: Session, sender: Sender, receiver: Receiver
) -> None:
    session.sender("orders; {delete: always}").close()
    with pytest.raises(LinkError, match="orders"):
        receiver.fetch(5)


def test_an_unavailable_filter_leaves_the_queue_readable(session: Session, sender: Sender) -> None:
    sender.send("a")
    with pytest.raises((NotAvailable, LinkError)):
        session.receiver("orders; {link: {x-subscribe: {arguments: {no-such-filter: 1}}}}")
    assert session.receiver("orders").fetch(5).content == "a"
