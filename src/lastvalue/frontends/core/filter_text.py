"""The filters of Artemis's clients as selectors of JMS."""

import re
from typing import Final

from lastvalue.selectors import InvalidSelectorError, parse_selector
from lastvalue.selectors.expressions import (
    Comparator,
    Comparison,
    Conjunction,
    Disjunction,
    Expression,
    Inverse,
    Literal,
)

_NAMES: Final[dict[str, str]] = {
    "AMQUserID": "JMSMessageID",
    "AMQPriority": "JMSPriority",
    "AMQTimestamp": "JMSTimestamp",
    "AMQExpiration": "JMSExpiration",
    "AMQGroupID": "JMSXGroupID",
    "AMQAddress": "JMSDestination",
    "AMQDurable": "JMSDeliveryMode",
}
"""[Artemis] The identifiers of filters that are fields of a message."""

_VALUES: Final[dict[str, str]] = {"'DURABLE'": "'PERSISTENT'", "'NON_DURABLE'": "'NON_PERSISTENT'"}
"""The texts with which AMQDurable is compared."""

_TOKEN: Final = re.compile(r"'(?:[^']|'')*'|[A-Za-z_$][A-Za-z0-9_$.]*")


_BACK: Final = {jms: core for core, jms in _NAMES.items()}
_VALUES_BACK: Final = {jms: core for core, jms in _VALUES.items()}


def jms_selector(filter_text: str) -> str:
    """The selector that a filter of CORE means; texts in quotation marks stay.

    Raises:
        InvalidSelectorError: it is none, or asks for the order of a boolean.
    """
    selector = _translated(filter_text, _NAMES, _VALUES if "AMQDurable" in filter_text else {})
    _check_order(parse_selector(selector).tree, selector)
    return selector


_UNORDERED: Final = (Comparator.EQUAL, Comparator.UNEQUAL)


def _check_order(tree: Expression, selector: str) -> None:
    """[JMS 1.1 §3.8.1.2] Booleans are compared by = and <> alone, as Artemis has it."""
    if isinstance(tree, Conjunction | Disjunction):
        for term in tree.terms:
            _check_order(term, selector)
    elif isinstance(tree, Inverse):
        _check_order(tree.operand, selector)
    elif isinstance(tree, Comparison) and tree.comparator not in _UNORDERED:
        for operand in (tree.left, tree.right):
            if isinstance(operand, Literal) and isinstance(operand.value, bool):
                text = f"{tree.comparator.value} compares numbers and texts; a boolean has no order"
                raise InvalidSelectorError(text, selector)


def filter_text_of(selector: str) -> str:
    """The filter of which `jms_selector` makes this selector."""
    return _translated(selector, _BACK, _VALUES_BACK if "JMSDeliveryMode" in selector else {})


def _translated(text: str, names: dict[str, str], values: dict[str, str]) -> str:
    known = {**names, **values}
    return _TOKEN.sub(lambda match: known.get(match.group(), match.group()), text)
