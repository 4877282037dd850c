import pytest
from canned_message import CannedMessage

from lastvalue.model.message import NEVER
from lastvalue.queues.capacity import Capacity
from lastvalue.queues.contents import Contents
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, Limit, Standard, WhenFull
from lastvalue.queues.spec_arguments import spec_from_arguments


def entry_of(size_bytes: int) -> Entry:
    return Entry(99, CannedMessage(body=bytes(size_bytes)), 0, NEVER, 1)


def full_of(*sizes: int) -> tuple[Contents, Entry]:
    """Contents with entries of these sizes, and the last of them."""
    contents = Contents()
    entry = Entry(0, CannedMessage(), 0, NEVER, 1)
    for number, size_bytes in enumerate(sizes, 1):
        entry = Entry(number, CannedMessage(body=bytes(size_bytes)), 0, NEVER, 1)
        contents.add(entry, None)
    return contents, entry


@pytest.mark.parametrize(
    ("limit", "sizes", "size_bytes", "fits"),
    [
        (Limit(messages=2), [1], 99, True),
        (Limit(messages=2), [1, 1], 1, False),
        (Limit(size_bytes=10), [6], 4, True),
        (Limit(size_bytes=10), [6], 5, False),
        (Limit(messages=9, size_bytes=10), [6], 5, False),
        (Limit(2, 0, WhenFull.DROP_OLDEST), [1, 1], 1, True),
        (Limit(0, 10, WhenFull.DROP_OLDEST), [6], 10, True),
        (Limit(0, 10, WhenFull.DROP_OLDEST), [6], 11, False),
    ],
    ids=str,
)
def test_a_message_fits_beside_the_rest_or_on_a_ring_alone(
    limit: Limit, sizes: list[int], size_bytes: int, fits: bool
) -> None:
    contents, _ = full_of(*sizes)
    assert Capacity(limit, Standard()).fits(entry_of(size_bytes), None, contents) is fits


@pytest.mark.parametrize(
    ("limit", "size_bytes", "fits"),
    [
        (Limit(messages=2), 99, True),
        (Limit(size_bytes=12), 6, True),
        (Limit(size_bytes=12), 7, False),
        (Limit(size_bytes=5), 6, True),
        (Limit(messages=1), 99, True),
    ],
    ids=str,
)
def test_a_value_in_the_place_of_another_fits_unless_it_grows_beyond_the_bytes(
    limit: Limit, size_bytes: int, fits: bool
) -> None:
    contents, previous = full_of(6, 6)
    assert Capacity(limit, Standard()).fits(entry_of(size_bytes), previous, contents) is fits


@pytest.mark.parametrize(
    ("limit", "overflows"),
    [
        (Limit(messages=3, when_full=WhenFull.DROP_OLDEST), False),
        (Limit(messages=2, when_full=WhenFull.DROP_OLDEST), True),
        (Limit(size_bytes=18, when_full=WhenFull.DROP_OLDEST), False),
        (Limit(size_bytes=17, when_full=WhenFull.DROP_OLDEST), True),
        (Limit(messages=2), False),
    ],
    ids=str,
)
def test_only_a_ring_overflows(limit: Limit, overflows: bool) -> None:
    contents, _ = full_of(6, 6, 6)
    assert Capacity(limit, Standard()).overflows(contents) is overflows


def test_a_full_queue_expires_only_as_many_as_make_room() -> None:
    queue = Queue(spec_from_arguments("q", {"max_messages": 5000}))
    for _ in range(5000):
        queue.enqueue(CannedMessage(expires_ms=5), 0)
    assert queue.enqueue(CannedMessage(body=b"new"), 9)
    assert 4000 < queue.depth < 5000


@pytest.mark.parametrize(
    ("when_full", "key", "fits", "overflows"),
    [
        (WhenFull.REFUSE, b"new", False, False),
        (WhenFull.REFUSE, b"k0", True, False),
        (WhenFull.REFUSE, None, True, False),
        (WhenFull.SELF_DESTRUCT, b"new", False, False),
        (WhenFull.DROP_OLDEST, b"new", True, False),
    ],
    ids=str,
)
def test_only_a_further_key_exceeds_the_limit_of_keys(
    when_full: WhenFull, key: bytes | None, fits: bool, overflows: bool
) -> None:
    contents, _ = full_of(1, 1)
    for number in range(2):
        held = entry_of(1)
        held.key = b"k%d" % number
        contents.current.put(held)
    capacity = Capacity(Limit(when_full=when_full, keys=2), LastValue("k"))
    entry = entry_of(1)
    if key is not None:
        entry.key = key
    assert (capacity.fits(entry, None, contents), capacity.overflows(contents)) == (fits, overflows)
    entry.key = b"k2"
    contents.current.put(entry)
    assert capacity.overflows(contents) is (when_full is WhenFull.DROP_OLDEST)
