"""What becomes of an entry whose delivery ended without being settled for good."""

from mypy_extensions import i64

from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import EXPIRED, REPLACED, Reason
from lastvalue.queues.entry import Entry


def release_reason(entry: Entry, failed: i64, now: i64, contents: Contents, attempts: i64) -> Reason | None:
    """Why a released entry leaves, or None where it is available again.

    Args:
        entry: somebody holds it.
        failed: deliveries that failed with this one: 0 or 1.
        now: the time.
        contents: of its queue.
        attempts: deliveries that may fail; 0 is any number.
    """
    # A clock may be set back: what `advance` has passed while the entry was held stays passed.
    if entry.expires_ms <= max(now, contents.advanced_ms):
        return EXPIRED
    if entry.superseded:
        return REPLACED
    if failed > 0 and 0 < attempts <= entry.delivery_count + failed:
        return Reason.DEAD_LETTERED
    return None
