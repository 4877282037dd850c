"""A connection's output: room, who waits for it, and the write at the end of the turn."""

from dataclasses import dataclass, field

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.receiver import NullReceiver
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.delivery.output import OUTPUT_ROOM, Output
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import ANY, Mode


@dataclass
class Connection:
    """An output with two consumers."""

    scheduled: list[str] = field(default_factory=list)
    buffer: OutputBuffer = field(default_factory=OutputBuffer)

    def __post_init__(self) -> None:
        broker = Broker()
        broker.declare(QueueSpec("q"))
        self.hosted = broker.lookup("q")
        self.output = Output(self.buffer, lambda: self.scheduled.append("write"))
        self.first = self.read()
        self.second = self.read()

    def read(self) -> QueueReader:
        return QueueReader(self.hosted, Mode.CONSUME, NullReceiver(), ANY, 0)

    @property
    def woken(self) -> list[QueueReader]:
        return list(self.hosted.waiting)


def test_there_is_room_until_the_bytes_that_may_wait_do() -> None:
    connection = Connection()
    connection.buffer.put(bytes(OUTPUT_ROOM - 1))
    assert connection.output.has_room()
    connection.buffer.put(b"x")
    assert not connection.output.has_room()
    connection.buffer.take()
    assert connection.output.has_room()


def test_there_is_no_room_while_the_transport_takes_nothing() -> None:
    connection = Connection()
    connection.output.writable = False
    assert not connection.output.has_room()


def test_a_write_is_scheduled_once_a_turn() -> None:
    connection = Connection()
    connection.output.schedule_write()
    connection.output.schedule_write()
    assert connection.scheduled == ["write"]
    connection.output.write_scheduled = False
    connection.output.schedule_write()
    assert connection.scheduled == ["write", "write"]


def test_blocked_consumers_are_woken_in_their_order_and_once() -> None:
    connection = Connection()
    for reader in (connection.second, connection.first, connection.second):
        connection.output.block(reader)
    connection.output.resume()
    assert connection.woken == [connection.second, connection.first]
    connection.hosted.pump(0)
    connection.output.resume()
    assert connection.woken == []


def test_blocked_consumers_wait_on_while_the_transport_takes_nothing() -> None:
    connection = Connection()
    connection.output.block(connection.first)
    connection.output.writable = False
    connection.output.resume()
    assert connection.woken == []
    connection.output.writable = True
    connection.output.resume()
    assert connection.woken == [connection.first]


def test_a_consumer_that_has_gone_is_not_woken() -> None:
    connection = Connection()
    connection.output.block(connection.first)
    connection.first.close(0)
    connection.output.resume()
    assert connection.woken == []
