"""A queue and a consumer of it, for tests of the delivery kernel."""

from collections.abc import Sequence

from broker_desk import enqueue

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.delivery.consumer import Consumer
from lastvalue.delivery.output import Output
from lastvalue.delivery.unsettled import UnsettledDelivery
from lastvalue.delivery.window import prefetch_window
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import ANY, Mode, Terms


class ConsumedQueue:
    """A broker with one queue, `q`."""

    def __init__(self, spec: QueueSpec | None = None, bodies: Sequence[str] = ()) -> None:
        self.broker = Broker()
        self.broker.declare(QueueSpec("q") if spec is None else spec)
        self.hosted = self.broker.lookup("q")
        self.scheduled: list[str] = []
        self.output = Output(OutputBuffer(), lambda: self.scheduled.append("write"))
        enqueue(self.broker, "q", *bodies)

    def consumer(self, mode: Mode = Mode.CONSUME, terms: Terms = ANY) -> Consumer:
        consumer = Consumer(self.output, prefetch_window(0, 0))
        consumer.read(self.broker.read(self.hosted, mode, consumer, terms, NOBODY, 0))
        return consumer

    def next(self, consumer: Consumer) -> Entry:
        reader = consumer.reader
        assert reader is not None
        entry = self.hosted.queue.next(reader.subscription, 0)
        assert entry is not None
        return entry

    def delivery(self, consumer: Consumer, number: int) -> UnsettledDelivery:
        reader = consumer.reader
        assert reader is not None
        return UnsettledDelivery(number, self.next(consumer), reader, consumer, 1)
