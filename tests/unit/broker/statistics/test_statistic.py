"""Statistics of queues: declared once, read where they are counted."""

import pytest
from bare_queue import encoded
from broker_desk import enqueue

from lastvalue.broker.broker import Broker
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.requests.management import Request, manage
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.statistics.connections import (
    ConnectionStatistics,
    LinkStatistics,
    SessionStatistics,
    Traffic,
)
from lastvalue.broker.statistics.statistic import (
    CONNECTION,
    LINK,
    QUEUE,
    READS,
    SESSION,
    describe,
    read_by_name,
)
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.queue_statistics import QUEUE_STATISTICS, QueueStatistic, Unit
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.queues.subscription import ANY, Mode, Outcome


def broker_with(*bodies: str) -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    enqueue(broker, "q", *bodies)
    return broker


def test_every_name_is_declared_once() -> None:
    for table in (QUEUE, CONNECTION, SESSION, LINK):
        names = [each.name for each in table]
        assert len(names) == len(set(names))


def test_a_declared_statistic_that_is_not_read_is_an_error_and_the_reverse() -> None:
    made_up = QueueStatistic("made_up", "nothing", Unit.MESSAGES)
    with pytest.raises(ValueError, match="made_up"):
        read_by_name((*QUEUE_STATISTICS, made_up), READS)
    with pytest.raises(ValueError, match="depth"):
        read_by_name(QUEUE_STATISTICS[1:], READS)


def test_management_shows_every_statistic_of_a_queue() -> None:
    broker = broker_with("a", "b")
    shown = manage(broker, Request("READ", "queue", "q"), 0).body
    assert {each.name for each in QUEUE} <= set(shown)
    assert (shown["published"], shown["left"], shown["unsettled"]) == (2, 0, 0)
    assert shown["in_bytes"] == shown["held_bytes"] == shown["depth_bytes"]


def test_deliveries_are_counted_as_they_come_and_go() -> None:
    broker = broker_with("a", "b")
    hosted = broker.lookup("q")
    reader = broker.read(hosted, Mode.CONSUME, NullReceiver(), ANY, NOBODY, 0)
    first = hosted.queue.next(reader.subscription, 0)
    second = hosted.queue.next(reader.subscription, 0)
    assert first is not None
    assert second is not None
    reader.settle(first, Outcome.ACCEPTED, 0)
    shown = describe(hosted, QUEUE)
    assert (shown["acquired"], shown["unsettled"], shown["left"]) == (2, 1, 1)
    reader.settle(second, Outcome.RELEASED, 0)
    shown = describe(hosted, QUEUE)
    assert (shown["released"], shown["unsettled"], shown["available"]) == (1, 0, 1)


def test_what_a_transaction_brings_is_counted_at_its_commit() -> None:
    broker = broker_with()
    hosted = broker.lookup("q")
    transaction = Transaction(MemoryAccount())
    transaction.post(broker.queue_target("q"), "", read_message(encoded("a", {}, None)), 0)
    assert describe(hosted, QUEUE)["committed_in"] == 0
    broker.commit(transaction, 0)
    shown = describe(hosted, QUEUE)
    assert (shown["committed_in"], shown["committed_in_bytes"]) == (1, shown["in_bytes"])


def test_order_values_that_do_not_compare_are_counted() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", LastValue("key", order_by="at")))
    for key, order in (("a", 1), ("a", 2), ("a", "3"), ("a", "4"), ("a", None), ("a", None), ("b", None)):
        properties = {"key": key} if order is None else {"key": key, "at": order}
        broker.publish(broker.queue_target("q"), read_message(encoded("x", properties, None)), 0)
    # 2 against "3", and "4" against none.
    assert describe(broker.lookup("q"), QUEUE)["incomparable"] == 2


def test_a_queue_knows_when_messages_came_and_left_last() -> None:
    broker = broker_with("a")
    broker.drain(5)
    broker.purge("q")
    broker.drain(9)
    shown = describe(broker.lookup("q"), QUEUE)
    assert (shown["last_in_ms"], shown["last_out_ms"]) == (5, 9)


def test_connections_sessions_and_links_are_described_by_their_tables() -> None:
    traffic = Traffic(whole := Traffic())
    traffic.receive(3, 7)
    traffic.refuse()
    traffic.deliver(True, 9)
    link = describe(LinkStatistics("l", "consumer", "q", traffic), LINK)
    assert (link["received"], link["refused"], link["delivered"], link["redelivered"]) == (3, 1, 1, 1)
    connection = describe(ConnectionStatistics("c", "AMQP 1.0", "ann", whole), CONNECTION)
    assert (connection["received"], connection["delivered"], connection["last_ms"]) == (3, 1, 9)
    assert describe(SessionStatistics("s", 2, [], 4), SESSION)["unsettled"] == 4
