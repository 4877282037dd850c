import pytest
from canned_message import CannedMessage

from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import AT_ONCE, MOST_UPDATES, NEVER, KeyPlace, PropertyName
from lastvalue.queues.entry import (
    AVAILABLE,
    FIRST,
    FOREVER,
    LAST,
    Entry,
    Group,
    comes_after,
    precedes,
    with_message,
)


def entry(rank: bytes, place: int) -> Entry:
    made = Entry(place, CannedMessage(), 0, NEVER, 1)
    made.rank = rank
    return made


def test_a_new_entry_is_available_in_the_place_of_its_sequence() -> None:
    new = Entry(7, CannedMessage(), 1_000, NEVER, 3)
    assert (new.state, new.rank, new.place, new.updates) == (AVAILABLE, FIRST, 7, 3)
    assert (new.not_before_ms, new.holder, new.delivery_count) == (AT_ONCE, 0, 0)


def test_an_entry_is_available_since_it_came_or_since_its_delivery_time() -> None:
    new = Entry(7, CannedMessage(), 1_000, NEVER, 1)
    assert new.available_ms == 1_000
    new.not_before_ms = 1_500
    assert new.available_ms == 1_500


@pytest.mark.parametrize(
    "expires_ms", [NEVER, 1_000, 1_001, 1_000 + 2**31 - 1, 1_000 + 2**31, 999, 1, NEVER - 1, NEVER + 1]
)
def test_an_entry_expires_at_any_time(expires_ms: int) -> None:
    new = Entry(7, CannedMessage(), 1_000, expires_ms, 1)
    assert (new.expires_ms, new.lifetime_ms == FOREVER) == (expires_ms, expires_ms == NEVER)
    new.expires_ms = 2_000
    assert (new.expires_ms, new.lifetime_ms) == (2_000, 1_000)
    new.expires_ms = expires_ms
    assert (new.expires_ms, new.lifetime_ms == FOREVER) == (expires_ms, expires_ms == NEVER)
    new.expires_ms = NEVER
    assert (new.expires_ms, new.lifetime_ms) == (NEVER, FOREVER)


@pytest.mark.parametrize("number", [0, 1, 254, 255, 256, 2**31 - 1, 2**31, 2**40])
def test_an_entry_counts_any_number_of_updates_and_deliveries(number: int) -> None:
    new = Entry(7, CannedMessage(), 1_000, NEVER, number)
    assert (new.updates, new.delivery_count) == (number, 0)
    new.updates, new.delivery_count = 3, number
    assert (new.updates, new.delivery_count) == (3, number)
    new.updates += number
    new.delivery_count += 1
    assert (new.updates, new.delivery_count) == (3 + number, number + 1)
    new.updates, new.delivery_count = 1, 0
    assert (new.updates, new.delivery_count) == (1, 0)


@pytest.mark.parametrize(
    ("own", "others"),
    [(1, 1), (3, 0), (2**31 - 2, 1), (2**31 - 1, 1), (2**31, 5), (1, 2**32 - 2), (9, 2**32 - 2), (1, 2**40)],
)
def test_an_entry_takes_over_the_updates_of_the_one_that_it_replaces(own: int, others: int) -> None:
    new, old = (Entry(7, CannedMessage(), 1_000, NEVER, updates) for updates in (own, others))
    new.add_updates(old)
    assert (new.updates, old.updates) == (min(own + others, MOST_UPDATES), others)
    new.updates = 1
    assert new.updates == 1


def test_what_few_entries_have_takes_no_memory_in_others() -> None:
    plain = Entry(7, CannedMessage(), 1_000, 2_000, 3)
    plain.order, plain.rank, plain.group, plain.replaced_traces, plain.not_before_ms = (
        None,
        FIRST,
        None,
        "",
        -1,
    )
    plain.delivery_count, plain.holder = 9, 4
    assert plain.details is None
    other = Entry(8, CannedMessage(), 1_000, NEVER, 1)
    other.order, other.rank, other.group = 0, b"r", Group("g")
    other.replaced_traces, other.not_before_ms = "t", 5
    assert (other.order, other.rank, other.group.name) == (0, b"r", "g")
    assert (other.replaced_traces, other.not_before_ms, other.expires_ms) == ("t", 5, NEVER)
    other.order = other.group = None
    assert (other.order, other.group, other.updates, other.delivery_count) == (None, None, 1, 0)


def test_an_entry_in_the_place_of_another_keeps_it() -> None:
    new = Entry(7, CannedMessage(), 1_000, NEVER, 1)
    new.place = 7
    assert new.details is None
    new.place = 3
    new.rank = b"r"
    assert (new.place, new.sequence, new.rank) == (3, 7, b"r")


def test_an_entry_has_a_message_of_its_own_or_one_like_an_example() -> None:
    own = read_message(encode_content(MessageContent(application_properties={"k": "a"}, durable=True)))
    entry = Entry(7, own, 1_000, NEVER, 1)
    assert entry.message is own
    entry.encoded = encode_content(MessageContent(application_properties={"k": "b"}, durable=True))
    assert (entry.message.encoded, entry.message.durable) == (entry.encoded, True)
    assert entry.message.key(PropertyName("k")) == b"\xa1\x01b"
    entry.message = own
    assert (entry.message, entry.encoded) == (own, own.encoded)


def test_the_next_value_of_a_key_is_a_new_entry_in_the_same_object() -> None:
    entry = Entry(7, CannedMessage(), 1_000, NEVER, 4)
    entry.key, entry.delivery_count, entry.holder, entry.browsed = b"k", 3, 9, True
    example = CannedMessage()
    entry.renew(8, example, b"a key", KeyPlace(4, 5), 1_500)
    assert (entry.sequence, entry.place, entry.arrival_ms, entry.updates) == (8, 8, 1_500, 5)
    assert (entry.encoded, entry.key) == (b"a key", b"y")
    assert (entry.delivery_count, entry.holder, entry.browsed, entry.example) == (0, 0, False, example)


def test_a_copy_with_another_message_is_as_its_readers_see_the_entry() -> None:
    one = Entry(7, CannedMessage(body=b"one"), 1_000, 2_000, 3)
    one.key, one.replaced_traces, one.delivery_count = b"k", "trace", 2
    other = with_message(one, CannedMessage(body=b"other"))
    assert (other.sequence, other.arrival_ms, other.expires_ms, other.updates) == (7, 1_000, 2_000, 3)
    assert (other.key, other.replaced_traces, other.delivery_count) == (b"k", "trace", 2)
    assert (one.message.encoded, other.message.encoded) == (b"one", b"other")


@pytest.mark.parametrize(
    ("one", "other", "before"),
    [
        ((FIRST, 1), (FIRST, 2), True),
        ((FIRST, 2), (FIRST, 1), False),
        ((FIRST, 1), (FIRST, 1), False),
        ((b"\x00\x01", 9), (b"\x00\x02", 1), True),
        ((b"\x00\x02", 1), (b"\x00\x01", 9), False),
        ((FIRST, 9), (b"\x00", 1), True),
        ((b"\x01\x00\x41", 9), (LAST, 0), True),
    ],
)
def test_entries_stand_by_rank_and_within_a_rank_by_place(
    one: tuple[bytes, int], other: tuple[bytes, int], before: bool
) -> None:
    assert precedes(entry(*one), entry(*other)) is before
    assert comes_after(entry(*other), *one) is before
