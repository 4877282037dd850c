"""Values in the bytes of messages, read by column."""

import numpy as np
import pytest

from lastvalue.client.arrow.byte_columns import PADDING, ByteColumns, NotVectorizableError, Values


def column(*encoded: bytes) -> tuple[ByteColumns, Values]:
    """One encoded value in each row."""
    starts = np.cumsum([0, *map(len, encoded)])[:-1]
    data = ByteColumns(b"".join(encoded) + PADDING)
    return data, data.values(np.arange(len(encoded)), starts)


def test_texts_of_all_types_are_those_of_a_message() -> None:
    data, values = column(
        b"\xa1\1a", b"\xb1\0\0\0\1b", b"\xa3\1c", b"\x54\xff", b"\x41", b"\x40", b"\x82\x3f\xf8" + bytes(6)
    )
    assert data.texts(values).to_pylist() == ["a", "b", "c", "-1", "true", None, "1.5"]


def test_whole_numbers_of_all_widths_are_read() -> None:
    data, values = column(b"\x43", b"\x53\xff", b"\x55\xff", b"\x60\1\0", b"\x81" + b"\xff" * 8)
    assert data.whole(values).tolist() == [0, 255, -1, 256, -1]


def test_booleans_have_three_forms() -> None:
    data, values = column(b"\x41", b"\x42", b"\x56\1", b"\x56\0")
    assert data.flags(values).tolist() == [True, False, True, False]


def test_a_text_is_compared_in_all_rows() -> None:
    data, values = column(b"\xa1\2ab", b"\xa1\2ac", b"\xa1\1a")
    assert data.are(values, b"ab").tolist() == [True, False, False]


def test_a_value_of_another_type_is_not_read_by_column() -> None:
    with pytest.raises(NotVectorizableError, match="0x45"):
        column(b"\x45")


def test_a_number_beyond_63_bits_is_not_read_by_column() -> None:
    data, values = column(b"\x80" + b"\xff" * 8)
    with pytest.raises(NotVectorizableError, match="63 bits"):
        data.whole(values)
