"""The table of the keys that have a value on a queue.

It holds entries and no keys, as these are parts of the messages. It grows in parts, so that no key that comes
waits while a large table is laid out again.
"""

from typing import Final, final

from librt.strings import read_i64_le
from librt.vecs import vec
from mypy_extensions import i32, i64

from lastvalue.queues.entry import Entry

MOST_SLOTS: Final = 1024
"""A part is divided once this many of its slots are full."""

_FEWEST_SLOTS: Final = 8
_MOST_BITS: Final = 24
"""The table is divided so often at most; then its parts grow."""
_MARK_BITS: Final = 31
_MARKS: Final = (1 << _MARK_BITS) - 1
_WORD: Final = 8
_HALF: Final = 0xFFFFFFFF
_MOST_HASHED: Final = 256
"""The size of the longest key whose octets are multiplied, in bytes."""


def _secret_factors() -> vec[i64]:
    """Numbers that nobody outside this process knows, since Python keys its hash of texts."""
    return vec[i64](
        [i64(hash(f"factor {number} of the key table")) for number in range(_MOST_HASHED // 4 + 3)]
    )


_FACTORS: Final = _secret_factors()
_IS_PLAIN: Final = hasattr(_secret_factors, "__code__")
"""This module is not compiled: Python's own hash is cheaper than one that is written in Python."""


@final
class KeyPart:
    """The keys whose marks end with the same bits: a table with open addressing and linear probing.

    Attributes:
        bits: how many bits at their ends the marks have in common.
        count: the number of keys.
        marks: the mark of the entry in each slot, or 0.
        entries: the entry in each slot, or None.
    """

    __slots__ = ("bits", "count", "entries", "marks")

    def __init__(self, bits: i64, slots: i64) -> None:
        self.bits: i64 = bits
        self.count: i64 = 0
        self.marks: vec[i32] = vec[i32]([i32(0)] * slots)
        self.entries: list[Entry | None] = [None] * slots

    def slot(self, mark: i32, data: bytes, start: i64, end: i64) -> i64:
        """The slot of the entry that has the key between these places; -1 less a free one where none has."""
        marks = self.marks
        slots: i64 = len(marks)
        at: i64 = (i64(mark) * slots) >> _MARK_BITS
        while marks[at] != 0:
            if marks[at] == mark:
                entry = self.entries[at]
                if entry is not None and entry.has_key(data, start, end):
                    return at
            at += 1
            if at == slots:
                at = 0
        return -1 - at

    def fill(self, at: i64, mark: i32, entry: Entry) -> None:
        """Put an entry whose key is not here into a free slot."""
        self.marks[at] = mark
        self.entries[at] = entry
        self.count += 1

    def place(self, mark: i32, entry: Entry) -> None:
        """Put an entry whose key is not here into the first free slot for its mark."""
        marks = self.marks
        slots: i64 = len(marks)
        at: i64 = (i64(mark) * slots) >> _MARK_BITS
        while marks[at] != 0:
            at += 1
            if at == slots:
                at = 0
        self.fill(at, mark, entry)

    def clear(self, at: i64) -> None:
        """Empty a slot; entries behind it move so that they are found."""
        marks = self.marks
        entries = self.entries
        slots: i64 = len(marks)
        self.count -= 1
        after = at
        while True:
            after += 1
            if after == slots:
                after = 0
            mark = marks[after]
            if mark == 0:
                break
            # How far it is from its own slot, and from the one that is empty.
            far: i64 = after - ((i64(mark) * slots) >> _MARK_BITS)
            away: i64 = after - at
            if far < 0:
                far += slots
            if away < 0:
                away += slots
            if far >= away:
                marks[at] = mark
                entries[at] = entries[after]
                at = after
        marks[at] = i32(0)
        entries[at] = None

    def ending_with_one(self) -> i64:
        """How many marks have a one before the bits that all have in common."""
        count: i64 = 0
        for mark in self.marks:
            count += (i64(mark) >> self.bits) & 1
        return count

    def move(self, into: "KeyPart", other: "KeyPart | None") -> None:
        """Put all entries into another part; those whose next bit of the mark is set into the second one."""
        marks = self.marks
        for at, entry in enumerate(self.entries):
            if entry is not None:
                mark = marks[at]
                chosen = into
                if other is not None and (i64(mark) >> self.bits) & 1 != 0:
                    chosen = other
                chosen.place(mark, entry)


def _room(count: i64) -> i64:
    """The slots of a part that has this many keys, and gets more."""
    return max(_FEWEST_SLOTS, count * 10 // 7)


@final
class KeyTable:
    """The entry that each key has.

    A key is compared by its canonical bytes: see `Message.key`.
    Its hash is strongly universal with factors that are secret, so that no peer can bring keys that collide.

    Attributes:
        size: the number of keys.
    """

    __slots__ = ("_bits", "_ending", "_factors", "_parts", "size")

    def __init__(self) -> None:
        self.size: i64 = 0
        # A part is here once for each ending of marks that its own ending is part of.
        self._parts: list[KeyPart] = []
        self._bits: i64 = 0
        self._ending: i64 = 0
        self._factors: vec[i64] = _FACTORS

    def _mark(self, data: bytes, start: i64, end: i64) -> i32:
        """The hash of a key, from 1 on: the sum of its words of four octets, each times a factor."""
        size: i64 = end - start
        if _IS_PLAIN or size > _MOST_HASHED:
            return i32((hash(data[start:end]) & _MARKS) or 1)
        factors = self._factors
        total: i64 = size * factors[0]
        last: i64 = end - _WORD
        word: i64 = 1
        if size >= _WORD:
            at = start
            while at < last:
                octets = read_i64_le(data, at)
                total += (octets & _HALF) * factors[word] + (octets >> 32 & _HALF) * factors[word + 1]
                at += _WORD
                word += 2
            # The last word may begin within the one before.
            octets = read_i64_le(data, last)
            total += (octets & _HALF) * factors[word] + (octets >> 32 & _HALF) * factors[word + 1]
        else:
            while start < end:
                total += data[start] * factors[word]
                start += 1
                word += 1
        return i32((total >> 33 & _MARKS) or 1)

    def get(self, key: bytes) -> Entry | None:
        """The entry that a key has."""
        return self.get_in(key, 0, len(key))

    def get_in(self, data: bytes, start: i64, end: i64) -> Entry | None:
        """The entry that the key between these places has."""
        if self.size == 0:
            return None
        mark = self._mark(data, start, end)
        part = self._parts[i64(mark) & self._ending]
        at = part.slot(mark, data, start, end)
        return part.entries[at] if at >= 0 else None

    def __contains__(self, key: bytes) -> bool:
        return self.get(key) is not None

    def __len__(self) -> int:
        return int(self.size)

    def put(self, entry: Entry) -> None:
        """Make an entry that of its key, in place of another one where there is one."""
        data, start, end = entry.key_in()
        mark = self._mark(data, start, end)
        if not self._parts:
            self._parts.append(KeyPart(0, _FEWEST_SLOTS))
        part = self._parts[i64(mark) & self._ending]
        at = part.slot(mark, data, start, end)
        if at >= 0:
            part.entries[at] = entry
            return
        if (part.count + 1) * 8 > len(part.marks) * 7:
            self._grow(i64(mark), part)
            self._parts[i64(mark) & self._ending].place(mark, entry)
        else:
            part.fill(-1 - at, mark, entry)
        self.size += 1

    def remove(self, key: bytes) -> None:
        """Forget the entry of a key, which has one."""
        mark = self._mark(key, 0, len(key))
        part = self._parts[i64(mark) & self._ending]
        part.clear(part.slot(mark, key, 0, len(key)))
        self.size -= 1
        if self.size == 0:
            self._parts = []
            self._bits = 0
            self._ending = 0

    def entries(self) -> list[Entry]:
        """The entries of all keys, in no order."""
        entries: list[Entry] = []
        for number, part in enumerate(self._parts):
            # Where it is for the first time.
            if number >> part.bits == 0:
                entries += [entry for entry in part.entries if entry is not None]
        return entries

    def _grow(self, mark: i64, part: KeyPart) -> None:
        """Make room in the part of a mark, which is full."""
        slots: i64 = len(part.marks)
        bits = part.bits
        if slots < MOST_SLOTS or bits == _MOST_BITS:
            first = KeyPart(bits, _room(part.count))
            part.move(first, None)
            self._set(mark, bits, first)
            return
        if bits == self._bits:
            self._parts += self._parts
            self._bits += 1
            self._ending = (1 << self._bits) - 1
        seconds = part.ending_with_one()
        first = KeyPart(bits + 1, _room(part.count - seconds))
        second = KeyPart(bits + 1, _room(seconds))
        part.move(first, second)
        ending = mark & ((1 << bits) - 1)
        self._set(ending, bits + 1, first)
        self._set(ending | (1 << bits), bits + 1, second)

    def _set(self, mark: i64, bits: i64, part: KeyPart) -> None:
        """Have a part for all marks whose last bits, this many, are the same."""
        parts = self._parts
        at: i64 = mark & ((1 << bits) - 1)
        while at < len(parts):
            parts[at] = part
            at += 1 << bits
