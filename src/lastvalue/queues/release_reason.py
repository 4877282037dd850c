"""Why a released entry leaves the queue instead of becoming available."""

from mypy_extensions import i64

from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import REPLACED, Reason
from lastvalue.queues.entry import Entry


def release_reason(entry: Entry, failed: i64, now: i64, contents: Contents, attempts: i64) -> Reason | None:
    """The reason for which a released entry leaves, or None if it becomes available again.

    Args:
        entry: an acquired entry.
        failed: 1 if this delivery failed, else 0.
        now: the time, in milliseconds since the epoch.
        contents: the contents of its queue.
        attempts: the number of deliveries that may fail; 0 is no limit.
    """
    # The clock may be set back: a deadline that `advance` passed while the entry was held stays passed.
    if entry.expires_ms <= max(now, contents.advanced_ms):
        return contents.due_reason(entry)
    if entry.superseded and not entry.is_kept:
        return REPLACED
    if failed > 0 and 0 < attempts <= entry.delivery_count + failed:
        return Reason.DEAD_LETTERED
    return None
