"""Transactional sessions."""

import pytest

from lastvalue.compat.qpid.messaging import (
    Connection,
    Empty,
    Message,
    Session,
    TransactionAborted,
    TransactionError,
)

ADDRESS = "orders; {create: always}"


@pytest.fixture
def transacted(connection: Connection) -> Session:
    return connection.session(transactional=True)


def fetched(session: Session, address: str = ADDRESS, capacity: int = 0) -> list[object]:
    found: list[object] = []
    with session.receiver(address, capacity=capacity) as receiver:
        while True:
            try:
                found.append(receiver.fetch(0).content)
            except Empty:
                return found


def test_what_is_sent_comes_with_the_commit(session: Session, transacted: Session) -> None:
    sender = transacted.sender(ADDRESS)
    sender.send("a")
    sender.send("b", sync=False)
    assert fetched(session) == []
    transacted.commit()
    assert fetched(session) == ["a", "b"]


def test_what_is_rolled_back_never_was(session: Session, transacted: Session) -> None:
    sender = transacted.sender(ADDRESS)
    sender.send("a")
    transacted.rollback()
    sender.send("b")
    transacted.commit()
    assert fetched(session) == ["b"]


@pytest.mark.parametrize("capacity", [0, 10])
def test_what_was_fetched_comes_again_in_order_after_a_rollback(
    session: Session, transacted: Session, capacity: int
) -> None:
    """S-260"""
    sender = session.sender(ADDRESS)
    for number in range(5):
        sender.send(number)
    receiver = transacted.receiver(ADDRESS, capacity=capacity)
    for _ in range(3):
        messages = [receiver.fetch(5) for _ in range(3)]
        assert [message.content for message in messages] == [0, 1, 2]
        transacted.acknowledge(messages[0])
        transacted.acknowledge(messages[1])
        transacted.rollback()
    for _ in range(5):
        receiver.fetch(5)
    transacted.acknowledge()
    transacted.commit()
    assert fetched(session) == []


def test_what_is_acknowledged_leaves_with_the_commit(session: Session, transacted: Session) -> None:
    session.sender(ADDRESS).send(Message("a"))
    receiver = transacted.receiver(ADDRESS)
    receiver.fetch(5)
    transacted.acknowledge()
    transacted.close()
    assert fetched(session) == ["a"]


def test_a_commit_that_does_not_fit_is_aborted(connection: Connection, transacted: Session) -> None:
    sender = transacted.sender("small; {create: always, node: {x-declare: {arguments: {max_messages: 1}}}}")
    sender.send("a")
    sender.send("b")
    with pytest.raises(TransactionAborted, match="room"):
        transacted.commit()
    sender.send("c")
    transacted.commit()
    assert fetched(connection.session(), "small") == ["c"]


def test_an_ordinary_session_has_no_transactions(session: Session) -> None:
    for end in (session.commit, session.rollback):
        with pytest.raises(TransactionError, match="transactional"):
            end()
