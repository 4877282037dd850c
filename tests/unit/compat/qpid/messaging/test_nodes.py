"""lastvalue.compat.qpid.messaging.nodes: create, assert and delete policies."""

from collections.abc import Callable

import pytest

from lastvalue.compat.qpid.messaging import (
    AssertionFailed,
    Connection,
    Empty,
    InvalidOption,
    LinkError,
    NotAvailable,
    NotFound,
    Session,
)

OPEN: dict[str, Callable[[Session, str], object]] = {"sender": Session.sender, "receiver": Session.receiver}


def test_a_queue_that_is_created_and_deleted_is_gone_afterwards(session: Session) -> None:
    """S-297."""
    receiver = session.receiver("orders; {create: always, delete: always}")
    sender = session.sender("orders")
    sender.send("one")
    assert receiver.fetch(5).content == "one"
    receiver.close()
    with pytest.raises(NotFound, match="no such queue: orders"):
        session.receiver("orders")


@pytest.mark.parametrize(("allowed", "other"), [("sender", "receiver"), ("receiver", "sender")])
def test_only_the_end_that_may_creates(session: Session, allowed: str, other: str) -> None:
    """S-304."""
    address = f"orders; {{create: {allowed}}}"
    with pytest.raises(NotFound):
        OPEN[other](session, address)
    OPEN[allowed](session, address)
    OPEN[other](session, address)


@pytest.mark.parametrize("end", ["sender", "receiver"])
@pytest.mark.parametrize("address", ["orders", "orders; {create: never}", "orders; {assert: always}"])
def test_without_the_policy_nothing_is_created(session: Session, end: str, address: str) -> None:
    """S-304."""
    with pytest.raises(NotFound, match="no such queue: orders"):
        OPEN[end](session, address)


def test_an_assertion_names_each_difference(session: Session) -> None:
    """S-305."""
    session.sender("orders; {create: always, node: {x-declare: {arguments: {qpid.max_count: 100}}}}")
    durable = "orders; {assert: receiver, node: {durable: true}}"
    smaller = "orders; {assert: sender, node: {x-declare: {arguments: {qpid.max_count: 99}}}}"
    session.sender(durable)
    with pytest.raises(AssertionFailed) as failed:
        session.receiver(durable)
    assert failed.value.differences == ("durable: wanted True, has False",)
    session.receiver(smaller)
    with pytest.raises(AssertionFailed) as failed:
        session.sender(smaller)
    assert failed.value.differences == ("max_messages: wanted 99, has 100",)


@pytest.mark.parametrize(
    "node",
    [
        "{type: queue}",
        "{durable: true}",
        "{x-declare: {arguments: {qpid.last_value_queue_key: ticker}}}",
        "{x-declare: {arguments: {lvqKey: ticker, type: lvq}}}",
        "{x-declare: {arguments: {max_messages: 0}}}",
    ],
)
def test_what_holds_is_asserted(session: Session, node: str) -> None:
    create = "{durable: true, x-declare: {arguments: {lvq_key: ticker}}}"
    session.sender(f"prices; {{create: always, node: {create}}}")
    session.sender(f"prices; {{assert: always, node: {node}}}")


@pytest.mark.parametrize(
    ("node", "difference"),
    [
        ("{durable: false}", "durable: wanted False, has True"),
        ("{x-declare: {arguments: {lvq_key: symbol}}}", "lvq_key: wanted 'symbol', has 'ticker'"),
        ("{x-declare: {arguments: {max_messages: 5}}}", "max_messages: wanted 5, has 0"),
        ("{x-declare: {arguments: {type: standard}}}", "type: wanted 'standard', has 'lvq'"),
    ],
)
def test_what_does_not_hold_is_named(session: Session, node: str, difference: str) -> None:
    create = "{durable: true, x-declare: {arguments: {lvq_key: ticker}}}"
    session.sender(f"prices; {{create: always, node: {create}}}")
    with pytest.raises(AssertionFailed) as failed:
        session.sender(f"prices; {{assert: always, node: {node}}}")
    assert failed.value.differences == (difference,)


def test_an_end_that_is_not_to_delete_leaves_the_queue(session: Session) -> None:
    session.sender("orders; {create: always, delete: receiver}").close()
    receiver = session.receiver("orders; {delete: receiver}")
    receiver.close()
    with pytest.raises(NotFound):
        session.sender("orders")


def test_closing_the_connection_deletes_too(broker: str, session: Session) -> None:
    with Connection(broker) as connection:
        connection.session().sender("orders; {create: always, delete: always}")
        session.sender("orders")
    with pytest.raises(NotFound):
        session.sender("orders")


def test_a_temporary_queue_has_a_name_of_its_own(session: Session) -> None:
    first, second = session.receiver("#reply"), session.receiver("#reply")
    assert first.source != second.source
    session.sender(first.source).send("answer")
    assert first.fetch(5).content == "answer"
    with pytest.raises(Empty):
        second.fetch(0)
    first.close()
    with pytest.raises(NotFound):
        session.sender(first.source)


@pytest.mark.parametrize(
    "options",
    [
        "node: {properties: {a: 1}}",
        "link: {durable: true}",
        "link: {reliability: exactly-once}",
    ],
)
@pytest.mark.parametrize("end", ["sender", "receiver"])
def test_what_is_not_done_is_said(session: Session, end: str, options: str) -> None:
    with pytest.raises(NotAvailable, match="this client"):
        OPEN[end](session, f"orders; {{{options}}}")


@pytest.mark.parametrize("argument", ["lvq_kee: x", "name: other", "max_messages: many"])
def test_a_declaration_that_is_none_is_refused(session: Session, argument: str) -> None:
    with pytest.raises(InvalidOption):
        session.sender(f"orders; {{create: always, node: {{x-declare: {{{argument}}}}}}}")


def test_a_queue_that_cannot_be_created_is_told(session: Session) -> None:
    with pytest.raises(LinkError):
        session.sender("'$orders'; {create: always}")
