"""Why a released entry leaves the queue instead of becoming available."""

from mypy_extensions import i64

from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import OVERFLOW, REPLACED, Reason
from lastvalue.queues.entry import Entry
from lastvalue.queues.passing_entries import SHORTEST_MS
from lastvalue.queues.spec import QueueSpec


def release_reason(entry: Entry, failed: i64, now: i64, contents: Contents, spec: QueueSpec) -> Reason | None:
    """The reason for which a released entry leaves, or None if it becomes available again.

    Args:
        entry: an acquired entry.
        failed: 1 if this delivery failed, else 0.
        now: the time, in milliseconds since the epoch.
        contents: the contents of its queue.
        spec: the declaration of its queue.
    """
    # The clock may be set back: a deadline that `advance` passed while the entry was held stays passed.
    if entry.lifetime_ms == SHORTEST_MS or entry.expires_ms <= max(now, contents.advanced_ms):
        return contents.due_reason(entry)
    if spec.limit.nothing:
        return OVERFLOW
    if entry.superseded and not entry.is_kept:
        return REPLACED
    attempts = spec.readers.attempts
    if failed > 0 and 0 < attempts <= entry.delivery_count + failed:
        return Reason.DEAD_LETTERED
    return None
