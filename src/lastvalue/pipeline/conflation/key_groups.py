"""Finds the rows of an array that have the same key, without a loop over rows.

Rows are put into a table by a hash of their keys, where one row of each place stays. Rows with its key are
found by comparing the keys themselves; the few others go into another table.
A table of positions is smaller than one of keys, and so more of it fits into the processor's cache.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

_HASH_ROWS: Final = 16_384
"""Rows that are hashed at once; their intermediate values fit into the processor's cache."""
_HASHED_WORDS: Final = 32
_COMPARED_WORDS: Final = 4
"""Arrow compares keys that have more of them."""
_TABLES: Final = 8
"""After this many tables, Arrow compares the keys that are left: their hashes may be equal."""
_TABLE_BITS: Final = (8, 22)
_WORD: Final = 8
_WORD_BITS: Final = 64
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_HALF: Final = np.uint64(32)
_FIRST_BYTES: Final = np.array([2 ** (8 * count) - 1 for count in range(_WORD + 1)], np.uint64)
_NUMBERS: Final = 2
"""An array of numbers has two buffers, one of texts or bytes three; the last one holds the bytes."""


def key_groups(keys: Any) -> Numbers:
    """For each row, the position of the last row with its key; no key is null."""
    words = None if pa.types.is_dictionary(keys.type) or not len(keys) else _words(keys)
    return _groups_of_codes(*_coded(keys)) if words is None else _groups_of_words(keys, words)


def last_rows(keys: Any) -> Numbers:
    """The position of the last row of each key, ascending; no key is null."""
    words = None if pa.types.is_dictionary(keys.type) or not len(keys) else _words(keys)
    if words is None:
        last = _last_of_codes(*_coded(keys))
        return np.sort(last[last >= 0])
    return np.flatnonzero(_groups_of_words(keys, words) == np.arange(len(keys)))


def fixed_width(keys: Any) -> Any:
    """Texts or bytes that all have one length, as an array without places; any other keys as they are.

    Such an array is hashed, taken apart and compared in a third to a half of the time.
    """
    if keys.null_count or len(keys.buffers()) == _NUMBERS or not len(keys):
        return keys
    ends = _ends(keys)
    length = int(ends[1] - ends[0])
    if not length or (np.diff(ends) != length).any():
        return keys
    octets = keys.buffers()[-1].slice(int(ends[0]), length * len(keys))
    return pa.Array.from_buffers(pa.binary(length), len(keys), [None, octets])


def hashes(keys: Any) -> Words:
    """A hash of each key, from its length and its first 256 bytes."""
    if pa.types.is_fixed_size_binary(keys.type):
        return _hashes_of_one_length(keys)
    if len(keys.buffers()) == _NUMBERS:
        return _mixed(_whole_numbers(keys))
    ends, (words, first) = _ends(keys), _words_at_bytes(keys)
    result = np.empty(len(keys), np.uint64)
    for start in range(0, len(keys), _HASH_ROWS):
        own = ends[start : start + _HASH_ROWS + 1] - first
        result[start : start + _HASH_ROWS] = _hashes_of_bytes(words, own[:-1], np.diff(own))
    return result


def without_dictionary(keys: Any) -> Any:
    """The keys without a dictionary."""
    return keys.dictionary.take(keys.indices) if pa.types.is_dictionary(keys.type) else keys


def _groups_of_codes(codes: npt.NDArray[np.integer[Any]], count: int) -> Numbers:
    groups: Numbers = _last_of_codes(codes, count)[codes]
    return groups


def _last_of_codes(codes: npt.NDArray[np.integer[Any]], count: int) -> Numbers:
    """The position of the last row of each code; -1 for a code that no row has."""
    last: Numbers = np.full(count, -1, np.int64)
    np.maximum.at(last, codes, np.arange(len(codes)))
    return last


def _groups_of_words(keys: Any, words: list[Words]) -> Numbers:
    groups = rows = np.arange(len(keys))
    fixed = pa.types.is_fixed_size_binary(keys.type)
    mixed = _hashes_of_words(words, keys.type.byte_width) if fixed else hashes(keys)
    for _ in range(_TABLES):
        least, most = _TABLE_BITS
        bits = min(max(len(rows).bit_length(), least), most)
        found = _last_in_slots((mixed >> np.uint64(_WORD_BITS - bits)).view(np.int64), rows, 1 << bits)
        whole = len(rows) == len(groups)
        differs = np.zeros(len(rows), np.bool_)
        for word in words:
            differs |= word.take(found) != (word if whole else word.take(rows))
        if whole:
            groups = found
        else:
            groups[rows] = found
        others = np.flatnonzero(differs)
        if not len(others):
            return groups
        rows, mixed = rows[others], _mixed(mixed[others])
    groups[rows] = rows[_groups_of_codes(*_coded(keys.take(pa.array(rows))))]
    return groups


def _last_in_slots(slots: Numbers, rows: Numbers, count: int) -> Numbers:
    """For each of the ascending rows, the last one in its slot; there are `count` slots."""
    last = np.zeros(count, np.int64)
    # An assignment is twice as quick as a maximum, and keeps the last row; but numpy does not promise that.
    last[slots] = rows
    found = last.take(slots)
    if (found < rows).any():
        np.maximum.at(last, slots, rows)
        found = last.take(slots)
    return found


def _words(keys: Any) -> list[Words] | None:
    """Numbers that are equal in each array for rows with equal keys alone; None for longer keys."""
    if pa.types.is_fixed_size_binary(keys.type):
        length = keys.type.byte_width
        return _words_of_one_length(keys, length) if length <= _COMPARED_WORDS * _WORD else None
    if len(keys.buffers()) == _NUMBERS:
        return [_whole_numbers(keys)]
    ends = _ends(keys)
    lengths = np.diff(ends)
    longest = int(lengths.max(initial=0))
    if longest > _COMPARED_WORDS * _WORD:
        return None
    at_bytes, first = _words_at_bytes(keys)
    starts = ends[:-1] - first
    words = [_word_at(at_bytes, starts, lengths, done)[0] for done in range(0, longest, _WORD)]
    return [lengths.astype(np.uint64), *words]


def _words_of_one_length(keys: Any, length: int) -> list[Words]:
    """The first `length` bytes of each key, in words."""
    width, count = keys.type.byte_width, len(keys)
    octets = np.frombuffer(keys.buffers()[1], np.uint8)[keys.offset * width :]
    if length < _WORD:
        padded = np.zeros((count, _WORD), np.uint8)
        padded[:, :length] = octets[: count * width].reshape(count, width)[:, :length]
        return [padded.view(np.uint64)[:, 0]]
    whole = range(0, length - _WORD + 1, _WORD)
    words: list[Words] = [np.ndarray((count,), np.uint64, octets, at, (width,)).copy() for at in whole]
    rest = length % _WORD
    if rest:
        # A word that ends with the last bytes, without those before them.
        last: Words = np.ndarray((count,), np.uint64, octets, length - _WORD, (width,))
        words.append(last >> np.uint64(_WORD_BITS - 8 * rest))
    return words


def _whole_numbers(keys: Any) -> Words:
    numbers: Numbers = pc.fill_null(keys.cast(pa.int64()), 0).to_numpy()
    return numbers.view(np.uint64)


def _coded(keys: Any) -> tuple[npt.NDArray[np.integer[Any]], int]:
    """A number from 0 on for each key, and the number of different keys."""
    encoded = keys if pa.types.is_dictionary(keys.type) else keys.dictionary_encode()
    codes = encoded.indices.to_numpy()
    own = encoded.dictionary
    if encoded is keys:
        # A file's dictionary may contain a value twice.
        own = keys.dictionary.dictionary_encode()
        if len(own.dictionary) < len(keys.dictionary):
            codes = own.indices.to_numpy()[codes]
        own = own.dictionary
    return codes, len(own)


def _ends(keys: Any) -> npt.NDArray[Any]:
    """Where each text begins in the buffer of its bytes, and where the last one ends."""
    wide = pa.types.is_large_string(keys.type) or pa.types.is_large_binary(keys.type)
    places = np.frombuffer(keys.buffers()[1], np.int64 if wide else np.int32)
    return places[keys.offset : keys.offset + len(keys) + 1]


def _words_at_bytes(keys: Any) -> tuple[Words, int]:
    """The word that starts at each byte of the texts, and the place of the first one's first byte."""
    ends, octets = _ends(keys), keys.buffers()[-1]
    first, last = (int(ends[0]), int(ends[-1])) if len(ends) else (0, 0)
    padded = np.zeros(last - first + _WORD, np.uint8)
    if last > first:
        padded[: last - first] = np.frombuffer(octets, np.uint8)[first:last]
    return np.ndarray((last - first + 1,), np.uint64, padded, 0, (1,)), first


def _word_at(
    words: Words, starts: npt.NDArray[Any], lengths: npt.NDArray[Any], done: int
) -> tuple[Words, Words]:
    """The bytes of each text behind the first `done`, at most a word of them, and which bits are theirs."""
    mask = _FIRST_BYTES[np.clip(lengths - done, 0, _WORD)]
    return words[np.minimum(starts + done, len(words) - 1)] & mask, mask


def _hashes_of_one_length(keys: Any) -> Words:
    """What `_hashes_of_bytes` finds, without searching for each key."""
    length = min(keys.type.byte_width, _HASHED_WORDS * _WORD)
    parts = [keys[start : start + _HASH_ROWS] for start in range(0, len(keys), _HASH_ROWS)]
    hashed = [_hashes_of_words(_words_of_one_length(each, length), keys.type.byte_width) for each in parts]
    return np.concatenate(hashed) if hashed else np.empty(0, np.uint64)


def _hashes_of_words(words: list[Words], length: int) -> Words:
    """The hashes of keys of that length, of which these are all words that are hashed."""
    result = np.full(len(words[0]), _mixed(np.array([length], np.uint64))[0])
    for start in range(0, len(result), _HASH_ROWS):
        own = result[start : start + _HASH_ROWS]
        for word in words:
            own[:] = _mixed(own ^ word[start : start + _HASH_ROWS])
    return result


def _hashes_of_bytes(words: Words, starts: npt.NDArray[Any], lengths: npt.NDArray[Any]) -> Words:
    result = _mixed(lengths.astype(np.uint64))
    longest = min(int(lengths.max(initial=0)), _HASHED_WORDS * _WORD)
    for done in range(0, longest, _WORD):
        own, mask = _word_at(words, starts, lengths, done)
        result = np.where(mask == 0, result, _mixed(result ^ own))
    return result


def _mixed(numbers: Words) -> Words:
    product = numbers * _FACTOR
    return product ^ (product >> _HALF)
