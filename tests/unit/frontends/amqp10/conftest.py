"""A broker with some queues, and a peer that speaks AMQP 1.0 to it without a socket."""

import pytest
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.queues.spec import LastValue, Limit, QueueSpec


@pytest.fixture
def broker() -> Broker:
    broker = Broker(all_effects=False)
    broker.declare(QueueSpec("q"))
    broker.declare(QueueSpec("lvq", LastValue("k")))
    broker.declare(QueueSpec("small", limit=Limit(1)))
    broker.declare(QueueSpec("kept", durable=True))
    return broker


@pytest.fixture
def line(broker: Broker) -> Line:
    return Line(broker, Clock())
