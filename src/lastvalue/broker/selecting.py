"""Selectors on bindings."""

import importlib

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.message import MessageFilter


@mypyc_attr(native_class=False)
class NoSelectorsError(BrokerError):
    """This build has no selectors."""

    condition = Condition.NOT_IMPLEMENTED


def filter_from_text(text: str) -> MessageFilter:
    """The filter that a selector's text says."""
    try:
        module = importlib.import_module("lastvalue.selectors")
    except ImportError:
        raise NoSelectorsError("selectors are not available; bind without x-filter-jms-selector") from None
    wanted: MessageFilter = module.parse_selector(text)
    return wanted
