"""What came to an exchange over AMQP 0-10."""

from amqp010_peer import Peer

from lastvalue.broker.broker import Broker
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec import QueueSpec


def test_bytes_that_no_queue_got_are_dropped_as_well_as_received() -> None:
    state = BrokerState(Broker())
    peer = Peer(state)
    peer.broker.declare(QueueSpec("prices"))
    peer.send("prices", b"x" * 100)
    traffic = state.traffic("")
    received = traffic.received_bytes
    assert (received > 100, traffic.dropped_bytes) == (True, 0)
    peer.send("nowhere", b"x" * 30)
    # Its body is 70 bytes shorter, and its key one longer.
    assert traffic.received_bytes - received == received - 70 + 1
    assert traffic.dropped_bytes == traffic.received_bytes - received
