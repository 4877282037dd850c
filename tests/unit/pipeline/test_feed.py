"""A feed's account of its progress, without Spark."""

import json
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

pytest.importorskip("pyspark")

from lastvalue.pipeline.feed import Feed, FeedFailedError, FeedProgress


@dataclass
class Query:
    """A streaming query that is at another row each time it is asked."""

    rows: list[int]
    active: bool = True
    stopped: bool = False
    asked: int = field(default=0, init=False)

    @property
    def lastProgress(self) -> object:  # noqa: N802 - Spark's name
        row = self.rows[min(self.asked, len(self.rows) - 1)]
        self.asked += 1
        end = json.dumps({"row": row, "anchor_us": 1})
        return SimpleNamespace(sources=[SimpleNamespace(endOffset=end)], batchId=self.asked, batchDuration=50)

    @property
    def isActive(self) -> bool:  # noqa: N802 - Spark's name
        return self.active

    def exception(self) -> object:
        return "queue 'q' rejected a message"

    def stop(self) -> None:
        self.stopped = True


def test_progress_is_told_when_it_changes_and_ends_with_the_last_row() -> None:
    query = Query([0, 3, 3, 5])
    told = [(report.event, report.updates) for report in feed(query, 5).progress()]
    assert told == [("progress", 3), ("progress", 5), ("finished", 5)]
    assert query.stopped


def test_a_feed_that_is_stopped_ends_where_it_is() -> None:
    running = feed(Query([2]), 5)
    running.stop()
    assert list(running.progress()) == [FeedProgress("finished")]


def test_a_query_that_fails_is_told_with_its_reason() -> None:
    with pytest.raises(FeedFailedError, match="rejected a message"):
        list(feed(Query([2], active=False), 5).progress())


def feed(query: Query, end_row: int) -> Feed:
    return Feed(query, end_row, poll_s=0.0)  # type: ignore[arg-type] # it has what a feed asks of a query
