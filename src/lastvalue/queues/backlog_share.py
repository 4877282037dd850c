"""What waits on the queues of one user together, and the part of one queue in it."""

from typing import Final, final

from mypy_extensions import i64

ENTRY_BYTES: Final = 288
"""Bytes of memory that a message on a queue takes besides its encoding, with what few messages have."""


@final
class UserBacklog:
    """What waits on the queues of one user that take part in it, together.

    Attributes:
        most_bytes: what they may take of the memory; beyond it those that take more than their equal part
            drop their oldest entries.
        queues: their number.
        used_bytes: what they take, and the messages that came since the owner looked.
    """

    __slots__ = ("most_bytes", "queues", "used_bytes")

    def __init__(self, most_bytes: i64) -> None:
        self.most_bytes = most_bytes
        self.queues: i64 = 0
        self.used_bytes: i64 = 0


@final
class BacklogShare:
    """The part of one queue in the backlog of its user."""

    __slots__ = ("_backlog", "_counted_bytes", "_latest_bytes")

    def __init__(self, backlog: UserBacklog) -> None:
        self._backlog = backlog
        self._counted_bytes: i64 = 0
        self._latest_bytes: i64 = 0
        backlog.queues += 1

    def add(self, size_bytes: i64) -> None:
        """Messages have come, or with a negative size left."""
        self._latest_bytes += size_bytes
        self._backlog.used_bytes += size_bytes

    def count(self, bytes_now: i64) -> None:
        """The queue takes this much, whatever `add` said."""
        self._backlog.used_bytes += bytes_now - self._counted_bytes - self._latest_bytes
        self._counted_bytes = bytes_now
        self._latest_bytes = 0

    def leave(self) -> None:
        """The queue is deleted."""
        self.count(0)
        self._backlog.queues -= 1

    def has_room(self, size_bytes: i64) -> bool:
        """Whether all queues take no more than they may with so much more."""
        return self._backlog.used_bytes + size_bytes <= self._backlog.most_bytes

    def is_half_filled_by(self, size_bytes: i64) -> bool:
        """Whether all take more than half of what they may, and this is more than half of an equal part."""
        backlog = self._backlog
        half = backlog.most_bytes // 2
        return backlog.used_bytes > half and size_bytes > half // backlog.queues

    def exceeded_by(self, size_bytes: i64) -> bool:
        """Whether all queues take more than they may, and one of this size more than its equal part."""
        backlog = self._backlog
        return backlog.used_bytes > backlog.most_bytes and size_bytes > backlog.most_bytes // backlog.queues
