"""The content of a queue at a moment, rebuilt from the records of its history."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from lastvalue.history import records
from lastvalue.history.records import WITH_CONTENT, Record
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments

AVAILABLE: Final = "available"
HELD: Final = "held"
WAITING: Final = "waiting"


@dataclass(slots=True)
class QueuedMessage:
    """A message on the queue.

    Attributes:
        record: the record with its content.
        updates: how many updates it stands for.
        expires_ms: when it expires, milliseconds since the epoch, or None.
        delivery_count: deliveries that failed so far, if the history records deliveries.
        holder: the consumer that has acquired it, or None; likewise.
        waits: it is held back until the time of its delivery.
    """

    record: Record
    updates: int
    expires_ms: int | None
    delivery_count: int
    holder: int | None
    waits: bool

    @property
    def state(self) -> str:
        """AVAILABLE, HELD by a consumer, or WAITING for its time."""
        if self.holder is not None:
            return HELD
        return WAITING if self.waits else AVAILABLE

    @property
    def order(self) -> tuple[bytes, int]:
        """Its sort key in the order of delivery."""
        place = self.record.place
        return self.record.rank, (self.record.sequence or 0) if place is None else place


@dataclass
class Moment:
    """One queue, rebuilt record by record.

    Attributes:
        spec: its declaration; None before the first record of one.
        complete: all its messages are known: the records began with the queue, or with a complete list.
        exists: it was declared and not deleted.
        recorded: its history has not ended.
        present: its messages, by sequence.
        time_ms: the time of the last record, or None.
    """

    spec: QueueSpec | None = None
    complete: bool = False
    exists: bool = False
    recorded: bool = False
    present: dict[int, QueuedMessage] = field(default_factory=dict)
    time_ms: int | None = None

    def apply_all(self, records: Iterable[Record]) -> "Moment":
        """Apply records of the queue in the order of their offsets; returns this moment."""
        for record in records:
            self.apply(record)
        return self

    def apply(self, record: Record) -> None:
        """Apply one record."""
        self.time_ms = record.time_ms
        if record.sequence is None:
            self._of_the_queue(record)
        elif record.effect in WITH_CONTENT:
            self.present[record.sequence] = QueuedMessage(
                record,
                record.updates,
                record.expires_ms,
                record.delivery_count or 0,
                record.holder,
                record.waits,
            )
        elif record.effect == records.REMOVED:
            self.present.pop(record.sequence, None)
        else:
            queued_message = self.present.get(record.sequence)
            if queued_message is not None:
                _change(queued_message, record)

    def _of_the_queue(self, record: Record) -> None:
        if record.declaration is not None:
            self.spec = spec_from_arguments(record.queue, record.declaration)
        match record.effect:
            case records.DECLARED:
                self.present = {}
                self.complete = self.exists = self.recorded = True
            case records.RECONFIGURED:
                self.exists = self.recorded = True
            case records.RESTARTED:
                self.exists = self.recorded = True
                self._restart()
            case records.DELETED:
                self.present = {}
                self.complete = True
                self.exists = self.recorded = False
            case records.ENDED:
                self.recorded = False

    def _restart(self) -> None:
        """Drop messages that are not durable; acquired ones become available, as failed deliveries."""
        self.present = {
            sequence: queued_message
            for sequence, queued_message in self.present.items()
            if queued_message.record.durable
        }
        for queued_message in self.present.values():
            if queued_message.holder is not None:
                queued_message.holder = None
                queued_message.delivery_count += 1

    def in_order(self, now_ms: int | None = None) -> list[QueuedMessage]:
        """The messages on the queue in the order of delivery.

        Args:
            now_ms: leave out messages that have expired by then and that no consumer has acquired; None
                keeps them.
        """
        found = [
            queued_message
            for queued_message in self.present.values()
            if now_ms is None
            or queued_message.expires_ms is None
            or queued_message.expires_ms > now_ms
            or queued_message.holder is not None
        ]
        return sorted(found, key=lambda queued_message: queued_message.order)

    def copy(self) -> "Moment":
        """An independent copy."""
        return replace(
            self,
            present={sequence: replace(queued_message) for sequence, queued_message in self.present.items()},
        )


def _change(queued_message: QueuedMessage, record: Record) -> None:
    match record.effect:
        case records.DUE:
            queued_message.waits = False
            queued_message.updates = record.updates
        case records.ACQUIRED:
            queued_message.holder = record.holder
        case records.RELEASED:
            queued_message.holder = None
            queued_message.delivery_count = record.delivery_count or 0
        case records.RESCHEDULED:
            queued_message.expires_ms = record.expires_ms
