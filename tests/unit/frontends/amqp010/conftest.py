"""A broker with a queue, and a peer that speaks AMQP 0-10 to it without a socket."""

import pytest
from amqp010_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec


@pytest.fixture
def broker_state() -> BrokerState:
    broker = Broker(all_effects=False)
    broker.declare(QueueSpec("q"))
    return BrokerState(broker)


@pytest.fixture
def peer(broker_state: BrokerState) -> Peer:
    return Peer(broker_state)
