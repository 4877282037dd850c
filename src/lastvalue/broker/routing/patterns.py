"""Patterns of words separated by dots, for topic exchanges and wildcard addresses.

`*` stands for one word, `#` for zero or more words; both stand for whole words only.
"""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.routing.bindings import Binding

DELIMITER: Final = "."
ONE: Final = "*"
ANY: Final = "#"

MAX_WORDS: Final = 256
"""This many words of a key count, as many as 255 characters can have; all further ones are one word."""


def normalised(pattern: str) -> str:
    """A pattern with the same matches in one normal form, if `*` may stand for an empty word.

    In each run of wildcards every `*` comes first, then one `#`.
    """
    words: list[str] = []
    stars = 0
    hash_due = False
    for word in pattern.split(DELIMITER):
        if word == ONE:
            stars += 1
        elif word == ANY:
            hash_due = True
        else:
            words.extend([ONE] * stars)
            if hash_due:
                words.append(ANY)
            stars = 0
            hash_due = False
            words.append(word)
    words.extend([ONE] * stars)
    if hash_due:
        words.append(ANY)
    return DELIMITER.join(words)


def collapsed(pattern: str) -> str:
    """A pattern with the same matches, whatever `*` may stand for: each run of `#` becomes one."""
    words: list[str] = []
    for word in pattern.split(DELIMITER):
        if word != ANY or not words or words[-1] != ANY:
            words.append(word)
    return DELIMITER.join(words)


def has_wildcard(pattern: str) -> bool:
    """Whether the pattern contains a wildcard."""
    return any(word in (ONE, ANY) for word in pattern.split(DELIMITER))


@final
class _Node:
    """A word of some patterns, and the words that follow it."""

    __slots__ = ("any", "bindings", "loops", "mark", "matched", "one", "words")

    def __init__(self, loops: bool) -> None:
        self.loops = loops
        self.words: dict[str, _Node] = {}
        self.one: _Node | None = None
        self.any: _Node | None = None
        self.bindings: dict[Binding, None] = {}
        self.mark: i64 = 0
        self.matched: i64 = 0

    @property
    def last(self) -> bool:
        return not self.words and self.one is None and self.any is None

    @property
    def empty(self) -> bool:
        return not self.bindings and self.last

    def child(self, word: str) -> "_Node | None":
        if word == ONE:
            return self.one
        return self.any if word == ANY else self.words.get(word)

    def put(self, word: str, node: "_Node | None") -> None:
        if word == ONE:
            self.one = node
        elif word == ANY:
            self.any = node
        elif node is None:
            del self.words[word]
        else:
            self.words[word] = node


@final
class PatternTree:
    """Bindings by their patterns; a match costs the key's words and the bindings that match, no more.

    Args:
        empty_words: `*` also stands for an empty word, as it does for topic exchanges.

    Attributes:
        steps: how many places in patterns the last match looked at.
    """

    __slots__ = ("_empty_words", "_found", "_mark", "_matches", "_root", "steps")

    def __init__(self, empty_words: bool) -> None:
        self._empty_words = empty_words
        self.steps: i64 = 0
        self._root = _Node(False)
        self._mark: i64 = 0
        self._matches: i64 = 0
        self._found: list[_Node] = []

    def add(self, pattern: str, binding: Binding) -> None:
        """Add a binding for a pattern."""
        node = self._root
        for word in self._words(pattern):
            child = node.child(word)
            if child is None:
                child = _Node(word == ANY)
                node.put(word, child)
            node = child
        node.bindings[binding] = None

    def remove(self, pattern: str, binding: Binding) -> None:
        """Remove a binding, and the nodes of the tree that have become empty."""
        path: list[tuple[_Node, str]] = []
        node = self._root
        for word in self._words(pattern):
            path.append((node, word))
            child = node.child(word)
            if child is None:
                return
            node = child
        node.bindings.pop(binding, None)
        while path and node.empty:
            node, word = path.pop()
            node.put(word, None)

    def _words(self, pattern: str) -> list[str]:
        # If `*` is never empty, `#.*` needs a last word that is not empty, and `*.#` such a first word.
        return (normalised(pattern) if self._empty_words else collapsed(pattern)).split(DELIMITER)

    def match(self, key: str) -> list[Binding]:
        """The bindings whose patterns the key matches."""
        found: list[Binding] = []
        for node in self._ends(key):
            found.extend(node.bindings)
        return found

    def place(self, key: str) -> tuple[int, ...]:
        """The patterns that the key matches, as numbers: keys with the same ones match the same bindings.

        So it is until a binding is added or removed.
        """
        return tuple([id(node) for node in self._ends(key) if node.bindings])

    def _ends(self, key: str) -> list[_Node]:
        """The last words of the patterns that the key matches, each once, and some that end no pattern."""
        states: list[_Node] = []
        self._found = []
        self._matches += 1
        self._mark += 1
        steps: i64 = 0
        self._reach(self._root, states)
        for word in key.split(DELIMITER, MAX_WORDS - 1):
            self._mark += 1
            reached: list[_Node] = []
            steps += len(states)
            star_fits = self._empty_words or word != ""
            for node in states:
                named = node.words.get(word)
                if named is not None:
                    self._reach(named, reached)
                one = node.one
                if one is not None and star_fits:
                    self._reach(one, reached)
                if node.loops:
                    self._reach(node, reached)
            states = reached
            if not states:
                break
        self.steps = steps
        found = self._found
        found.extend(states)
        self._found = []
        return found

    def _reach(self, node: _Node, states: list[_Node]) -> None:
        """Add a node and the `#` after it, which may stand for no word; each once."""
        if node.mark != self._mark:
            node.mark = self._mark
            states.append(node)
            following = node.any
            if following is None or following.mark == self._mark:
                return
            following.mark = self._mark
            if not following.last:
                states.append(following)
            elif following.matched != self._matches:
                # A `#` at the end matches whatever follows, so it need not be followed to the key's end.
                following.matched = self._matches
                self._found.append(following)
