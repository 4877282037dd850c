"""What a history tells as JSON documents: messages at a moment, changes between two, records."""

from collections.abc import Mapping

from lastvalue.client.message_codec import decode_message
from lastvalue.client.message_records import message_record
from lastvalue.history.moment import QueuedMessage
from lastvalue.history.recorded_history import Change
from lastvalue.history.records import Record
from lastvalue.history.times import print_time


def queued_message_document(queued_message: QueuedMessage) -> dict[str, object]:
    """A message that is on the queue at a moment."""
    record = queued_message.record
    document: dict[str, object] = {
        "sequence": record.sequence,
        "state": queued_message.state,
        "key": record.key,
        "arrival_time_ms": record.arrival_ms,
        **_content(record),
    }
    document["updates"] = queued_message.updates
    if queued_message.expires_ms is not None:
        document["expires_ms"] = queued_message.expires_ms
    return document


def change_document(change: Change) -> dict[str, object]:
    """A change: its kind, the later message or the one that is gone, and the body before."""
    shown = change.after or change.before
    document = {"change": change.kind, **({} if shown is None else queued_message_document(shown))}
    if change.before is not None and change.after is not None:
        document["before"] = queued_message_document(change.before).get("body")
    document["reason"] = change.reason
    return document


def record_document(record: Record) -> dict[str, object]:
    """A record: when something happened, what, and to which message."""
    document: dict[str, object] = {
        "time": print_time(record.time_ms),
        "effect": record.effect,
        "reason": record.reason,
        "sequence": record.sequence,
        **_content(record),
    }
    if record.declaration is not None:
        document["declaration"] = dict(record.declaration)
    document["updates"] = record.updates if record.message else None
    return document


def _content(record: Record) -> Mapping[str, object]:
    return message_record(decode_message(record.message)) if record.message else {"body": None}
