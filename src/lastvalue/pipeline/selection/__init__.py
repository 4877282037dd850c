"""JMS selectors on DataFrames."""

from lastvalue.pipeline.selection.conditions import condition, select

__all__ = ["condition", "select"]
