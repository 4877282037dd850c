"""Histories: records of the effects on queues, tables of them, and a queue's content at a moment."""

from lastvalue.history.moment import Moment, QueuedMessage
from lastvalue.history.records import HistoryRecordError, Record, read_record

__all__ = ["HistoryRecordError", "Moment", "QueuedMessage", "Record", "read_record"]
