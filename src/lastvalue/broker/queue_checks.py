"""An observer that checks after each turn what always holds, for tests and for the search for a fault."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.queues.effects import Effect
from lastvalue.queues.invariants import (
    BrokenInvariantError,
    check_queue,
    disagreements,
    is_turn_of_all,
)
from lastvalue.queues.subscription import Mode


@final
class QueueChecks(Observer):
    """Checks each queue that a turn has changed, and the broker's sums.

    A broker without it does nothing for it. What does not agree ends the turn by a BrokenInvariantError,
    which passes `Broker.drain`.

    Args:
        broker: whose queues they are; it has none yet.
    """

    __slots__ = ("_broker", "_queues", "_turn")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._queues: dict[HostedQueue, None] = {}
        self._turn: i64 = 0

    def queue_declared(self, hosted: HostedQueue) -> None:
        """See Observer."""
        self._queues[hosted] = None

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        self._queues.pop(hosted, None)

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        del effects, now
        self._turn += 1
        whole = is_turn_of_all(hosted.queue.depth, self._turn)
        check_queue(hosted.queue, whole)
        if whole and not hosted.ownership.ending:
            self._check_readers(hosted)
        if is_turn_of_all(len(self._queues), self._turn):
            self._check_memory()

    def _check_readers(self, hosted: HostedQueue) -> None:
        readers = hosted.readers
        subscriptions = hosted.queue.subscriptions
        joined = [reader.subscription for reader in readers]
        unknown = [each for each in joined if subscriptions.get(each.number) is not each]
        consumers = [each for each in joined if each.mode is Mode.CONSUME]
        faults = disagreements(
            ("consumers", hosted.consumers, "the readers that consume", len(consumers)),
            ("the readers without a subscription", len(unknown), "their bound", 0),
        )
        if hosted.exclusive_reader is not None and hosted.exclusive_reader not in readers:
            faults.append("the reader that has it for itself is none of its readers")
        if faults:
            raise BrokenInvariantError(f"queue {hosted.queue.spec.name!r}", faults)

    def _check_memory(self) -> None:
        counted = sum([hosted.counted_bytes for hosted in self._queues])
        broker = self._broker
        others = broker.exchanges.size_bytes + broker.memory.used_bytes
        faults = disagreements(
            ("the memory of queues", broker.held_bytes - others, "the sum over them", counted)
        )
        if faults:
            raise BrokenInvariantError("the broker", faults)
