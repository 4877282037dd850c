"""AMQP values of whole columns, encoded: the bytes of several columns follow one another in each row.

An encoded column is a column of binaries without nulls, or bytes that are the same in all rows. Where a row
has no value, its binary is empty.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lastvalue.client.arrow.byte_columns import NotVectorizableError

Numbers = npt.NDArray[np.int64]
EncodedColumns = list[pa.Array | bytes]
MapEntries = tuple[pa.Array, Numbers]
"""The encoded names and values of a map in each row, and the number of entries."""

_EMPTY: Final = pa.scalar(b"", pa.binary())
_SHORT: Final = 256
"""A size of this many bytes or more takes four bytes itself."""

STRING: Final = (0xA1, 0xB1)
SYMBOL: Final = (0xA3, 0xB3)
BINARY: Final = (0xA0, 0xB0)


def from_matrix(octets: npt.NDArray[Any]) -> pa.Array:
    """The rows of a matrix of bytes as an encoded column."""
    rows, width = octets.shape
    ends = np.arange(0, rows * width + 1, width, dtype=np.int32)
    return pa.Array.from_buffers(
        pa.binary(), rows, [None, pa.py_buffer(ends), pa.py_buffer(np.ascontiguousarray(octets))]
    )


def concatenate(columns: EncodedColumns, rows: int) -> pa.Array:
    """The bytes of all columns in each row, as one encoded column."""
    if all(isinstance(column, bytes) for column in columns):
        return pa.repeat(pa.scalar(b"".join(columns), pa.binary()), rows)
    parts = [pa.scalar(column, pa.binary()) if isinstance(column, bytes) else column for column in columns]
    return pc.binary_join_element_wise(*parts, _EMPTY)


def only_where(present: pa.Array, column: pa.Array) -> pa.Array:
    """The column where `present` is true, and empty elsewhere."""
    return column if present.true_count == len(present) else pc.if_else(present, column, _EMPTY)


def numbers(column: pa.Array, default: int) -> Numbers:
    """A column of whole numbers, with the default for a null."""
    values: Numbers = column.cast(pa.int64()).fill_null(default).to_numpy(zero_copy_only=False)
    return values


def flags(column: pa.Array) -> npt.NDArray[np.bool_]:
    """A column of booleans that has no nulls."""
    values: npt.NDArray[np.bool_] = column.to_numpy(zero_copy_only=False)
    return values


def length_prefixed(column: pa.Array, codes: tuple[int, int], prefix: bytes = b"") -> EncodedColumns:
    """Texts or binaries, each after prefix, type code and size; empty for a null.

    Args:
        column: of texts or binaries.
        codes: the type code with a size of one byte, and the one with a size of four.
        prefix: the bytes before the code.
    """
    values = column.cast(pa.binary())
    sizes = numbers(pc.binary_length(values), 0)
    head = _heads(sizes, codes, prefix)
    if values.null_count:
        return [only_where(values.is_valid(), head), values.fill_null(b"")]
    return [head, values]


def _heads(sizes: Numbers, codes: tuple[int, int], prefix: bytes) -> pa.Array:
    largest = int(sizes.max(initial=0))
    if largest < _SHORT:
        return _head(sizes, bytes((*prefix, codes[0])), 1)
    long = _head(sizes, bytes((*prefix, codes[1])), 4)
    if int(sizes.min()) >= _SHORT:
        return long
    short = _head(sizes, bytes((*prefix, codes[0])), 1)
    return pc.if_else(pa.array(sizes < _SHORT), short, long)


def _head(sizes: Numbers, before: bytes, width: int) -> pa.Array:
    octets = np.empty((len(sizes), len(before) + width), np.uint8)
    octets[:, : len(before)] = np.frombuffer(before, np.uint8)
    octets[:, len(before) :] = big_endian(sizes, width)
    return from_matrix(octets)


def big_endian(values: npt.NDArray[Any], width: int) -> npt.NDArray[np.uint8]:
    """Numbers as rows of `width` bytes."""
    kind = {1: "u1", 4: ">u4", 8: ">i8"}[width]
    return values.astype(kind).view(np.uint8).reshape(-1, width)


def typed_values(column: pa.Array) -> EncodedColumns:
    """A column's values with their type codes; empty for a null.

    Raises:
        NotVectorizableError: the column's type has no encoding here.
    """
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return length_prefixed(column, STRING)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return length_prefixed(column, BINARY)
    if pa.types.is_signed_integer(kind):
        written = _typed(0x81, numbers(column, 0).astype(">i8"))
    elif pa.types.is_float32(kind) or pa.types.is_float64(kind):
        doubles = column.cast(pa.float64()).fill_null(0.0).to_numpy(zero_copy_only=False)
        written = _typed(0x82, doubles.astype(">f8"))
    elif pa.types.is_boolean(kind):
        written = from_matrix(np.where(flags(column.fill_null(False)), 0x41, 0x42).astype(np.uint8)[:, None])  # noqa: FBT003 - pyarrow's, positional
    else:
        raise NotVectorizableError(str(kind))
    return [only_where(column.is_valid(), written)]


def _typed(code: int, values: npt.NDArray[Any]) -> pa.Array:
    octets = np.empty((len(values), 9), np.uint8)
    octets[:, 0] = code
    octets[:, 1:] = values.view(np.uint8).reshape(-1, 8)
    return from_matrix(octets)


def map_entry(name: bytes, codes: tuple[int, int], column: pa.Array) -> MapEntries:
    """An entry with the same name in each row's map; none for a null."""
    if len(name) >= _SHORT:
        raise NotVectorizableError("a long name")
    names = pa.repeat(pa.scalar(bytes((codes[0], len(name))) + name), len(column))
    head = only_where(column.is_valid(), names)
    present = flags(column.is_valid())
    return concatenate([head, *typed_values(column)], len(column)), present.astype(np.int64)


def map_entries(column: pa.Array, codes: tuple[int, int], reserved: tuple[str, ...]) -> list[MapEntries]:
    """The entries of a column of maps or structs, without nulls.

    Raises:
        NotVectorizableError: an entry has a reserved name, or a value of a type without an encoding here.
    """
    if pa.types.is_struct(column.type):
        names = [field.name for field in column.type]
        _check_names(pa.array(names, pa.string()), codes, reserved)
        parts = zip(names, column.flatten(), strict=True)
        return [map_entry(name.encode(), codes, part) for name, part in parts]
    return [_of_maps(column, codes, reserved)]


def _of_maps(column: pa.MapArray, codes: tuple[int, int], reserved: tuple[str, ...]) -> MapEntries:
    ends = numbers(column.offsets, 0)
    first, last = int(ends[0]), int(ends[-1])
    if column.null_count and np.diff(ends)[~flags(column.is_valid())].any():
        raise NotVectorizableError("entries of maps that are null")
    names = column.keys.slice(first, last - first)
    items = column.items.slice(first, last - first)
    _check_names(names, codes, reserved)
    present = items.is_valid()
    entries = concatenate([*length_prefixed(names, codes), *typed_values(items)], len(names))
    written = only_where(present, entries)
    counts = np.diff(np.concatenate(([0], np.cumsum(flags(present))))[ends - first])
    return pc.binary_join(
        pa.ListArray.from_arrays(pa.array(ends - first, pa.int32()), written), _EMPTY
    ), counts


def _check_names(names: pa.Array, codes: tuple[int, int], reserved: tuple[str, ...]) -> None:
    """[1.0 §1.6.20] A symbol has ASCII characters only."""
    if pc.any(pc.is_in(names, pa.array(reserved, pa.string()))).as_py():
        raise NotVectorizableError("a reserved name")
    if codes is SYMBOL and not pc.all(pc.string_is_ascii(names), min_count=0).as_py():
        raise NotVectorizableError("a name that is not a symbol")


def map_section(head: bytes, parts: list[MapEntries], rows: int) -> EncodedColumns:
    """A section with a map of all these entries, in the rows that have any."""
    if not parts:
        return []
    content = parts[0][0] if len(parts) == 1 else concatenate([entries for entries, _ in parts], rows)
    count = 2 * sum((counts for _, counts in parts), np.zeros(rows, np.int64))
    size = numbers(pc.binary_length(content), 0)
    # The short form's size counts the content and the byte of the entry count.
    short = _map_head(size + 1, count, head + b"\xc1", 1)
    is_short = (size < _SHORT - 1) & (count < _SHORT)
    if is_short.all():
        heads = short
    else:
        heads = pc.if_else(pa.array(is_short), short, _map_head(size + 4, count, head + b"\xd1", 4))
    return [only_where(pa.array(count > 0), heads), content]


def _map_head(size: Numbers, count: Numbers, before: bytes, width: int) -> pa.Array:
    octets = np.empty((len(size), len(before) + 2 * width), np.uint8)
    octets[:, : len(before)] = np.frombuffer(before, np.uint8)
    octets[:, len(before) : -width] = big_endian(size, width)
    octets[:, -width:] = big_endian(count, width)
    return from_matrix(octets)
