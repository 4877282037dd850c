"""A selector: a condition that selects messages."""

from typing import Final

from mypy_extensions import i64

from lastvalue.model.message import Message, MessageFilter
from lastvalue.selectors.errors import InvalidSelectorError
from lastvalue.selectors.expressions import EVERYTHING, Expression, depth
from lastvalue.selectors.predicate import predicate_of
from lastvalue.selectors.tree_parser import parse_tree

MAX_LENGTH: Final = 16384
"""The largest length in characters: parsing takes time in proportion to it."""

MAX_DEPTH: Final = 100
"""The largest depth of nested expressions; a conjunction or disjunction of many terms is one level."""

_CHARACTER_BYTES: Final = 128
"""The memory of a character; 25 to 240 were measured."""


class Selector(MessageFilter):
    """Selects the messages for which its condition is true, not false or unknown.

    Attributes:
        text: the selector as written.
        tree: its syntax tree.
    """

    __slots__ = ("_truth", "text", "tree")

    def __init__(self, text: str, tree: Expression) -> None:
        self.text = text
        self.tree = tree
        self._truth = predicate_of(tree)

    def matches(self, message: Message) -> bool:
        """Whether the message is selected; errors from reading its fields pass.

        Reads the condition's fields in its order, and stops when the result is certain.
        """
        return self._truth(message) is True

    def size_bytes(self) -> i64:
        """See MessageFilter."""
        return _CHARACTER_BYTES * len(self.text)


def parse_selector(text: str) -> Selector:
    """Parse a selector; an empty text selects every message.

    Raises:
        InvalidSelectorError: the text is not a selector, longer than MAX_LENGTH or deeper than MAX_DEPTH.
    """
    if not text or text.isspace():
        return Selector(text, EVERYTHING)
    if len(text) > MAX_LENGTH:
        raise InvalidSelectorError(f"{len(text)} characters; at most {MAX_LENGTH} are allowed", text)
    tree = parse_tree(text)
    if depth(tree) > MAX_DEPTH:
        raise InvalidSelectorError(f"nested deeper than {MAX_DEPTH} levels", text)
    return Selector(text, tree)
