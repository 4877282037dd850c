"""Which partition a key is in: written down here, because every program must say the same for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.model.key_partition import key_octets, key_partition

pytestmark = pytest.mark.pure


@pytest.mark.parametrize(
    ("key", "octets", "partitions"),
    [
        ("", b"", (0, 0, 0)),
        ("a", b"a", (1, 0, 3)),
        ("ACME", b"ACME", (0, 0, 2)),
        ("\u20ac", b"\xe2\x82\xac", (0, 1, 2)),
        (7, b"i7", (0, 1, 2)),
        (-7, b"i-7", (1, 1, 1)),
    ],
)
def test_a_key_is_in_the_same_partition_for_ever(
    key: object, octets: bytes, partitions: tuple[int, int, int]
) -> None:
    assert key_octets(key) == octets
    assert tuple(key_partition(octets, count) for count in (2, 3, 4)) == partitions


@pytest.mark.parametrize("key", [None, True, 1.5, b"x", ["a"]])
def test_keys_of_other_types_are_not_divided(key: object) -> None:
    assert key_octets(key) is None


@given(st.sets(st.text(min_size=1), min_size=1), st.integers(1, 9))
def test_every_key_is_in_one_of_the_partitions(keys: set[str], count: int) -> None:
    assert all(0 <= key_partition(key_octets(key) or b"", count) < count for key in keys)


def test_keys_are_spread_evenly() -> None:
    counts = [0] * 4
    for number in range(10_000):
        counts[key_partition(b"SYM%d" % number, 4)] += 1
    assert min(counts) > 2400
