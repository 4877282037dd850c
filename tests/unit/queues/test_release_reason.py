import pytest
from canned_message import CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import EXPIRED, OVERFLOW, REPLACED, Reason
from lastvalue.queues.entry import Entry
from lastvalue.queues.release_reason import release_reason
from lastvalue.queues.spec import Limit, QueueSpec, Readers


@pytest.mark.parametrize(
    ("expires_ms", "superseded", "advanced_ms", "reason"),
    [
        (NEVER, False, 0, None),
        (101, False, 0, None),
        (100, False, 0, EXPIRED),
        (101, False, 101, EXPIRED),
        (NEVER, True, 0, REPLACED),
        (100, True, 0, EXPIRED),
    ],
)
def test_what_is_due_or_superseded_leaves_when_it_is_released(
    expires_ms: int, superseded: bool, advanced_ms: int, reason: Reason | None
) -> None:
    entry = Entry(1, CannedMessage(), 0, expires_ms, 1)
    entry.superseded = superseded
    entry.key = b"k"
    contents = Contents()
    contents.advanced_ms = advanced_ms
    assert release_reason(entry, 0, 100, contents, QueueSpec("q")) is reason


def test_what_was_for_who_takes_it_at_once_leaves_when_it_is_released() -> None:
    passing = Entry(1, CannedMessage(), 100, 101, 1)
    assert release_reason(passing, 0, 100, Contents(), QueueSpec("q")) is EXPIRED
    entry = Entry(1, CannedMessage(), 100, NEVER, 1)
    assert release_reason(entry, 0, 100, Contents(), QueueSpec("q", limit=Limit(nothing=True))) is OVERFLOW


@pytest.mark.parametrize(
    ("before", "failed", "attempts", "reason"),
    [
        (0, 1, 2, None),
        (1, 1, 2, Reason.DEAD_LETTERED),
        (5, 1, 2, Reason.DEAD_LETTERED),
        (5, 0, 2, None),
        (99, 1, 0, None),
    ],
)
def test_a_delivery_that_fails_once_too_often_is_a_dead_letter(
    before: int, failed: int, attempts: int, reason: Reason | None
) -> None:
    entry = Entry(1, CannedMessage(), 0, NEVER, 1)
    entry.delivery_count = before
    spec = QueueSpec("q", readers=Readers(attempts=attempts))
    assert release_reason(entry, failed, 100, Contents(), spec) is reason
