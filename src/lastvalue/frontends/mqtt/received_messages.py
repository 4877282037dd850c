"""What a client has published at QoS 2 and not released yet [MQTT 5.0 §4.3.3]."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.receiver import NullReceiver
from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import ANY, Mode, Outcome

_PACKET_ID: Final = "packet-id"


@final
class ReceivedMessages:
    """The packet identifiers, each an entry of a queue where the session outlives its connection.

    Args:
        name: of the queue.
        broker: that has it.
        owner: of the session.
    """

    __slots__ = ("_broker", "_by_id", "_owner", "_reader", "name")

    def __init__(self, name: str, broker: Broker, owner: Owner) -> None:
        self.name = name
        self._broker = broker
        self._owner = owner
        self._by_id: dict[int, Entry | None] = {}
        self._reader: QueueReader | None = None

    def __contains__(self, packet_id: int) -> bool:
        return packet_id in self._by_id

    def __len__(self) -> int:
        return len(self._by_id)

    @property
    def hosted(self) -> HostedQueue | None:
        """The queue, where there is one."""
        return None if self._reader is None else self._reader.hosted

    def resume(self, now: i64) -> None:
        """Continue with the queue of an earlier connection, if there is one."""
        if self._broker.has_queue(self.name):
            self._begin(now)
            while (entry := self._next(now)) is not None:
                packet_id = entry.message.field(_PACKET_ID)
                if isinstance(packet_id, int):
                    self._by_id[packet_id] = entry

    def prepare(self, spec: QueueSpec, now: i64) -> None:
        """Remember further ones in the queue, which is declared so.

        Raises:
            BrokerError: it cannot be declared.
        """
        if self._reader is None:
            self._broker.declare(spec, self._owner)
            self._begin(now)

    def add(self, packet_id: i64, now: i64) -> None:
        """Remember a message that is published in this turn."""
        entry: Entry | None = None
        reader = self._reader
        if reader is not None:
            mark = encode_plain_message(True, {_PACKET_ID: int(packet_id)}, None)
            reader.hosted.mark_changed()
            reader.hosted.take(read_message(mark), now)
            entry = self._next(now)
        self._by_id[int(packet_id)] = entry

    def release(self, packet_id: i64, now: i64) -> bool:
        """The client has released a message; false if it is not known."""
        known = int(packet_id) in self._by_id
        entry = self._by_id.pop(int(packet_id), None)
        if entry is not None and self._reader is not None:
            self._reader.settle(entry, Outcome.ACCEPTED, now)
        return known

    def end(self, now: i64) -> None:
        """The connection is over: the queue stays as long as the session."""
        reader = self._reader
        self._reader = None
        self._by_id = {}
        if reader is not None and not reader.hosted.ownership.ending:
            self._broker.stop(reader, now)

    def _begin(self, now: i64) -> None:
        hosted = self._broker.lookup(self.name)
        self._reader = self._broker.read(hosted, Mode.CONSUME, NullReceiver(), ANY, self._owner, now)

    def _next(self, now: i64) -> Entry | None:
        reader = self._reader
        return None if reader is None else reader.hosted.queue.next(reader.subscription, now)
