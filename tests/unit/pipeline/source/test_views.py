"""lastvalue.pipeline.source.views; what the views hold is in tests/spark/test_views.py."""

import inspect

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline import register_views
from lastvalue.pipeline.source import views


def test_views_are_made_of_queues_by_name_now_or_at_a_moment() -> None:
    assert register_views is views.register_views
    parameters = inspect.signature(register_views).parameters
    assert list(parameters) == ["spark", "url", "queues", "at", "tables", "names"]
    assert parameters["at"].default is None
