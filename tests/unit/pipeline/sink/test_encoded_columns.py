"""AMQP values of whole columns, byte by byte."""

import numpy as np
import pyarrow as pa
import pytest

from lastvalue.client.arrow.byte_columns import NotVectorizableError
from lastvalue.pipeline.sink.encoded_columns import (
    STRING,
    SYMBOL,
    concatenate,
    from_matrix,
    length_prefixed,
    map_entries,
    map_entry,
    map_section,
    only_where,
    typed_values,
)


def test_bytes_of_all_rows_and_columns_follow_one_another() -> None:
    matrix = from_matrix(np.array([[1, 2], [3, 4]], np.uint8))
    assert concatenate([b"<", matrix, b">"], 2).to_pylist() == [b"<\1\2>", b"<\3\4>"]
    assert concatenate([b"a", b"b"], 2).to_pylist() == [b"ab", b"ab"]


def test_an_absent_value_is_empty() -> None:
    column = pa.array([b"a", b"b"])
    assert only_where(pa.array([True, False]), column).to_pylist() == [b"a", b""]


def test_a_size_takes_one_byte_or_four() -> None:
    texts = pa.array(["x" * 255, "y" * 256, None])
    short, long, absent = concatenate(length_prefixed(texts, STRING), 3).to_pylist()
    assert short == b"\xa1\xff" + b"x" * 255
    assert long == b"\xb1\0\0\1\0" + b"y" * 256
    assert absent == b""


@pytest.mark.parametrize(
    ("values", "encoded"),
    [
        (pa.array([1, None]), [b"\x81" + bytes(7) + b"\1", b""]),
        (pa.array([1.5, None]), [b"\x82\x3f\xf8" + bytes(6), b""]),
        (pa.array([True, False]), [b"\x41", b"\x42"]),
        (pa.array(["a", None]), [b"\xa1\1a", b""]),
        (pa.array([b"a", None]), [b"\xa0\1a", b""]),
    ],
)
def test_values_have_their_type(values: pa.Array, encoded: list[bytes]) -> None:
    assert concatenate(typed_values(values), 2).to_pylist() == encoded


def test_a_column_of_another_type_is_left_to_the_rows() -> None:
    with pytest.raises(NotVectorizableError):
        typed_values(pa.array([[1]]))


def test_a_section_has_the_entries_of_each_row_and_none_without_entries() -> None:
    maps = pa.array([[("b", 7)], []], pa.map_(pa.string(), pa.int64()))
    parts = [map_entry(b"a", STRING, pa.array([True, None])), *map_entries(maps, STRING, ())]
    first, second = concatenate(map_section(b"\0\x53\x74", parts, 2), 2).to_pylist()
    content = b"\xa1\1a\x41\xa1\1b\x81" + bytes(7) + b"\7"
    assert first == b"\0\x53\x74\xc1" + bytes((len(content) + 1, 4)) + content
    assert second == b""


@pytest.mark.parametrize(("name", "reserved"), [("key", ("key",)), ("é", ())])
def test_names_that_are_reserved_or_not_symbols_are_left_to_the_rows(
    name: str, reserved: tuple[str, ...]
) -> None:
    column = pa.array([{name: 1}])
    with pytest.raises(NotVectorizableError):
        map_entries(column, SYMBOL, reserved)
