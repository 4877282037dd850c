"""A store's records as plain fields, so that an operator can see what happened to a message."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.model.message import AT_ONCE, NEVER
from lastvalue.queues.effects import Reason
from lastvalue.queues.entry import ACQUIRED, AVAILABLE, HELD_BACK
from lastvalue.store import records
from lastvalue.store.inspection import LocatedRecord
from lastvalue.store.records import (
    Declared,
    Deleted,
    Epoch,
    Forgotten,
    Identified,
    Mark,
    Record,
    StoredMessage,
    Tombstoned,
)

PREVIEW: Final = 60
"""The largest number of characters shown of a body."""

_KINDS: Final = {
    records.REMOVED: "removed",
    records.ACQUIRED: "acquired",
    records.RELEASED: "released",
    records.DUE: "due",
    records.SEQUENCE: "sequence",
    records.RESCHEDULED: "rescheduled",
    records.SUPERSEDED: "superseded",
}
_STATES: Final = {AVAILABLE: "available", ACQUIRED: "acquired", HELD_BACK: "held back"}


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Selects the records of one queue, of one message, or all."""

    queue: str | None = None
    sequence: int | None = None


def record_fields(located: Iterable[LocatedRecord], only: RecordFilter) -> Iterator[dict[str, Any]]:
    """The fields of each record that the filter selects; fields with default values are left out."""
    names: dict[int, str] = {}
    keys: dict[int, str] = {}
    for each in located:
        record = each.record
        if isinstance(record, Declared) and record.kind == "queue":
            names[record.number] = record.name
            keys[record.number] = record.arguments.get("lvq_key") or ""
        fields: dict[str, Any] = {"segment": each.segment, "offset": each.offset}
        fields |= _fields(record, names, keys)
        if _is_selected(fields, only):
            yield fields


def _is_selected(fields: dict[str, Any], only: RecordFilter) -> bool:
    if only.queue is not None and fields.get("queue") != only.queue:
        return False
    if only.sequence is None:
        return True
    return fields["kind"] != "sequence" and fields.get("sequence") == only.sequence


def _fields(
    record: Record,
    names: dict[int, str],
    keys: dict[int, str],
) -> dict[str, Any]:
    match record:
        case Declared():
            return {"kind": "declared", record.kind: record.name, "arguments": record.arguments}
        case Deleted():
            return {"kind": "deleted", record.kind: record.name}
        case StoredMessage():
            return {"kind": "added", "queue": names.get(record.queue)} | _message(
                record, keys.get(record.queue, "")
            )
        case Mark():
            return _mark(record, names.get(record.queue))
        case Identified():
            return {
                "kind": "identified",
                "queue": names.get(record.queue),
                "sequence": record.sequence,
                "id": record.duplicate_id.hex(),
            }
        case Tombstoned() | Forgotten() | Epoch():
            return _memory(record) | {"queue": names.get(record.queue), "number": record.number}


def _memory(record: Tombstoned | Forgotten | Epoch) -> dict[str, Any]:
    match record:
        case Tombstoned():
            fields = {"kind": "tombstone", "sequence": record.sequence, "key": record.key.hex()}
            return fields | {"reason": _reason(record.reason)}
        case Forgotten():
            return {"kind": "tombstones", "forgotten": record.forgotten}
        case Epoch():
            return {"kind": "epoch", "sequence": record.sequence, "epoch": record.epoch}


def _mark(mark: Mark, queue: str | None) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": _KINDS[mark.kind], "queue": queue, "sequence": mark.sequence}
    if mark.kind == records.REMOVED:
        fields["reason"] = _reason(mark.number)
    elif mark.kind == records.RELEASED:
        fields["delivery_count"] = mark.number
    elif mark.kind == records.DUE:
        fields["updates"] = mark.number
    elif mark.kind == records.RESCHEDULED:
        fields["expires_ms"] = None if mark.number == NEVER else mark.number
    return fields


def _reason(number: int) -> str:
    return Reason(number).name.lower() if number in Reason.__members__.values() else str(number)


def _message(message: StoredMessage, key: str) -> dict[str, Any]:
    fields: dict[str, Any] = {"sequence": message.sequence, "arrival_ms": message.arrival_ms}
    if message.expires_ms != NEVER:
        fields["expires_ms"] = message.expires_ms
    if message.not_before_ms != AT_ONCE:
        fields["not_before_ms"] = message.not_before_ms
    if message.place != message.sequence:
        fields["place"] = message.place
    if message.origin:
        fields["origin"] = message.origin
    if message.state != AVAILABLE:
        fields["state"] = _STATES.get(message.state, str(message.state))
    fields |= {"updates": message.updates, "delivery_count": message.delivery_count}
    fields["bytes"] = len(message.encoded)
    try:
        content = decode_content(message.encoded)
    except DecodeError as fault:
        return fields | {"body": f"(not a valid message: {fault})"}
    if key and key in content.application_properties:
        fields["key"] = str(content.application_properties[key])
    return fields | {"body": _preview(content.body)}


def _preview(body: object) -> str:
    text = body.decode(errors="backslashreplace") if isinstance(body, bytes) else str(body)
    return text if len(text) <= PREVIEW else text[: PREVIEW - 1] + "…"
