"""lastvalue.broker.watches.key_index."""

from typing import Any

import pytest
from canned_message import Bell

from lastvalue.broker.watches.key_index import MOST_LENGTHS, MOST_NAMED, KeyIndex, KeyReader
from lastvalue.broker.watches.key_pattern import key_pattern
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.watch_terms import WatchTerms

MANY = 1_000_000


def canonical(key: object) -> bytes:
    return str(key).encode()


def made_index() -> KeyIndex:
    return KeyIndex(
        Queue(spec_from_arguments("q", {"lvq_key": "k", "lvq_key_equality": "text"})), MemoryAccount()
    )


def joined(index: KeyIndex, bell: Bell | None = None, **asked: Any) -> KeyReader:
    return index.join(key_pattern(WatchTerms(**asked), canonical), (bell or Bell()).wake)


def found(reader: KeyReader) -> list[bytes]:
    keys: list[bytes] = []
    while reader.begin():
        reader.read(MANY, keys)
    return keys


@pytest.mark.parametrize(
    "asked", [{"keys": ("eu.1", "eu.2")}, {"prefix": "eu."}, {"glob": "*u.?"}], ids=["keys", "prefix", "glob"]
)
def test_a_reader_finds_what_it_asks_for_each_key_at_its_last_change(asked: dict[str, Any]) -> None:
    index = made_index()
    reader = joined(index, **asked)
    for key in (b"eu.1", b"us.1", b"eu.2", b"eu.1", b"\xff"):
        index.change(key)
    assert found(reader) == [b"eu.2", b"eu.1"]
    assert found(reader) == []
    index.leave(reader)
    assert index.empty


@pytest.mark.parametrize("asked", [{"keys": ("eu.1",)}, {"prefix": "eu."}, {"glob": "eu.*"}])
def test_a_reader_is_woken_once_until_it_has_looked(asked: dict[str, Any]) -> None:
    index, bell = made_index(), Bell()
    reader = joined(index, bell, **asked)
    for _ in range(3):
        index.change(b"us.1")
    assert bell.rung == 0
    for _ in range(3):
        index.change(b"eu.1")
    assert bell.rung == 1
    assert found(reader) == [b"eu.1"]
    index.change(b"eu.1")
    assert bell.rung == 2


def test_a_reader_that_names_very_many_keys_finds_them() -> None:
    index = made_index()
    reader = joined(index, keys=tuple(range(MOST_NAMED + 1)))
    for key in (b"-", b"7", b"1000"):
        index.change(key)
    assert found(reader) == [b"7", b"1000"]


def test_readers_whose_patterns_begin_with_texts_of_very_many_lengths_find_their_keys() -> None:
    index = made_index()
    texts = ["a" * length for length in range(1, 2 * MOST_LENGTHS)]
    readers = [joined(index, prefix=text) for text in texts]
    for text in texts:
        index.change(text.encode())
    assert [len(found(reader)) for reader in readers] == [len(texts) - place for place in range(len(texts))]
    for reader in readers:
        index.leave(reader)
    assert index.empty


def test_a_look_is_done_in_parts_and_ends_where_it_was_when_it_began() -> None:
    index = made_index()
    reader = joined(index, prefix="a")
    for number in range(5):
        index.change(f"a{number}".encode())
    keys: list[bytes] = []
    assert reader.begin()
    assert reader.read(3, keys) == 0
    index.change(b"a1")
    index.change(b"a4")
    assert not reader.done
    reader.read(3, keys)
    assert (reader.done, keys) == (True, [b"a0", b"a1", b"a2", b"a3"])
    assert reader.is_newer(b"a1")
    assert not reader.is_newer(b"a0")
    assert found(reader) == [b"a1", b"a4"]


def test_one_reader_that_goes_leaves_the_others() -> None:
    index = made_index()
    one, other = joined(index, prefix="a"), joined(index, prefix="a")
    index.leave(one)
    index.change(b"ab")
    assert found(other) == [b"ab"]
