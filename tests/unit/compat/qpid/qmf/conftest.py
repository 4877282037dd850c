"""A broker with an agent of QMF, and a console that asks it."""

from uuid import UUID

import pytest
from amqp010_peer import START_MS
from qmf_console import Console

from lastvalue.broker.broker import Broker
from lastvalue.compat.qpid.qmf.agent import Agent
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

INSTANCE = UUID(int=7)


@pytest.fixture
def broker_state() -> BrokerState:
    broker = Broker(all_effects=False)
    broker_state = BrokerState(broker, INSTANCE)
    Agent(broker_state, "1.2", START_MS - 1000)
    broker.declare(QueueSpec("q"))
    return broker_state


@pytest.fixture
def console(broker_state: BrokerState) -> Console:
    return Console(broker_state)
