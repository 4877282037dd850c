"""Which entries are given in runs."""

import pytest
from canned_message import CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.queues.entry_run import LARGE_BYTES, EntryRun, is_plain


@pytest.mark.parametrize(
    ("message", "expires_ms", "plain"),
    [
        (CannedMessage(body=bytes(LARGE_BYTES - 1)), NEVER, True),
        (CannedMessage(body=bytes(LARGE_BYTES)), NEVER, False),
        (CannedMessage(), 50, False),
        (CannedMessage(ttl_ms=5), NEVER, False),
    ],
)
def test_an_entry_is_plain_whose_message_is_given_as_it_came(
    message: CannedMessage, expires_ms: int, plain: bool
) -> None:
    assert is_plain(Entry(1, message, 10, expires_ms, 1)) is plain


def test_one_whose_delivery_failed_is_not() -> None:
    entry = Entry(1, CannedMessage(), 10, NEVER, 1)
    entry.delivery_count = 1
    assert not is_plain(entry)


def test_a_run_is_its_first_readers() -> None:
    run = EntryRun([Entry(1, CannedMessage(), 10, NEVER, 1)], 0)
    assert (run.readers, run.encoding) == (1, None)
