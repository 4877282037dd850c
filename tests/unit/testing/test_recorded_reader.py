"""What a reader got: the assertions fail where it did not get what it must."""

from collections.abc import Iterator

import pytest

from lastvalue.client import DetachedError, Message
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.testing import BrokerThread, RecordedReader


@pytest.fixture
def broker() -> Iterator[BrokerThread]:
    with BrokerThread() as broker:
        broker.connection.declare("prices", lvq_key="symbol")
        yield broker


def test_a_value_that_is_missing_is_named(broker: BrokerThread) -> None:
    reader = broker.record("prices")
    broker.connection.queue("prices").send(Message(1, {"symbol": "A"}))
    reader.assert_newest_per_key()
    reader.messages.clear()
    with pytest.raises(AssertionError, match=r"0 of the 1 messages .* missing: 1 \{'symbol': 'A'\} 1$"):
        reader.assert_newest_per_key(timeout_s=0.05)


def test_a_message_that_came_twice_is_named(broker: BrokerThread) -> None:
    reader = broker.record("prices")
    broker.connection.queue("prices").send_many(Message(n, {"symbol": f"S{n}"}) for n in range(5))
    reader.assert_newest_per_key()
    reader.assert_nothing_twice()
    reader.messages.extend(reader.messages[:2])
    with pytest.raises(AssertionError, match=r"'prices' got twice: 1 .*; 2 .*; 1 .* and 1 more"):
        reader.assert_nothing_twice()


def test_a_selector_is_what_the_reader_must_get(broker: BrokerThread) -> None:
    reader = broker.record("prices", selector="symbol = 'A'")
    broker.connection.queue("prices").send_many(Message(n, {"symbol": "AB"[n % 2]}) for n in range(10))
    reader.assert_newest_per_key()
    assert {message.properties["symbol"] for message in reader.messages} == {"A"}


def test_a_reader_whose_queue_was_deleted_says_so(broker: BrokerThread) -> None:
    reader = broker.record("prices")
    broker.connection.delete("prices")
    broker.connection.declare("prices", lvq_key="symbol").send(Message(1, {"symbol": "A"}))
    with pytest.raises(DetachedError, match="deleted"):
        reader.assert_newest_per_key()


def test_there_is_nothing_to_record_on_a_queue_that_does_not_exist(broker: BrokerThread) -> None:
    with pytest.raises(QueueNotFoundError, match="none"):
        RecordedReader(broker.url, "none")
