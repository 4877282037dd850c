import gc

import pytest
from canned_message import CannedMessage
from hypothesis import given, settings
from hypothesis import strategies as st
from keyed_entries import keyed_entries
from mypy_extensions import i32

from lastvalue.model.message import NEVER, KeyPlace
from lastvalue.queues.entry import Entry
from lastvalue.queues.key_table import MOST_SLOTS, KeyPart, KeyTable


def entry_of(key: bytes, before: bytes = b"") -> Entry:
    """An entry whose key is a part of its encoding, behind other bytes, or its own."""
    entry = Entry(1, CannedMessage(), 0, NEVER, 1)
    entry.encoded = before + key + b"more"
    entry.set_key(KeyPlace(len(before), len(before) + len(key)) if before else key)
    return entry


KEYS = st.one_of(
    st.binary(max_size=12),
    st.integers(0, 40).map(lambda number: b"\xa1\x04k%03d" % number),
    st.integers(0, 3).map(lambda number: bytes([number]) * 300),
)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ppprg"), KEYS, st.booleans()), max_size=120))
def test_a_table_is_a_dictionary_of_entries_by_their_keys(steps: list[tuple[str, bytes, bool]]) -> None:
    table = KeyTable()
    expected: dict[bytes, Entry] = {}
    for what, key, inside in steps:
        if what == "p":
            expected[key] = entry_of(key, b"before" if inside else b"")
            table.put(expected[key])
        elif what == "r" and key in expected:
            table.remove(key)
            del expected[key]
        assert (table.get(key), key in table) == (expected.get(key), key in expected)
        assert table.get_in(b"12" + key + b"34", 2, 2 + len(key)) is expected.get(key)
    assert keyed_entries(table) == expected


@pytest.mark.parametrize("count", [1, 7, 8, 1_000, 6_000])
def test_many_keys_are_found_and_leave_again(count: int) -> None:
    table = KeyTable()
    entries = [entry_of(b"\xa1\x08k%07d" % number, b"x") for number in range(count)]
    for entry in entries:
        table.put(entry)
    assert set(keyed_entries(table).values()) == set(entries)
    for entry in entries[::2]:
        table.remove(entry.key or b"")
    assert set(table.entries()) == set(entries[1::2])
    assert all((entry.key in table) is bool(number % 2) for number, entry in enumerate(entries) if entry.key)
    for entry in entries[1::2]:
        table.remove(entry.key or b"")
    assert (len(table), table.entries()) == (0, [])


def test_no_key_makes_more_than_one_part_grow() -> None:
    table = KeyTable()
    for number in range(6_000):
        table.put(entry_of(b"%d" % number))
    sizes = [len(each.marks) for each in gc.get_objects() if isinstance(each, KeyPart)]
    assert MOST_SLOTS // 2 < max(sizes) <= MOST_SLOTS * 5 // 4


def test_a_part_for_several_endings_of_marks_grows_and_is_divided() -> None:
    table = KeyTable()
    keys = [b"\xa1\x08k%07d" % number for number in range(16_000)]
    crowded = [key for key in keys if table._mark(key, 0, len(key)) & 7 == 0]
    chosen = set(crowded)
    others = [key for key in keys[:6_000] if key not in chosen]
    for key in crowded + others:
        table.put(entry_of(key, b"x"))
    assert set(keyed_entries(table)) == set(crowded + others)
    for key in crowded:
        table.remove(key)
    assert set(keyed_entries(table)) == set(others)


def test_keys_with_the_same_mark_are_told_apart() -> None:
    part = KeyPart(0, 8)
    entries = [entry_of(b"a"), entry_of(b"b"), entry_of(b"c")]
    for entry in entries:
        part.place(i32(5), entry)
    data = b"abcd"
    assert [part.entries[part.slot(i32(5), data, at, at + 1)] for at in range(3)] == entries
    assert part.slot(i32(5), data, 3, 4) < 0
    part.clear(part.slot(i32(5), data, 0, 1))
    assert [part.slot(i32(5), data, at, at + 1) >= 0 for at in range(3)] == [False, True, True]
    first, second = KeyPart(1, 8), KeyPart(1, 8)
    assert part.ending_with_one() == 2
    part.move(first, second)
    assert (first.count, second.count) == (0, 2)
