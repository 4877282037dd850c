"""Counts of one queue that nothing but statistics needs."""

from typing import final

from mypy_extensions import i64

from lastvalue.model.message import Message, size_of
from lastvalue.queues.order_values import LEAST_ORDER_VALUE, is_older


@final
class Counts:
    """What came to a queue and what left it, in bytes and durable; and what consumers got and gave back.

    Attributes:
        published_bytes, removed_bytes: sizes (`size_of`) of the messages taken, and of those that left.
        durable_published, durable_removed: how many of them are durable; their sizes with `_bytes`.
        incomparable: how many messages came whose order value did not compare with that of their key's value.
        keyless: how many came without a key.
        keys_created: how often a key got a value that had none.
        acquired, released: how often a consumer got a message, and gave one back.
    """

    __slots__ = (
        "acquired",
        "durable_published",
        "durable_published_bytes",
        "durable_removed",
        "durable_removed_bytes",
        "incomparable",
        "keyless",
        "keys_created",
        "published_bytes",
        "released",
        "removed_bytes",
    )

    def __init__(self) -> None:
        self.published_bytes: i64 = 0
        self.removed_bytes: i64 = 0
        self.durable_published: i64 = 0
        self.durable_published_bytes: i64 = 0
        self.durable_removed: i64 = 0
        self.durable_removed_bytes: i64 = 0
        self.incomparable: i64 = 0
        self.keyless: i64 = 0
        self.keys_created: i64 = 0
        self.acquired: i64 = 0
        self.released: i64 = 0

    def is_older(self, value: float | str | None, than: float | str | None) -> bool:
        """Whether the order value that came is older than another; counts those that do not compare."""
        if (
            value is None
            or than is None
            or isinstance(value, str) != isinstance(than, str)
            or value == LEAST_ORDER_VALUE
        ):
            self.incomparable += 1
        return is_older(value, than)

    def add(self, count: i64, size_bytes: i64, durable: bool) -> None:
        """A number of messages were taken, with this size together."""
        self.published_bytes += size_bytes
        if durable:
            self.durable_published += count
            self.durable_published_bytes += size_bytes

    def remove(self, count: i64, size_bytes: i64, durable: bool) -> None:
        """A number of messages left, with this size together."""
        self.removed_bytes += size_bytes
        if durable:
            self.durable_removed += count
            self.durable_removed_bytes += size_bytes

    def amend(self, before: Message, after: Message) -> None:
        """A message that is present is another: what leaves is as large as what was taken."""
        self.published_bytes += size_of(after) - size_of(before)
        if before.durable:
            self.durable_published -= 1
            self.durable_published_bytes -= size_of(before)
        if after.durable:
            self.durable_published += 1
            self.durable_published_bytes += size_of(after)
