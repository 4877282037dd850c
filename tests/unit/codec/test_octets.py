"""Octets, numbers and texts within bytes."""

import pytest

from lastvalue.codec.octets import OCTETS, is_text, number_at


def test_a_number_has_four_octets_the_largest_first() -> None:
    assert number_at(b"\xff\x01\x02\x03\x04", 1) == 0x01020304


def test_a_number_that_the_bytes_end_within_is_an_index_error() -> None:
    with pytest.raises(IndexError):
        number_at(b"\x01\x02\x03", 0)


@pytest.mark.parametrize(
    ("octets", "expected"),
    [(b"", True), (b"a", True), (b"\xc3\xa4", True), (b"\xff", False), (b"\xc3", False)],
)
def test_utf_8_is_text(octets: bytes, expected: bool) -> None:
    assert is_text(octets) is expected


def test_each_octet_stands_at_its_number() -> None:
    assert b"".join(OCTETS) == bytes(range(256))
