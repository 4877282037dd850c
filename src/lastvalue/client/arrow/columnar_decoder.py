"""Decodes many messages at once, section by section, into columns, without an object for each message.

The columns equal those that `source_columns.record_batch` makes of `codec.amqp10.columns`. Messages that
cannot be decoded by column, malformed ones among them, are left to these two.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lastvalue.client.arrow.byte_columns import (
    BINARIES,
    NULL,
    STRING,
    TEXTS,
    ByteColumns,
    Flags,
    NotVectorizableError,
    Numbers,
    Values,
)
from lastvalue.codec.amqp10.columns import OF_HEADER, OF_PROPERTIES, UNREAD
from lastvalue.codec.amqp10.message import is_property_field
from lastvalue.codec.amqp10.sections import (
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    DELIVERY_ANNOTATIONS,
    HEADER,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
)
from lastvalue.codec.amqp10.shortcuts.stamps import STAMP_NUMBERS, STAMP_SIZE, stamped
from lastvalue.model.composite_key import SEPARATOR, is_composite_key, names_of_key
from lastvalue.model.message import MOST_UPDATES
from lastvalue.model.property_names import DUPLICATE_ID, UPDATES

_HEAD: Final = 3
"""The bytes before a section's value."""
_SECTION: Final = 0x005300
"""These bytes as a number, without the section's code."""
_STAMP: Final = np.frombuffer(stamped(b"\x00\x53\x75\xa0\x00", 0, 0, 0)[:STAMP_SIZE], np.uint8)
_LIST: Final = (0xC0, 0xD0)
_MAP: Final = (0xC1, 0xD1)
_EMPTY_LIST: Final = 0x45


@dataclass(slots=True)
class Entries:
    """The entries of a map in some rows: the first entry of each row, then the second, and so on."""

    names: list[Values] = field(default_factory=list)
    values: list[Values] = field(default_factory=list)


class ColumnarDecoder:
    """The parts of many messages, located in their bytes.

    Args:
        messages: their bytes, one after the other, maybe with other bytes between them; PADDING follows them.
        spans: start and end of each message.
        key_property: the property that is the key; it is not among the properties then. Those of a key of
            several are.
        rare_columns: the rare columns to decode; None: all. A section without any of them is skipped.
        all_properties: whether to decode properties other than the key.

    Attributes:
        sequences, arrivals_ms, updates: as the broker stamped them on the messages; 0, 0, 1 without a stamp.
        rare: values of the rare columns by the columns' numbers, in the rows that have them.

    Raises:
        NotVectorizableError: the messages have to be decoded one by one.
        IndexError, pyarrow.ArrowInvalid: likewise, because one is malformed or has an invalid text.
    """

    def __init__(
        self,
        messages: bytes,
        spans: Numbers,
        key_property: str,
        rare_columns: frozenset[int] | None = None,
        *,
        all_properties: bool = True,
    ) -> None:
        self.rows = len(spans)
        self._rare_columns = rare_columns
        self.data = ByteColumns(messages)
        self.sequences = np.zeros(self.rows, np.int64)
        self.arrivals_ms = np.zeros(self.rows, np.int64)
        self.updates = np.ones(self.rows, np.int64)
        self.rare: dict[int, Values] = {}
        self._all = np.arange(self.rows)
        self._starts = spans[:, 0]
        self._places = self._starts.copy()
        self._heads = self._heads_at(self._places)
        self._keys: list[Values] = []
        self._key_parts: list[list[Values]] = []
        self._properties = Entries()
        self._annotations = Entries()
        self._take(HEADER, lambda rows, at: self._take_list(rows, at, OF_HEADER))
        self._take(DELIVERY_ANNOTATIONS, self._take_stamp)
        self._take(MESSAGE_ANNOTATIONS, lambda rows, at: self._take_map(rows, at, self._annotations))
        self._take(PROPERTIES, lambda rows, at: self._take_list(rows, at, OF_PROPERTIES))
        every = all_properties or is_composite_key(key_property)
        only = None if every else key_property.encode("utf-8", "surrogatepass")
        self._take(APPLICATION_PROPERTIES, lambda rows, at: self._take_map(rows, at, self._properties, only))
        self._bodies = self._take_bodies()
        if not (self._places == spans[:, 1]).all():
            raise NotVectorizableError("bytes after the body, or too few")
        self._set_keys(key_property)
        self._set_updates()

    # ------------------------------------------------------------------ columns

    def keys(self) -> pa.Array:
        """The keys as text."""
        if not self._key_parts:
            return self._texts(self._keys)
        texts = [self._texts(part) for part in self._key_parts]
        for sign in ("\\", SEPARATOR):
            texts = [pc.replace_substring(each, sign, "\\" + sign) for each in texts]
        return pc.binary_join_element_wise(*texts, SEPARATOR, null_handling="emit_null")

    def take_annotation(self, name: bytes) -> pa.Array:
        """Remove the annotation of that name; returns its values as text."""
        return self._texts(self._remove(self._annotations, name, lambda _, values: values.rows >= 0))

    def bodies(self) -> pa.Array:
        """The bodies."""
        values = self._bodies
        if not np.isin(values.codes, (NULL, *TEXTS, *BINARIES)).all():
            raise NotVectorizableError("a body that is neither text nor binary")
        bodies = self.data.binaries(values.starts, values.ends)
        present = values.codes != NULL
        return bodies if present.all() else pc.if_else(pa.array(present), bodies, None)

    def texts(self, column: int) -> pa.Array:
        """A rare column of texts."""
        values = self.rare[column]
        return self._spread(values, self.data.texts(values), pa.nulls(self.rows, pa.string()))

    def flags(self, column: int) -> pa.Array:
        """A rare column of booleans, false in rows without a value."""
        flags = np.zeros(self.rows, np.bool_)
        values = self.rare[column]
        flags[values.rows] = self.data.flags(values)
        return pa.array(flags)

    def whole(self, column: int, default: int | None) -> pa.Array:
        """A rare column of whole numbers."""
        numbers = np.full(self.rows, 0 if default is None else default, np.int64)
        values = self.rare[column]
        numbers[values.rows] = self.data.whole(values)
        if default is not None:
            return pa.array(numbers)
        missing = np.ones(self.rows, np.bool_)
        missing[values.rows] = False
        return pa.array(numbers, mask=missing)

    def properties(self) -> pa.Array:
        """The application properties except the key."""
        return self._maps(self._properties)

    def annotations(self) -> pa.Array:
        """The message annotations."""
        return self._maps(self._annotations)

    def _texts(self, steps: list[Values]) -> pa.Array:
        """The values as texts; if a row has several, the first."""
        texts = pa.nulls(self.rows, pa.string())
        for values in reversed(steps):
            texts = self._spread(values, self.data.texts(values), texts)
        return texts

    def _spread(self, values: Values, array: pa.Array, others: pa.Array) -> pa.Array:
        """A column of all rows: `array` in the rows of the values, and `others` in the other rows."""
        if len(values.rows) == self.rows:
            return array
        here = np.zeros(self.rows, np.bool_)
        here[values.rows] = True
        return pc.replace_with_mask(others, pa.array(here), array)

    def _maps(self, entries: Entries) -> pa.Array:
        """The entries in the order of rows, as a column of maps."""
        counts = np.zeros(self.rows + 1, np.int64)
        for values in entries.values:
            counts[values.rows + 1] += 1
        ends = np.cumsum(counts)
        names, values = _in_rows(entries.names, ends), _in_rows(entries.values, ends)
        kind = pa.map_(pa.string(), pa.string())
        bounds = pa.array(ends, pa.int32())
        return pa.MapArray.from_arrays(bounds, self.data.texts(names), self.data.texts(values), kind)

    # ------------------------------------------------------------------ sections

    def _take(self, section: int, take: Callable[[Numbers, Numbers], Numbers]) -> None:
        """Read a section in the rows that have it next; `take` returns where the section ends."""
        here = self._heads == _SECTION | section
        if here.all():
            self._places = take(self._all, self._places + _HEAD)
            self._heads = self._heads_at(self._places)
        elif here.any():
            rows = np.flatnonzero(here)
            self._places[rows] = take(rows, self._places[rows] + _HEAD)
            self._heads[rows] = self._heads_at(self._places[rows])

    def _heads_at(self, places: Numbers) -> Numbers:
        """The three bytes at each place."""
        return self.data.numbers(places, ">u4") >> 8

    def _take_stamp(self, rows: Numbers, at: Numbers) -> Numbers:
        """What the broker stamped on the messages: see `stamped`."""
        stamps = self.data.words(at - _HEAD, STAMP_SIZE)
        columns = [self.sequences, self.arrivals_ms, self.updates]
        start = 0
        for column, place in zip(columns, STAMP_NUMBERS, strict=True):
            if not (stamps[:, start:place] == _STAMP[start:place]).all():
                raise NotVectorizableError("delivery annotations of another broker")
            start = place + 8
            column[rows] = np.ascontiguousarray(stamps[:, place:start]).view(">i8")[:, 0]
        self.updates = _count(self.updates, np.int64(1))
        return at - _HEAD + STAMP_SIZE

    def _take_list(self, rows: Numbers, at: Numbers, columns: list[int]) -> Numbers:
        data = self.data
        if (data.at(at) == _EMPTY_LIST).any():
            raise NotVectorizableError("an empty list")
        places, ends, counts = data.compounds(at, *_LIST)
        if self._rare_columns is not None and self._rare_columns.isdisjoint(columns):
            return ends
        for number in range(int(counts.max())):
            here = np.flatnonzero(counts > number)
            values = data.values(rows[here], places[here])
            places[here] = values.ends
            if number < len(columns) and columns[number] != UNREAD:
                present = values.codes != NULL
                if present.any():
                    self.rare[columns[number]] = values.where(present)
        if not (places == ends).all():
            raise NotVectorizableError("a list with another size than its fields")
        return ends

    def _take_map(self, rows: Numbers, at: Numbers, into: Entries, only: bytes | None = None) -> Numbers:
        """Read the entries; if the first entry has the name `only` in all rows, read no others."""
        data = self.data
        places, ends, counts = data.compounds(at, *_MAP)
        for _ in range(int(counts.max()) // 2):
            here = np.flatnonzero(counts > 2 * len(into.names))
            names = data.values(rows[here], places[here])
            if not np.isin(names.codes, TEXTS).all():
                raise NotVectorizableError("a name that is not text")
            values = data.values(rows[here], names.ends)
            places[here] = values.ends
            into.names.append(names)
            into.values.append(values)
            if only is not None and len(into.names) == 1 and data.are(names, only).all():
                return ends
        if not (places == ends).all():
            raise NotVectorizableError("a map with another size than its entries")
        return ends

    def _take_bodies(self) -> Values:
        if not ((self._heads == _SECTION | DATA) | (self._heads == _SECTION | AMQP_VALUE)).all():
            raise NotVectorizableError("no body, or a body of several sections")
        bodies = self.data.values(self._all, self._places + _HEAD)
        self._places = bodies.ends
        return bodies

    # ------------------------------------------------------------------ entries with a column of their own

    def _set_keys(self, key_property: str) -> None:
        names_of_keys = names_of_key(key_property)
        if any(is_property_field(each) for each in names_of_keys):
            raise NotVectorizableError("a key that is a field of the message")
        if len(names_of_keys) > 1:
            self._key_parts = [self._named(each.encode("utf-8", "surrogatepass")) for each in names_of_keys]
        name = key_property.encode("utf-8", "surrogatepass")
        if not self._key_parts:
            self._keys = self._remove(self._properties, name, lambda _, values: values.codes != NULL)
        self._remove(self._properties, DUPLICATE_ID.encode(), lambda names, _: names.codes == STRING)
        if self._key_parts:
            return
        # A property that is null hides an annotation of the same name; annotations are not removed.
        null = [names.rows[self.data.are(names, name)] for names in self._properties.names]
        for names, values in zip(self._annotations.names, self._annotations.values, strict=True):
            here = self.data.are(names, name)
            if here.any():
                here &= ~np.isin(values.rows, np.concatenate([self._all[:0], *null]))
                self._keys.append(values.where(here))

    def _named(self, name: bytes) -> list[Values]:
        """The values of the property of that name, which stays.

        Raises:
            NotVectorizableError: one is null, or an annotation has the name: which counts is asked elsewhere.
        """
        found = []
        for names, values in zip(self._properties.names, self._properties.values, strict=True):
            here = self.data.are(names, name)
            if here.any():
                found.append(values.where(here))
        annotated = any(self.data.are(names, name).any() for names in self._annotations.names)
        if annotated or any((values.codes == NULL).any() for values in found):
            raise NotVectorizableError("a property of the key that is null, or an annotation")
        return found

    def _set_updates(self) -> None:
        """Move a producer's own count from the annotations to the column `updates`."""
        for values in self._remove(self._annotations, UPDATES.encode(), lambda _, values: values.rows >= 0):
            counts = self.data.whole(values)
            self.updates[values.rows] = _count(self.updates[values.rows], counts)

    def _remove(
        self, entries: Entries, name: bytes, condition: Callable[[Values, Values], Flags]
    ) -> list[Values]:
        """Remove the entries of that name for which the condition holds; returns their values."""
        removed = []
        for number, (names, values) in enumerate(zip(entries.names, entries.values, strict=True)):
            here = self.data.are(names, name)
            if here.any():
                here &= condition(names, values)
                removed.append(values.where(here))
                entries.names[number], entries.values[number] = names.where(~here), values.where(~here)
        return removed


def _count(first: Numbers, second: Numbers | np.int64) -> Numbers:
    """The greater ones of counts of updates, as far as there are counts."""
    return np.minimum(np.maximum(first, second), MOST_UPDATES)


def _in_rows(steps: list[Values], ends: Numbers) -> Values:
    """The values of all steps, in the order of rows."""
    if len(steps) == 1:
        return steps[0]
    total = int(ends[-1])
    rows, starts, stops = (np.zeros(total, np.int64) for _ in range(3))
    codes = np.zeros(total, np.uint8)
    free = ends[:-1].copy()
    for values in steps:
        places = free[values.rows]
        free[values.rows] += 1
        rows[places], codes[places] = values.rows, values.codes
        starts[places], stops[places] = values.starts, values.ends
    return Values(rows, codes, starts, stops)
