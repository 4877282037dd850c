"""Records: the messages of a history queue, each with one effect on one queue."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lastvalue.codec.amqp10.annotations import SplitMessage, split_annotations
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.errors import LastvalueError
from lastvalue.model.property_names import HISTORY_PREFIX, SEQUENCE_NUMBER

ADDED: Final = "added"
SCHEDULED: Final = "scheduled"
DUE: Final = "due"
DISMISSED: Final = "dismissed"
REMOVED: Final = "removed"
ACQUIRED: Final = "acquired"
RELEASED: Final = "released"
REFUSED: Final = "refused"
RECONFIGURED: Final = "reconfigured"
RESCHEDULED: Final = "rescheduled"
DECLARED: Final = "declared"
PRESENT: Final = "present"
RESTARTED: Final = "restarted"
DELETED: Final = "deleted"
ENDED: Final = "ended"
LOST: Final = "lost"
"""In tables only: that many records from this offset on did not land."""

WITH_CONTENT: Final = frozenset({ADDED, SCHEDULED, PRESENT})
"""Effects after which a message is on the queue."""
OF_THE_QUEUE: Final = frozenset({DECLARED, RECONFIGURED, RESTARTED, DELETED, ENDED})
"""Effects on the queue itself, not on one of its messages."""


class HistoryRecordError(LastvalueError):
    """A message is not a record of a history."""

    def __init__(self, fault: str) -> None:
        super().__init__(f"this message is not a record of a history: {fault}")


@dataclass(frozen=True, slots=True)
class Record:
    """One effect on one queue.

    Attributes:
        offset: its number on the history queue.
        effect: one of the names above.
        queue: the queue's name.
        time_ms: the time, milliseconds since the epoch; never before that of the previous record.
        sequence: the message's number on its queue; None if the effect is on the queue.
        reason: why the message left, if it did.
        key: its last-value key as text, or None.
        updates: how many updates it stands for, from then on.
        arrival_ms, expires_ms, not_before_ms: its times; None if it has none, or the time did not change.
        delivery_count: deliveries that failed, if that changed.
        holder: the number of the consumer that acquired it.
        newer: the sequence of the message because of which it left, such as the newer value of its key; None
            if there is none, or if an older broker wrote the record.
        rank, place: its order on the queue: by rank, then by place.
        declaration: the queue's options, if the effect has them.
        durable: the message is durable.
        message: its encoded sections as they came; empty if the effect is not in WITH_CONTENT.
    """

    offset: int
    effect: str
    queue: str
    time_ms: int
    sequence: int | None = None
    reason: str | None = None
    key: str | None = None
    updates: int = 1
    arrival_ms: int | None = None
    expires_ms: int | None = None
    not_before_ms: int | None = None
    delivery_count: int | None = None
    holder: int | None = None
    newer: int | None = None
    rank: bytes = b""
    place: int | None = None
    declaration: Mapping[str, Any] | None = None
    durable: bool = False
    message: bytes = b""

    @property
    def waits(self) -> bool:
        """Whether the message is held back, by a record with its content."""
        return self.effect == SCHEDULED or self.not_before_ms is not None


def read_record(payload: bytes, offset: int | None = None) -> Record:
    """Decode a message of a history queue as a record.

    Args:
        payload: its encoded sections.
        offset: its number on the history queue; None takes it from the broker's annotation.

    Raises:
        HistoryRecordError: the message is not a record.
    """
    try:
        taken = split_annotations(payload, HISTORY_PREFIX)
        durable = bool(taken.message) and read_message(taken.message).durable
    except DecodeError as fault:
        raise HistoryRecordError(str(fault)) from fault
    if offset is None:
        offset = taken.place.get(SEQUENCE_NUMBER)
    if not isinstance(offset, int):
        raise HistoryRecordError("it does not have the annotation of its number on the queue")
    return _record(taken, int(offset), durable=durable)


def _record(taken: SplitMessage, offset: int, *, durable: bool) -> Record:
    annotations = {name.removeprefix(HISTORY_PREFIX): value for name, value in taken.annotations.items()}
    try:
        effect, queue, time_ms = (
            str(annotations["effect"]),
            str(annotations["queue"]),
            int(annotations["time"]),
        )
    except (KeyError, TypeError, ValueError):
        raise HistoryRecordError(
            f"it must have the annotations {HISTORY_PREFIX}effect, {HISTORY_PREFIX}queue "
            f"and {HISTORY_PREFIX}time"
        ) from None
    declaration = annotations.get("declaration")
    return Record(
        offset=offset,
        effect=effect,
        queue=queue,
        time_ms=time_ms,
        sequence=_number(annotations.get("sequence")),
        reason=annotations.get("reason"),
        key=key_text(annotations.get("key")),
        updates=_number(annotations.get("updates")) or 1,
        arrival_ms=_number(annotations.get("arrival")),
        expires_ms=_number(annotations.get("expires")),
        not_before_ms=_number(annotations.get("not-before")),
        delivery_count=_number(annotations.get("delivery-count")),
        holder=_number(annotations.get("holder")),
        newer=_number(annotations.get("newer")),
        rank=annotations.get("rank") or b"",
        place=_number(annotations.get("place")),
        declaration=json.loads(declaration) if isinstance(declaration, str) else None,
        durable=durable,
        message=taken.message if effect in WITH_CONTENT else b"",
    )


def key_text(key: object) -> str | None:
    """A last-value key as text: a text as it is, a whole number in decimal, others in hexadecimal."""
    if key is None:
        return None
    return key.hex() if isinstance(key, bytes) else str(key)


def _number(value: object) -> int | None:
    return int(value) if isinstance(value, int) else None
