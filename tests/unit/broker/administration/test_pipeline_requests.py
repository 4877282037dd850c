"""Requests about the pipeline."""

from typing import Any

import pytest

from lastvalue.broker.administration.pipeline_requests import NoPipelineError, Pipeline, ask_pipeline
from lastvalue.broker.administration.request import Request


class NotedPipeline(Pipeline):
    def __init__(self) -> None:
        self.restarted: list[str] = []

    def state(self) -> dict[str, Any]:
        return {"state": "running"}

    def restart(self, name: str) -> None:
        self.restarted.append(name)


def test_a_pipeline_is_shown_and_a_part_begins_again() -> None:
    pipeline = NotedPipeline()
    assert ask_pipeline(pipeline, Request("READ")).body == {"state": "running"}
    assert ask_pipeline(pipeline, Request("RESTART", name="feed")).status == 202
    assert pipeline.restarted == ["feed"]


def test_without_a_pipeline_and_for_other_operations_it_is_refused() -> None:
    with pytest.raises(NoPipelineError, match="serve --config FILE"):
        ask_pipeline(None, Request("READ"))
    assert ask_pipeline(NotedPipeline(), Request("DELETE")).status == 501
