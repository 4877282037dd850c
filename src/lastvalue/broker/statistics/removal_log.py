"""The removal log of a queue: why the last messages left it, when, and who removed them."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.queues.effects import (
    EXPIRED,
    FILTERED,
    KEY_DELETED,
    REPLACED,
    STALE,
    Acquired,
    Cause,
    Dismissed,
    Effect,
    Reason,
    Reconfigured,
    Released,
    RemovalCommand,
    Removed,
    Superseded,
    Updated,
    reasons_with_alternate,
)
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import QueueSpec

_MESSAGE_ID: Final = "properties.message-id"
FEW: Final = 100
"""Of how many messages a queue without `removal_log` remembers why they left, but for frequent reasons."""
_FEW_OF_A_TURN: Final = 20
_FREQUENT: Final = (Reason.ACCEPTED, REPLACED)
_CONSUMED: Final = (Reason.ACCEPTED, Reason.REJECTED, Reason.DEAD_LETTERED)


@final
@mypyc_attr(acyclic=True)
class Removal:
    """A message that left a queue.

    Attributes:
        sequence, arrival_ms, updates, expires_ms: as they were of its entry.
        key: the canonical bytes of its key, or None.
        message_id: as text; empty where it has none.
        reason: why it left.
        time_ms: when.
        newer: the sequence of the message because of which it left, or 0. That is the newer value of its key,
            the message that deleted its key (its own, if it is that one), the one for which a full queue
            dropped it, or the one that had its id.
        user: who consumed it, whose command removed it, or the container that sent `newer`; empty where
            nobody did or that is not known.
        rule: what decided, where the reason does not say all: the two order values, the queue's filter, or
            the new priority of one that is put in again.
        destination: the exchange or queue to which a command moved it, or that the queue names for messages
            that leave for this reason.
    """

    __slots__ = (
        "arrival_ms", "destination", "expires_ms", "key", "message_id", "newer", "reason", "rule", "sequence",
        "time_ms", "updates", "user",
    )  # fmt: skip

    def __init__(self, entry: Entry, reason: Reason, time_ms: i64) -> None:
        self.sequence: i64 = entry.sequence
        self.arrival_ms: i64 = entry.arrival_ms
        self.updates: i64 = entry.updates
        self.expires_ms: i64 = entry.expires_ms
        self.key = entry.key
        self.message_id = _message_id(entry.message)
        self.reason = reason
        self.time_ms: i64 = time_ms
        self.newer: i64 = 0
        self.user = ""
        self.rule = ""
        self.destination = ""


@final
class RemovalLog:
    """The last removals of one queue, oldest first, at most as many as its option says.

    It notes what the effects say; nothing is concluded from what the queue holds by then. On a queue without
    that option it has FEW, and none of the frequent reasons.
    """

    __slots__ = ("_alternates", "_consumers", "_left", "_most", "_removals", "_spec", "_superseded")

    def __init__(self, spec: QueueSpec) -> None:
        # A few more than it remembers, which are forgotten together.
        self._removals: list[Removal] = []
        self._consumers: dict[int, str] = {}
        self._superseded: dict[int, int] = {}
        self._left: dict[int, str] = {}
        self._adopt(spec)

    def _adopt(self, spec: QueueSpec) -> None:
        self._spec = spec
        self._most = spec.removal_log or FEW
        self._alternates = reasons_with_alternate(spec)

    def removals(self) -> list[Removal]:
        """Those that it remembers, newest first."""
        return self._removals[: -self._most - 1 : -1]

    def note_left(self, reader: QueueReader) -> None:
        """Note who has read by a subscription that ends, before the effects of its last turn come."""
        self._left[reader.subscription.number] = reader.owner.user

    def note(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """Note the effects of a turn."""
        for effect in effects:
            if isinstance(effect, (Acquired, Released)):
                self._note_consumer(hosted, effect)
            elif isinstance(effect, Updated):
                self._note_removal(effect.previous, REPLACED, effect.entry, now)
            elif isinstance(effect, (Removed, Dismissed)):
                self._note_left(effect, now)
            elif isinstance(effect, Superseded):
                if effect.newer is not None:
                    self._superseded[int(effect.entry.sequence)] = int(effect.newer.sequence)
            elif isinstance(effect, Reconfigured):
                self._adopt(effect.spec)
        self._left.clear()
        self._forget()

    def note_few(self, effects: list[Effect], first: i64, now: i64) -> None:
        """Note the removals of a turn from that effect on which are for infrequent reasons, and no others."""
        for at in range(first, len(effects)):
            effect = effects[at]
            if isinstance(effect, (Removed, Dismissed)) and effect.reason not in _FREQUENT:
                self._note_left(effect, now)
        self._forget()

    def _forget(self) -> None:
        """Forget the oldest removals, once they are as many as an infrequent turn has."""
        if len(self._removals) > self._most + _FEW_OF_A_TURN:
            del self._removals[: -self._most]

    def _note_left(self, effect: Removed | Dismissed, now: i64) -> None:
        if isinstance(effect, Removed):
            self._note_removal(effect.entry, effect.reason, effect.cause, now)
            return
        own = effect.entry if effect.reason is KEY_DELETED else effect.newer
        removal = self._note_removal(effect.entry, effect.reason, own, now)
        removal.newer = max(removal.newer, effect.first)

    def _note_consumer(self, hosted: HostedQueue, effect: Acquired | Released) -> None:
        sequence = int(effect.entry.sequence)
        if isinstance(effect, Acquired):
            name = self._left.get(int(effect.holder)) or reader_name(hosted, effect.holder)
            self._consumers[sequence] = name
        else:
            self._consumers.pop(sequence, "")

    def _note_removal(self, entry: Entry, reason: Reason, cause: Cause, now: i64) -> Removal:
        removal = Removal(entry, reason, now)
        self._removals.append(removal)
        consumer = self._consumers.pop(int(removal.sequence), "") if self._consumers else ""
        newer: i64 = self._superseded.pop(int(removal.sequence), 0) if self._superseded else 0
        if reason in _CONSUMED:
            removal.user = consumer
        elif reason is FILTERED:
            removal.rule = self._spec.filter
        elif reason is REPLACED:
            removal.newer = newer
        if self._alternates and reason in self._alternates:
            spec = self._spec
            removal.destination = (spec.expiry_alternate if reason is EXPIRED else spec.alternate) or ""
        if isinstance(cause, RemovalCommand):
            removal.user = cause.user
            removal.destination = cause.destination
            if cause.priority >= 0:
                removal.rule = f"priority {cause.priority}"
        elif isinstance(cause, Entry):
            removal.newer = cause.sequence
            removal.user = cause.message.origin
            if reason is STALE:
                removal.rule = f"{entry.order} < {cause.order}"
        return removal


@final
class RemovalLogs(Observer):
    """Keeps the removal logs of the queues: small ones, but for those whose option `removal_log` says more.

    A small one has no messages that were replaced or accepted, which are frequent, and no consumers; a change
    of the declaration empties it. What was replaced the queue itself knows (`RecentReplacements`).
    """

    __slots__ = ("_logs",)

    def __init__(self) -> None:
        self._logs: dict[HostedQueue, RemovalLog] = {}

    def removals(self, hosted: HostedQueue) -> list[Removal]:
        """What the log of a queue remembers, newest first."""
        log = self._logs.get(hosted)
        return [] if log is None else log.removals()

    def queue_declared(self, hosted: HostedQueue) -> None:
        """See Observer."""
        spec = hosted.queue.spec
        if spec.removal_log > 0:
            self._logs[hosted] = RemovalLog(spec)

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        self._logs.pop(hosted, None)

    def reader_left(self, reader: QueueReader) -> None:
        """See Observer."""
        log = self._logs.get(reader.hosted)
        if log is not None:
            log.note_left(reader)

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        spec = hosted.queue.spec
        if not effects:
            return
        if hosted.ownership.ending:
            self._logs.pop(hosted, None)
            return
        if spec.removal_log == 0:
            self._note_few(hosted, effects, now)
            return
        log = self._logs.get(hosted)
        if log is None:
            # It remembers what happens from the declaration on that asks for it.
            log = self._logs[hosted] = RemovalLog(spec)
            effects = _since_declared(effects)
        log.note(hosted, effects, now)

    def _note_few(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        count: i64 = 0
        first: i64 = len(effects)
        while first > 0 and count < _FEW_OF_A_TURN:
            effect = effects[first - 1]
            if isinstance(effect, Reconfigured):
                self._logs.pop(hosted, None)
                break
            if isinstance(effect, (Removed, Dismissed)) and effect.reason not in _FREQUENT:
                count += 1
            first -= 1
        if count > 0:
            log = self._logs.get(hosted)
            if log is None:
                log = self._logs[hosted] = RemovalLog(hosted.queue.spec)
            log.note_few(effects, first, now)


def _since_declared(effects: list[Effect]) -> list[Effect]:
    """The effects after the last one that changed the declaration; all if none did."""
    for at in range(len(effects) - 1, -1, -1):
        if isinstance(effects[at], Reconfigured):
            return effects[at + 1 :]
    return effects


def reader_name(hosted: HostedQueue, number: i64) -> str:
    """Who reads by the subscription of that number: the user, or the container of a client without a name."""
    subscription = hosted.queue.subscriptions.get(number)
    if subscription is None or not isinstance(subscription.subscriber, QueueReader):
        return ""
    return subscription.subscriber.owner.user


def _message_id(message: Message) -> str:
    try:
        identifier = message.field(_MESSAGE_ID)
    except LastvalueError:
        # A queue takes messages whose properties nobody has read.
        return ""
    return identifier if isinstance(identifier, str) else ""
