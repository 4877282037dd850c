"""The selector language of JMS, from text to a condition on messages; see docs/queues/selectors.md."""

from lastvalue.selectors.errors import InvalidSelectorError
from lastvalue.selectors.selector import Selector, parse_selector

__all__ = ["InvalidSelectorError", "Selector", "parse_selector"]
