"""Entries that follow one another, for every reader that stands before the first of them."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.queues.entry import FOREVER, Entry

LARGE_BYTES: Final = 4096
"""A message of at least this many bytes is delivered alone."""


@final
class EntryRun:
    """Entries whose messages are given as they came.

    Attributes:
        entries: at least one.
        size_bytes: of their messages.
        readers: how many readers were given it.
        encoding: what those share that were given it; it belongs to them.
    """

    __slots__ = ("encoding", "entries", "readers", "size_bytes")

    def __init__(self, entries: list[Entry], size_bytes: i64) -> None:
        self.entries = entries
        self.size_bytes: i64 = size_bytes
        self.readers: i64 = 1
        self.encoding: object = None


def is_plain(entry: Entry) -> bool:
    """Whether a reader gets an entry's message as it came, in one piece."""
    extras = entry.example.extras
    return (
        entry.lifetime_ms == FOREVER
        and entry.few_deliveries == 0
        and (extras is None or not extras.expires)
        and len(entry.encoded) < LARGE_BYTES
    )
