"""Visits the messages of a queue that a request chooses."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.long_commands import (
    FORWARDED_IN_A_STEP,
    HANDLED_AT_ONCE,
    HANDLED_IN_A_STEP,
    STEPS,
    LongCommand,
    LongCommands,
)
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import EncodedValue
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.queues.effects import Reason, RemovalCommand
from lastvalue.queues.entry import ACQUIRED, REMOVED, Entry
from lastvalue.queues.subscription import UNBOUNDED

MOST_STAYED: Final = 1000
"""This many messages that stayed are listed at most."""


@final
class Choice:
    """Which messages a request chooses.

    Attributes:
        admits: whether a message is one of them.
        most: at most this many, or UNBOUNDED.
    """

    __slots__ = ("admits", "most")

    def __init__(self, admits: Callable[[Entry], bool], most: i64 = UNBOUNDED) -> None:
        self.admits = admits
        self.most: i64 = most


@final
class MessageWalk(LongCommand):
    """Visits the messages that a queue has now, by sequence, without those that a consumer holds.

    Args:
        visit: handles a message at a time; false where it leaves it.
        connection: see LongCommand.
        on_end: called at the end.

    Attributes:
        sequences: those of the messages that were handled so far; after the first thousand encoded.
        stayed: those of chosen messages that were left, as far as MOST_STAYED.
    """

    __slots__ = (
        "_at", "_choice", "_chosen", "_entries", "_hosted", "_on_end", "_visit", "sequences", "stayed"
    )  # fmt: skip

    def __init__(
        self,
        hosted: HostedQueue,
        choice: Choice,
        visit: Callable[[Entry, i64], bool],
        connection: i64,
        on_end: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(connection, STEPS)
        self.sequences: list[object] = []
        self.stayed: list[int] = []
        self._hosted = hosted
        self._choice = choice
        self._visit = visit
        self._on_end = on_end
        self._entries: list[Entry] = hosted.queue.entries()
        self._at: i64 = 0
        self._chosen: i64 = 0

    def begin(self, commands: LongCommands, now: i64) -> "MessageWalk":
        """Begin the walk; its sequences are complete at its end."""
        commands.begin(self, now)
        return self

    def step(self, now: i64) -> bool:
        """See LongCommand."""
        more = self._visit_some(now)
        self._hosted.mark_changed()
        if not more and self._on_end is not None:
            self._on_end()
        return more

    def _visit_some(self, now: i64) -> bool:
        choice = self._choice
        entries = self._entries
        end: i64 = min(self._at + HANDLED_IN_A_STEP, len(entries))
        visits: i64 = 0
        while self._at < end and visits < FORWARDED_IN_A_STEP:
            if self._hosted.ownership.ending or self._chosen == choice.most:
                return False
            entry = entries[self._at]
            self._at += 1
            if entry.state in (ACQUIRED, REMOVED) or not choice.admits(entry):
                continue
            self._chosen += 1
            visits += 1
            if self._visit(entry, now):
                # One by one, as the answer may have very many.
                sequence: object = entry.sequence
                self.sequences.append(
                    EncodedValue(encode_value(sequence)) if self._at > HANDLED_AT_ONCE else sequence
                )
            elif len(self.stayed) < MOST_STAYED:
                self.stayed.append(entry.sequence)
        return self._at < len(entries)


def moving(hosted: HostedQueue, destination: HostedQueue, choice: Choice, owner: Owner) -> MessageWalk:
    """A walk that moves messages to another queue; those that it refuses stay."""
    command = RemovalCommand(owner.user, destination.queue.spec.name)

    def visit(entry: Entry, now: i64) -> bool:
        taken = give(destination, entry.message, now)
        return taken and hosted.queue.remove([entry], Reason.MOVED, command) > 0

    return MessageWalk(hosted, choice, visit, owner.connection)


def give(destination: HostedQueue, message: Message, now: i64) -> bool:
    """Enqueue a message that management chose; false if the queue refuses it or was deleted."""
    if destination.ownership.ending:
        return False
    destination.mark_changed()
    try:
        if destination.partition is not None:
            destination.partition.check_message(destination.queue, message)
        # The caller chose every message, so the destination's duplicate detection does not apply.
        return destination.queue.enqueue(message, now)
    except LastvalueError:
        # The destination cannot take such a message.
        return False
