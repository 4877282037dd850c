"""Rows with the same key in arrays, against what a loop over the rows finds."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.pipeline.conflation import key_groups as module
from lastvalue.pipeline.conflation.key_groups import fixed_width, hashes, key_groups, last_rows

FACTOR = 0x9E3779B97F4A7C15
WORD_VALUES = 2**64

texts = st.one_of(
    st.text("ab\0ü", max_size=20),
    st.sampled_from(["", "a" * 8, "a" * 9, "a" * 32, "a" * 33, "a" * 31 + "\0", "a" * 300]),
)


def last_positions(keys: list[Any]) -> list[int]:
    """What `key_groups` means, row by row."""
    last = {key: position for position, key in enumerate(keys)}
    return [last[key] for key in keys]


def mixed(number: int) -> int:
    product = number * FACTOR % WORD_VALUES
    return product ^ product >> 32


@given(st.lists(texts), st.integers(0, 3), st.booleans())
def test_each_row_has_the_last_position_of_its_text(drawn: list[str], start: int, coded: bool) -> None:
    keys = pa.array(drawn, pa.string())[start:]
    found = key_groups(keys.dictionary_encode() if coded else keys)
    assert found.tolist() == last_positions(drawn[start:])
    last = last_rows(keys.dictionary_encode() if coded else keys)
    assert last.tolist() == sorted(set(last_positions(drawn[start:])))


@given(
    st.integers(1, 40).flatmap(
        lambda length: st.lists(st.text("ab", min_size=length, max_size=length), min_size=1)
    ),
    st.integers(0, 3),
)
def test_each_row_has_the_last_position_of_its_text_of_one_length(drawn: list[str], start: int) -> None:
    keys = fixed_width(pa.array(drawn))
    assert pa.types.is_fixed_size_binary(keys.type)
    assert key_groups(keys[start:]).tolist() == last_positions(drawn[start:])


class Backwards(np.ndarray[Any, Any]):
    """An array in which the first of several values for one place stays, which numpy permits itself."""

    def __setitem__(self, at: Any, values: Any) -> None:
        super().__setitem__(at[::-1], values[::-1])


@given(drawn=st.lists(st.text("ab", min_size=2, max_size=2), min_size=1))
def test_the_order_in_which_numpy_assigns_does_not_matter(drawn: list[str]) -> None:
    zeros = np.zeros

    def backwards(shape: Any, kind: Any) -> Any:
        made = zeros(shape, kind)
        return made.view(Backwards) if kind is np.int64 else made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np, "zeros", backwards)
        assert key_groups(fixed_width(pa.array(drawn))).tolist() == last_positions(drawn)


@given(st.lists(st.integers(-3, 3)))
def test_each_row_has_the_last_position_of_its_number(drawn: list[int]) -> None:
    for kind in (pa.int8(), pa.int64()):
        assert key_groups(pa.array(drawn, kind)).tolist() == last_positions(drawn)


def test_many_keys_that_meet_in_the_table_are_told_apart() -> None:
    drawn = np.random.default_rng(1).integers(0, 30_000, 100_000).tolist()
    for keys in (pa.array(drawn), fixed_width(pa.array([f"K{number:011}" for number in drawn]))):
        assert key_groups(keys).tolist() == last_positions(drawn)


def test_keys_that_have_one_hash_are_told_apart() -> None:
    firsts = range(100)
    seconds = [mixed(mixed(16) ^ first) ^ 7 for first in firsts]
    drawn = [
        first.to_bytes(8, "little") + second.to_bytes(8, "little")
        for first, second in zip(firsts, seconds, strict=True)
    ] * 3
    keys = pa.array(drawn)
    assert len(set(hashes(keys).tolist())) == 1
    assert len(firsts) > module._TABLES
    assert key_groups(keys).tolist() == last_positions(drawn)
    assert key_groups(fixed_width(keys)).tolist() == last_positions(drawn)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()])
def test_a_key_has_its_hash_wherever_it_stands(kind: Any) -> None:
    texts = [b"", b"a", b"a\0", b"ab" * 4, b"ab" * 4 + b"\0", b"x" * 300, b"x" * 301, b"y" * 20_000]
    keys = pa.array(texts * 3, kind)
    found = hashes(keys)
    assert len(set(found[: len(texts)].tolist())) == len(texts)
    assert found.tolist() == found[: len(texts)].tolist() * 3
    assert hashes(keys[5:9]).tolist() == found[5:9].tolist()
    assert hashes(keys[1:1]).tolist() == []


@given(
    st.integers(0, 20).flatmap(lambda length: st.lists(st.binary(min_size=length, max_size=length))),
    st.integers(0, 3),
)
def test_keys_of_one_length_have_their_hashes_in_both_forms(drawn: list[bytes], start: int) -> None:
    keys = pa.array(drawn, pa.binary())[start:]
    even = fixed_width(keys)
    assert pa.types.is_fixed_size_binary(even.type) == any(map(len, keys.to_pylist()))
    assert even.to_pylist() == keys.to_pylist()
    assert hashes(even).tolist() == hashes(keys).tolist()
    assert hashes(even[1:]).tolist() == hashes(keys).tolist()[1:]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()])
def test_keys_of_more_than_one_length_stay_as_they_are(kind: Any) -> None:
    for texts in ([b"ab", b"a"], [b"", b""], [b"a", None], []):
        keys = pa.array(texts, kind)
        assert fixed_width(keys) is keys
    assert fixed_width(pa.array([b"x" * 300, b"y" * 300], kind)).type == pa.binary(300)
    assert fixed_width(pa.array([1, 2])).type == pa.int64()
