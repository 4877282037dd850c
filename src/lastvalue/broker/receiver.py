"""What a reader's messages go to."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.queues.entry import Entry


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

    def deliver_watched(self, entry: Entry, now: i64) -> None:
        """Write what a watching reader is sent, from which it may go on at another broker."""
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
