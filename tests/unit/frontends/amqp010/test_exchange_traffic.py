"""What came to an exchange over AMQP 0-10."""

from lastvalue.codec.amqp010.names import Names
from lastvalue.frontends.amqp010.exchange_traffic import ExchangeTraffic


def test_bytes_that_no_queue_got_are_dropped_as_well_as_received() -> None:
    traffic = ExchangeTraffic("prices", Names())
    traffic.count(100, 2)
    traffic.count(30, 0)
    assert (traffic.received_bytes, traffic.dropped_bytes) == (130, 30)
