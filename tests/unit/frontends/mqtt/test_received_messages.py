"""lastvalue.frontends.mqtt.received_messages."""

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import Owner
from lastvalue.frontends.mqtt.received_messages import ReceivedMessages
from lastvalue.queues.spec import QueueSpec

OWNER = Owner(1, container="c", principal="ann")
SPEC = QueueSpec("received", durable=True)


def test_without_a_queue_numbers_end_with_the_connection() -> None:
    received = ReceivedMessages("received", Broker(), OWNER)
    received.add(7, 0)
    assert 7 in received
    assert received.release(7, 0)
    assert not received.release(7, 0)
    received.add(8, 0)
    received.end(0)
    assert 8 not in received


def test_with_a_queue_they_outlive_it() -> None:
    broker = Broker()
    first = ReceivedMessages("received", broker, OWNER)
    first.prepare(SPEC, 0)
    for packet_id in (1, 2, 3):
        first.add(packet_id, 0)
    first.release(2, 0)
    first.end(0)
    assert len(first) == 0
    second = ReceivedMessages("received", broker, OWNER)
    second.resume(0)
    assert [each in second for each in (1, 2, 3)] == [True, False, True]
    assert second.release(1, 0)
    assert broker.lookup("received").queue.depth == 1
