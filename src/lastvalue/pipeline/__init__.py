"""Spark: session, operators, the `lastvalue` source and sink, the replaying source, feeds.

Nothing here imports pyspark before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from lastvalue.queues.policy import Count, First, Last, List, Max, Merge, Min, Ohlc, Sum, Vwap

if TYPE_CHECKING:
    from lastvalue.pipeline.conflation.conflate import conflate as conflate
    from lastvalue.pipeline.conflation.conflate import conflate_micro_batch as conflate_micro_batch
    from lastvalue.pipeline.conflation.tombstones import Tombstones as Tombstones
    from lastvalue.pipeline.groups import in_groups as in_groups
    from lastvalue.pipeline.history.history_queries import as_of as as_of
    from lastvalue.pipeline.history.history_queries import diff as diff
    from lastvalue.pipeline.history.history_queries import history_rows as history_rows
    from lastvalue.pipeline.history.history_queries import timeline as timeline
    from lastvalue.pipeline.retention.delivery_order import in_delivery_order as in_delivery_order
    from lastvalue.pipeline.retention.retained import retained as retained
    from lastvalue.pipeline.selection.conditions import select as select
    from lastvalue.pipeline.sink.publish import publish as publish
    from lastvalue.pipeline.sink.publish import publish_stream as publish_stream
    from lastvalue.pipeline.sink.write_ids import micro_batch_id as micro_batch_id
    from lastvalue.pipeline.source.parsed_bodies import parsed as parsed
    from lastvalue.pipeline.source.views import register_views as register_views
    from lastvalue.pipeline.spark.register import register as register
    from lastvalue.pipeline.spark.session import SessionOptions as SessionOptions
    from lastvalue.pipeline.spark.session import create_session as create_session

_MODULES = {
    "as_of": "history.history_queries",
    "diff": "history.history_queries",
    "history_rows": "history.history_queries",
    "timeline": "history.history_queries",
    "SessionOptions": "spark.session",
    "Tombstones": "conflation.tombstones",
    "conflate": "conflation.conflate",
    "conflate_micro_batch": "conflation.conflate",
    "create_session": "spark.session",
    "in_delivery_order": "retention.delivery_order",
    "in_groups": "groups",
    "micro_batch_id": "sink.write_ids",
    "parsed": "source.parsed_bodies",
    "publish": "sink.publish",
    "publish_stream": "sink.publish",
    "register": "spark.register",
    "register_views": "source.views",
    "retained": "retention.retained",
    "select": "selection.conditions",
}

__all__ = [
    "Count",
    "First",
    "Last",
    "List",
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
    "register_views",
    "retained",
    "select",
    "timeline",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
