"""The broker: commands in, deliveries and effects out. It knows no protocol, no file and no clock."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.reading import Agenda, HostedQueue, Outlet, Reading
from lastvalue.model.errors import QueueExistsError, QueueNotFoundError
from lastvalue.model.message import Message
from lastvalue.queues.declaration import differences
from lastvalue.queues.effects import Effect
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import Mode


@final
class Broker:
    """Every queue of one process.

    The owner calls commands as they come, and once per turn `pump`, then `drain`.
    """

    __slots__ = ("_agenda", "_gone", "_queues")

    def __init__(self) -> None:
        self._queues: dict[str, HostedQueue] = {}
        self._agenda = Agenda()
        self._gone: list[tuple[str, list[Effect]]] = []

    # ------------------------------------------------------------------ queues

    def declare(self, spec: QueueSpec) -> bool:
        """Make a queue; false where an equal one exists.

        Raises:
            QueueExistsError: one of that name exists and is declared differently.
        """
        present = self._queues.get(spec.name)
        if present is None:
            self._queues[spec.name] = HostedQueue(Queue(spec), self._agenda)
            return True
        if present.queue.spec != spec:
            raise QueueExistsError(spec.name, differences(spec, present.queue.spec))
        return False

    def lookup(self, name: str) -> HostedQueue:
        """The queue of that name.

        Raises:
            QueueNotFoundError: there is none.
        """
        hosted = self._queues.get(name)
        if hosted is None:
            raise QueueNotFoundError(name)
        return hosted

    def queues(self) -> list[Queue]:
        """Every queue, by name."""
        return [self._queues[name].queue for name in sorted(self._queues)]

    def delete(self, name: str, now: i64) -> int:
        """Delete a queue; the number of messages that went with it. Its readers and publishers are told."""
        hosted = self.lookup(name)
        count = hosted.queue.depth
        hosted.queue.delete()
        for reading in list(hosted.readings):
            self.stop(reading, now)
            reading.outlet.queue_deleted()
        for publisher in list(hosted.publishers):
            publisher.queue_deleted()
        self._gone.append((name, hosted.queue.drain()))
        del self._queues[name]
        return count

    def purge(self, name: str) -> int:
        """Remove every available message of a queue; the number removed."""
        hosted = self.lookup(name)
        count = hosted.queue.purge()
        hosted.touch()
        return count

    # ------------------------------------------------------------------ messages

    def publish(self, hosted: HostedQueue, message: Message, now: i64) -> bool:
        """Give a queue a message; false where it is full and refuses."""
        hosted.touch()
        return hosted.queue.enqueue(message, now)

    def read(self, hosted: HostedQueue, mode: Mode, outlet: Outlet) -> Reading:
        """A new reader of a queue; `Reading.wake` has the pump serve it."""
        reading = Reading(hosted, mode, outlet)
        hosted.readings.append(reading)
        return reading

    def stop(self, reading: Reading, now: i64) -> None:
        """End a reader; what it held is available again, in its place."""
        reading.close(now)
        hosted = reading.hosted
        hosted.readings = [other for other in hosted.readings if other is not reading]
        hosted.waiting = [other for other in hosted.waiting if other is not reading]

    # ------------------------------------------------------------------ the turn

    @property
    def busy(self) -> bool:
        """Whether there is anything to pump or to drain."""
        agenda = self._agenda
        return bool(agenda.pumps or agenda.changed or self._gone)

    def pump(self, now: i64) -> None:
        """Serve every reader that waits, as far as it wants messages."""
        pumps = self._agenda.pumps
        self._agenda.pumps = []
        for hosted in pumps:
            hosted.pump(now)

    def drain(self) -> list[tuple[str, list[Effect]]]:
        """What happened since the last call, by queue."""
        changed = self._agenda.changed
        self._agenda.changed = []
        drained = self._gone
        self._gone = []
        for hosted in changed:
            hosted.drained()
            effects = hosted.queue.drain()
            if effects:
                drained.append((hosted.queue.spec.name, effects))
        return drained

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, milliseconds since the epoch, or -1."""
        soonest: i64 = -1
        for hosted in self._queues.values():
            deadline = hosted.queue.next_deadline()
            if deadline >= 0 and (soonest < 0 or deadline < soonest):
                soonest = deadline
        return soonest

    def advance(self, now: i64) -> None:
        """Expire what is due on every queue."""
        for hosted in self._queues.values():
            deadline = hosted.queue.next_deadline()
            if 0 <= deadline <= now:
                hosted.queue.advance(now)
                hosted.touch()
