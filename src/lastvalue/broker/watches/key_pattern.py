"""Which keys a reader asks for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lastvalue.model.errors import InvalidSpecError
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
