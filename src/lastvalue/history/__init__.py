"""What happened to queues: the records of a history, and what a queue held at a moment."""

from lastvalue.history.moment import Moment, QueuedMessage
from lastvalue.history.records import HistoryRecordError, Record, read_record

__all__ = ["HistoryRecordError", "Moment", "QueuedMessage", "Record", "read_record"]
