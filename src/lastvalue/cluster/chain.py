"""The rule by which all readers of a log agree which of its records count."""

import copy
from typing import Self

from lastvalue.cluster.log_records import Kind, LogRecord
from lastvalue.store.segments import StoreError


class BrokenLogError(StoreError):
    """Messages are missing within the stream: somebody else has deleted them."""


class Chain:
    """Takes the records in the stream's order and says which count.

    A record counts if it continues the numbers of its own term, or begins a higher term. Others do not: a
    writer that sends several ahead may, once one was refused, still get a later one in, and so may a writer
    that another has followed. The first is sent again, the second was never confirmed.

    Attributes:
        position: of the last message taken, in the stream.
        term, number, segment, lease_ms: of the last record that counts.
        stopped: that record's writer has ended in order.
    """

    def __init__(self, position: int = 0) -> None:
        self.position = position
        self.term = 0
        self.number = 0
        self.segment = 0
        self.lease_ms = 0
        self.stopped = True
        self._begun = False

    def copy(self) -> Self:
        """Another chain at the same place."""
        return copy.copy(self)

    def take(self, position: int, record: LogRecord) -> bool:
        """Whether the record counts; call it for each message in order.

        Raises:
            BrokenLogError: records before it are missing.
        """
        adjacent = position == self.position + 1
        self.position = position
        if record.kind is Kind.BEAT:
            return self._takes_beat(record)
        if not self._begun:
            if not record.begins and record.number != 1:
                raise BrokenLogError(
                    f"the log begins with record {record.number}, within a segment: what was before message "
                    f"{position} of the stream is missing; restore it from a backup"
                )
            self._follow(record)
            return True
        if not self._continues(record):
            # What was sent ahead stands right behind what took the place before it.
            if not adjacent and record.term >= self.term and record.number > self.number + 1:
                raise BrokenLogError(
                    f"records {self.number + 1} to {record.number - 1} of the log are missing before message "
                    f"{position} of the stream; restore it from a backup"
                )
            return False
        self._follow(record)
        return True

    def _continues(self, record: LogRecord) -> bool:
        begins_term = record.kind is Kind.TERM and record.term > self.term
        return (begins_term or record.term == self.term) and record.number == self.number + 1

    def _follow(self, record: LogRecord) -> None:
        self._begun = True
        self.term = record.term
        self.number = record.number
        self.segment = max(self.segment, record.segment)
        self.lease_ms = record.lease_ms
        self.stopped = record.kind is Kind.STOP

    def _takes_beat(self, record: LogRecord) -> bool:
        if not self._begun or record.term != self.term:
            return False
        self.lease_ms = record.lease_ms
        self.stopped = False
        return True
