"""What a reader's messages go to."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.turn_time import TurnTime
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import EntryRun
from lastvalue.queues.fast_path import FastPath
from lastvalue.queues.subscription import Subscription

MOST_MORE: Final = 63
"""How many messages are delivered after one before it is asked whether the turn has time for more."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Receiver:
    """Gets the messages of a reader: a consumer of some protocol."""

    __slots__ = ()

    def wants(self, now: i64) -> bool:
        """Whether a message would be written now: credit, window, and room in the connection's output.

        The queue chooses the message afterwards, so it is the newest when its bytes are written.
        """
        raise NotImplementedError

    def deliver(self, entry: Entry, now: i64) -> None:
        """Write the entry; called only after `wants` returned true."""
        raise NotImplementedError

    def takes_more(self) -> i64:
        """How many small messages it would take now, whose bytes are as they came; 0 is that it asks each."""
        return 0

    def room_bytes(self) -> i64:
        """The room in the connection's output, in bytes."""
        return 0

    def deliver_more(self, run: EntryRun, now: i64) -> None:
        """Write entries, no more than `takes_more` said; they ask for nothing: see `FastPath.next`."""
        for entry in run.entries:
            self.deliver(entry, now)

    def deliver_watched(self, entry: Entry, now: i64) -> None:
        """Write what a watching reader is sent, from which it may continue at another broker."""
        self.deliver(entry, now)

    def on_empty(self, now: i64) -> None:
        """The queue has no message for the reader now."""
        raise NotImplementedError

    def queue_deleted(self) -> None:
        """The queue was deleted, and the reader with it."""
        raise NotImplementedError

    def revoked(self) -> None:
        """The reader's owner may no longer read the queue; the reader has ended."""
        self.queue_deleted()

    def closed(self) -> None:
        """Management has ended the reader."""
        self.queue_deleted()

    def failed(self) -> None:
        """A fault of the broker has ended the reader."""
        self.closed()


def deliver_more(
    receiver: Receiver, subscription: Subscription, fast_path: FastPath | None, time: TurnTime, now: i64
) -> bool:
    """Deliver messages after one that was delivered, which need not be chosen one by one.

    Returns whether there is time for more.
    """
    if fast_path is None or not fast_path.has_more(subscription):
        return True
    most: i64 = min(receiver.takes_more(), MOST_MORE)
    if most <= 0:
        return True
    run = fast_path.next(subscription, most, receiver.room_bytes())
    if run is None:
        return True
    receiver.deliver_more(run, now)
    return time.spend(len(run.entries))


@final
class NullReceiver(Receiver):
    """For a reader that holds messages or asks for single ones: the pump delivers nothing to it."""

    __slots__ = ()

    def wants(self, now: i64) -> bool:
        """See Receiver."""
        del now
        return False

    def deliver(self, entry: Entry, now: i64) -> None:
        """See Receiver."""

    def on_empty(self, now: i64) -> None:
        """See Receiver."""

    def queue_deleted(self) -> None:
        """See Receiver."""
