"""One consumer of one queue, whatever its protocol: what it is sent, and what it waits for."""

from enum import Enum
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.queue_warnings import PASSED_OVER
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.statistics.connections import UNLIMITED as ANY_NUMBER
from lastvalue.broker.statistics.connections import LinkStatistics, Traffic
from lastvalue.delivery.output import OUTPUT_ROOM, Output
from lastvalue.delivery.window import UNLIMITED, Window, prefetch_window
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import EntryRun
from lastvalue.queues.subscription import Mode, Outcome


class BlockedBy(Enum):
    """What a consumer waits for before it is sent another message."""

    CREDIT = "credit"
    """The peer has granted no more messages or bytes."""
    WINDOW = "window"
    """The peer has to settle or complete messages, or to open its session's window."""
    OUTPUT = "transport"
    """The peer has to read what is written to it."""
    FLOW = "flow"
    """The peer has stopped deliveries, or has to resume those of an earlier link first."""
    EMPTY = "empty"
    """There is nothing on the queue that it has not had."""
    PAUSED = "paused"
    """The queue is paused."""
    TURN = "turn"
    """Other consumers of the queue are served before it."""
    SELECTOR = "selector"
    """Its selector, or another of its filters, matches nothing that is available."""
    GROUP = "group"
    """What is available belongs to groups of other consumers."""


_EMPTY: Final = BlockedBy.EMPTY
_OUTPUT: Final = BlockedBy.OUTPUT
_ACCEPTED: Final = Outcome.ACCEPTED

FAULT: Final = "a fault of the broker has ended it; the broker's log says more"
"""The text for a peer in such a case, which is not to blame."""

UNBOUNDED: Final = prefetch_window(0, 0)
"""The window of consumers whose protocol engine counts for them."""


class Consumer(Receiver):
    """Where the messages of one queue are sent.

    A protocol's consumer says in `wants` whether its peer takes a message, or by `wait_for` what has to
    happen first; and it encodes the message in `deliver`. One that says in `takes_more` how many more it
    takes encodes them in `send_run`. The rest is here.

    Attributes:
        output: of its connection.
        reader: what it reads; None before that, and once it is over.
        window: what it may be sent.
        acquires: what it is sent is held for it; otherwise it is only shown.
        settles: what it is sent is settled at once: what it acquires has left the queue.
        exclusive: nobody else may consume from the queue.
        first_key: the name of a property that is set on the first message of a group; "" is none.
        traffic: the messages that it was sent.
        blocked_since_ms: since when it waits for what `blocked_by` says.
        slow_since_ms: the wait that it was reported as slow for, or -1.
    """

    __slots__ = (
        "_blocked_by",
        "acquires",
        "blocked_since_ms",
        "exclusive",
        "first_key",
        "output",
        "reader",
        "settles",
        "slow_since_ms",
        "traffic",
        "window",
    )

    def __init__(self, output: Output, window: Window) -> None:
        self.output = output
        self.window = window
        self.reader: QueueReader | None = None
        self.acquires = True
        self.settles = False
        self.exclusive = False
        self.first_key = ""
        self.traffic = Traffic(output.traffic)
        self.blocked_since_ms: i64 = 0
        self.slow_since_ms: i64 = -1
        self._blocked_by: BlockedBy | None = None

    @final
    def read(self, reader: QueueReader) -> None:
        """Read a queue from now on."""
        self.reader = reader
        self.acquires = reader.subscription.mode is Mode.CONSUME
        grouping = reader.hosted.queue.spec.grouping
        self.first_key = "" if grouping is None else grouping.first_key or ""
        if self.exclusive:
            reader.hosted.exclusive_reader = reader

    @final
    def wake(self) -> None:
        """What it waited for may be there."""
        reader = self.reader
        if reader is not None:
            reader.wake()

    # ------------------------------------------------------------------ what it waits for

    @property
    def blocked_by(self) -> BlockedBy | None:
        """What it waits for; None while it is served."""
        reader = self.reader
        if reader is None or self._blocked_by is not _EMPTY:
            return self._blocked_by
        return _emptied_by(reader)

    @final
    def wait_for(self, cause: BlockedBy, now: i64) -> bool:
        """It is sent nothing until there is something else; false, for `wants` to return."""
        if self._blocked_by is not cause:
            self._blocked_by = cause
            self.blocked_since_ms = now
        return False

    @final
    def has_room(self, now: i64) -> bool:
        """Whether its connection takes a message; otherwise it is woken when it does."""
        output = self.output
        if output.has_room():
            return True
        reader = self.reader
        if reader is not None:
            output.block(reader)
        return self.wait_for(_OUTPUT, now)

    def on_empty(self, now: i64) -> None:
        """See Receiver."""
        self.wait_for(_EMPTY, now)

    def deliver_watched(self, entry: Entry, now: i64) -> None:
        """See Receiver."""
        self.output.provisional = True
        self.deliver(entry, now)

    def queue_deleted(self) -> None:
        """See Receiver."""
        self.reader = None

    def failed(self) -> None:
        """See Receiver: the connection ends what belongs to it in its `seal`."""
        self.reader = None
        self.output.failed.append(self)
        self.output.schedule_write()

    @property
    def credit(self) -> i64:
        """How many more messages it may be sent; `connections.UNLIMITED` is any number."""
        left = self.window.messages.left()
        return ANY_NUMBER if left == UNLIMITED else max(0, left)

    @final
    def statistics(self, name: str) -> LinkStatistics | None:
        """What there is of it now; None once it is over."""
        reader = self.reader
        if reader is None:
            return None
        statistics = LinkStatistics(name, "consumer", reader.hosted.queue.spec.name, self.traffic)
        statistics.reader = reader
        statistics.browses = not self.acquires
        statistics.settles = self.settles
        statistics.exclusive = self.exclusive
        statistics.unsettled = len(reader.subscription.held.entries())
        statistics.credit = self.credit
        cause = self.blocked_by
        if cause is not None:
            statistics.waits_for = cause.value
            statistics.waits_since_ms = self.blocked_since_ms
        return statistics

    # ------------------------------------------------------------------ deliveries

    @final
    def room_bytes(self) -> i64:
        """See Receiver."""
        output = self.output
        return OUTPUT_ROOM - output.buffer.size if output.writable else 0

    @final
    def deliver_more(self, run: EntryRun, now: i64) -> None:
        """See Receiver: what is the same for all of them is done once."""
        sent = self.send_run(run, now)
        if not sent:
            return
        self._blocked_by = None
        self.traffic.deliver_more(len(sent), now)
        self.output.schedule_write()
        reader = self.reader
        if reader is not None and self.settles and self.acquires:
            queue = reader.hosted.queue
            for entry in sent:
                queue.settle(entry, _ACCEPTED, now)
            reader.hosted.mark_changed()

    def send_run(self, run: EntryRun, now: i64) -> list[Entry]:
        """Write the messages of a run as they came, in their order, and keep those that the peer settles.

        Returns the entries whose messages it wrote so. Any other it gives to `deliver`, which does the rest.
        """
        raise NotImplementedError

    @final
    def sent(self, entry: Entry, now: i64) -> None:
        """A message is written."""
        self._blocked_by = None
        self.traffic.deliver(entry.delivery_count > 0, now)
        self.output.schedule_write()

    @final
    def pass_over(self, entry: Entry, cause: str, now: i64) -> None:
        """Leave a message that its protocol or its peer cannot take to other readers."""
        reader = self.reader
        if reader is None:
            return
        note_passed_over(reader.hosted, cause)
        if self.acquires:
            reader.exclude(entry)
            self.settle(entry, Outcome.RELEASED, now)

    @final
    def opens_group(self) -> bool:
        """Whether the message that it gets now is the first of its group, and says so."""
        reader = self.reader
        return self.first_key != "" and reader is not None and reader.subscription.opened_group

    @final
    def settle(self, entry: Entry, outcome: Outcome, now: i64) -> None:
        """End a delivery; it means nothing where the entry was only shown, or its queue is gone."""
        reader = self.reader
        if reader is not None:
            reader.settle(entry, outcome, now)


def note_passed_over(hosted: HostedQueue, cause: str) -> None:
    """Count a message that somebody was not given, and have the first one of the queue logged."""
    hosted.counts.passed_over += 1
    hosted.warnings.note(hosted.queue.spec.name, PASSED_OVER, cause)


def _emptied_by(reader: QueueReader) -> BlockedBy:
    """Why a queue has nothing for a reader."""
    queue = reader.hosted.queue
    subscription = reader.subscription
    if queue.spec.paused:
        return BlockedBy.PAUSED
    if queue.available == 0 or subscription.mode is not Mode.CONSUME:
        return BlockedBy.EMPTY
    if not subscription.live:
        return BlockedBy.TURN
    if subscription.terms.selective:
        return BlockedBy.SELECTOR
    return BlockedBy.GROUP if queue.spec.grouping is not None else BlockedBy.EMPTY
