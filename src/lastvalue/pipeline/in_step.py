"""Many messages taken apart in step, section by section, into columns: no object is made for a message.

What comes out is what `incoming.record_batch` makes of `codec.amqp10.columns`. Messages with anything unusual
in them, malformed ones too, are left to these.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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
from lastvalue.model.property_names import DUPLICATE_ID, UPDATES
from lastvalue.pipeline.octets import (
    BINARIES,
    NULL,
    STRING,
    TEXTS,
    Flags,
    Numbers,
    Octets,
    Values,
)
from lastvalue.pipeline.unusual import UnusualError

_HEAD: Final = 3
"""Bytes before a section's value."""
_SECTION: Final = 0x005300
"""These as a number, but for the section's code."""
_STAMP: Final = np.frombuffer(stamped(b"\x00\x53\x75\xa0\x00", 0, 0, 0)[:STAMP_SIZE], np.uint8)
_LIST: Final = (0xC0, 0xD0)
_MAP: Final = (0xC1, 0xD1)
_EMPTY_LIST: Final = 0x45


@dataclass(slots=True)
class Entries:
    """The entries of a map in some rows: the first of each row that has one, the second of each, and on."""

    names: list[Values] = field(default_factory=list)
    values: list[Values] = field(default_factory=list)


class InStep:
    """Where in the bytes of messages their parts are.

    Args:
        messages: their bytes, one after the other, perhaps with others between; PADDING ends them.
        spans: where each starts and ends.
        key_property: the property that is the key; it is then none of the properties.
        wanted: the rare columns that are asked for; None: all. A section without any is passed over.
        all_properties: whether properties are asked for that are not the key.

    Attributes:
        sequences, arrivals_ms, updates: as the broker stamped them on the messages; 0, 0, 1 where it did not.
        rare: by the columns' numbers, in the rows that have them.

    Raises:
        UnusualError: the messages have to be looked at one by one.
        IndexError, pyarrow.ArrowInvalid: likewise, because one is malformed or has a text that is none.
    """

    def __init__(
        self,
        messages: bytes,
        spans: Numbers,
        key_property: str,
        wanted: frozenset[int] | None = None,
        *,
        all_properties: bool = True,
    ) -> None:
        self.rows = len(spans)
        self._wanted = wanted
        self.octets = Octets(messages)
        self.sequences = np.zeros(self.rows, np.int64)
        self.arrivals_ms = np.zeros(self.rows, np.int64)
        self.updates = np.ones(self.rows, np.int64)
        self.rare: dict[int, Values] = {}
        self._all = np.arange(self.rows)
        self._starts = spans[:, 0]
        self._places = self._starts.copy()
        self._heads = self._heads_at(self._places)
        self._keys: list[Values] = []
        self._properties = Entries()
        self._annotations = Entries()
        self._take(HEADER, lambda rows, at: self._take_list(rows, at, OF_HEADER))
        self._take(DELIVERY_ANNOTATIONS, self._take_stamp)
        self._take(MESSAGE_ANNOTATIONS, lambda rows, at: self._take_map(rows, at, self._annotations))
        self._take(PROPERTIES, lambda rows, at: self._take_list(rows, at, OF_PROPERTIES))
        only = None if all_properties else key_property.encode("utf-8", "surrogatepass")
        self._take(APPLICATION_PROPERTIES, lambda rows, at: self._take_map(rows, at, self._properties, only))
        self._bodies = self._take_bodies()
        if not (self._places == spans[:, 1]).all():
            raise UnusualError("bytes behind the body, or too few")
        self._set_keys(key_property)
        self._set_updates()

    # ------------------------------------------------------------------ columns

    def keys(self) -> pa.Array:
        """The keys as text."""
        return self._texts(self._keys)

    def take_note(self, name: bytes) -> pa.Array:
        """The annotation of that name as text, which is then none of the annotations."""
        return self._texts(self._taken(self._annotations, name, lambda _, values: values.rows >= 0))

    def bodies(self) -> pa.Array:
        """The bodies."""
        values = self._bodies
        if not np.isin(values.codes, (NULL, *TEXTS, *BINARIES)).all():
            raise UnusualError("a body that is no text")
        found = self.octets.binaries(values.starts, values.ends)
        present = values.codes != NULL
        return found if present.all() else pc.if_else(pa.array(present), found, None)

    def texts(self, column: int) -> pa.Array:
        """A rare column of texts."""
        values = self.rare[column]
        return self._spread(values, self.octets.texts(values), pa.nulls(self.rows, pa.string()))

    def flags(self, column: int) -> pa.Array:
        """A rare column of flags, false where there is none."""
        found = np.zeros(self.rows, np.bool_)
        values = self.rare[column]
        found[values.rows] = self.octets.flags(values)
        return pa.array(found)

    def whole(self, column: int, default: int | None) -> pa.Array:
        """A rare column of whole numbers."""
        found = np.full(self.rows, 0 if default is None else default, np.int64)
        values = self.rare[column]
        found[values.rows] = self.octets.whole(values)
        if default is not None:
            return pa.array(found)
        missing = np.ones(self.rows, np.bool_)
        missing[values.rows] = False
        return pa.array(found, mask=missing)

    def properties(self) -> pa.Array:
        """The other application properties."""
        return self._maps(self._properties)

    def annotations(self) -> pa.Array:
        """The message annotations."""
        return self._maps(self._annotations)

    def _texts(self, steps: list[Values]) -> pa.Array:
        """Texts that stand in some rows; where a row has several, the first."""
        found = pa.nulls(self.rows, pa.string())
        for values in reversed(steps):
            found = self._spread(values, self.octets.texts(values), found)
        return found

    def _spread(self, values: Values, found: pa.Array, others: pa.Array) -> pa.Array:
        """A column that has these values in their rows."""
        if len(values.rows) == self.rows:
            return found
        here = np.zeros(self.rows, np.bool_)
        here[values.rows] = True
        return pc.replace_with_mask(others, pa.array(here), found)

    def _maps(self, entries: Entries) -> pa.Array:
        """The entries row by row, which they are not in step."""
        counts = np.zeros(self.rows + 1, np.int64)
        for values in entries.values:
            counts[values.rows + 1] += 1
        ends = np.cumsum(counts)
        names, values = _in_rows(entries.names, ends), _in_rows(entries.values, ends)
        kind = pa.map_(pa.string(), pa.string())
        bounds = pa.array(ends, pa.int32())
        return pa.MapArray.from_arrays(bounds, self.octets.texts(names), self.octets.texts(values), kind)

    # ------------------------------------------------------------------ sections

    def _take(self, section: int, take: Callable[[Numbers, Numbers], Numbers]) -> None:
        """Read a section in the rows that have it next; it says where it ends."""
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
        return self.octets.numbers(places, ">u4") >> 8

    def _take_stamp(self, rows: Numbers, at: Numbers) -> Numbers:
        """What the broker stamped on the messages: see `stamped`."""
        stamps = self.octets.words(at - _HEAD, STAMP_SIZE)
        told = [self.sequences, self.arrivals_ms, self.updates]
        start = 0
        for column, place in zip(told, STAMP_NUMBERS, strict=True):
            if not (stamps[:, start:place] == _STAMP[start:place]).all():
                raise UnusualError("delivery annotations of another broker")
            start = place + 8
            column[rows] = np.ascontiguousarray(stamps[:, place:start]).view(">i8")[:, 0]
        np.maximum(self.updates, 1, out=self.updates)
        return at - _HEAD + STAMP_SIZE

    def _take_list(self, rows: Numbers, at: Numbers, columns: list[int]) -> Numbers:
        octets = self.octets
        if (octets.at(at) == _EMPTY_LIST).any():
            raise UnusualError("a list of nothing")
        places, ends, counts = octets.compounds(at, *_LIST)
        if self._wanted is not None and self._wanted.isdisjoint(columns):
            return ends
        for number in range(int(counts.max())):
            here = np.flatnonzero(counts > number)
            found = octets.values(rows[here], places[here])
            places[here] = found.ends
            if number < len(columns) and columns[number] != UNREAD:
                present = found.codes != NULL
                if present.any():
                    self.rare[columns[number]] = found.chosen(present)
        if not (places == ends).all():
            raise UnusualError("a list that its fields do not fit")
        return ends

    def _take_map(self, rows: Numbers, at: Numbers, into: Entries, only: bytes | None = None) -> Numbers:
        """Take the entries; where all first ones have the only name that is asked for, no others."""
        octets = self.octets
        places, ends, counts = octets.compounds(at, *_MAP)
        for _ in range(int(counts.max()) // 2):
            here = np.flatnonzero(counts > 2 * len(into.names))
            names = octets.values(rows[here], places[here])
            if not np.isin(names.codes, TEXTS).all():
                raise UnusualError("a name that is no text")
            values = octets.values(rows[here], names.ends)
            places[here] = values.ends
            into.names.append(names)
            into.values.append(values)
            if only is not None and len(into.names) == 1 and octets.are(names, only).all():
                return ends
        if not (places == ends).all():
            raise UnusualError("a map that its entries do not fit")
        return ends

    def _take_bodies(self) -> Values:
        if not ((self._heads == _SECTION | DATA) | (self._heads == _SECTION | AMQP_VALUE)).all():
            raise UnusualError("no body, or another one")
        found = self.octets.values(self._all, self._places + _HEAD)
        self._places = found.ends
        return found

    # ------------------------------------------------------------------ what is none of the entries

    def _set_keys(self, key_property: str) -> None:
        if is_property_field(key_property):
            raise UnusualError("a key that is a field of the message")
        name = key_property.encode("utf-8", "surrogatepass")
        self._keys = self._taken(self._properties, name, lambda _, values: values.codes != NULL)
        self._taken(self._properties, DUPLICATE_ID.encode(), lambda names, _: names.codes == STRING)
        # A property that is null is the key all the same, and annotations stay what they are.
        null = [names.rows[self.octets.are(names, name)] for names in self._properties.names]
        for names, values in zip(self._annotations.names, self._annotations.values, strict=True):
            here = self.octets.are(names, name)
            if here.any():
                here &= ~np.isin(values.rows, np.concatenate([self._all[:0], *null]))
                self._keys.append(values.chosen(here))

    def _set_updates(self) -> None:
        """A producer's own count is no annotation but a column."""
        for values in self._taken(self._annotations, UPDATES.encode(), lambda _, values: values.rows >= 0):
            found = self.octets.whole(values)
            self.updates[values.rows] = np.maximum(self.updates[values.rows], found)

    def _taken(
        self, entries: Entries, name: bytes, wanted: Callable[[Values, Values], Flags]
    ) -> list[Values]:
        """Take the entries of that name away, as far as they are wanted; their values."""
        taken = []
        for number, (names, values) in enumerate(zip(entries.names, entries.values, strict=True)):
            here = self.octets.are(names, name)
            if here.any():
                here &= wanted(names, values)
                taken.append(values.chosen(here))
                entries.names[number], entries.values[number] = names.chosen(~here), values.chosen(~here)
        return taken


def _in_rows(steps: list[Values], ends: Numbers) -> Values:
    """The values of all steps, those of a row one after the other."""
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
