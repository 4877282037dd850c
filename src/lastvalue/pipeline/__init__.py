"""Spark: session, operators, the `lastvalue` source and sink, the replaying source, feeds.

Nothing here imports pyspark before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lastvalue.pipeline.conflation import conflate as conflate
    from lastvalue.pipeline.conflation import conflate_micro_batch as conflate_micro_batch
    from lastvalue.pipeline.delivery_order import in_delivery_order as in_delivery_order
    from lastvalue.pipeline.groups import in_groups as in_groups
    from lastvalue.pipeline.looking_back import as_of as as_of
    from lastvalue.pipeline.looking_back import diff as diff
    from lastvalue.pipeline.looking_back import history_rows as history_rows
    from lastvalue.pipeline.looking_back import timeline as timeline
    from lastvalue.pipeline.parsing import parsed as parsed
    from lastvalue.pipeline.policies import Count as Count
    from lastvalue.pipeline.policies import First as First
    from lastvalue.pipeline.policies import Last as Last
    from lastvalue.pipeline.policies import Max as Max
    from lastvalue.pipeline.policies import Merge as Merge
    from lastvalue.pipeline.policies import Min as Min
    from lastvalue.pipeline.policies import Ohlc as Ohlc
    from lastvalue.pipeline.policies import Sum as Sum
    from lastvalue.pipeline.policies import Tombstones as Tombstones
    from lastvalue.pipeline.policies import Vwap as Vwap
    from lastvalue.pipeline.publishing import micro_batch_id as micro_batch_id
    from lastvalue.pipeline.publishing import publish as publish
    from lastvalue.pipeline.publishing import publish_stream as publish_stream
    from lastvalue.pipeline.registration import register as register
    from lastvalue.pipeline.retention import retained as retained
    from lastvalue.pipeline.selection import select as select
    from lastvalue.pipeline.session import SessionOptions as SessionOptions
    from lastvalue.pipeline.session import create_session as create_session

_MODULES = {
    "as_of": "looking_back",
    "diff": "looking_back",
    "history_rows": "looking_back",
    "timeline": "looking_back",
    "Count": "policies",
    "First": "policies",
    "Last": "policies",
    "Max": "policies",
    "Merge": "policies",
    "Min": "policies",
    "Ohlc": "policies",
    "SessionOptions": "session",
    "Sum": "policies",
    "Tombstones": "policies",
    "Vwap": "policies",
    "conflate": "conflation",
    "conflate_micro_batch": "conflation",
    "create_session": "session",
    "in_delivery_order": "delivery_order",
    "in_groups": "groups",
    "micro_batch_id": "publishing",
    "parsed": "parsing",
    "publish": "publishing",
    "publish_stream": "publishing",
    "register": "registration",
    "retained": "retention",
    "select": "selection",
}

__all__ = [
    "Count",
    "First",
    "Last",
    "Max",
    "Merge",
    "Min",
    "Ohlc",
    "SessionOptions",
    "Sum",
    "Tombstones",
    "Vwap",
    "as_of",
    "conflate",
    "conflate_micro_batch",
    "create_session",
    "diff",
    "history_rows",
    "in_delivery_order",
    "in_groups",
    "micro_batch_id",
    "parsed",
    "publish",
    "publish_stream",
    "register",
    "retained",
    "select",
    "timeline",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
