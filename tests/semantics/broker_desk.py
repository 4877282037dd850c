"""A reader of a broker's queue that takes as many messages as it is told, and what tests of brokers share."""

from bare_queue import START_MS, body_of

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import Message
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import QueueSpec


class LimitedReceiver(Receiver):
    """A receiver that takes as many messages as it is told."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.got: list[Entry] = []
        self.dry = 0
        self.deleted = False
        self.reader: QueueReader

    def wants(self, now: int) -> bool:
        return self.room > 0

    def deliver(self, entry: Entry, now: int) -> None:
        self.room -= 1
        self.got.append(entry)

    def on_empty(self, now: int) -> None:
        self.dry += 1

    def queue_deleted(self) -> None:
        self.deleted = True

    @property
    def bodies(self) -> list[str]:
        return [body_of(entry.message.encoded) for entry in self.got]


def message(body: str = "", subject: str | None = None, ttl_ms: int | None = None) -> Message:
    return read_message(encode_content(MessageContent(body=body, subject=subject, ttl_ms=ttl_ms)))


def made(*specs: QueueSpec | ExchangeSpec | str) -> Broker:
    """A broker with these queues and exchanges."""
    broker = Broker()
    for spec in specs:
        if isinstance(spec, ExchangeSpec):
            broker.declare_exchange(spec)
        else:
            broker.declare(QueueSpec(spec) if isinstance(spec, str) else spec)
    return broker


def enqueue(broker: Broker, name: str, *bodies: str) -> None:
    for body in bodies:
        assert broker.publish(broker.queue_target(name), message(body), START_MS)
