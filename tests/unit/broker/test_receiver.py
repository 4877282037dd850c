"""lastvalue.broker.receiver."""

from bare_queue import START_MS
from broker_desk import made, message

from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.queues.subscription import ANY, Mode


def test_nothing_is_delivered_to_a_reader_that_asks_for_single_messages() -> None:
    broker = made("q")
    reader = broker.read(broker.lookup("q"), Mode.CONSUME, NullReceiver(), ANY, NOBODY, START_MS)
    assert broker.publish(broker.queue_target("q"), message("x"), START_MS)
    reader.wake()
    broker.pump(START_MS)
    assert not reader.subscription.held.entries()
    assert reader.hosted.queue.depth == 1
