"""lastvalue.client.delivery_blocking."""

from collections.abc import Iterator
from typing import Any

import pytest

from lastvalue.client.delivery_blocking import Delivery, Transaction, inner_transaction
from lastvalue.client.errors import NotOpenError
from lastvalue.client.loop_thread import LoopThread
from lastvalue.client.message import Message


class Lost:
    """A delivery whose link has ended."""

    message = Message("text")

    def accept(self, **_: object) -> None:
        raise NotOpenError("the link has ended")

    release = reject = accept


@pytest.fixture
def thread() -> Iterator[LoopThread]:
    thread = LoopThread()
    yield thread
    thread.stop()


def test_a_delivery_whose_link_has_ended_is_left(thread: LoopThread) -> None:
    lost: Any = Lost()
    delivery = Delivery(lost, thread)
    assert delivery.message.body == "text"
    delivery.accept()
    delivery.release()


def test_in_a_transaction_it_is_told(thread: LoopThread) -> None:
    lost: Any = Lost()
    inner: Any = object()
    with pytest.raises(NotOpenError, match="the link has ended"):
        Delivery(lost, thread).accept(transaction=Transaction(inner, thread))


def test_no_transaction_has_none_inside(thread: LoopThread) -> None:
    inner: Any = object()
    assert inner_transaction(None) is None
    assert inner_transaction(Transaction(inner, thread)) is inner
