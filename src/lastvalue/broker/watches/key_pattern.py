"""Which keys a reader asks for, and an index by which a changed key finds its readers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from lastvalue.broker.canonical_keys import key_text
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.effects import (
    REPLACED,
    STALE,
    Added,
    Dismissed,
    Due,
    Effect,
    Removed,
    Updated,
)
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.watch_terms import WatchTerms
from lastvalue.selectors.like_patterns import Part, check_sought, parts_matcher

MAX_GLOB: Final = 128
"""The largest length of a glob: matching takes time in proportion to it and to the key."""


@dataclass(frozen=True, slots=True)
class KeyPattern:
    """Certain keys; or texts that begin so and match.

    Attributes:
        keys: the canonical keys, or None.
        prefix: with which other keys begin, as canonical text without its length.
        fits: whether a text that begins so matches as a whole, or None if every one does.
    """

    keys: frozenset[bytes] | None
    prefix: bytes = b""
    fits: Callable[[str], bool] | None = None

    def matches(self, key: bytes, text: bytes | None) -> bool:
        """Whether a key is asked for; `text` is its UTF-8, if it is a text."""
        if self.keys is not None:
            return key in self.keys
        if text is None or not text.startswith(self.prefix):
            return False
        return self.fits is None or self.fits(text.decode("utf-8", "replace"))


def key_pattern(terms: WatchTerms, canonical: Callable[[object], bytes]) -> KeyPattern:
    """The keys that these terms ask for.

    In a glob `*` is any text and `?` any character.

    Raises:
        InvalidSpecError: the glob is too long, or has a part that would take too long to find.
    """
    if terms.keys:
        return KeyPattern(frozenset(canonical(each) for each in terms.keys))
    if terms.prefix:
        return KeyPattern(None, terms.prefix.encode())
    if len(terms.glob) > MAX_GLOB:
        raise InvalidSpecError(f"a glob has at most {MAX_GLOB} characters, not {len(terms.glob)}")
    parts: list[Part] = [
        [None if character == "?" else character for character in part] for part in terms.glob.split("*")
    ]
    try:
        check_sought(parts, "*", "?")
    except ValueError as fault:
        raise InvalidSpecError(f"the glob {terms.glob!r}: {fault}") from None
    literal = terms.glob.split("*", 1)[0].split("?", 1)[0]
    return KeyPattern(None, literal.encode(), parts_matcher(parts))


@dataclass(slots=True)
class KeyIndex:
    """The readers of single keys, by key, and those of patterns, by their literal prefix.

    Attributes:
        listeners: readers that are told every update.

    A changed key is looked up once, and once for each length of a prefix; readers of other keys cost nothing.
    """

    _by_key: dict[bytes, dict[Callable[[bytes], None], None]] = field(default_factory=dict)
    _by_prefix: dict[int, dict[bytes, dict[Callable[[bytes], None], KeyPattern]]] = field(
        default_factory=dict
    )

    listeners: dict[Callable[[Entry], None], None] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether nobody is in it."""
        return not self._by_key and not self._by_prefix and not self.listeners

    def note(self, effect: Effect) -> None:
        """Tell the listeners an update of a key, if only a late one."""
        if not self.listeners or not isinstance(effect, (Added, Updated, Due, Dismissed)):
            return
        if not isinstance(effect, Dismissed) or effect.reason is STALE:
            for listener in list(self.listeners):
                listener(effect.entry)

    def tell(self, effect: Effect, queue: Queue) -> None:
        """Tell those concerned what an effect on a queue changes."""
        self.note(effect)
        if isinstance(effect, (Added, Updated, Due, Removed)):
            key = effect.entry.key
            if key is not None and not (isinstance(effect, Removed) and effect.reason is REPLACED):
                self.changed(key, key_text(queue, key))

    def add(self, pattern: KeyPattern, touch: Callable[[bytes], None]) -> None:
        """Call `touch` with each key of the pattern that changes."""
        if pattern.keys is not None:
            for key in pattern.keys:
                self._by_key.setdefault(key, {})[touch] = None
            return
        prefixes = self._by_prefix.setdefault(len(pattern.prefix), {})
        prefixes.setdefault(pattern.prefix, {})[touch] = pattern

    def discard(self, pattern: KeyPattern, touch: Callable[[bytes], None]) -> None:
        """End what `add` began."""
        if pattern.keys is not None:
            for key in pattern.keys:
                readers = self._by_key.get(key, {})
                readers.pop(touch, None)
                if not readers:
                    self._by_key.pop(key, None)
            return
        prefixes = self._by_prefix.get(len(pattern.prefix), {})
        patterns = prefixes.get(pattern.prefix, {})
        patterns.pop(touch, None)
        if not patterns:
            prefixes.pop(pattern.prefix, None)
        if not prefixes:
            self._by_prefix.pop(len(pattern.prefix), None)

    def changed(self, key: bytes, text: bytes | None) -> None:
        """A key has another value, or none."""
        for touch in list(self._by_key.get(key, ())):
            touch(key)
        if text is None:
            return
        for length, prefixes in list(self._by_prefix.items()):
            for touch, pattern in list(prefixes.get(text[:length], {}).items()):
                if pattern.matches(key, text):
                    touch(key)
