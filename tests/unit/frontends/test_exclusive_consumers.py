"""An exclusive consumer has its queue for itself, over whatever protocol others come."""

import pytest
from amqp010_peer import Peer as Peer010
from amqp091_peer import Peer as Peer091
from pamqp.commands import Basic, Channel

from lastvalue.broker.broker import Broker
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

LOCKED, ACCESS_REFUSED = 405, 403


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    return broker


def test_a_consumer_of_amqp_091_shuts_out_one_of_amqp_010(broker: Broker) -> None:
    Peer091(broker).open().say(Basic.Consume(queue="q", exclusive=True))
    peer = Peer010(BrokerState(broker))
    assert peer.fails("message.subscribe", queue="q", destination="d") == LOCKED


def test_a_consumer_of_amqp_010_shuts_out_one_of_amqp_091(broker: Broker) -> None:
    Peer010(BrokerState(broker)).do("message.subscribe", queue="q", destination="d", exclusive=True)
    peer = Peer091(broker).open().say(Basic.Consume(queue="q"))
    assert peer.expect(Channel.Close).reply_code == ACCESS_REFUSED
