"""AMQP values of whole columns: pieces of bytes that stand side by side in each row.

A piece is a column of binaries without nulls, or bytes that all rows have. What a row does not have is empty.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lastvalue.pipeline.errors import UnusualError

Numbers = npt.NDArray[np.int64]
Pieces = list[pa.Array | bytes]
Entries = tuple[pa.Array, Numbers]
"""Names and values of a map in each row, one after the other, and how many they are."""

_EMPTY: Final = pa.scalar(b"", pa.binary())
_SHORT: Final = 256
"""From so many bytes on a size takes four."""

STRING: Final = (0xA1, 0xB1)
SYMBOL: Final = (0xA3, 0xB3)
BINARY: Final = (0xA0, 0xB0)


def fixed(octets: npt.NDArray[Any]) -> pa.Array:
    """A piece of the rows of a matrix of bytes."""
    rows, width = octets.shape
    ends = np.arange(0, rows * width + 1, width, dtype=np.int32)
    return pa.Array.from_buffers(
        pa.binary(), rows, [None, pa.py_buffer(ends), pa.py_buffer(np.ascontiguousarray(octets))]
    )


def joined(pieces: Pieces, rows: int) -> pa.Array:
    """What stands in each row, as one piece."""
    if all(isinstance(piece, bytes) for piece in pieces):
        return pa.repeat(pa.scalar(b"".join(pieces), pa.binary()), rows)
    parts = [pa.scalar(piece, pa.binary()) if isinstance(piece, bytes) else piece for piece in pieces]
    return pc.binary_join_element_wise(*parts, _EMPTY)


def where(present: pa.Array, piece: pa.Array) -> pa.Array:
    """The piece where it is present, and nothing elsewhere."""
    return piece if present.true_count == len(present) else pc.if_else(present, piece, _EMPTY)


def numbers(column: pa.Array, default: int) -> Numbers:
    """A column of whole numbers, with the default for a null."""
    found: Numbers = column.cast(pa.int64()).fill_null(default).to_numpy(zero_copy_only=False)
    return found


def flags(column: pa.Array) -> npt.NDArray[np.bool_]:
    """A column of booleans that has no nulls."""
    found: npt.NDArray[np.bool_] = column.to_numpy(zero_copy_only=False)
    return found


def sized(column: pa.Array, codes: tuple[int, int], prefix: bytes = b"") -> Pieces:
    """Texts or binaries with the prefix, the type's code and the size before each; nothing for a null.

    Args:
        column: of texts or binaries.
        codes: of the type where the size takes one byte, and where it takes four.
        prefix: what stands before the code.
    """
    values = column.cast(pa.binary())
    sizes = numbers(pc.binary_length(values), 0)
    head = _heads(sizes, codes, prefix)
    if values.null_count:
        return [where(values.is_valid(), head), values.fill_null(b"")]
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
    return fixed(octets)


def big_endian(values: npt.NDArray[Any], width: int) -> npt.NDArray[np.uint8]:
    """Numbers as rows of so many bytes."""
    kind = {1: "u1", 4: ">u4", 8: ">i8"}[width]
    return values.astype(kind).view(np.uint8).reshape(-1, width)


def value(column: pa.Array) -> Pieces:
    """A column's values with their types; nothing for a null.

    Raises:
        UnusualError: its type is not one of the usual ones.
    """
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return sized(column, STRING)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return sized(column, BINARY)
    if pa.types.is_signed_integer(kind):
        written = _typed(0x81, numbers(column, 0).astype(">i8"))
    elif pa.types.is_float32(kind) or pa.types.is_float64(kind):
        doubles = column.cast(pa.float64()).fill_null(0.0).to_numpy(zero_copy_only=False)
        written = _typed(0x82, doubles.astype(">f8"))
    elif pa.types.is_boolean(kind):
        written = fixed(np.where(flags(column.fill_null(False)), 0x41, 0x42).astype(np.uint8)[:, None])  # noqa: FBT003 - pyarrow's, positional
    else:
        raise UnusualError(str(kind))
    return [where(column.is_valid(), written)]


def _typed(code: int, values: npt.NDArray[Any]) -> pa.Array:
    octets = np.empty((len(values), 9), np.uint8)
    octets[:, 0] = code
    octets[:, 1:] = values.view(np.uint8).reshape(-1, 8)
    return fixed(octets)


def named(name: bytes, codes: tuple[int, int], column: pa.Array) -> Entries:
    """An entry of each row's map that has always the same name; nothing for a null."""
    if len(name) >= _SHORT:
        raise UnusualError("a long name")
    head = where(column.is_valid(), pa.repeat(pa.scalar(bytes((codes[0], len(name))) + name), len(column)))
    present = flags(column.is_valid())
    return joined([head, *value(column)], len(column)), present.astype(np.int64)


def entries(column: pa.Array, codes: tuple[int, int], refused: tuple[str, ...]) -> list[Entries]:
    """What a column of maps or structs has of entries; a null in it is none.

    Raises:
        UnusualError: an entry has a name that is refused, or a value of an unusual type.
    """
    if pa.types.is_struct(column.type):
        names = [field.name for field in column.type]
        _check_names(pa.array(names, pa.string()), codes, refused)
        return [named(name.encode(), codes, part) for name, part in zip(names, column.flatten(), strict=True)]
    return [_of_maps(column, codes, refused)]


def _of_maps(column: pa.MapArray, codes: tuple[int, int], refused: tuple[str, ...]) -> Entries:
    ends = numbers(column.offsets, 0)
    first, last = int(ends[0]), int(ends[-1])
    if column.null_count and np.diff(ends)[~flags(column.is_valid())].any():
        raise UnusualError("entries of maps that are null")
    names = column.keys.slice(first, last - first)
    items = column.items.slice(first, last - first)
    _check_names(names, codes, refused)
    present = items.is_valid()
    written = where(present, joined([*sized(names, codes), *value(items)], len(names)))
    counts = np.diff(np.concatenate(([0], np.cumsum(flags(present))))[ends - first])
    return pc.binary_join(
        pa.ListArray.from_arrays(pa.array(ends - first, pa.int32()), written), _EMPTY
    ), counts


def _check_names(names: pa.Array, codes: tuple[int, int], refused: tuple[str, ...]) -> None:
    """[1.0 §1.6.20] A symbol has ASCII characters only."""
    if pc.any(pc.is_in(names, pa.array(refused, pa.string()))).as_py():
        raise UnusualError("a name that stands for something else")
    if codes is SYMBOL and not pc.all(pc.string_is_ascii(names), min_count=0).as_py():
        raise UnusualError("a name that is no symbol")


def map_section(head: bytes, parts: list[Entries], rows: int) -> Pieces:
    """A section with a map of all these entries, in the rows that have any."""
    if not parts:
        return []
    content = parts[0][0] if len(parts) == 1 else joined([piece for piece, _ in parts], rows)
    count = 2 * sum((counts for _, counts in parts), np.zeros(rows, np.int64))
    size = numbers(pc.binary_length(content), 0)
    # The short form's size is that of the content and of the count, one byte.
    short = _map_head(size + 1, count, head + b"\xc1", 1)
    is_short = (size < _SHORT - 1) & (count < _SHORT)
    if is_short.all():
        found = short
    else:
        found = pc.if_else(pa.array(is_short), short, _map_head(size + 4, count, head + b"\xd1", 4))
    return [where(pa.array(count > 0), found), content]


def _map_head(size: Numbers, count: Numbers, before: bytes, width: int) -> pa.Array:
    octets = np.empty((len(size), len(before) + 2 * width), np.uint8)
    octets[:, : len(before)] = np.frombuffer(before, np.uint8)
    octets[:, len(before) : -width] = big_endian(size, width)
    octets[:, -width:] = big_endian(count, width)
    return fixed(octets)
