"""The settings of a journal, which are read without the journal."""

from dataclasses import dataclass, field

from lastvalue.store.writer import Sync


@dataclass(frozen=True)
class StoreOptions:
    """How a journal keeps its store; `sync`, `interval_ms` and `reserve_bytes` are those of files.

    Attributes:
        sync: when written batches are synced to the disk.
        interval_ms: with Sync.INTERVAL the longest time until a sync.
        segment_bytes: the size at which a segment ends.
        sparse: the oldest segment is copied forward when less than this fraction of the store is live.
        reserve_bytes: the room kept for removals and compaction on a full disk.
        checks: before each flush the journal's own counts are checked.
    """

    sync: Sync = Sync.ALWAYS
    interval_ms: int = 1000
    segment_bytes: int = 64 << 20
    sparse: float = 0.5
    reserve_bytes: int = 0
    checks: bool = field(default=False, compare=False)
