"""The reader reads what the writer wrote, and refuses bytes that end too early."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.writer import CoreWriter

pytestmark = pytest.mark.pure

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
LENGTHS = (0, 8, 9, 4094, 4095)


@given(TEXTS)
def test_texts_are_read_as_they_were_written(text: str) -> None:
    writer = CoreWriter()
    writer.string(text)
    writer.simple_string(text)
    writer.nullable_simple_string(None)
    writer.nullable_string(text)
    reader = CoreReader(writer.data())
    assert reader.string() == text
    assert reader.simple_string() == text
    assert reader.nullable_simple_string() is None
    assert reader.nullable_string() == text
    assert reader.left() == 0


@given(st.binary(max_size=40), st.integers(0, 6), st.sampled_from([0, 65_520, 131_060]))
def test_a_text_in_utf_8_is_the_same_whatever_its_octets_are(octets: bytes, pairs: int, before: int) -> None:
    octets = bytes(before) + octets + "\U0001f600".encode("utf-16-le") * pairs
    octets = octets[: len(octets) & ~1]
    counted = len(octets).to_bytes(4, "big") + octets + b"next"
    reader = CoreReader(counted)
    assert b"".join(reader.simple_string_as_utf8()) == CoreReader(counted).simple_string().encode()
    assert reader.rest() == b"next"


@pytest.mark.parametrize("octets", [b"\0\0\0\3abc", b"\0\0\0\4ab", b"\xff\xff\xff\xfeab"])
def test_a_text_that_is_none_is_refused(octets: bytes) -> None:
    for read in (CoreReader(octets).simple_string, CoreReader(octets).simple_string_as_utf8):
        with pytest.raises(DecodeError):
            read()


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("character", ["a", "é", "€"])
def test_each_form_of_a_string_is_read(length: int, character: str) -> None:
    writer = CoreWriter()
    writer.string(character * length)
    assert CoreReader(writer.data()).string() == character * length


def test_a_string_of_nine_units_is_utf_8_and_a_pair_of_surrogates_two_characters_of_it() -> None:
    writer = CoreWriter()
    writer.string("a" * 7 + "😀")
    assert writer.data().hex() == "00000009" + "000d" + "61" * 7 + "eda0bdedb880"


@given(st.integers(-(2**63), 2**63 - 1))
def test_numbers_are_read_as_they_were_written(number: int) -> None:
    writer = CoreWriter()
    writer.int64(number)
    writer.nullable_int64(number)
    writer.nullable_int32(None)
    reader = CoreReader(writer.data())
    assert (reader.int64(), reader.nullable_int64(), reader.nullable_int32()) == (number, number, None)


@pytest.mark.parametrize("octets", ["", "ff ff ff ff", "00 00 00 04 61", "7f ff ff ff"])
def test_a_simple_string_that_ends_too_early_is_refused(octets: str) -> None:
    with pytest.raises(DecodeError):
        CoreReader(bytes.fromhex(octets)).simple_string()


def test_a_string_that_is_no_utf_8_is_refused() -> None:
    with pytest.raises(DecodeError, match="no UTF-8"):
        CoreReader(bytes.fromhex("00000009 0001 ff")).string()
