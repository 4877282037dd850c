"""A selector: which messages somebody wants."""

from typing import Final

from lastvalue.model.message import Message, MessageFilter
from lastvalue.selectors.errors import InvalidSelectorError
from lastvalue.selectors.expressions import EVERYTHING, Expression, depth
from lastvalue.selectors.predicate import predicate_of

MAX_LENGTH: Final = 16384
"""Longer texts are refused: parsing takes time in proportion to the length."""

MAX_DEPTH: Final = 100
"""Expressions within each other; a conjunction or disjunction of many terms is one level."""


class Selector(MessageFilter):
    """Wants the messages for which its condition is true; false and unknown are not wanted.

    Attributes:
        text: as it was given.
        tree: what it says.
    """

    __slots__ = ("_truth", "text", "tree")

    def __init__(self, text: str, tree: Expression) -> None:
        self.text = text
        self.tree = tree
        self._truth = predicate_of(tree)

    def matches(self, message: Message) -> bool:
        """Whether the message is wanted; what the message raises when it is asked for a field passes.

        Reads the fields that the condition needs, in its order, and stops when they decide.
        """
        return self._truth(message) is True


def parse_selector(text: str) -> Selector:
    """The selector that a text says; an empty one wants every message.

    Raises:
        InvalidSelectorError: it is no selector, or longer than MAX_LENGTH, or deeper than MAX_DEPTH.
    """
    if not text or text.isspace():
        return Selector(text, EVERYTHING)
    if len(text) > MAX_LENGTH:
        raise InvalidSelectorError(f"{len(text)} characters; at most {MAX_LENGTH} are allowed", text)
    # Here, because lark takes long to import and few processes parse selectors.
    from lastvalue.selectors.tree_parser import parse_tree  # noqa: PLC0415 - see above

    tree = parse_tree(text)
    if depth(tree) > MAX_DEPTH:
        raise InvalidSelectorError(f"nested deeper than {MAX_DEPTH} levels", text)
    return Selector(text, tree)
