"""Settings by address pattern, merged field by field, the most specific pattern first, as in Artemis."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from lastvalue.config.errors import IllegalMatchError

Fields: TypeAlias = Mapping[str, Any]
Overlay: TypeAlias = Callable[[Fields, Fields], Fields]
"""Overlays the first fields on the second, which are less specific."""

_CACHED: Final = 10_000
_NO_FIELDS: Final[Fields] = {}


@dataclass(frozen=True, slots=True)
class Wildcards:
    """The characters of patterns.

    Attributes:
        delimiter: stands between words.
        any_words: stands for zero or more words, at the end of a pattern.
        single_word: stands for one word that is not empty.
        literal_markers: two characters; a pattern between them is a name, even if it has wildcards.
    """

    delimiter: str = "."
    any_words: str = "#"
    single_word: str = "*"
    literal_markers: str = ""

    def __post_init__(self) -> None:
        marks = (self.delimiter, self.any_words, self.single_word)
        if any(len(mark) != 1 for mark in marks) or len(set(marks)) != 3:
            raise IllegalMatchError(
                f"delimiter and wildcards must be three different characters, not {marks}"
            )
        if len(self.literal_markers) not in (0, 2):
            raise IllegalMatchError(f"literal markers must be two characters, not {self.literal_markers!r}")


class AddressSettings:
    """Fields by address pattern.

    The patterns of an address rank in this order: its exact name; its name between literal markers; patterns
    without `#` before those with it; of two with `#` the longer text; otherwise the one that, from the left,
    first has a word where the other has a wildcard.
    """

    def __init__(self, wildcards: Wildcards | None = None, overlay: Overlay | None = None) -> None:
        self.wildcards = wildcards or Wildcards()
        self._overlay = overlay or _field_by_field
        self._names: dict[str, Fields] = {}
        self._literals: dict[str, Fields] = {}
        self._patterns: dict[str, Fields] = {}
        self._root = _Node()
        self._cache: dict[str, Fields] = {}

    def add(self, match: str, fields: Fields) -> None:
        """Set the fields of a pattern, instead of its previous ones.

        Raises:
            IllegalMatchError: it is not text, or is empty, or `#` is not its last word.
        """
        self.check(match)
        if (name := self._literal(match)) is not None:
            self._literals[name] = fields
        elif (words := self._wild_words(match)) is None:
            self._names[match] = fields
        else:
            self._patterns[match] = fields
            self._node(words).hold(match, ends_open=words[-1] == self.wildcards.any_words)
        self._cache.clear()

    def remove(self, match: str) -> None:
        """Remove a pattern, if it exists."""
        if (name := self._literal(match)) is not None:
            self._literals.pop(name, None)
        elif (words := self._wild_words(match)) is None:
            self._names.pop(match, None)
        elif self._patterns.pop(match, None) is not None:
            self._node(words).drop(match)
        self._cache.clear()

    def check(self, match: object) -> None:
        """Refuse an invalid pattern.

        Raises:
            IllegalMatchError: it is invalid; the text says why.
        """
        if not isinstance(match, str) or not match:
            raise IllegalMatchError(f"a match must be a name or a pattern such as 'prices.#', not {match!r}")
        if self._literal(match) is not None:
            return
        mark = self.wildcards.any_words
        place = match.find(mark)
        if place < 0:
            return
        if place < len(match) - 1:
            raise IllegalMatchError(f"match {match!r}: {mark} must be the last word")
        if place and match[place - 1] != self.wildcards.delimiter:
            raise IllegalMatchError(
                f"match {match!r}: {mark} must be a whole word; "
                f"write {match[:-1] + self.wildcards.delimiter + mark!r}"
            )

    def is_pattern(self, match: str) -> bool:
        """Whether a match has wildcards."""
        return self._literal(match) is None and self._wild_words(match) is not None

    def match(self, address: str) -> Fields:
        """The merged fields of an address: one mapping until a setting changes, which callers only read."""
        merged = self._cache.get(address)
        if merged is None:
            merged = self._merged(address)
            if len(self._cache) >= _CACHED:
                self._cache.clear()
            self._cache[address] = merged
        return merged

    def ranked(self, address: str) -> list[tuple[str, Fields]]:
        """The patterns that match an address, with their fields, the most specific first."""
        ranking: list[tuple[str, Fields]] = []
        if address in self._names:
            ranking.append((address, self._names[address]))
        if address in self._literals:
            markers = self.wildcards.literal_markers
            ranking.append((markers[0] + address + markers[1], self._literals[address]))
        matches = sorted(self._matches(address), key=self._rank)
        ranking.extend((match, self._patterns[match]) for match in matches)
        return ranking

    def _merged(self, address: str) -> Fields:
        merged = _NO_FIELDS
        for _, fields in self.ranked(address):
            merged = self._overlay(merged, fields)
        return merged

    def _matches(self, address: str) -> list[str]:
        words = address.split(self.wildcards.delimiter)
        patterns: list[str] = []
        frontier = [self._root]
        for word in words:
            following: list[_Node] = []
            for node in frontier:
                patterns.extend(node.open_ended)
                steps = (word, self.wildcards.single_word) if word else (word,)
                following.extend(node.nodes[step] for step in dict.fromkeys(steps) if step in node.nodes)
            frontier = following
        for node in frontier:
            patterns.extend(node.open_ended)
            patterns.extend(node.closed)
        return patterns

    def _rank(self, match: str) -> tuple[bool, int, list[bool], str]:
        wildcards = self.wildcards
        is_open = match.endswith(wildcards.any_words)
        stars = [word == wildcards.single_word for word in match.split(wildcards.delimiter)]
        return is_open, -len(match) if is_open else 0, stars, match

    def _literal(self, match: str) -> str | None:
        markers = self.wildcards.literal_markers
        if not markers or len(match) < 3 or match[0] != markers[0] or match[-1] != markers[1]:
            return None
        return match[1:-1]

    def _wild_words(self, match: str) -> list[str] | None:
        words = match.split(self.wildcards.delimiter)
        wild = (self.wildcards.any_words, self.wildcards.single_word)
        return words if any(word in wild for word in words) else None

    def _node(self, words: list[str]) -> "_Node":
        node = self._root
        for word in words if words[-1] != self.wildcards.any_words else words[:-1]:
            node = node.nodes.setdefault(word, _Node())
        return node


class _Node:
    """The patterns that begin with some words: those that end there, and those that continue with `#`."""

    __slots__ = ("closed", "nodes", "open_ended")

    def __init__(self) -> None:
        self.nodes: dict[str, _Node] = {}
        self.closed: dict[str, None] = {}
        self.open_ended: dict[str, None] = {}

    def hold(self, match: str, *, ends_open: bool) -> None:
        (self.open_ended if ends_open else self.closed)[match] = None

    def drop(self, match: str) -> None:
        self.open_ended.pop(match, None)
        self.closed.pop(match, None)


def _field_by_field(upper: Fields, lower: Fields) -> Fields:
    return {**lower, **upper}
