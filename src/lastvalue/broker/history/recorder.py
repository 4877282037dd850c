"""A queue's history as messages whose annotations say what happened; docs/queues/history.md has the table."""

import json
from collections.abc import Iterable
from typing import Final, assert_never, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.annotations import (
    annotation_name,
    annotations_of,
    bytes_annotation,
    key_annotation,
    number_annotation,
    text_annotation,
    time_annotation,
    with_annotations,
)
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import NEVER, Message
from lastvalue.model.property_names import HISTORY_PREFIX
from lastvalue.queues.effects import (
    REPLACED,
    Acquired,
    Added,
    Amended,
    Cause,
    Dismissed,
    Due,
    Effect,
    EpochBegan,
    Identified,
    Reason,
    Reconfigured,
    Refused,
    Released,
    Removed,
    Scheduled,
    Superseded,
    TakenRun,
    Tombstoned,
    Updated,
)
from lastvalue.queues.entry import FIRST, HELD_BACK, Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.queues.spec_arguments import spec_to_arguments

_PREFIX: Final = HISTORY_PREFIX.encode()
EFFECT: Final[bytes] = annotation_name(HISTORY_PREFIX + "effect")
_REASON: Final[bytes] = annotation_name(HISTORY_PREFIX + "reason")
QUEUE: Final[bytes] = annotation_name(HISTORY_PREFIX + "queue")
SEQUENCE: Final[bytes] = annotation_name(HISTORY_PREFIX + "sequence")
TIME: Final[bytes] = annotation_name(HISTORY_PREFIX + "time")
ARRIVAL: Final[bytes] = annotation_name(HISTORY_PREFIX + "arrival")
KEY: Final[bytes] = annotation_name(HISTORY_PREFIX + "key")
_UPDATES: Final[bytes] = annotation_name(HISTORY_PREFIX + "updates")
_EXPIRES: Final[bytes] = annotation_name(HISTORY_PREFIX + "expires")
_NOT_BEFORE: Final[bytes] = annotation_name(HISTORY_PREFIX + "not-before")
_DELIVERY_COUNT: Final[bytes] = annotation_name(HISTORY_PREFIX + "delivery-count")
_NEWER: Final[bytes] = annotation_name(HISTORY_PREFIX + "newer")
_HOLDER: Final[bytes] = annotation_name(HISTORY_PREFIX + "holder")
_RANK: Final[bytes] = annotation_name(HISTORY_PREFIX + "rank")
_PLACE: Final[bytes] = annotation_name(HISTORY_PREFIX + "place")
_DECLARATION: Final[bytes] = annotation_name(HISTORY_PREFIX + "declaration")

ADDED: Final[bytes] = text_annotation(EFFECT, "added")
SCHEDULED: Final[bytes] = text_annotation(EFFECT, "scheduled")
DUE: Final[bytes] = text_annotation(EFFECT, "due")
DISMISSED: Final[bytes] = text_annotation(EFFECT, "dismissed")
REMOVED: Final[bytes] = text_annotation(EFFECT, "removed")
ACQUIRED: Final[bytes] = text_annotation(EFFECT, "acquired")
RELEASED: Final[bytes] = text_annotation(EFFECT, "released")
REFUSED: Final[bytes] = text_annotation(EFFECT, "refused")
RECONFIGURED: Final[bytes] = text_annotation(EFFECT, "reconfigured")
RESCHEDULED: Final[bytes] = text_annotation(EFFECT, "rescheduled")
DECLARED: Final[bytes] = text_annotation(EFFECT, "declared")
PRESENT: Final[bytes] = text_annotation(EFFECT, "present")
RESTARTED: Final[bytes] = text_annotation(EFFECT, "restarted")
DELETED: Final[bytes] = text_annotation(EFFECT, "deleted")
ENDED: Final[bytes] = text_annotation(EFFECT, "ended")

_REASONS: Final = [text_annotation(_REASON, reason.name.lower().replace("_", "-")) for reason in Reason]


@final
class Recorder:
    """Writes the effects on one queue as messages, in their order.

    Attributes:
        history: the name of the queue that gets the messages.
        restarted: the queue and its history were restored from a store.
    """

    __slots__ = (
        "_as_text",
        "_begun",
        "_deliveries",
        "_durable",
        "_expiry",
        "_queue",
        "_whose",
        "_written",
        "history",
        "restarted",
    )

    def __init__(self, queue: Queue, history: str) -> None:
        self.history = history
        self.restarted = False
        self._queue = queue
        self._begun = False
        self._whose = b""
        self._written: list[Message] = []
        self._adopt(queue.spec)

    def _adopt(self, spec: QueueSpec) -> None:
        self._deliveries = spec.history_deliveries
        self._durable = spec.durable
        self._expiry = spec.expiry
        ordering = spec.ordering
        self._as_text = isinstance(ordering, LastValue) and ordering.keys_as_text

    def record(self, effects: Iterable[Effect], now: i64) -> list[Message]:
        """The records of these effects; the first call also records the declaration."""
        self._tell(now)
        if not self._begun:
            self._begun = True
            self._declaration(RESTARTED if self.restarted else DECLARED, self._queue.spec)
        for effect in effects:
            self._record(effect)
        return self._take()

    def take_stock(self, now: i64) -> list[Message]:
        """The records of the present content of a queue whose history begins now."""
        self._tell(now)
        self._begun = True
        self._declaration(DECLARED, self._queue.spec)
        for entry in self._queue.entries():
            self._content(PRESENT, entry, entry.state == HELD_BACK)
        return self._take()

    def end(self, effect: bytes, now: i64) -> list[Message]:
        """The last record of a history: ENDED or DELETED."""
        self._tell(now)
        self._plain(effect, 0)
        return self._take()

    def _tell(self, now: i64) -> None:
        self._whose = text_annotation(QUEUE, self._queue.spec.name) + time_annotation(TIME, now)

    def _take(self) -> list[Message]:
        written = self._written
        self._written = []
        return written

    def _record(self, effect: Effect) -> None:  # noqa: C901, PLR0912 - one kind after the other
        if isinstance(effect, Added):
            self._content(ADDED, effect.entry, False)
        elif isinstance(effect, Updated):
            self._content(ADDED, effect.entry, False)
            self._left(REMOVED, REPLACED, effect.previous, effect.entry)
        elif isinstance(effect, Removed):
            self._left(REMOVED, effect.reason, effect.entry, effect.cause)
        elif isinstance(effect, (Acquired, Released)):
            if self._deliveries:
                self._delivery(effect)
        elif isinstance(effect, Amended):
            self._content(PRESENT, effect.entry, False)
        elif isinstance(effect, Dismissed):
            self._left(DISMISSED, effect.reason, effect.entry, effect.newer)
        elif isinstance(effect, Scheduled):
            self._content(SCHEDULED, effect.entry, True)
        elif isinstance(effect, Due):
            self._marked(DUE + number_annotation(_UPDATES, effect.entry.updates), 2, effect.entry)
        elif isinstance(effect, Refused):
            self._plain(REFUSED, 0)
        elif isinstance(effect, Reconfigured):
            self._reconfigured(effect)
        elif isinstance(effect, TakenRun):
            raise TypeError("a queue that has a history notes each message by itself")
        elif not isinstance(effect, (Superseded, Identified, Tombstoned, EpochBegan)):
            # A history does not record these; its removals say what tombstones do.
            assert_never(effect)

    def _delivery(self, effect: Acquired | Released) -> None:
        if isinstance(effect, Acquired):
            self._marked(ACQUIRED + number_annotation(_HOLDER, effect.holder), 2, effect.entry)
        else:
            self._marked(
                RELEASED + number_annotation(_DELIVERY_COUNT, effect.delivery_count), 2, effect.entry
            )

    def _reconfigured(self, effect: Reconfigured) -> None:
        spec = effect.spec
        before = self._expiry
        self._adopt(spec)
        self._declaration(RECONFIGURED, spec)
        if before != spec.expiry:
            for entry in self._queue.entries():
                if entry.expires_ms != NEVER:
                    self._marked(RESCHEDULED + time_annotation(_EXPIRES, entry.expires_ms), 2, entry)
            for entry in effect.endless:
                self._marked(RESCHEDULED, 1, entry)

    def _declaration(self, effect: bytes, spec: QueueSpec) -> None:
        arguments = json.dumps(spec_to_arguments(spec), separators=(",", ":"), sort_keys=True)
        self._plain(effect + text_annotation(_DECLARATION, arguments), 1)

    def _plain(self, annotations: bytes, besides: i64) -> None:
        """Write a record without an entry; `besides` is the number of annotations besides the effect's."""
        self._write(b"", annotations + self._whose, 3 + besides)

    def _marked(self, annotations: bytes, count: i64, entry: Entry) -> None:
        """Write a record of an entry whose content is in an earlier record."""
        annotations += self._whose + number_annotation(SEQUENCE, entry.sequence)
        count += 3
        key = entry.key
        if key:
            annotations += key_annotation(KEY, key, self._as_text)
            count += 1
        self._write(b"", annotations, count)

    def _left(self, effect: bytes, reason: Reason, entry: Entry, cause: Cause) -> None:
        """Write a record of an entry that left, with the sequence of the message because of which it did."""
        if isinstance(cause, Entry):
            newer = number_annotation(_NEWER, cause.sequence)
            self._marked(effect + _REASONS[reason] + newer, 3, entry)
        else:
            self._marked(effect + _REASONS[reason], 2, entry)

    def _content(self, effect: bytes, entry: Entry, waits: bool) -> None:
        """Write a record with the message's content and the entry's place, deadline and state."""
        annotations = effect + self._whose + number_annotation(SEQUENCE, entry.sequence)
        annotations += time_annotation(ARRIVAL, entry.arrival_ms)
        count: i64 = 5
        key = entry.key
        if key:
            annotations += key_annotation(KEY, key, self._as_text)
            count += 1
        if entry.updates != 1:
            annotations += number_annotation(_UPDATES, entry.updates)
            count += 1
        if entry.expires_ms != NEVER:
            annotations += time_annotation(_EXPIRES, entry.expires_ms)
            count += 1
        if waits:
            annotations += time_annotation(_NOT_BEFORE, entry.not_before_ms)
            count += 1
        if entry.rank != FIRST:
            annotations += bytes_annotation(_RANK, entry.rank)
            count += 1
        if entry.place != entry.sequence:
            annotations += number_annotation(_PLACE, entry.place)
            count += 1
        if effect is PRESENT and entry.delivery_count > 0:
            annotations += number_annotation(_DELIVERY_COUNT, entry.delivery_count)
            count += 1
        if effect is PRESENT and entry.holder != 0 and self._deliveries:
            annotations += number_annotation(_HOLDER, i64(entry.holder))
            count += 1
        self._write(entry.encoded, annotations, count)

    def _write(self, payload: bytes, annotations: bytes, count: i64) -> None:
        message = read_message(with_annotations(payload, annotations, count, _PREFIX))
        # Delay, time to live and durability of the recorded message do not apply to the record.
        message.annotated = False
        message.ttl_ms = NEVER
        message.expires_ms = NEVER
        message.durable = self._durable
        self._written.append(message)


def without_content(message: Message) -> Message:
    """A copy of a record that has its annotations but no content."""
    copy = read_message(annotations_of(message.encoded, HISTORY_PREFIX))
    copy.annotated = False
    copy.durable = message.durable
    return copy
