"""AMQP values in the bytes of many messages, read by column: the first value of each, then the second."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lastvalue.codec.amqp10.fields import text_of

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

PADDING: Final = bytes(16)
"""Bytes after the last message, so that a number at its end can be read before its type is known."""

NULL: Final = 0x40
TRUE: Final = 0x41
STRING: Final = 0xA1
TEXTS: Final = (0xA1, 0xA3, 0xB1, 0xB3)
BINARIES: Final = (0xA0, 0xB0)
_FLOATS: Final = {0x72: ">f4", 0x82: ">f8"}
_BOOLEANS: Final = (0x41, 0x42, 0x56)
# [1.0 §1.6] The formats of whole numbers and times by type code; "" if the code is the value.
_WHOLE: Final = {
    0x43: "", 0x44: "", 0x50: "u1", 0x51: "i1", 0x52: "u1", 0x53: "u1", 0x54: "i1", 0x55: "i1",
    0x60: ">u2", 0x61: ">i2", 0x70: ">u4", 0x71: ">i4", 0x80: ">u8", 0x81: ">i8", 0x83: ">i8",
}  # fmt: skip
_WIDTHS: Final = {
    **{code: np.dtype(kind).itemsize if kind else 0 for code, kind in _WHOLE.items()},
    0x40: 0,
    0x41: 0,
    0x42: 0,
    0x56: 1,
    0x72: 4,
    0x82: 8,
}


class NotVectorizableError(Exception):
    """A batch cannot be converted by column; the caller converts it one by one and reports invalid ones."""


@dataclass(frozen=True, slots=True)
class Values:
    """One value in each of some rows.

    Attributes:
        rows: the numbers of the rows.
        codes: the type codes.
        starts, ends: the bounds of the value's own bytes, after code and size.
    """

    rows: Numbers
    codes: npt.NDArray[np.uint8]
    starts: Numbers
    ends: Numbers

    def where(self, mask: Flags) -> "Values":
        """The values for which the mask is true."""
        return Values(self.rows[mask], self.codes[mask], self.starts[mask], self.ends[mask])


class ByteColumns:
    """The bytes of many messages, with PADDING after them; reads a column of values at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._octets: npt.NDArray[np.uint8] = np.frombuffer(data, np.uint8)

    def at(self, places: Numbers) -> npt.NDArray[np.uint8]:
        """The byte at each place."""
        return self._octets[places]

    def words(self, places: Numbers, width: int) -> npt.NDArray[np.uint8]:
        """The `width` bytes from each place on, as rows of a matrix."""
        # Each place has one item of `width` bytes, so numpy copies them at once.
        items = np.ndarray((len(self._data) - width + 1,), f"V{width}", self._data, strides=(1,))
        return items[places].view(np.uint8).reshape(-1, width)

    def numbers(self, places: Numbers, kind: str) -> Numbers:
        """The whole number at each place."""
        width = np.dtype(kind).itemsize
        numbers = (self.at(places) if width == 1 else self.words(places, width)).view(kind).reshape(-1)
        if kind == ">u8" and (numbers >> np.uint64(63)).any():
            raise NotVectorizableError("a number beyond 63 bits")
        return numbers.astype(np.int64)

    def values(self, rows: Numbers, places: Numbers) -> Values:
        """The value that starts at each row's place; its end is the start of the next value.

        Raises:
            NotVectorizableError: a value has a type that is not read here.
        """
        codes = self.at(places)
        starts = places + 1
        ends = starts.copy()
        kinds = np.flatnonzero(np.bincount(codes, minlength=256))
        for kind in map(int, kinds):
            here: Any = slice(None) if len(kinds) == 1 else codes == kind
            if kind in _WIDTHS:
                ends[here] += _WIDTHS[kind]
            elif kind in TEXTS or kind in BINARIES:
                width = 4 if kind >= 0xB0 else 1
                sizes = self.numbers(starts[here], ">u4" if width == 4 else "u1")
                starts[here] += width
                ends[here] = starts[here] + sizes
            else:
                raise NotVectorizableError(f"a value of type 0x{kind:02x}")
        return Values(rows, codes, starts, ends)

    def compounds(self, places: Numbers, short: int, long: int) -> tuple[Numbers, Numbers, Numbers]:
        """Start of the first value, end, and number of values of the list or map at each place."""
        codes = self.at(places)
        is_short = codes == short
        if is_short.all():
            return places + 3, places + 2 + self.at(places + 1), self.at(places + 2).astype(np.int64)
        if not (is_short | (codes == long)).all():
            raise NotVectorizableError("neither a short nor a long list or map")
        starts, ends, counts = places + 9, places + 5, places.copy()
        starts[is_short] = places[is_short] + 3
        ends[is_short] = places[is_short] + 2 + self.at(places[is_short] + 1)
        counts[is_short] = self.at(places[is_short] + 2)
        far = places[~is_short]
        ends[~is_short] = far + 5 + self.numbers(far + 1, ">u4")
        counts[~is_short] = self.numbers(far + 5, ">u4")
        return starts, ends, counts

    def are(self, values: Values, text: bytes) -> Flags:
        """Whether each value is this text."""
        equal: Flags = values.ends - values.starts == len(text)
        if equal.all():
            equal = (self.words(values.starts, len(text)) == np.frombuffer(text, np.uint8)).all(axis=1)
        elif equal.any():
            same = self.words(values.starts[equal], len(text)) == np.frombuffer(text, np.uint8)
            equal[equal] = same.all(axis=1)
        return equal

    def whole(self, values: Values) -> Numbers:
        """The values as whole numbers.

        Raises:
            NotVectorizableError: a value is not a whole number.
        """
        kinds = np.flatnonzero(np.bincount(values.codes, minlength=256))
        numbers = np.zeros(len(values.rows), np.int64)
        for code in map(int, kinds):
            if code not in _WHOLE:
                raise NotVectorizableError("not a whole number")
            if _WHOLE[code]:
                here = values.codes == code
                numbers[here] = self.numbers(values.starts[here], _WHOLE[code])
        return numbers

    def binaries(self, starts: Numbers, ends: Numbers) -> pa.Array:
        """The bytes from each start to its end, which is not after the next start."""
        if not len(starts):
            return pa.array([], pa.binary())
        sizes = ends - starts
        size = int(sizes[0])
        if size > 0 and (sizes == size).all():
            return self._binaries_of_one_size(starts, size)
        bounds = np.empty(2 * len(starts), np.int32)
        bounds[0::2] = starts
        bounds[1::2] = ends
        buffers = [None, pa.py_buffer(bounds), pa.py_buffer(self._data)]
        # Every second item holds the bytes between two values.
        both = pa.Array.from_buffers(pa.binary(), 2 * len(starts) - 1, buffers)
        return both.take(pa.array(np.arange(0, 2 * len(starts), 2)))

    def _binaries_of_one_size(self, starts: Numbers, size: int) -> pa.Array:
        bounds = np.arange(0, (len(starts) + 1) * size, size, dtype=np.int32)
        buffers = [None, pa.py_buffer(bounds), pa.py_buffer(self.words(starts, size))]
        return pa.Array.from_buffers(pa.binary(), len(starts), buffers)

    def texts(self, values: Values) -> pa.Array:
        """The values as text; a null stays null.

        Raises:
            NotVectorizableError: a value has a type that is not converted here.
            pyarrow.ArrowInvalid: a text is not valid UTF-8.
        """
        kinds = np.flatnonzero(np.bincount(values.codes, minlength=256))
        ends = values.ends
        others = [int(code) for code in kinds if code not in TEXTS]
        if others:
            # The bytes of these values are not text.
            ends = np.where(np.isin(values.codes, TEXTS), ends, values.starts)
        texts = self.binaries(values.starts, ends).cast(pa.string())
        for code in others:
            here = values.codes == code
            texts = pc.replace_with_mask(texts, pa.array(here), self._other_texts(values.where(here), code))
        return texts

    def _other_texts(self, values: Values, code: int) -> pa.Array:
        if code == NULL:
            return pa.nulls(len(values.rows), pa.string())
        if code in _WHOLE:
            return pa.array(self.whole(values)).cast(pa.string())
        if code in _FLOATS:
            floats = self.words(values.starts, _WIDTHS[code]).view(_FLOATS[code])[:, 0]
            return pa.array([text_of(value) for value in floats.tolist()], pa.string())
        if code in _BOOLEANS:
            return pc.if_else(pa.array(self.flags(values)), "true", "false")
        raise NotVectorizableError(f"a text of type 0x{code:02x}")

    def flags(self, values: Values) -> Flags:
        """The values as booleans.

        Raises:
            NotVectorizableError: a value is not a boolean.
        """
        if not np.isin(values.codes, _BOOLEANS).all():
            raise NotVectorizableError("not a boolean")
        true: Flags = (values.codes == TRUE) | ((values.codes == 0x56) & (self.at(values.starts) == 1))
        return true
