"""What a consumer waits for is said alike in every protocol."""

import pytest
from amqp010_peer import UNLIMITED
from amqp010_peer import Peer as Peer010
from amqp091_peer import Peer as Peer091
from broker_desk import enqueue
from broker_peer import BrokerPeer
from pamqp.commands import Basic, Channel
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.delivery.consumer import BlockedBy, Consumer
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec

MESSAGE, BYTE = 0, 1


@pytest.fixture
def broker() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    enqueue(broker, "q", "a", "b", "c")
    return broker


def consumer(broker: Broker) -> Consumer:
    [reader] = broker.lookup("q").readers
    assert isinstance(reader.receiver, Consumer)
    return reader.receiver


@pytest.mark.parametrize(
    ("credit", "cause", "delivered"), [(0, "credit", 0), (2, "credit", 2), (9, "empty", 3)]
)
def test_a_link_waits_for_credit_and_then_for_messages(
    broker: Broker, credit: int, cause: str, delivered: int
) -> None:
    BrokerPeer(broker, Clock()).reads(credit)
    assert (consumer(broker).blocked_by, consumer(broker).traffic.delivered) == (BlockedBy(cause), delivered)


@pytest.mark.parametrize(("messages", "cause", "delivered"), [(2, "window", 2), (UNLIMITED, "empty", 3)])
def test_a_subscription_waits_for_its_window_and_then_for_messages(
    broker: Broker, messages: int, cause: str, delivered: int
) -> None:
    peer = Peer010(BrokerState(broker))
    peer.do("message.subscribe", queue="q", destination="d", accept_mode=0, acquire_mode=0)
    peer.do("message.set-flow-mode", destination="d", flow_mode=1)
    peer.do("message.flow", destination="d", unit=BYTE, value=UNLIMITED)
    peer.do("message.flow", destination="d", unit=MESSAGE, value=messages)
    assert (consumer(broker).blocked_by, consumer(broker).traffic.delivered) == (BlockedBy(cause), delivered)


@pytest.mark.parametrize(("prefetch", "cause", "delivered"), [(2, "window", 2), (0, "empty", 3)])
def test_a_channel_waits_for_acknowledgements_and_then_for_messages(
    broker: Broker, prefetch: int, cause: str, delivered: int
) -> None:
    peer = Peer091(broker).open()
    peer.say(Basic.Qos(prefetch_count=prefetch), Basic.Consume(queue="q"))
    assert (consumer(broker).blocked_by, consumer(broker).traffic.delivered) == (BlockedBy(cause), delivered)


def test_a_channel_whose_peer_stopped_the_flow_waits_for_that(broker: Broker) -> None:
    peer = Peer091(broker).open()
    peer.say(Channel.Flow(active=False), Basic.Consume(queue="q"))
    assert consumer(broker).blocked_by is BlockedBy.FLOW
