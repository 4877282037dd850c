"""One connection's output: how much may wait in it, and which consumers wait for room."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.receiver import Receiver
from lastvalue.broker.statistics.connections import Traffic
from lastvalue.codec.output_buffer import OutputBuffer

OUTPUT_ROOM: Final = 256 * 1024
"""Bytes that one connection may have waiting; beyond it no message is chosen."""

ANSWERS_ROOM: Final = 1 << 20
"""Bytes of answers that may wait behind a large body; beyond it no input of the peer is processed."""


@final
class Output:
    """Whether a connection takes another message now, and whom to wake when it does again.

    Attributes:
        buffer: what waits to be written.
        provisional: what waits includes what a reader continues from, wherever it goes next.
        stored_first: what waits leaves once the journal has what it is of: the peer keeps its identifiers.
        writable: the transport takes bytes; false while the kernel's buffer is full.
        write_scheduled: the connection is written at the end of this turn; false again from its `seal` on.
        traffic: the messages of its links.
        failed: consumers that a fault of the broker has ended and whose peers have not heard of it yet.
        transactions: that are open on the connection, and whose messages the peer may have buffered.
    """

    __slots__ = (
        "_blocked",
        "_on_schedule",
        "buffer",
        "failed",
        "provisional",
        "stored_first",
        "traffic",
        "transactions",
        "writable",
        "write_scheduled",
    )

    def __init__(self, buffer: OutputBuffer, on_schedule: Callable[[], None]) -> None:
        self.buffer = buffer
        self.provisional = False
        self.stored_first = False
        self.writable = True
        self.write_scheduled = False
        self.traffic = Traffic()
        self.transactions: i64 = 0
        self.failed: list[Receiver] = []
        self._on_schedule = on_schedule
        # A dictionary, because a consumer that asks again before there is room waits once.
        self._blocked: dict[QueueReader, None] | None = None

    def set_writable(self, writable: bool) -> None:
        """Say whether the transport takes bytes."""
        self.writable = writable
        self.buffer.blocked = not writable

    def has_room(self) -> bool:
        """Whether a message may be written now."""
        return self.writable and self.buffer.size < OUTPUT_ROOM

    @property
    def holds_answers(self) -> bool:
        """Whether so much of what the peer asked for waits that it is not to ask for more."""
        return self.buffer.has_large_body and self.buffer.behind_body > ANSWERS_ROOM

    def schedule_write(self) -> None:
        """Have the connection written at the end of the turn."""
        if not self.write_scheduled:
            self.write_scheduled = True
            self._on_schedule()

    def take_failed(self) -> list[Receiver]:
        """Take out the consumers that a fault has ended."""
        failed = self.failed
        if failed:
            self.failed = []
        return failed

    def block(self, reader: QueueReader) -> None:
        """Wake a consumer when there is room."""
        if self._blocked is None:
            self._blocked = {}
        self._blocked[reader] = None

    def resume(self) -> None:
        """The output was written: consumers that waited for room are served again, in their order."""
        if self.writable and self.buffer.has_large_body:
            self.schedule_write()
        elif self.writable and self._blocked is not None:
            blocked = self._blocked
            self._blocked = None
            for reader in blocked:
                reader.wake()
