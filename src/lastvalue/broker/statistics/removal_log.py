"""The removal log of a queue: why the last messages left it, when, and who removed them."""

from collections import deque
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Authorization
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.queues.effects import (
    EXPIRED,
    FILTERED,
    REPLACED,
    STALE,
    Acquired,
    Dismissed,
    Effect,
    Reason,
    Removed,
    Updated,
    reasons_with_alternate,
)
from lastvalue.queues.entry import Entry

_MESSAGE_ID: Final = "properties.message-id"
_KEY_DELETED: Final = Reason.KEY_DELETED
_BY_SOMEBODY: Final = (Reason.ACCEPTED, Reason.REJECTED, Reason.DEAD_LETTERED, _KEY_DELETED)
_COMMANDS: Final = {
    Reason.PURGED: (Verb.PURGE_QUEUE, Verb.DELETE_MESSAGES),
    Reason.MOVED: (Verb.MOVE, Verb.CHANGE_PRIORITY),
}
_NO_COMMAND: Final = (Verb.QUERY, "")


@final
class Removal:
    """A message that left a queue.

    Attributes:
        sequence, arrival_ms, updates, expires_ms: as they were of its entry.
        key: the canonical bytes of its key, or None.
        message_id: as text; empty where it has none.
        reason: why it left.
        time_ms: when.
        user: who consumed it, or whose command removed it; empty where nobody did or that is not known.
        rule: what decided, where the reason does not say all: the two order values, or the queue's filter.
        destination: the exchange or queue that the queue names for messages that leave for this reason.
    """

    __slots__ = (
        "arrival_ms", "destination", "expires_ms", "key", "message_id", "reason", "rule", "sequence",
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
        self.user = ""
        self.rule = ""
        self.destination = ""


@final
class RemovalLog:
    """The last removals of one queue, oldest first, at most as many as its option says."""

    __slots__ = ("_consumers", "_deleters", "_removals")

    def __init__(self) -> None:
        self._removals: deque[Removal] = deque()
        self._consumers: dict[int, str] = {}
        self._deleters: dict[int, str] = {}

    def removals(self) -> list[Removal]:
        """Those that it remembers, newest first."""
        return list(reversed(self._removals))

    def note_deleter(self, entries: list[Entry], user: str) -> None:
        """Note who deletes the keys of these values, before the effects of that come."""
        for entry in entries:
            self._deleters[int(entry.sequence)] = user

    def note(self, hosted: HostedQueue, effects: list[Effect], command: tuple[Verb, str], now: i64) -> None:
        """Note the effects of a turn; `command` is the last one on the queue, and whose it was."""
        removals = self._removals
        for effect in effects:
            if isinstance(effect, Acquired):
                self._consumers[int(effect.entry.sequence)] = reader_name(hosted, effect.holder)
            elif isinstance(effect, Updated):
                self._note_removal(hosted, effect.previous, REPLACED, command, now)
            elif isinstance(effect, Removed | Dismissed):
                self._note_removal(hosted, effect.entry, effect.reason, command, now)
        while len(removals) > hosted.queue.spec.removal_log:
            removals.popleft()

    def _note_removal(
        self, hosted: HostedQueue, entry: Entry, reason: Reason, command: tuple[Verb, str], now: i64
    ) -> None:
        removal = Removal(entry, reason, now)
        consumer = self._consumers.pop(int(removal.sequence), "")
        deleter = self._deleters.pop(int(removal.sequence), "")
        by = deleter if removal.reason is _KEY_DELETED else consumer
        self._explain(hosted, entry, removal, by, command)
        self._removals.append(removal)

    def _explain(
        self, hosted: HostedQueue, entry: Entry, removal: Removal, by: str, command: tuple[Verb, str]
    ) -> None:
        spec = hosted.queue.spec
        reason = removal.reason
        if reason in _BY_SOMEBODY:
            removal.user = by
        elif command[0] in _COMMANDS.get(reason, ()):
            removal.user = command[1]
        if reason is FILTERED:
            removal.rule = spec.filter
        elif reason is STALE and entry.key is not None:
            newest = hosted.queue.contents.current.get(entry.key)
            if newest is not None:
                removal.rule = f"{entry.order} < {newest.order}"
        if reason in reasons_with_alternate(spec):
            removal.destination = (spec.expiry_alternate if reason is EXPIRED else spec.alternate) or ""


@final
class RemovalLogs(Observer):
    """Keeps the removal logs of the queues that have one by their option `removal_log`."""

    __slots__ = ("_authorization", "_commands", "_logs")

    def __init__(self, authorization: Authorization) -> None:
        self._authorization = authorization
        self._logs: dict[HostedQueue, RemovalLog] = {}
        self._commands: dict[HostedQueue, tuple[Verb, str]] = {}

    def removals(self, hosted: HostedQueue) -> list[Removal]:
        """What the log of a queue remembers, newest first."""
        log = self._logs.get(hosted)
        return [] if log is None else log.removals()

    def note_deleter(self, hosted: HostedQueue, entries: list[Entry], owner: Owner) -> None:
        """Note who deletes the keys of these values by a request."""
        if hosted.queue.spec.removal_log > 0:
            self._logs.setdefault(hosted, RemovalLog()).note_deleter(
                entries, owner.principal or owner.container
            )

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        self._forget(hosted)

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """See Observer."""
        if hosted.queue.spec.removal_log == 0 or hosted.ownership.ending:
            if self._logs:
                self._forget(hosted)
            return
        for record in self._authorization.pending_audit():
            if record.name == hosted.queue.spec.name and not record.right:
                self._commands[hosted] = (record.verb, record.owner.principal)
        if effects:
            log = self._logs.setdefault(hosted, RemovalLog())
            log.note(hosted, effects, self._commands.get(hosted, _NO_COMMAND), now)

    def _forget(self, hosted: HostedQueue) -> None:
        self._logs.pop(hosted, None)
        self._commands.pop(hosted, None)


def reader_name(hosted: HostedQueue, number: i64) -> str:
    """Who reads by the subscription of that number: the user, or the container of a client without a name."""
    subscription = hosted.queue.subscriptions.get(number)
    if subscription is None or not isinstance(subscription.subscriber, QueueReader):
        return ""
    owner = subscription.subscriber.owner
    return owner.principal or owner.container


def _message_id(message: Message) -> str:
    try:
        identifier = message.field(_MESSAGE_ID)
    except LastvalueError:
        # A queue takes messages whose properties nobody has read.
        return ""
    return identifier if isinstance(identifier, str) else ""
